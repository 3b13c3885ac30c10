/** svc_get_item: an item, its notes, and the items below it (behaviour §7.25, §7.33). */
import { z } from 'zod';
import type { HistoryRow } from '../changes/schema.ts';
import type { ProgressNote } from '../comments/schema.ts';
import type { Read } from '../operations/operation.ts';
import { withoutNulls } from '../values/records.ts';
import { Id } from '../values/text.ts';
import { MOST_CHILDREN, type Progress } from './findWork/progressQueries.ts';
import type { RowBlocker, WorkRow } from './findWork/workRowQueries.ts';
import { readItemWithProgressNotes } from './itemWithNotesQueries.ts';
import { inWorkspace, type WorkInWorkspace } from './updateItem.ts';

const Input = z.strictObject({
  id: Id,
  history: z.boolean('give true or false').default(false).meta({ description: 'Add who changed what: the latest 50, newest first' }),
  includeOriginals: z
    .boolean('give true or false')
    .default(false)
    .meta({ description: 'Add what was submitted to notes that were rewritten' }),
});

interface ItemWithProgressNotes {
  item: WorkInWorkspace;
  labels?: string[];
  blockedBy?: z.infer<typeof RowBlocker>[];
  blocks?: number[];
  /** Newest first. Absent without the right to read comments. */
  notes?: ProgressNote[];
  /** Only for a requirement: its tasks. */
  tasks?: WorkRow[];
  /** Other direct children, the first 100 by id. */
  below: WorkRow[];
  belowMore?: true;
  progress?: Progress;
  /** The latest 50, newest first (behaviour §15.10). */
  history?: HistoryRow[];
}

export const getItemWithProgressNotes: Read<z.infer<typeof Input>, ItemWithProgressNotes> = {
  name: 'getItemWithProgressNotes',
  input: Input,
  async run(tx, caller, { id, ...more }) {
    const found = await readItemWithProgressNotes(tx, caller, id, more);
    const { workspaceId, item, notes, tasks, below, progress, history, labels, blockedBy, blocks } = found;
    return {
      item: inWorkspace(item, workspaceId),
      ...withoutNulls({ labels, blockedBy, blocks, notes, tasks }),
      below: below.slice(0, MOST_CHILDREN),
      ...(below.length > MOST_CHILDREN && { belowMore: true as const }),
      ...withoutNulls({ progress, history }),
    };
  },
};
