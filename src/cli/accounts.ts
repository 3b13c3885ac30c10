import { z } from 'zod';
import { makeOwnerLink } from '../accounts/firstAccount.ts';
import { hashNewPassword, NewPassword } from '../accounts/password.ts';
import { restoreAccountRows, setAccountDue } from '../accounts/peopleQueries.ts';
import { insertAccount, insertUser, readAccountName, renameAccount } from '../accounts/queries.ts';
import { Email, userKinds, weeklyMinutes } from '../accounts/schema.ts';
import { auditCommand, operator } from '../audit/audit.ts';
import type { Subject } from '../audit/line.ts';
import { parseInput } from '../operations/input.ts';
import { InvalidRequest } from '../values/errors.ts';
import { command, option } from './command.ts';
import { accountRole, id, name, timezone, weeklyHours } from './options.ts';

const asAccount = (id: number): Subject => ({ type: 'account', id });
const asUser = (id: number): Subject => ({ type: 'user', id });

export const createAccount = command({
  summary: 'create an account without users; prints a one-time link for its first owner',
  options: { name: name('account') },
  note: 'The link works once, within 7 days, while the account has no users. Or add the owner with `user create --role owner`.',
  async run(context, values) {
    const baseUrl = context.baseUrl();
    const db = await context.db();
    return db.transaction(async (tx) => {
      const id = await auditCommand(tx, operator(), 'account.made', asAccount, () => insertAccount(tx, values.name));
      return { id, name: values.name, ownerLink: await makeOwnerLink(tx, baseUrl, id) };
    });
  },
});

export const rename = command({
  summary: 'rename an account',
  options: { account: id('account'), name: name('account') },
  async run(context, values) {
    const db = await context.db();
    await db.transaction((tx) =>
      auditCommand(tx, operator(), 'account.renamed', asAccount(values.account), () => renameAccount(tx, values.account, values.name)),
    );
    return { id: values.account, name: values.name };
  },
});

export const erase = command({
  summary: 'deactivate an account and erase all its data after 30 days; until then `account restore` restores it',
  options: { account: id('account') },
  note: 'To keep a copy, export it first: stint export --account ID > FILE',
  async run(context, { account }) {
    const db = await context.db();
    const erasedAt = await db.transaction((tx) =>
      auditCommand(tx, operator(), 'account.erased', asAccount(account), () => setAccountDue(tx, account), true),
    );
    return { id: account, erasedAt, restore: `stint account restore --account ${account}` };
  },
});

export const restore = command({
  summary: 'restore an account that was erased less than 30 days ago, with its users, keys and workspaces',
  options: { account: id('account') },
  async run(context, { account }) {
    const db = await context.db();
    await db.transaction((tx) =>
      auditCommand(tx, operator(), 'account.restored', asAccount(account), () => restoreAccountRows(tx, account), true),
    );
    return { id: account, restored: true };
  },
});

export const createUser = command({
  summary: 'add a person or service user to an account',
  options: {
    account: id('account'),
    email: option(Email, 'ADDRESS', 'sign-in address; unique in the account'),
    name: name('user'),
    kind: option(z.enum(userKinds, { error: 'give person or service' }).default('person'), 'person|service', 'default: person'),
    role: accountRole('role in the account; default: member'),
    'account-role': accountRole('the same as --role'),
    password: option(
      z.string().optional(),
      'TEXT|-',
      'users without a password cannot sign in; - reads it from stdin, so that process lists do not show it',
    ),
    timezone,
    'weekly-hours': weeklyHours,
  },
  async run(context, values) {
    if (values.role && values['account-role']) throw new InvalidRequest(['account-role'], 'is the same as --role; give one of them.');
    const password = values.password === '-' ? (await context.readText('-')).replace(/\r?\n$/, '') : values.password;
    const user = {
      accountId: values.account,
      email: values.email,
      name: values.name,
      kind: values.kind,
      accountRole: values.role ?? values['account-role'] ?? 'member',
      timezone: values.timezone ?? 'UTC',
    } as const;
    const chosen = parseInput(NewPassword.optional(), password, 'password');
    const db = await context.db();
    const about = [values.name, values.email, await readAccountName(db.pool(), values.account)];
    const passwordHash = chosen === undefined ? null : await hashNewPassword(chosen, about);
    const weekly = weeklyMinutes(values['weekly-hours'] ?? null);
    const made = await db.transaction((tx) =>
      auditCommand(tx, operator(), 'user.added', asUser, () =>
        insertUser(tx, 'everything', { ...user, passwordHash, weeklyMinutes: weekly }),
      ),
    );
    return { id: made, ...user, weeklyHours: values['weekly-hours'] ?? null, active: true };
  },
});
