/** Rights for a new progress note, and its rewriting for connections with plain language (behaviour §8.2, §8.3). */
import type { Permit } from '../access/caller.ts';
import { COMMENTS_WRITE, holds, type ItemType, requireLevel, resourceOf } from '../access/rights.ts';
import type { Db } from '../database/db.ts';
import type { Request } from '../operations/request.ts';
import { Forbidden, RewriteUnavailable } from '../values/errors.ts';
import type { NewNote } from './progressNoteQueries.ts';
import { awaitRewrite, type Rewritten } from './rewrite/awaitRewrite.ts';
import { needsRewriting } from './rewrite/excerpts/passages.ts';

interface NoteFacts {
  /** The rights of the connection and the workspace's limits, without the member's own level. */
  delegatedRights: number;
  plainLanguage: boolean;
}

/** Throws Forbidden unless the agent may write items of the type and its user may comment. */
export function mayNote({ delegatedRights, contextRights }: Permit & NoteFacts, type: ItemType): void {
  requireLevel(delegatedRights, resourceOf(type), 'write');
  if (!holds(contextRights, COMMENTS_WRITE)) throw new Forbidden();
}

/** The text to save instead of the note, null to save it unchanged. `part`: index among several notes of one request. */
export async function rewrite(
  permit: Permit & NoteFacts,
  body: string | undefined,
  { db, request }: { db: Db; request?: Request | undefined },
  part?: number,
): Promise<Rewritten | null> {
  if (body === undefined || !permit.plainLanguage || !needsRewriting(body)) return null;
  const call = request?.call;
  if (!request || !call || !('tool' in call)) throw new RewriteUnavailable();
  return awaitRewrite(db, permit, body, { ...request, call }, part);
}

/** Throws RewriteUnavailable instead of saving the original text for a connection with plain language. */
export function newNote({ plainLanguage }: NoteFacts, note: NewNote): NewNote {
  if (plainLanguage && !note.rewritten && needsRewriting(note.body)) throw new RewriteUnavailable();
  return note;
}
