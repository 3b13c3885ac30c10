/** Browser sessions. Each request reads its session again; a new sign-in gets a new id (behaviour §12.5). */
import { z } from 'zod';
import { type AccountPermit, asMember } from '../access/accountAccessQueries.ts';
import { permitOutside } from '../access/caller.ts';
import { newSecret } from '../access/secrets.ts';
import type { AuditEntry } from '../audit/audit.ts';
import { aboutSelf } from '../audit/line.ts';
import type { Tx } from '../database/db.ts';
import type { Read, Write } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { endSessions } from './queries.ts';
import { type Browser, deleteOwnSession, deleteSession, insertSession, readSessions, type SessionRow } from './sessionQueries.ts';

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

// Specific browsers first: most of them also claim to be Chrome and Safari.
const browsers = { Edge: /Edg/, Opera: /OPR\//, Firefox: /Firefox|FxiOS/, Chrome: /Chrome|CriOS/, Safari: /Safari/, curl: /^curl/ };
const systems = {
  Android: /Android/,
  iPhone: /iPhone/,
  iPad: /iPad/,
  Windows: /Windows/,
  macOS: /Macintosh|Mac OS/,
  ChromeOS: /CrOS/,
  Linux: /Linux/,
};

const first = (patterns: Record<string, RegExp>, text: string) => Object.entries(patterns).find(([, pattern]) => pattern.test(text))?.[0];

export function deviceOf(userAgent: string): string {
  const text = userAgent.slice(0, 500);
  const [browser, system] = [first(browsers, text), first(systems, text)];
  return browser && system ? `${browser} on ${system}` : (browser ?? system ?? 'Another browser');
}

/** Lists and ends a person's own sessions (behaviour §12.24). */
export type { SessionRow } from './sessionQueries.ts';

export const listSessions: Read<Record<string, never>, readonly SessionRow[]> = {
  name: 'listSessions',
  input: z.strictObject({}),
  run: async (tx, caller) => readSessions(tx, (await asMember(tx, caller)).userId, 'hash' in caller ? caller.hash : null),
};

const OneSession = z.strictObject({ sessionId: Id });

export const endSession: Write<z.infer<typeof OneSession>, void, AccountPermit> = {
  name: 'endSession',
  input: OneSession,
  authorize: asMember,
  audit: [{ kind: 'session.ended', about: aboutSelf, event: true }],
  run: (tx, { userId }, { sessionId }) => deleteOwnSession(tx, userId, sessionId),
};

export const endAllSessions: Write<Record<string, never>, void, AccountPermit> = {
  name: 'endAllSessions',
  input: z.strictObject({}),
  authorize: asMember,
  audit: [{ kind: 'sessions.ended', about: aboutSelf, event: true }],
  run: (tx, { userId }) => endSessions(tx, userId),
};
