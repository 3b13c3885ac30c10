/** The goals of a workspace as a tree, with contributing items and progress (behaviour §27.1). */
import type { ItemType } from '../../access/rights.ts';
import type { RecordedTrend } from '../../items/goalTrend.ts';
import type { Read } from '../../operations/operation.ts';
import type { Status } from '../../workspaces/statuses.ts';
import { type Contributing, goalColumns, kindsOf } from './goalQueries.ts';
import { listWork, listWorkWith } from './listWork.ts';
import { type ListRow, ListWork, type Person, type WorkList } from './schema.ts';

export { MOST_LOOKED_AT } from './goalQueries.ts';

export const MOST_GOALS = 200;

export interface Contribution {
  id: number;
  type: ItemType;
  title: string;
  status: Status;
  statusKey: string;
  due: string | null;
  person: Person | null;
}

export interface GoalRow extends ListRow {
  /** Items linked directly to it, without cancelled ones. `more`: more exist than were read. */
  contributing: { kinds: { type: ItemType; done: number; total: number }[]; more: boolean; rows: Contribution[] };
  trend: RecordedTrend;
}

/** The goals' parents define the tree. If the reader may not read goals, `goals` is null and the list contains readable types. */
export interface GoalTree extends WorkList {
  goals: readonly GoalRow[] | null;
}

type FoundGoal = Omit<GoalRow, 'contributing'> & { contributing: Contributing<Contribution> };

const told = ({ contributing: { signs, rows }, ...goal }: FoundGoal): GoalRow => ({ ...goal, contributing: { ...kindsOf(signs), rows } });

export const goalTree: Read<ListWork, GoalTree> = {
  name: 'goalTree',
  input: ListWork,
  async run(tx, caller, wanted) {
    const all = { ...wanted, type: 'goal', group: 'none', after: undefined, limit: MOST_GOALS } as const;
    const found = await listWorkWith(goalColumns, tx, caller, all);
    if (found.type === 'goal') return { ...found, goals: (found.rows as FoundGoal[]).map(told) };
    const other = (await listWork.run(tx, caller, { ...wanted, type: found.type })) as WorkList;
    return { ...other, goals: null };
  },
};
