/** GET /item, behaviour §5.1. */
import type { Read } from '../operations/operation.ts';
import { readItem } from './queries.ts';
import { ItemInput, type Work } from './schema.ts';

export const getItem: Read<ItemInput, Work> = {
  name: 'getItem',
  input: ItemInput,
  run: (tx, caller, { workspaceId, id }) => readItem(tx, caller, workspaceId, id),
};
