/** Proves and changes a person's own password (behaviour §12.11). */
import { z } from 'zod';
import { type AccountPermit, inAccount } from '../access/accountAccessQueries.ts';
import type { Caller } from '../access/caller.ts';
import type { Subject } from '../audit/line.ts';
import type { Tx } from '../database/db.ts';
import type { Read, Write } from '../operations/operation.ts';
import { InvalidRequest } from '../values/errors.ts';
import { hashNewPassword, NewPassword, verifyPassword } from './password.ts';
import { type PasswordFacts, readPasswordFacts } from './peopleQueries.ts';
import { endKeys, setPasswordHash } from './queries.ts';
import { confirm } from './sessionQueries.ts';
import { Browser, beginSession, type NewSession } from './sessions.ts';

async function withStored(tx: Tx, caller: Caller): Promise<AccountPermit & PasswordFacts> {
  const permit = await inAccount(tx, caller, ['owner', 'admin', 'member']);
  return { ...permit, ...(await readPasswordFacts(tx, permit.userId)) };
}

const self = ({ userId }: AccountPermit): Subject => ({ type: 'user', id: userId });

const Proof = z.strictObject({ password: z.string() });

export const provePassword: Read<z.infer<typeof Proof>, boolean> = {
  name: 'provePassword',
  input: Proof,
  // Hashing waits in its own queue, without a database connection.
  waits: true,
  async run(tx, caller, { password }) {
    const { stored, userId } = await withStored(tx, caller);
    return verifyPassword(password, stored, `user ${userId}`);
  },
};

/** True if this is the caller's password. The session then counts as confirmed for ten minutes. */
export const confirmSession: Write<z.infer<typeof Proof>, boolean, AccountPermit & PasswordFacts> = {
  name: 'confirmSession',
  input: Proof,
  authorize: withStored,
  prepare: async ({ stored, userId }, { password }) => ((await verifyPassword(password, stored, `user ${userId}`)) ? stored : null),
  async run(tx, { stored, caller }, _input, proved: string | null) {
    if (proved === null || proved !== stored || caller.kind !== 'session') return false;
    await confirm(tx, caller.hash);
    return true;
  },
};

interface Proved {
  proved: string | null;
  passwordHash: string;
}

/** `revoke`: also revoke the caller's agents and keys. */
const Change = z.strictObject({ current: z.string(), password: NewPassword, revoke: z.boolean(), browser: Browser });

export const changePassword: Write<z.infer<typeof Change>, NewSession, AccountPermit & PasswordFacts> = {
  name: 'changePassword',
  input: Change,
  authorize: withStored,

  async prepare({ stored, userId, name, email, accountName }, { current, password }) {
    if (!(await verifyPassword(current, stored, `user ${userId}`))) throw notRight();
    return { proved: stored, passwordHash: await hashNewPassword(password, [name, email, accountName]) };
  },

  audit: [
    { kind: 'password.changed', about: self, event: true },
    { kind: 'keys.revoked', when: (_permit, { revoke }) => revoke, about: self, event: true },
  ],

  async run(tx, { userId, stored }, { revoke, browser }, { proved, passwordHash }: Proved) {
    if (stored !== proved) throw notRight();
    await setPasswordHash(tx, 'everything', userId, passwordHash);
    if (revoke) await endKeys(tx, userId);
    return beginSession(tx, userId, browser);
  },
};

const notRight = () => new InvalidRequest([], 'The current password is not correct. Try again.');
