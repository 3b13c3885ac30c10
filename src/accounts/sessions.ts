/** Browser sessions. Each request reads its session again; a new sign-in gets a new id (behaviour §12.5). */
import { z } from 'zod';
import { permitOutside } from '../access/caller.ts';
import { newSecret } from '../access/secrets.ts';
import type { AuditEntry } from '../audit/audit.ts';
import type { Tx } from '../database/db.ts';
import type { Write } from '../operations/operation.ts';
import { type Browser, deleteSession, insertSession } from './sessionQueries.ts';

export { Browser } from './sessionQueries.ts';

const Nothing = z.strictObject({});

export const signedIn: AuditEntry<unknown, unknown, NewSession> = {
  kind: 'sign_in',
  made: (_permit, _input, { userId }) => ({ type: 'user', id: userId }),
  event: true,
};

export interface NewSession {
  /** Value of the session cookie, handed out only once. */
  session: string;
  userId: number;
}

export async function beginSession(tx: Tx, userId: number, browser: Browser): Promise<NewSession> {
  const { secret, hash } = newSecret('session');
  await insertSession(tx, userId, hash, browser);
  return { session: secret, userId };
}

export const signOut: Write<z.infer<typeof Nothing>, void> = {
  name: 'signOut',
  input: Nothing,
  authorize: async (_tx, caller) => permitOutside(caller),
  async run(tx, { caller }) {
    if (caller.kind === 'session') await deleteSession(tx, caller.hash);
  },
};
