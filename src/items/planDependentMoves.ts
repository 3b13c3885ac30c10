/** Plans the moves of items that depend on changed ones (behaviour §33.18). `updateItems` writes them. */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { bits, holds, resourceOf } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import type { Read } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { type Dates, dependentMoves, endFieldOf } from './dependentMoves.ts';
import { type DependentRow, readDependents } from './dependentQueries.ts';

/** As many as one change may have. */
export const MOST_MOVED = 100;

const Input = z.strictObject({ workspaceId: Id, ids: z.array(Id).min(1).max(MOST_MOVED) });
type Input = z.infer<typeof Input>;

export interface DependentMove extends Pick<DependentRow, 'id' | 'version' | 'type' | 'title'> {
  before: Dates;
  after: Dates;
  /** The changed dates, for updateItems. */
  fields: { startDate?: string; dueDate?: string; targetDate?: string };
}

export interface PlannedMoves {
  /** Blockers first. */
  moves: DependentMove[];
  /** Items that start too early and that the caller may not move, or whose other dates don't allow it. */
  held: Pick<DependentRow, 'id' | 'title'>[];
  /** True if one of `moves` depends directly on a changed item. */
  direct: boolean;
  /** True if more items move than one change may have. */
  more: boolean;
}

export async function readPlannedMoves(tx: Tx, caller: Caller, { workspaceId, ids }: Input): Promise<PlannedMoves> {
  const { rights, visible, items } = await readDependents(tx, caller, workspaceId, ids);
  if (!visible) throw new Forbidden();
  const { moves, held } = dependentMoves(
    items.map((row) => ({
      ...row,
      ...datesOf(row),
      mayMove: holds(rights, bits(resourceOf(row.type), 'write')),
      latestStart: endFieldOf(row) === 'dueDate' ? row.targetDate : row.dueDate,
    })),
  );
  return {
    moves: moves.slice(0, MOST_MOVED).map(moveOf),
    held: held.map(({ id, title }) => ({ id, title })),
    direct: moves.some(({ item }) => item.blockedBy.some(({ id }) => ids.includes(id))),
    more: moves.length > MOST_MOVED,
  };
}

const datesOf = (row: DependentRow): Dates => ({ start: row.startDate, end: row[endFieldOf(row)] });

function moveOf({ item, after }: { item: DependentRow; after: Dates }): DependentMove {
  const { id, version, type, title } = item;
  const fields = { ...(after.start && { startDate: after.start }), ...(after.end && { [endFieldOf(item)]: after.end }) };
  return { id, version, type, title, before: datesOf(item), after, fields };
}

export const planDependentMoves: Read<Input, PlannedMoves> = {
  name: 'planDependentMoves',
  input: Input,
  run: readPlannedMoves,
};
