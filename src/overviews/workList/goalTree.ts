/** The goals of a workspace as a tree, with contributing items and progress (behaviour §27.1). */
import type { RecordedTrend } from '../../items/goalTrend.ts';
import type { Read } from '../../operations/operation.ts';
import { goalColumns, kindsOf } from './goalQueries.ts';
import { ListWork } from './input.ts';
import { listed } from './listWork.ts';
import type { ListRow, WorkList } from './schema.ts';

export { MOST_LOOKED_AT } from './goalQueries.ts';
export type { Contribution } from './schema.ts';

export const MOST_GOALS = 200;

export interface GoalRow extends ListRow {
  /** Items linked directly to it, without cancelled ones. `more`: more exist than were read. */
  contributing: NonNullable<ListRow['contributing']> & ReturnType<typeof kindsOf>;
  trend: RecordedTrend;
}

/** The goals' parents define the tree. If the reader may not read goals, `goals` is null and the list contains readable types. */
export interface GoalTree extends WorkList {
  goals: readonly GoalRow[] | null;
}

const goalsOf = (rows: readonly ListRow[]): GoalRow[] =>
  rows.flatMap(({ contributing, trend, ...row }) =>
    contributing && trend ? { ...row, trend, contributing: { ...contributing, ...kindsOf(contributing.signs) } } : [],
  );

export const goalTree: Read<ListWork, GoalTree> = {
  name: 'goalTree',
  input: ListWork,
  async run(tx, caller, wanted) {
    const all = { ...wanted, type: 'goal', group: 'none', after: undefined, limit: MOST_GOALS } as const;
    const found = await listed(tx, caller, all, { own: goalColumns });
    if (found.type === 'goal') return { ...found, goals: goalsOf(found.rows) };
    return { ...(await listed(tx, caller, { ...wanted, type: found.type })), goals: null };
  },
};
