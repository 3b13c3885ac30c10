/** The caller's last change, for the toast that follows it (behaviour §23.10). Null if another user made it, or if it is not visible. */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessTo } from '../access/queries.ts';
import { bits, holds, itemTypes, resourceOf } from '../access/rights.ts';
import { commitRows, ownCommit } from '../changes/readQueries.ts';
import { changeKinds, longTexts } from '../changes/schema.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { readRemoval } from '../files/itemFiles.ts';
import { visibleOrArchived } from '../items/archiveQueries.ts';
import { dateNames } from '../items/fields.ts';
import { readPlannedMoves } from '../items/planDependentMoves.ts';
import type { Read } from '../operations/operation.ts';
import { readBlockReach } from '../plans/queries.ts';
import { mayRestore } from '../plans/restoreBlock.ts';
import { asBlock, type PlanBlock } from '../plans/schema.ts';
import { readEntryReach } from '../time/queries.ts';
import { asEntry, type TimeEntry } from '../time/schema.ts';
import { mayResume } from '../time/undo.ts';
import { Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { statuses } from '../workspaces/statuses.ts';

const ChangedItem = z.object({
  id: z.number(),
  type: z.enum(itemTypes),
  title: z.string(),
  status: z.enum(statuses),
  statusLabel: z.string().nullable(),
  kind: z.enum(changeKinds),
  /** Names of the changed fields. */
  fields: z.array(z.string()),
});
export type ChangedItem = z.infer<typeof ChangedItem>;

/** `count`: the items of the commit, also those that the caller can't see. */
const Row = z.object({ rights: z.number().nullable(), recent: z.boolean().nullable(), items: z.array(ChangedItem), count: z.number() });

export type LastChange =
  | {
      kind: 'items';
      workspaceId: number;
      items: ChangedItem[];
      mayUndo: boolean;
      /** Dependent items that could move. */
      dependents: number;
    }
  | { kind: 'time' | 'stopped'; entry: TimeEntry; mayUndo: boolean }
  | { kind: 'file'; name: string; mayUndo: boolean }
  | { kind: 'plan'; block: PlanBlock; mayUndo: boolean };

const Input = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('items'), workspaceId: Id, itemId: Id, version: Id }),
  z.strictObject({ kind: z.enum(['time', 'stopped']), entryId: Id, revision: Id }),
  z.strictObject({ kind: z.literal('file'), fileId: Id }),
  z.strictObject({ kind: z.literal('plan'), blockId: Id, revision: Id }),
]);
type Input = z.infer<typeof Input>;

export async function readChangedItems(tx: Tx, caller: Caller, wanted: Extract<Input, { kind: 'items' }>): Promise<LastChange | null> {
  const { workspaceId } = wanted;
  const row = await tx.maybeOne(sql.type(Row)`
    with ${accessTo(caller, workspaceId)}, ${ownCommit(wanted)}
    select access.rights, (select recent from made) as recent, (select count(*) from ${commitRows}) as count,
      (select coalesce(json_agg(json_build_object('id', i.id, 'type', i.type, 'title', i.title, 'status', i.status, 'kind', c.kind,
          'statusLabel', (select s.label from statuses s where s.workspace_id = i.workspace_id and s.key = i.status_key),
          'fields', array(select json_object_keys(c.fields::json))) order by i.id), '[]')
        from ${commitRows} join items i on i.id = c.item_id where ${visibleOrArchived}) as items
    from access`);
  const [first] = row?.items ?? [];
  if (!row || !first) return null;
  const level = first.kind === 'item.updated' ? 'write' : 'delete';
  const known = ['item.created', 'item.updated', 'item.archived'].includes(first.kind);
  const textsKept = !row.items.some(({ kind, fields }) => kind === 'item.updated' && longTexts.some((name) => fields.includes(name)));
  const all = row.items.length === row.count;
  const may = row.items.every(({ type, kind }) => kind === first.kind && holds(row.rights ?? 0, bits(resourceOf(type), level)));
  const dependents = await countDependents(tx, caller, workspaceId, row.items);
  return { kind: 'items', workspaceId, items: row.items, mayUndo: known && textsKept && all && may && row.recent === true, dependents };
}

/** How many items would move because of the new dates (behaviour §33.18). */
async function countDependents(tx: Tx, caller: Caller, workspaceId: number, items: readonly ChangedItem[]): Promise<number> {
  const ids = items.flatMap(({ id, kind, fields }) =>
    kind === 'item.updated' && dateNames.some((name) => fields.includes(name)) ? [id] : [],
  );
  if (ids.length === 0) return 0;
  const { moves, direct } = await readPlannedMoves(tx, caller, { workspaceId, ids });
  return direct ? moves.length : 0;
}

async function found(tx: Tx, caller: Caller, wanted: Input): Promise<LastChange | null> {
  if (wanted.kind === 'items') return readChangedItems(tx, caller, wanted);
  if (wanted.kind === 'file') return { kind: 'file', ...(await readRemoval(tx, caller, wanted.fileId)) };
  if (wanted.kind === 'plan') {
    const reach = await readBlockReach(tx, caller, wanted.blockId);
    const block = asBlock(reach.block);
    return { kind: 'plan', block, mayUndo: block.revision === wanted.revision && (block.state === 'scheduled' || mayRestore(reach)) };
  }
  const reach = await readEntryReach(tx, caller, wanted.entryId);
  const { entry, now, running } = reach;
  const mayUndo = entry.revision === wanted.revision && (wanted.kind === 'time' || (running === null && mayResume(reach)));
  return { kind: wanted.kind, entry: asEntry(entry, now), mayUndo };
}

export const lastChange: Read<Input, LastChange | null> = {
  name: 'lastChange',
  input: Input,
  run: (tx, caller, wanted) =>
    found(tx, caller, wanted).catch((error: unknown) => {
      if (error instanceof Forbidden) return null;
      throw error;
    }),
};
