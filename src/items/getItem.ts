/** GET /item, behaviour §5.1. */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { readItem } from './queries.ts';
import type { Work } from './schema.ts';

const GetItemInput = z.strictObject({
  workspaceId: Id.meta({ description: 'A workspace from GET /workspaces.' }),
  id: Id.meta({ description: 'The item, from GET /items.' }),
});

export const getItem: Read<z.infer<typeof GetItemInput>, Work> = {
  name: 'getItem',
  input: GetItemInput,
  run: (tx, caller, { workspaceId, id }) => readItem(tx, caller, workspaceId, id),
};
