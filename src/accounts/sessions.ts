/** Browser sessions: read afresh for each request, begun under a new id, ended (behaviour §12.5). */
import { z } from 'zod';
import { permitOutside } from '../access/caller.ts';
import { newSecret } from '../access/secrets.ts';
import type { Telling } from '../audit/audit.ts';
import type { Tx } from '../database/db.ts';
import type { Read, TransactionWrite } from '../operations/operation.ts';
import { type Browser, deleteSession, insertSession, readSession, type SignedIn } from './sessionQueries.ts';

export { Browser, type SignedIn } from './sessionQueries.ts';

const Nothing = z.strictObject({});

/** The user of the caller's session with the number of unread notifications; null without a good session. */
export const getSignedIn: Read<z.infer<typeof Nothing>, SignedIn | null> = {
  name: 'getSignedIn',
  input: Nothing,
  run: async (tx, caller) => (caller.kind === 'session' ? readSession(tx, caller.hash) : null),
};

/** The line of what begins a session. */
export const signedIn: Telling<unknown, unknown, Begun> = {
  kind: 'sign_in',
  made: (_permit, _input, { userId }) => ({ type: 'user', id: userId }),
  event: true,
};

/** What whoever has just signed in gets. */
export interface Begun {
  /** The value of the cookie, to be handed over this once. */
  session: string;
  userId: number;
}

export async function beginSession(tx: Tx, userId: number, browser: Browser): Promise<Begun> {
  const { secret, hash } = newSecret('session');
  await insertSession(tx, userId, hash, browser);
  return { session: secret, userId };
}

/** Ends the session of the caller. */
export const signOut: TransactionWrite<z.infer<typeof Nothing>, object, void> = {
  name: 'signOut',
  input: Nothing,
  authorize: async (_tx, caller) => permitOutside(caller),
  async run(tx, { caller }) {
    if (caller.kind === 'session') await deleteSession(tx, caller.hash);
  },
};
