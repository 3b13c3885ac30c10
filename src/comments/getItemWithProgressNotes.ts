/** svc_get_item: an item as it is now, its notes, and the tasks of a requirement (behaviour §7.25). */
import { z } from 'zod';
import { differing } from '../items/approved.ts';
import type { WorkRow } from '../items/findWork/workRow.ts';
import { changed, type PlacedWork, placed } from '../items/updateItem.ts';
import type { Read } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { readItemWithProgressNotes } from './progressNoteQueries.ts';
import type { ProgressNote } from './schema.ts';

const Input = z.strictObject({
  id: Id,
  includeOriginals: z
    .boolean('give true or false')
    .default(false)
    .meta({ description: 'Add what was submitted to notes that were rewritten' }),
});

interface ItemWithProgressNotes {
  item: PlacedWork;
  /** Newest first; left out for who may not read comments. */
  notes?: ProgressNote[];
  /** Of a requirement. */
  tasks?: WorkRow[];
}

export const getItemWithProgressNotes: Read<z.infer<typeof Input>, ItemWithProgressNotes> = {
  name: 'getItemWithProgressNotes',
  input: Input,
  async run(tx, caller, { id, includeOriginals }) {
    const { workspaceId, item, approved, notes, tasks } = await readItemWithProgressNotes(tx, caller, id, includeOriginals);
    const since = approved && { ...changed, approved: differing(item, approved) };
    return { item: { ...placed(item, workspaceId), ...since }, ...(notes && { notes }), ...(tasks && { tasks }) };
  },
};
