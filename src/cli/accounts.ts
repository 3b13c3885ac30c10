import { z } from 'zod';
import { restoreAccountRows, setAccountDue } from '../accounts/erasureQueries.ts';
import { makeOwnerLink } from '../accounts/ownerLinks.ts';
import { hashNewPassword, NewPassword } from '../accounts/password.ts';
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
  summary: 'a new tenant, with nobody in it; prints a one-time link for its first owner',
  options: { name: name('account') },
  note: 'The link works once, within seven days, while nobody is in the account. `user create --role owner` does without it.',
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
  summary: 'give an account another name',
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
  summary: 'deactivate an account, and erase it with everything in it after 30 days; until then `account restore` brings it back',
  options: { account: id('account') },
  note: 'Export it before, if you want to keep a copy: stint export --account ID > FILE',
  async run(context, { account }) {
    const db = await context.db();
    const erasedAt = await db.transaction((tx) =>
      auditCommand(tx, operator(), 'account.erased', asAccount(account), () => setAccountDue(tx, account), true),
    );
    return { id: account, erasedAt, restore: `stint account restore --account ${account}` };
  },
});

export const restore = command({
  summary: 'bring an account back that was set to be erased less than 30 days ago, with its users, keys and workspaces',
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
  summary: 'a person, or a service identity, of an account',
  options: {
    account: id('account'),
    email: option(Email, 'ADDRESS', 'what they sign in with; one person of the account has it'),
    name: name('user'),
    kind: option(z.enum(userKinds, { error: 'give person or service' }).default('person'), 'person|service', 'person when left out'),
    role: accountRole('role in the account, member when left out'),
    'account-role': accountRole('the same as --role'),
    password: option(
      z.string().optional(),
      'TEXT|-',
      'without one they cannot sign in; - reads a line from stdin, which no process list shows',
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
