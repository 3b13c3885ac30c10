/** The first account, which whoever comes first to a fresh database creates, and is the owner of (behaviour §12.1). */
import { z } from 'zod';
import { permitOutside } from '../access/caller.ts';
import type { Tx } from '../database/db.ts';
import type { Read, TransactionWrite } from '../operations/operation.ts';
import { Zone } from '../values/dates.ts';
import { Conflict } from '../values/errors.ts';
import { Label } from '../values/text.ts';
import { hashNewPassword, NewPassword } from './password.ts';
import { lockAccounts } from './peopleQueries.ts';
import { insertAccount, insertUser } from './queries.ts';
import { Email } from './schema.ts';
import { anyUser } from './sessionQueries.ts';
import { type Begun, Browser, beginSession } from './sessions.ts';

const Nothing = z.strictObject({});

/** Whether anybody is there at all. */
export const hasUsers: Read<z.infer<typeof Nothing>, boolean> = { name: 'hasUsers', input: Nothing, run: anyUser };

const FirstAccount = z.strictObject({
  account: Label(200),
  name: Label(200),
  email: Email,
  timezone: Zone,
  password: NewPassword,
  browser: Browser,
});

/** Creates the account and its owner, and signs them in. Throws Conflict when somebody was quicker. */
export const createFirstAccount: TransactionWrite<z.infer<typeof FirstAccount>, object, Begun, string> = {
  name: 'createFirstAccount',
  input: FirstAccount,

  async authorize(tx, caller) {
    await requireNobody(tx);
    return permitOutside(caller);
  },

  prepare: (_permit, { account, name, email, password }) => hashNewPassword(password, [account, name, email]),

  async run(tx, _permit, { account, name, email, timezone, browser }, passwordHash) {
    // Two first visitors at once: one creates, the other is told.
    await lockAccounts(tx);
    await requireNobody(tx);
    const accountId = await insertAccount(tx, account);
    const owner = { accountId, name, email, timezone, kind: 'person', accountRole: 'owner', passwordHash, weeklyMinutes: null } as const;
    return beginSession(tx, await insertUser(tx, 'everything', owner), browser);
  },
};

async function requireNobody(tx: Tx): Promise<void> {
  if (await anyUser(tx)) throw new Conflict('Somebody has created the account in the meantime: sign in.');
}
