/** The page of an archived item, for users who could see it before (behaviour §23.6). */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { type ArchivedItem, readArchivedItem } from './archivedItemQueries.ts';

export { mayHaveOlder } from '../comments/streamQueries.ts';
export type { ArchivedItem } from './archivedItemQueries.ts';

const Input = z.strictObject({ workspaceId: Id, id: Id });

export const archivedItem: Read<z.infer<typeof Input>, ArchivedItem> = {
  name: 'archivedItem',
  input: Input,
  run: (tx, caller, { workspaceId, id }) => readArchivedItem(tx, caller, workspaceId, id),
};
