/** Operations of pages on comments: authors edit and delete their own, members react (behaviour §8.11–8.13). */
import { z } from 'zod';
import type { Write } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { type CommentPermit, readCommentPermit, removeComment, reviseComment, saveReaction } from './ownCommentQueries.ts';
import { CommentBody, reactions } from './schema.ts';

const Of = z.strictObject({ workspaceId: Id, id: Id });
const Edit = Of.extend({ body: CommentBody });
const React = Of.extend({ reaction: z.enum(reactions, { error: `choose one of ${reactions.join(', ')}` }), on: z.boolean() });

interface OnItem {
  itemId: number;
}

async function ownOnly(permit: Promise<CommentPermit>): Promise<CommentPermit> {
  const found = await permit;
  if (!found.isOwn) throw new Forbidden();
  return found;
}

export const editComment: Write<z.infer<typeof Edit>, OnItem, CommentPermit> = {
  name: 'editComment',
  input: Edit,
  authorize: (tx, caller, { workspaceId, id }) => ownOnly(readCommentPermit(tx, caller, workspaceId, id)),
  async run(tx, permit, { id, body }) {
    await reviseComment(tx, permit, id, body);
    return { itemId: permit.itemId };
  },
};

export const deleteComment: Write<z.infer<typeof Of>, OnItem, CommentPermit> = {
  name: 'deleteComment',
  input: Of,
  authorize: (tx, caller, { workspaceId, id }) => ownOnly(readCommentPermit(tx, caller, workspaceId, id)),
  async run(tx, permit, { id }) {
    await removeComment(tx, permit, id);
    return { itemId: permit.itemId };
  },
};

export const reactToComment: Write<z.infer<typeof React>, OnItem, CommentPermit> = {
  name: 'reactToComment',
  input: React,
  authorize: (tx, caller, { workspaceId, id }) => readCommentPermit(tx, caller, workspaceId, id),
  async run(tx, permit, { id, reaction, on }) {
    await saveReaction(tx, permit, id, reaction, on);
    return { itemId: permit.itemId };
  },
};
