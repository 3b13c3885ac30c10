/** Lists and ends a person's own sessions (behaviour §12.24). */
import { z } from 'zod';
import { type AccountPermit, inAccount } from '../access/accountAccessQueries.ts';
import type { Caller } from '../access/caller.ts';
import type { Subject } from '../audit/line.ts';
import type { Tx } from '../database/db.ts';
import type { Read, Write } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { endSessions } from './queries.ts';
import { deleteOwnSession, readSessions, type SessionRow } from './sessionQueries.ts';

export type { SessionRow } from './sessionQueries.ts';

const anybody = (tx: Tx, caller: Caller) => inAccount(tx, caller, ['owner', 'admin', 'member']);

const self = ({ userId }: AccountPermit): Subject => ({ type: 'user', id: userId });

export const listSessions: Read<Record<string, never>, readonly SessionRow[]> = {
  name: 'listSessions',
  input: z.strictObject({}),
  run: async (tx, caller) => readSessions(tx, (await anybody(tx, caller)).userId, 'hash' in caller ? caller.hash : null),
};

const OneSession = z.strictObject({ sessionId: Id });

export const endSession: Write<z.infer<typeof OneSession>, void, AccountPermit> = {
  name: 'endSession',
  input: OneSession,
  authorize: anybody,
  audit: [{ kind: 'session.ended', about: self, event: true }],
  run: (tx, { userId }, { sessionId }) => deleteOwnSession(tx, userId, sessionId),
};

export const endAllSessions: Write<Record<string, never>, void, AccountPermit> = {
  name: 'endAllSessions',
  input: z.strictObject({}),
  authorize: anybody,
  audit: [{ kind: 'sessions.ended', about: self, event: true }],
  run: (tx, { userId }) => endSessions(tx, userId),
};
