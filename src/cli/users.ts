import { makeOperatorLink } from '../accounts/invitations.ts';
import { setAccountRole } from '../accounts/peopleQueries.ts';
import { activateUser, updateUser } from '../accounts/queries.ts';
import { Email, weeklyMinutes } from '../accounts/schema.ts';
import { auditCommand, operator } from '../audit/audit.ts';
import { erasePerson } from '../erasure/erasePerson.ts';
import { deactivate as deactivateUser } from '../plans/leave.ts';
import { InvalidRequest } from '../values/errors.ts';
import { Label } from '../values/text.ts';
import { command, option } from './command.ts';
import { accountRole, id, timezone, weeklyHours } from './options.ts';

const user = id('user');

export const update = command({
  summary: 'change a user; what is left out stays, and a new address ends the links to set a password that went to the old one',
  options: {
    user,
    email: option(Email.optional(), 'ADDRESS', 'what they sign in with from now on'),
    name: option(Label(200).optional(), 'NAME', 'name of the user'),
    role: accountRole('role in the account'),
    timezone,
    'weekly-hours': weeklyHours,
  },
  async run(context, { user: userId, role, 'weekly-hours': hours, ...given }) {
    const change = { ...given, weeklyMinutes: hours === undefined ? undefined : weeklyMinutes(hours) };
    if ([role, ...Object.values(change)].every((value) => value === undefined))
      throw new InvalidRequest([], 'There is nothing to change. Give --email, --name, --role, --timezone or --weekly-hours.');
    const db = await context.db();
    const subject = { type: 'user', id: userId } as const;
    const { weeklyMinutes: minutes, ...now } = await db.transaction(async (tx) => {
      if (role) await auditCommand(tx, operator(), 'user.role', subject, () => setAccountRole(tx, 'everything', userId, role));
      return auditCommand(tx, operator(), 'user.changed', subject, () => updateUser(tx, 'everything', userId, change));
    });
    return { ...now, ...(role && { accountRole: role }), weeklyHours: minutes === null ? null : minutes / 60 };
  },
});

export const deactivate = command({
  summary:
    "end a user's sessions, keys and connections for good, stop their timer and cancel their plan blocks; what they did stays; not for an account's last active owner",
  options: { user },
  async run(context, values) {
    const db = await context.db();
    const ended = await db.transaction((tx) =>
      auditCommand(tx, operator(), 'user.deactivated', { type: 'user', id: values.user }, () =>
        deactivateUser(tx, 'everything', values.user),
      ),
    );
    return { id: values.user, active: false, ...ended };
  },
});

export const reactivate = command({
  summary: 'let a user in again, with the password and memberships they had; sessions, keys and connections do not come back',
  options: { user },
  async run(context, values) {
    const db = await context.db();
    await db.transaction((tx) =>
      auditCommand(tx, operator(), 'user.activated', { type: 'user', id: values.user }, () => activateUser(tx, 'everything', values.user)),
    );
    return { id: values.user, active: true };
  },
});

export const erase = command({
  summary: 'erase a user at once and for good: name, address, sessions, keys, agents and notes; what they did stays, by “Deleted user ID”',
  options: { user },
  note: 'It can not be undone. `stint export --account ID` exports the account before, with the notes of its users. docs/operations.md#erase tells what stays.',
  async run(context, values) {
    const db = await context.db();
    const ended = await db.transaction((tx) =>
      auditCommand(
        tx,
        operator(),
        'user.erased',
        { type: 'user', id: values.user },
        () => erasePerson(tx, 'everything', values.user),
        true,
      ),
    );
    return { id: values.user, erased: true, ...ended };
  },
});

export const passwordLink = command({
  summary: 'a one-time link with which a user sets a password; hand it over yourself, it is not mailed',
  options: { user },
  note: 'It works for 7 days, or 24 hours where the user has a password already. Earlier links end. SECRET_KEY must be that of the service.',
  async run(context, values) {
    const maker = { baseUrl: context.baseUrl(), secretKey: context.secretKey() };
    const db = await context.db();
    return db.transaction((tx) =>
      auditCommand(tx, operator(), 'link.made', { type: 'user', id: values.user }, () => makeOperatorLink(tx, values.user, maker), true),
    );
  },
});
