/** A person's own password: given as a proof, and changed (behaviour §12.11). */
import { z } from 'zod';
import { type AccountPermit, inAccount } from '../access/accountAccessQueries.ts';
import type { Caller } from '../access/caller.ts';
import type { Tx } from '../database/db.ts';
import type { Read, TransactionWrite } from '../operations/operation.ts';
import { InvalidRequest } from '../values/errors.ts';
import { hashNewPassword, NewPassword, verifyPassword } from './password.ts';
import { readStored, type Stored } from './peopleQueries.ts';
import { setPasswordHash } from './queries.ts';
import { type Begun, beginSession } from './sessions.ts';

async function withStored(tx: Tx, caller: Caller): Promise<AccountPermit & Stored> {
  const permit = await inAccount(tx, caller, ['owner', 'admin', 'member']);
  return { ...permit, ...(await readStored(tx, permit.userId)) };
}

const Proof = z.strictObject({ password: z.string() });

/** Whether this is the caller's own password. */
export const provePassword: Read<z.infer<typeof Proof>, boolean> = {
  name: 'provePassword',
  input: Proof,
  // Hashing has a line of its own, with no connection in hand.
  waits: true,
  run: async (tx, caller, { password }) => verifyPassword(password, (await withStored(tx, caller)).stored),
};

const Change = z.strictObject({ current: z.string(), password: NewPassword });

/** Every session of theirs ends with the old password; the browser that changes it gets a new one. */
export const changePassword: TransactionWrite<
  z.infer<typeof Change>,
  AccountPermit & Stored,
  Begun,
  { proved: string | null; passwordHash: string }
> = {
  name: 'changePassword',
  input: Change,
  authorize: withStored,

  async prepare({ stored, name, email, accountName }, { current, password }) {
    if (!(await verifyPassword(current, stored))) throw notRight();
    return { proved: stored, passwordHash: await hashNewPassword(password, [name, email, accountName]) };
  },

  async run(tx, { userId, stored }, _input, { proved, passwordHash }) {
    if (stored !== proved) throw notRight();
    await setPasswordHash(tx, 'everything', userId, passwordHash);
    return beginSession(tx, userId, null);
  },
};

const notRight = () => new InvalidRequest([], 'The current password is not right: try again.');
