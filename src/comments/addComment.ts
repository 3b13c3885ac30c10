/** POST /comments, behaviour §5.1. */
import { z } from 'zod';
import { bits, holds, type ItemType } from '../access/rights.ts';
import type { Write } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { insertComment, readComment, readTarget } from './queries.ts';
import { type Comment, CommentBody } from './schema.ts';

const Input = z.strictObject({
  workspaceId: Id.meta({ description: 'A workspace from GET /workspaces.' }),
  id: Id.meta({ description: 'The item, from GET /items.' }),
  body: CommentBody.meta({ description: 'At least one visible character.' }),
});
type Input = z.infer<typeof Input>;

export const addComment: Write<Input, Comment, { itemType: ItemType }> = {
  name: 'addComment',
  input: Input,
  async authorize(tx, caller, { workspaceId, id }) {
    const permit = await readTarget(tx, caller, workspaceId, id);
    if (!holds(permit.contextRights, bits('comments', 'write'))) throw new Forbidden();
    return permit;
  },
  run: (tx, permit, { id, body }) => insertComment(tx, permit, id, body),
  receipt: ({ id }, input) => ({ id, itemId: input.id }),
  replay: (tx, permit, { id }: { id: number }) => readComment(tx, permit, id),
};
