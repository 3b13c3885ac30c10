/** The goals of a workspace as a tree, with contributing items and progress (behaviour §27.1). */
import { isVisible } from '../../access/queries.ts';
import type { ItemType } from '../../access/rights.ts';
import { sql } from '../../database/sql.ts';
import type { RecordedTrend } from '../../items/goalTrend.ts';
import { trendJson } from '../../items/placeQueries.ts';
import type { Read } from '../../operations/operation.ts';
import { hasSearch, ListWork } from './input.ts';
import { type ListRow, listed, type WorkList } from './listWork.ts';
import { ofGoal, person } from './rowQueries.ts';

export type { Contribution } from './rowQueries.ts';

// SQL of a goal's additional columns: its contributing items and its trend. For a row `i` and `access`.

const MOST_LOOKED_AT = 100;
const MOST_NAMED = 10;
/** Recorded values per goal. More would be slow with 200 goals. */
const MOST_POINTS = 12;

const visible = sql.fragment`w.workspace_id = i.workspace_id and ${isVisible('w', 'access.rights')}`;

const signs: Record<string, ItemType> = { t: 'task', r: 'requirement', g: 'goal', v: 'release', m: 'milestone' };
const sign = sql.fragment`case l.type when 'release' then 'v' else left(l.type, 1) end`;

/** Items linked directly to the goal, without cancelled ones, open ones first. A single pass, because it runs for each of 200 goals. */
const contributing = sql.fragment`(
  select row_to_json(told) from (
    select coalesce(string_agg(case when l.status = 'done' then upper(${sign}) else ${sign} end, '' order by l.closed, l.due nulls last, l.id), '') as signs,
      coalesce(json_agg(row_to_json(named) order by l.closed, l.due nulls last, l.id) filter (where l.place <= ${MOST_NAMED}), '[]') as rows
    from (
      select w.*, row_number() over (order by w.closed, w.due nulls last, w.id) as place from (
        select w.id, w.type, w.title, w.status, w.status_key, w.closed, w.due, coalesce(w.assignee_id, w.owner_id) as who
        from items w where w.goal_id = i.id and ${visible} and w.status <> 'cancelled' limit ${MOST_LOOKED_AT + 1}) w) l
    cross join lateral (select l.id, l.type, l.title, l.status, l.status_key as "statusKey", l.due, ${person(sql.fragment`l.who`)} as person) named
  ) told)`;

/** Counts all and done items of each type, among the first MOST_LOOKED_AT. `more`: more items exist. */
function kindsOf(all: string): { kinds: { type: ItemType; done: number; total: number }[]; more: boolean } {
  const counted = new Map<ItemType, { type: ItemType; done: number; total: number }>();
  for (const one of all.slice(0, MOST_LOOKED_AT)) {
    const type = signs[one.toLowerCase()];
    if (!type) continue;
    const kind = counted.get(type) ?? { type, done: 0, total: 0 };
    kind.total++;
    if (one !== one.toLowerCase()) kind.done++;
    counted.set(type, kind);
  }
  return { kinds: [...counted.values()], more: all.length > MOST_LOOKED_AT };
}

const goalColumns = sql.fragment`${ofGoal}, ${contributing} as contributing, ${trendJson(MOST_POINTS)} as trend`;

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
  searches: hasSearch,
  async run(tx, caller, wanted) {
    const all = { ...wanted, type: 'goal', group: 'none', after: undefined, limit: MOST_GOALS } as const;
    const found = await listed(tx, caller, all, { own: goalColumns });
    if (found.type === 'goal') return { ...found, goals: goalsOf(found.rows) };
    return { ...(await listed(tx, caller, { ...wanted, type: found.type })), goals: null };
  },
};
