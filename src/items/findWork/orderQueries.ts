/** The orders and groups of lists, one table each. A new order is an entry here; only `due` and the numbers of items have an index
 *  (sql/0090_items_by_id.sql, sql/0091_items_by_due.sql). */
import { isReadable, readsGoals } from '../../access/queries.ts';
import { type Fragment, fixedSql, literals } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { addDays } from '../../values/dates.ts';
import { recordOf, valueAt } from '../../values/records.ts';
import { type Field, fields, fieldsWith, sorts } from '../fields.ts';
import { type Days, FIRST_DATE, LAST_DATE, priority } from './filterQueries.ts';

export const sortNames = ['id', 'title', 'owner', 'score', ...sorts] as const;
export type SortName = (typeof sortNames)[number];

export const groupings = ['none', 'status', 'assignee', 'parent', 'due', 'priority', 'label'] as const;
export type Grouping = (typeof groupings)[number];

/** Due date ranges. `overdue` also contains closed work that was due before today. */
export const dueBuckets = ['overdue', 'today', 'week', 'later', 'none'] as const;
export type DueBucket = (typeof dueBuckets)[number];

/** `none` is the day after all days. */
export function daysOf(bucket: DueBucket, today: string): Days {
  switch (bucket) {
    case 'overdue':
      return { from: FIRST_DATE, to: addDays(today, -1) };
    case 'today':
      return { from: today, to: today };
    case 'week':
      return { from: addDays(today, 1), to: addDays(today, 6) };
    case 'later':
      return { from: addDays(today, 7), to: LAST_DATE };
    case 'none':
      return { from: 'infinity', to: 'infinity' };
  }
}

/** The item's parent, the nearest kind of link first. A caller who sees the item sees all of these, except goals. */
export const upOf = sql.fragment`coalesce(i.parent_item_id, i.parent_id, i.requirement_id, i.release_id, case when ${readsGoals} then i.goal_id end)`;
export const scoreOf = sql.fragment`i.reach * i.impact * i.confidence / 100 / nullif(i.effort, 0)`;
export const rank = sql.fragment`coalesce(-p.rank::float8, 'Infinity')`;

const inOrder = ['in_progress', 'in_review', 'blocked', 'pending_approval', 'approved', 'planned', 'done', 'cancelled'];
const orderOfStatuses = fixedSql(`array[${literals(inOrder)}]`);
/** Sort position of status `k` among the groups. Positions are below a million (sql/0003_workspaces.sql). */
export const statusPlace = sql.fragment`(array_position(${orderOfStatuses}, k.status) * 10000000::float8 + k.position)`;

const joins = {
  status: sql.fragment`join statuses k on k.workspace_id = i.workspace_id and k.key = i.status_key`,
  assignee: sql.fragment`left join users a on a.id = i.assignee_id`,
  owner: sql.fragment`left join users o on o.id = i.owner_id`,
  parent: sql.fragment`left join lateral (select up.id, up.title from items up
    where up.id = ${upOf} and (up.shown or not i.shown) and ${isReadable('up', 'access.context_rights')}) up on true`,
  /** The first label by name. */
  label: sql.fragment`left join lateral (
    select l.id, l.name from item_labels o cross join lateral (select * from labels one where one.id = o.label_id limit 1) l
    where o.item_id = i.id order by lower(l.name), l.id limit 1) lb on true`,
};

export type Order = { down?: true; join?: Fragment } & ({ number: Fragment; text?: undefined } | { text: Fragment });

const days = (column: Fragment) => sql.fragment`(${column} - date '2000-01-01')`;

/** Texts and dates ascend, numbers descend. */
function orderOf({ sql: type, column }: Field): Order {
  const value = fixedSql(`i.${column}`);
  if (type === 'text') return { text: sql.fragment`lower(${value})` };
  return type === 'date' ? { number: days(value) } : { number: value, down: true };
}

const nameOf = new Map(fieldsWith('sort').map((name) => [fields[name].sort, name]));

/** The sort value of each order, of a row `i` with priority `p`. Rows without a value come last in both directions. */
export const orders: Record<SortName, Order> = {
  ...recordOf(sorts, (sort) => orderOf(fields[valueAt(nameOf, sort)])),
  due: { number: days(sql.fragment`i.due`) },
  priority: { number: sql.fragment`p.rank`, down: true },
  id: { number: sql.fragment`i.id` },
  title: { text: sql.fragment`lower(i.title)` },
  status: { number: statusPlace, join: joins.status },
  assignee: { text: sql.fragment`lower(a.name)`, join: joins.assignee },
  owner: { text: sql.fragment`lower(o.name)`, join: joins.owner },
  score: { number: scoreOf, down: true },
  current: { number: sql.fragment`i.current / nullif(i.target, 0)`, down: true },
};

const everyBucket = fixedSql(literals(dueBuckets));

/** The key of each group, and its place. */
export const groups: Record<Grouping, (today: string) => { key: Fragment; number: Fragment; text: Fragment; join?: Fragment }> = {
  none: () => ({ key: sql.fragment`''`, number: sql.fragment`0`, text: sql.fragment`''` }),
  status: () => ({ key: sql.fragment`i.status_key`, number: statusPlace, text: sql.fragment`i.status_key`, join: joins.status }),
  priority: () => ({ key: priority, number: rank, text: priority }),
  assignee: () => ({
    key: sql.fragment`coalesce(i.assignee_id::text, '')`,
    number: sql.fragment`(i.assignee_id is null)::int`,
    text: sql.fragment`coalesce(lower(a.name) || ' ' || a.id, '')`,
    join: joins.assignee,
  }),
  parent: () => ({
    key: sql.fragment`coalesce(up.id::text, '')`,
    number: sql.fragment`(up.id is null)::int`,
    text: sql.fragment`coalesce(lower(up.title) || ' ' || up.id, '')`,
    join: joins.parent,
  }),
  label: () => ({
    key: sql.fragment`coalesce(lb.id::text, '')`,
    number: sql.fragment`(lb.id is null)::int`,
    text: sql.fragment`coalesce(lower(lb.name) || ' ' || lb.id, '')`,
    join: joins.label,
  }),
  due(today) {
    const until = (bucket: DueBucket) => daysOf(bucket, today).to;
    const place = sql.fragment`case when i.due is null then 5 when i.due <= ${until('overdue')}::date then 1 when i.due <= ${until('today')}::date then 2
      when i.due <= ${until('week')}::date then 3 else 4 end`;
    return { key: sql.fragment`(array[${everyBucket}])[${place}]`, number: place, text: sql.fragment`''` };
  },
};

/** Groups by a value of another table, which no index has. */
export const isJoined = (group: Grouping): boolean => group === 'assignee' || group === 'parent' || group === 'label';

/** True if the index of due dates gives this order and grouping. */
export function isIndexed({ group, sort, reverse }: { group: Grouping; sort: SortName; reverse: boolean }): boolean {
  if (reverse) return false;
  if (sort === 'due') return !isJoined(group);
  return sort === 'priority' && (group === 'none' || group === 'priority');
}
