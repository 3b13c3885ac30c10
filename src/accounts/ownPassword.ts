/** Proves and changes a person's own password (behaviour §12.11). */

import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type AccountPermit, asMember } from '../access/accountAccessQueries.ts';
import { type Caller, type Permit, permitOutside, visitor } from '../access/caller.ts';
import { auditEvent } from '../audit/audit.ts';
import { aboutSelf, type By } from '../audit/line.ts';
import type { Db, Tx } from '../database/db.ts';
import type { Read, Write } from '../operations/operation.ts';
import { enqueue } from '../queue/jobs.ts';
import { InvalidRequest } from '../values/errors.ts';
import { insertForgottenLink, lockUsersByEmail } from './invitationQueries.ts';
import { hashNewPassword, NewPassword, verifyPassword } from './password.ts';
import { type PasswordFacts, readPasswordFacts } from './peopleQueries.ts';
import { endKeys, setPasswordHash } from './queries.ts';
import { Email, normalEmail } from './schema.ts';
import { confirm } from './sessionQueries.ts';
import { Browser, beginSession, type NewSession } from './sessions.ts';

async function withStored(tx: Tx, caller: Caller): Promise<AccountPermit & PasswordFacts> {
  const permit = await asMember(tx, caller);
  return { ...permit, ...(await readPasswordFacts(tx, permit.userId)) };
}

const Proof = z.strictObject({ password: z.string() });

export const provePassword: Read<z.infer<typeof Proof>, boolean> = {
  name: 'provePassword',
  input: Proof,
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

/** `revoke`: also revoke the caller's agents, keys and calendar address. */
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
    { kind: 'password.changed', about: aboutSelf, event: true },
    { kind: 'keys.revoked', when: (_permit, { revoke }) => revoke, about: aboutSelf, event: true },
  ],

  async run(tx, { userId, stored }, { revoke, browser }, { proved, passwordHash }: Proved) {
    if (stored !== proved) throw notRight();
    await setPasswordHash(tx, 'everything', userId, passwordHash);
    if (revoke) await endKeys(tx, userId);
    return beginSession(tx, userId, browser);
  },
};

const notRight = () => new InvalidRequest([], 'The current password is not correct. Try again.');

/** Asking for a forgotten password always gets the same immediate answer. A job looks up the address (behaviour §12.23). */
const Asked = z.strictObject({ email: Email });

export const askForLink: Write<z.infer<typeof Asked>, void> = {
  name: 'askForLink',
  input: Asked,
  authorize: async (_tx, caller) => permitOutside(caller),
  run: (tx, { caller }: Permit, { email }) => enqueue(tx, 'forgotten_password', { email: normalEmail(email), address: caller.address }),
};

/** Mails a link to each person with this address. An address may be in several accounts. */
export async function sendForgottenLinks(db: Db, email: string, address?: string): Promise<void> {
  const stranger: By = { caller: { ...visitor, ...(address === undefined ? {} : { address }) }, userId: 0 };
  await db.transaction(async (tx) => {
    for (const { id, accountId } of await lockUsersByEmail(tx, email)) {
      const invitationId = await insertForgottenLink(tx, id, randomBytes(16).toString('base64url'));
      if (invitationId === null) continue;
      await enqueue(tx, 'mail_invitation', { invitationId }, { about: { account: accountId, user: id } });
      await auditEvent(tx, stranger, 'link.asked', { type: 'user', id });
    }
  });
}
