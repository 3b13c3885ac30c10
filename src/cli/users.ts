/** What becomes of a `user` that is there: changed, deactivated, brought back. */
import { deactivatePerson } from '../accounts/peopleQueries.ts';
import { activateUser, updateUser } from '../accounts/queries.ts';
import { Email, weeklyMinutes } from '../accounts/schema.ts';
import { operator, toldOf } from '../audit/audit.ts';
import { InvalidRequest } from '../values/errors.ts';
import { Label } from '../values/text.ts';
import { command, option } from './command.ts';
import { id, timezone, weeklyHours } from './options.ts';

const user = id('user');

export const update = command({
  summary: 'change a user; what is left out stays, and a new address ends the links to set a password that went to the old one',
  options: {
    user,
    email: option(Email.optional(), 'ADDRESS', 'what they sign in with from now on'),
    name: option(Label(200).optional(), 'NAME', 'name of the user'),
    timezone,
    'weekly-hours': weeklyHours,
  },
  async run(context, { user: userId, 'weekly-hours': hours, ...given }) {
    const change = { ...given, weeklyMinutes: hours === undefined ? undefined : weeklyMinutes(hours) };
    if (Object.values(change).every((value) => value === undefined))
      throw new InvalidRequest(['user'], 'is to be changed in what? Give --email, --name, --timezone or --weekly-hours.');
    const db = await context.db();
    const { weeklyMinutes: minutes, ...now } = await db.transaction((tx) =>
      toldOf(tx, operator(), 'user.changed', { type: 'user', id: userId }, () => updateUser(tx, 'everything', userId, change)),
    );
    return { ...now, weeklyHours: minutes === null ? null : minutes / 60 };
  },
});

export const deactivate = command({
  summary: "end a user's sessions, keys and connections at once and for good; what they did stays; not for an account's last active owner",
  options: { user },
  async run(context, values) {
    const db = await context.db();
    await db.transaction((tx) =>
      toldOf(tx, operator(), 'user.deactivated', { type: 'user', id: values.user }, () => deactivatePerson(tx, 'everything', values.user)),
    );
    return { id: values.user, active: false };
  },
});

export const reactivate = command({
  summary: 'let a user in again, with the password and memberships they had; sessions, keys and connections do not come back',
  options: { user },
  async run(context, values) {
    const db = await context.db();
    await db.transaction((tx) =>
      toldOf(tx, operator(), 'user.activated', { type: 'user', id: values.user }, () => activateUser(tx, 'everything', values.user)),
    );
    return { id: values.user, active: true };
  },
});
