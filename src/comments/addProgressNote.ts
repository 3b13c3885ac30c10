/** svc_add_note: saves a progress note, rewritten if the connection uses plain language (behaviour §8.2, §8.3). */
import { z } from 'zod';
import type { Caller, Permit } from '../access/caller.ts';
import { bits, holds, type ItemType, resourceOf } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import type { StatementWrite } from '../operations/operation.ts';
import type { Request, ToolCall } from '../operations/request.ts';
import { Forbidden, RewriteUnavailable } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import {
  insertProgressNote,
  insertRewrittenProgressNote,
  type ProgressNoteIds,
  readProgressNote,
  readProgressNoteTarget,
  type WrittenProgressNote,
} from './progressNoteQueries.ts';
import { awaitRewrite, type Rewritten } from './rewrite/awaitRewrite.ts';
import { needsRewriting } from './rewrite/excerpts/passages.ts';
import { CommentBody } from './schema.ts';

export const ProgressNoteInput = z.strictObject({ id: Id.meta({ description: 'The work item' }), body: CommentBody });
export type ProgressNoteInput = z.infer<typeof ProgressNoteInput>;
/** `delegatedRights`: of the connection and the workspace's limits, without the member's own level. */
export type ProgressNoteFacts = { delegatedRights: number; itemType: ItemType; plainLanguage: boolean };

/** On first calls and replays: the agent may write the item and its user may comment (behaviour §8.2). Throws Forbidden. */
export async function authorizeProgressNote(tx: Tx, caller: Caller, { id }: ProgressNoteInput): Promise<Permit & ProgressNoteFacts> {
  const permit = await readProgressNoteTarget(tx, caller, id);
  const onItem = bits(resourceOf(permit.itemType), 'write');
  if (!holds(permit.delegatedRights, onItem) || !holds(permit.contextRights, bits('comments', 'write'))) throw new Forbidden();
  return permit;
}

export const addProgressNote: StatementWrite<
  ProgressNoteInput,
  ProgressNoteFacts,
  { note: WrittenProgressNote },
  Rewritten | null,
  ProgressNoteIds
> = {
  name: 'addProgressNote',
  input: ProgressNoteInput,
  authorize: authorizeProgressNote,

  prepare: async (db, permit, { body }, request: Request<ToolCall>) =>
    permit.plainLanguage && needsRewriting(body) ? awaitRewrite(db, permit, body, request) : null,

  decide(permit, { id, body }, rewritten) {
    if (permit.plainLanguage && !rewritten && needsRewriting(body)) throw new RewriteUnavailable();
    return {
      statement: rewritten ? insertRewrittenProgressNote(permit, id, rewritten, body) : insertProgressNote(permit, id, body, null),
      async refused(tx) {
        // Throws Forbidden if the rights are gone. Otherwise the rewriting expired.
        await authorizeProgressNote(tx, permit.caller, { id, body });
        throw new RewriteUnavailable();
      },
    };
  },

  again: async (_tx, { itemId }) => ({ id: itemId, body: '' }),

  async complete(tx, permit, { id, itemId }) {
    return { note: await readProgressNote(tx, permit, itemId, id) };
  },
};
