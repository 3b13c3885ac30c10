import { makeOperatorLink } from '../accounts/invitations.ts';
import { setAccountRole } from '../accounts/peopleQueries.ts';
import { activateUser, updateUser } from '../accounts/queries.ts';
import { Email, weeklyMinutes } from '../accounts/schema.ts';
import { auditCommand, operator } from '../audit/audit.ts';
import { erasePerson } from '../erasure/eraseDue.ts';
import { deactivate as deactivateUser } from '../plans/leave.ts';
import { InvalidRequest } from '../values/errors.ts';
import { Label } from '../values/text.ts';
import { command, option } from './command.ts';
import { accountRole, id, timezone, weeklyHours } from './options.ts';

const user = id('user');

export const update = command({
  summary: 'change a user; options that you leave out keep their values; a new address ends earlier password links',
  options: {
    user,
    email: option(Email.optional(), 'ADDRESS', 'new sign-in address'),
    name: option(Label(200).optional(), 'NAME', 'name of the user'),
    role: accountRole('role in the account'),
    timezone,
    'weekly-hours': weeklyHours,
  },
  async run(context, { user: userId, role, 'weekly-hours': hours, ...given }) {
    const change = { ...given, weeklyMinutes: hours === undefined ? undefined : weeklyMinutes(hours) };
    if ([role, ...Object.values(change)].every((value) => value === undefined))
      throw new InvalidRequest([], 'No changes given. Give --email, --name, --role, --timezone or --weekly-hours.');
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
  summary: "end a user's sessions, keys and connections, stop their timer and cancel their plan blocks; their items stay",
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
  summary: 'reactivate a user with their password and memberships; sessions, keys and connections stay revoked',
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
  summary:
    'erase a user permanently: name, address, sessions, keys, agents and notes; their items stay, with “Deleted user ID” as their name',
  options: { user },
  note: 'This cannot be undone. To keep a copy, run `stint export --account ID` first. docs/operations.md#erase lists what stays.',
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
  summary: 'create a one-time password link for a user; it is not mailed',
  options: { user },
  note: 'The link works for 7 days, or 24 hours if the user has a password. Earlier links end. SECRET_KEY must be that of the service.',
  async run(context, values) {
    const maker = { baseUrl: context.baseUrl(), secretKey: context.secretKey() };
    const db = await context.db();
    return db.transaction((tx) =>
      auditCommand(tx, operator(), 'link.made', { type: 'user', id: values.user }, () => makeOperatorLink(tx, values.user, maker), true),
    );
  },
});
