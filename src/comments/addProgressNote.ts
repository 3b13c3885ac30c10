/** svc_add_note: saves a progress note, rewritten if the connection uses plain language (behaviour §8.2, §8.3). */
import { z } from 'zod';
import type { Caller, Permit } from '../access/caller.ts';
import { bits, holds, type ItemType, resourceOf } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import type { TransactionWrite } from '../operations/operation.ts';
import type { Request, ToolCall } from '../operations/request.ts';
import { Forbidden, RewriteUnavailable } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import {
  insertProgressNote,
  type ProgressNoteIds,
  readProgressNote,
  readProgressNoteTarget,
  type WrittenProgressNote,
} from './progressNoteQueries.ts';
import { awaitRewrite, type Rewritten } from './rewrite/awaitRewrite.ts';
import { needsRewriting } from './rewrite/excerpts/passages.ts';
import { takeRewrite } from './rewrite/queries.ts';
import { CommentBody } from './schema.ts';

export const ProgressNoteInput = z.strictObject({ id: Id.meta({ description: 'The work item' }), body: CommentBody });
export type ProgressNoteInput = z.infer<typeof ProgressNoteInput>;
/** `delegatedRights`: of the connection and the workspace's limits, without the member's own level. */
export type ProgressNoteFacts = { delegatedRights: number; itemType: ItemType; plainLanguage: boolean };

interface Added {
  note: WrittenProgressNote;
}

/** On first calls and replays: the agent may write the item and its user may comment (behaviour §8.2). Throws Forbidden. */
export async function authorizeProgressNote(tx: Tx, caller: Caller, { id }: ProgressNoteInput): Promise<Permit & ProgressNoteFacts> {
  const permit = await readProgressNoteTarget(tx, caller, id);
  const onItem = bits(resourceOf(permit.itemType), 'write');
  if (!holds(permit.delegatedRights, onItem) || !holds(permit.contextRights, bits('comments', 'write'))) throw new Forbidden();
  return permit;
}

export const addProgressNote: TransactionWrite<ProgressNoteInput, ProgressNoteFacts, Added, Rewritten | null> = {
  name: 'addProgressNote',
  input: ProgressNoteInput,
  authorize: authorizeProgressNote,

  prepare: async (permit, { body }, { db, request }) =>
    permit.plainLanguage && needsRewriting(body) ? awaitRewrite(db, permit, body, request as Request<ToolCall>) : null,

  async run(tx, permit, { id, body }, rewritten) {
    if (permit.plainLanguage && !rewritten && needsRewriting(body)) throw new RewriteUnavailable();
    if (rewritten && !(await takeRewrite(tx, rewritten.rewriteId))) throw new RewriteUnavailable();
    return {
      note: await insertProgressNote(tx, permit, id, {
        body: rewritten?.body ?? body,
        originalBody: rewritten && body,
      }),
    };
  },

  receipt: ({ note: { id, itemId } }) => ({ id, itemId }),
  again: async (_tx, stored: object) => ({ id: (stored as ProgressNoteIds).itemId, body: '' }),

  async replay(tx, permit, { id, itemId }: ProgressNoteIds) {
    return { note: await readProgressNote(tx, permit, itemId, id) };
  },
};
