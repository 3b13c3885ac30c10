/** GET /comments, behaviour §5.1: the latest 100 of an item, newest first. */
import { z } from 'zod';
import { JsonText } from '../operations/json.ts';
import type { Read } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { readComments } from './queries.ts';
import { Comment } from './schema.ts';

const Input = z.strictObject({
  workspaceId: Id.meta({ description: 'A workspace from GET /workspaces.' }),
  id: Id.meta({ description: 'The item.' }),
});
export const CommentList = z.strictObject({ comments: z.array(Comment).max(100) }).meta({ id: 'CommentList' });

export const listComments: Read<z.infer<typeof Input>, z.infer<typeof CommentList>> = {
  name: 'listComments',
  input: Input,
  run: async (tx, caller, { workspaceId, id }) => new JsonText(`{"comments":${await readComments(tx, caller, workspaceId, id)}}`),
};
