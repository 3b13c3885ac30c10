/** Rights for a new progress note, and its rewriting for connections with plain language (behaviour §8.2, §8.3). */
import type { Permit } from '../access/caller.ts';
import { COMMENTS_WRITE, holds, type ItemType, requireLevel, resourceOf } from '../access/rights.ts';
import type { Db } from '../database/db.ts';
import type { Request } from '../operations/request.ts';
import { Forbidden, RewriteUnavailable } from '../values/errors.ts';
import type { NewNote } from './progressNoteQueries.ts';
import { awaitRewrites, type Note, type Rewritten } from './rewrite/awaitRewrite.ts';
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

interface How {
  db: Db;
  request?: Request | undefined;
}

/** The text to save instead of the note, null to save it unchanged. */
export async function rewrite(permit: Permit & NoteFacts, body: string | undefined, how: How): Promise<Rewritten | null> {
  if (body === undefined || !permit.plainLanguage || !needsRewriting(body)) return null;
  return (await rewritten(permit, [{ body }], how))[0] ?? null;
}

/** Like `rewrite`, for the notes of several items. */
export async function rewriteAll(
  permit: Permit & NoteFacts,
  bodies: readonly (string | undefined)[],
  how: How,
): Promise<(Rewritten | null)[]> {
  const notes = bodies.flatMap((body, part) =>
    body !== undefined && permit.plainLanguage && needsRewriting(body) ? [{ body, part }] : [],
  );
  const results: (Rewritten | null)[] = bodies.map(() => null);
  if (notes.length === 0) return results;
  const done = await rewritten(permit, notes, how);
  notes.forEach(({ part }, n) => {
    results[part] = done[n] ?? null;
  });
  return results;
}

function rewritten(permit: Permit, notes: readonly Note[], { db, request }: How): Promise<Rewritten[]> {
  const call = request?.call;
  if (!request || !call || !('tool' in call)) throw new RewriteUnavailable();
  return awaitRewrites(db, permit, notes, { ...request, call });
}

/** Throws RewriteUnavailable instead of saving the original text for a connection with plain language. */
export function newNote({ plainLanguage }: NoteFacts, note: NewNote): NewNote {
  if (plainLanguage && !note.rewritten && needsRewriting(note.body)) throw new RewriteUnavailable();
  return note;
}
