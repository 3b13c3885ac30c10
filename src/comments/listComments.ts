/** GET /comments, behaviour §5.1: pages of 100, newest first (behaviour §5.21). */
import { z } from 'zod';
import { JsonText } from '../operations/json.ts';
import type { Read } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { readComments } from './queries.ts';
import { Comment } from './schema.ts';

const Input = z.strictObject({
  workspaceId: Id.meta({ description: 'A workspace from GET /workspaces.' }),
  id: Id.meta({ description: 'The item, from GET /items.' }),
  before: Id.optional().meta({ description: 'A comment of this item, from an earlier page: answers those before it.' }),
});
export const CommentList = z.strictObject({ comments: z.array(Comment).max(100), hasMore: z.boolean() }).meta({ id: 'CommentList' });

export const listComments: Read<z.infer<typeof Input>, z.infer<typeof CommentList>> = {
  name: 'listComments',
  input: Input,
  async run(tx, caller, { workspaceId, id, before }) {
    const { comments, hasMore } = await readComments(tx, caller, workspaceId, id, before);
    return new JsonText(`{"comments":${comments},"hasMore":${hasMore}}`);
  },
};
