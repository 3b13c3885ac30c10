/** An item's context, as its page shows it. */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { type ItemContext, readItemContext } from './itemContextQueries.ts';

export type { ItemContext } from './itemContextQueries.ts';

const Input = z.strictObject({ workspaceId: Id, id: Id });

/** Its owner's name, what it is linked to, what is linked below it, and the history of its approval. */
export const getItemContext: Read<z.infer<typeof Input>, ItemContext> = {
  name: 'getItemContext',
  input: Input,
  run: (tx, caller, { workspaceId, id }) => readItemContext(tx, caller, workspaceId, id),
};
