/** The filters of items, one table for agents, REST and pages. To add a filter, add an entry here and in the input schema of each interface
 *  that offers it. */
import { GOALS_READ } from '../../access/rights.ts';
import { type Fragment, fixedSql } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { keysOf } from '../../values/records.ts';
import { isClosed } from '../../workspaces/queries.ts';
import type { Status } from '../../workspaces/statuses.ts';
import { idsBelow, isBelow } from './belowQueries.ts';
import { isHit, type TextWanted, textHits } from './textQueries.ts';

export const FIRST_DATE = '0001-01-01';
export const LAST_DATE = '9999-12-31';

/** Both days included. */
export interface Days {
  from: string;
  to: string;
}
/** Any of these ranges; `infinity` is the day of undated work. `overdueTo`: open work up to this day as well. */
export interface DueWanted {
  ranges: readonly Days[];
  overdueTo?: string;
}

/** The values of the filters. */
export interface Filters {
  ids?: readonly number[] | undefined;
  requirementId?: number | undefined;
  releaseId?: number | undefined;
  /** At any depth below this item, for a statement with CTE `root`. */
  underId?: number | undefined;
  /** Linked directly to any of these. */
  within?: readonly number[] | undefined;
  archived?: true | undefined;
  /** Assigned to the caller or owned by them. */
  mine?: true | undefined;
  assignee?: readonly ('me' | 'unassigned' | number)[] | undefined;
  /** Any of these. */
  status?: StatusesWanted | undefined;
  statusKey?: string | undefined;
  /** Keys; '' means no priority. */
  priority?: readonly string[] | undefined;
  /** Ids of labels. */
  labels?: LabelsWanted | undefined;
  due?: DueWanted | undefined;
  text?: TextWanted | undefined;
}
export type FilterName = keyof Filters;

/** Items with any of these, with all of these, and with none of these; an empty list sets no condition. */
export interface LabelsWanted {
  any: readonly number[];
  all: readonly number[];
  none: readonly number[];
}

export interface StatusesWanted {
  closed: readonly boolean[];
  statuses: readonly Status[];
  keys: readonly string[];
}

interface Filter<Value> {
  /** True if row `i` matches, for a row `s` of CTE `scope`. */
  condition(value: Value): Fragment;
  /** Candidate ids by an index of this filter, for a row `s` of CTE `scope`. Without it, rows are read in their order and checked. */
  ids?(value: Value, wanted: { closed: readonly boolean[] }): Fragment | null;
}

const numbers = (ids: readonly number[]) => sql.array([...ids], 'int8');
const texts = (keys: readonly string[]) => sql.array([...keys], 'text');
const openWith = (user: Fragment) =>
  itemsWith(sql.fragment`i.workspace_id = s.workspace_id and i.shown and not i.closed and ${user} is not null and ${user} = s.user_id`);
const itemsWith = (condition: Fragment) => sql.fragment`select i.id from items i where ${condition}`;
const readable = sql.fragment`i.workspace_id = s.workspace_id and i.needs = any(s.needs)`;
/** The columns that indexes have (sql/0090_items_by_id.sql). */
export const dueDay = sql.fragment`coalesce(i.due, 'infinity'::date)`;
export const priority = sql.fragment`coalesce(i.priority_key, '')`;

const table: { [Name in FilterName]-?: Filter<NonNullable<Filters[Name]>> } = {
  ids: {
    condition: (ids) => sql.fragment`i.id = any(${numbers(ids)})`,
    ids: (ids) => sql.fragment`select unnest(${numbers(ids)}) as id`,
  },
  requirementId: {
    condition: (id) => sql.fragment`i.requirement_id = ${id}`,
    ids: (id) => itemsWith(sql.fragment`i.requirement_id = ${id} order by i.requirement_id, i.needs, i.closed, i.id`),
  },
  releaseId: {
    condition: (id) => sql.fragment`i.release_id = ${id}`,
    ids: (id) => itemsWith(sql.fragment`i.release_id = ${id} order by i.release_id, i.needs, i.closed, i.id`),
  },
  underId: {
    condition: (id) => sql.fragment`i.id <> ${id} and ${isBelow(sql.fragment`i.id`, id)}`,
    ids: () => idsBelow(sql.fragment`s.rights`),
  },
  within: {
    condition: (ids) => sql.fragment`(i.parent_item_id = any(${numbers(ids)}) or i.parent_id = any(${numbers(ids)})
      or i.requirement_id = any(${numbers(ids)}) or i.release_id = any(${numbers(ids)})
      or s.context_rights & ${GOALS_READ} <> 0 and i.goal_id = any(${numbers(ids)}))`,
    ids: (ids) => {
      const ofLink = (link: string) => itemsWith(sql.fragment`${sql.identifier(['i', link])} = any(${numbers(ids)})`);
      const links = ['parent_item_id', 'parent_id', 'requirement_id', 'release_id'].map(ofLink);
      return sql.fragment`${sql.join(links, sql.fragment` union `)}
        union ${ofLink('goal_id')} and s.context_rights & ${GOALS_READ} <> 0`;
    },
  },
  archived: {
    condition: () => sql.fragment`i.archived_at is not null`,
    ids: () => itemsWith(sql.fragment`${readable} and i.archived_at is not null`),
  },
  mine: {
    condition: () => sql.fragment`(i.assignee_id = s.user_id or i.owner_id = s.user_id)`,
    // The indexes by assignee and owner contain only open work.
    ids: (_, { closed }) =>
      closed.includes(true) ? null : sql.fragment`${openWith(sql.fragment`i.assignee_id`)} union ${openWith(sql.fragment`i.owner_id`)}`,
  },
  assignee: {
    condition: (people) => {
      const ids = people.filter((one) => typeof one === 'number');
      const any = [
        ...(ids.length ? [sql.fragment`i.assignee_id = any(${numbers(ids)})`] : []),
        ...(people.includes('me') ? [sql.fragment`i.assignee_id = s.user_id`] : []),
        ...(people.includes('unassigned') ? [sql.fragment`i.assignee_id is null`] : []),
      ];
      return sql.fragment`(${sql.join(any, sql.fragment` or `)})`;
    },
    ids: ([one, ...others], { closed }) => {
      if (one === undefined || one === 'unassigned' || others.length) return null;
      const id = one === 'me' ? sql.fragment`s.user_id` : sql.fragment`${one}::bigint`;
      return itemsWith(
        sql.fragment`${readable} and i.closed = any(${sql.array([...closed], 'bool')}) and i.assignee_id = ${id} and i.shown`,
      );
    },
  },
  status: {
    condition: (wanted) => sql.fragment`i.status_key = any(array(
      select k.key from statuses k where k.workspace_id = s.workspace_id and ${isStatus(wanted)}))`,
  },
  statusKey: { condition: (key) => sql.fragment`i.status_key = ${key}` },
  priority: { condition: (keys) => sql.fragment`${priority} = any(${texts(keys)})` },
  labels: {
    condition: isLabelled,
    ids: (wanted) => {
      const { any, all } = wanted;
      const leading = any.length ? any : all.slice(0, 1);
      if (leading.length === 0) return null;
      return sql.fragment`select distinct i.id from item_labels o cross join lateral (select one.id from items one where one.id = o.item_id limit 1) i
        where o.label_id in ${labelIds(leading)} and ${isLabelled(wanted)}`;
    },
  },
  due: { condition: isDue },
  text: {
    condition: isHit,
    ids: textHits,
  },
};

/** The labels of the workspace with these ids. A merged label stands for the label it was merged into. */
function labelIds(ids: readonly number[]): Fragment {
  return sql.fragment`(select coalesce(l.merged_into, l.id) from labels l where l.id = any(${numbers(ids)}) and l.workspace_id = s.workspace_id)`;
}
function isLabelled({ any, all, none }: LabelsWanted): Fragment {
  const conditions = [
    ...(any.length ? [hasLabel(any)] : []),
    ...all.map((id) => hasLabel([id])),
    ...(none.length ? [sql.fragment`not ${hasLabel(none)}`] : []),
  ];
  return sql.fragment`(${sql.join(conditions, sql.fragment` and `)})`;
}
function hasLabel(ids: readonly number[]): Fragment {
  return sql.fragment`exists (select from item_labels o where o.item_id = i.id and o.label_id in ${labelIds(ids)})`;
}

/** True if status `k` is one of these. */
export const isStatus = ({ closed, statuses, keys }: StatusesWanted): Fragment => sql.fragment`
  ((${fixedSql(isClosed('k.status'))}) = any(${sql.array([...closed], 'bool')}) or k.status = any(${texts(statuses)}) or k.key = any(${texts(keys)}))`;

function isDue({ ranges, overdueTo }: DueWanted): Fragment {
  const overdue = overdueTo === undefined ? sql.fragment`` : sql.fragment`or not i.closed and ${dueDay} <= ${overdueTo}::date`;
  const all = [...ranges, ...(overdueTo === undefined ? [] : [{ from: FIRST_DATE, to: overdueTo }])];
  const days = all.flatMap(({ from, to }) => [from, to]).sort();
  // A range that an index can check.
  const between = sql.fragment`${dueDay} between ${days[0] ?? FIRST_DATE}::date and ${days.at(-1) ?? LAST_DATE}::date`;
  if (all.length === 1 && overdueTo === undefined) return between;
  const list = (end: keyof Days) =>
    sql.array(
      ranges.map((range) => range[end]),
      'date',
    );
  return sql.fragment`${between}
    and (exists (select from unnest(${list('from')}, ${list('to')}) r (a, b) where ${dueDay} between r.a and r.b) ${overdue})`;
}

/** Most selective filters first. */
const names = keysOf(table);
const given = (filters: Filters) => names.filter((name) => filters[name] !== undefined);
// biome-ignore lint/suspicious/noExplicitAny: the value belongs to the filter of the same name
const entry = (name: FilterName): Filter<any> => table[name];

/** The conditions of all filters except one: `true` if there are none. */
export function conditionsOf(filters: Filters, except?: FilterName): Fragment {
  const all = given(filters)
    .filter((name) => name !== except)
    .map((name) => entry(name).condition(filters[name]));
  return all.length ? sql.fragment`${sql.join(all, sql.fragment` and `)}` : sql.fragment`true`;
}

/** The filters that have an index of candidates. */
export const candidatesOf = (filters: Filters, closed: readonly boolean[]): { name: FilterName; ids: Fragment }[] =>
  given(filters).flatMap((name) => {
    const ids = entry(name).ids?.(filters[name], { closed });
    return ids ? [{ name, ids }] : [];
  });
