/** POST /comments, behaviour §5.1. */
import { z } from 'zod';
import { COMMENTS_WRITE, holds, type ItemType } from '../access/rights.ts';
import { JsonText } from '../operations/json.ts';
import type { Read, Write } from '../operations/operation.ts';
import { AddedIsDeleted, Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { insertComment, readComment, readComments, readTarget } from './queries.ts';
import { Comment, CommentBody } from './schema.ts';

const AddCommentInput = z.strictObject({
  workspaceId: Id.meta({ description: 'A workspace from GET /workspaces.' }),
  id: Id.meta({ description: 'The item, from GET /items.' }),
  body: CommentBody.meta({ description: 'At least one visible character.' }),
});
type AddCommentInput = z.infer<typeof AddCommentInput>;

export const addComment: Write<AddCommentInput, Comment, { itemType: ItemType }> = {
  name: 'addComment',
  input: AddCommentInput,
  async authorize(tx, caller, { workspaceId, id }) {
    const permit = await readTarget(tx, caller, workspaceId, id);
    if (!holds(permit.contextRights, COMMENTS_WRITE)) throw new Forbidden();
    return permit;
  },
  run: (tx, permit, { id, body }) => insertComment(tx, permit, id, body),
  receipt: ({ id }, input) => ({ id, itemId: input.id }),

  async replay(tx, permit, { id }: { id: number }) {
    const comment = await readComment(tx, permit, id);
    if (!comment) throw new AddedIsDeleted('comment', id);
    return comment;
  },
};

/** GET /comments, behaviour §5.1: pages of 100, newest first (behaviour §5.21). */
const ListCommentsInput = z.strictObject({
  workspaceId: Id.meta({ description: 'A workspace from GET /workspaces.' }),
  id: Id.meta({ description: 'The item, from GET /items.' }),
  before: Id.optional().meta({ description: 'A comment of this item, from an earlier page: answers those before it.' }),
});
export const CommentList = z.strictObject({ comments: z.array(Comment).max(100), hasMore: z.boolean() }).meta({ id: 'CommentList' });

export const listComments: Read<z.infer<typeof ListCommentsInput>, z.infer<typeof CommentList>> = {
  name: 'listComments',
  input: ListCommentsInput,
  async run(tx, caller, { workspaceId, id, before }) {
    const { comments, hasMore } = await readComments(tx, caller, workspaceId, id, before);
    return new JsonText(`{"comments":${comments},"hasMore":${hasMore}}`);
  },
};
