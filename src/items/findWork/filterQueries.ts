/** The filters of items, one table for agents, REST and pages. A new filter is an entry here and in the input schema of who offers it. */
import { GOALS_READ, type ItemType, possibleNeeds } from '../../access/rights.ts';
import type { Fragment } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { daysBetween } from '../../values/dates.ts';
import { keysOf } from '../../values/records.ts';
import type { Status } from '../../workspaces/statuses.ts';
import { idsBelow, isBelow } from './belowQueries.ts';
import { hasIndex, indexedHits, isHit, type TextWanted } from './textQueries.ts';

export const EVER = '0001-01-01';
export const NEVER = '9999-12-31';

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
  assignee?: readonly ('me' | 'unassigned' | number)[] | undefined;
  /** Assigned to the caller or owned by them. */
  mine?: true | undefined;
  status?: { status?: Status | undefined; key?: string | undefined } | undefined;
  /** Keys; '' means no priority. */
  priority?: readonly string[] | undefined;
  due?: DueWanted | undefined;
  /** Linked directly to any of these. */
  within?: readonly number[] | undefined;
  /** At any depth below this item, for a statement with CTE `root`. */
  underId?: number | undefined;
  text?: TextWanted | undefined;
}
export type FilterName = keyof Filters;

/** Rows with equal values in the first columns of an index, then `column` = `value`, in id order. They are rows of one workspace and one
 *  value of `needs`, so they are all visible to the caller. */
export interface Stream {
  equal: Fragment;
  column: Fragment;
  /** Rows (closed, value), each a stream; for a row `s` of CTE `scope` and a row `n (needs)`. */
  values: Fragment;
  isNull?: boolean;
}

interface Filter<Value> {
  /** True if row `i` matches. Row `s` has the caller's user and rights in its workspace. */
  condition(value: Value): Fragment;
  /** The index of this filter, if it has one for this value. */
  stream?(value: Value, closed: Fragment): Stream | null;
  /** Candidate ids, in any order, if the filter may match few rows; for a row `s` of CTE `scope`. */
  ids?(value: Value, wanted: { types: readonly ItemType[]; closed: Fragment }): Fragment | null;
}

const numbers = (ids: readonly number[]) => sql.array([...ids], 'int8');
const texts = (keys: readonly string[]) => sql.array([...keys], 'text');
export const needsOf = (types: readonly ItemType[]): Fragment => sql.fragment`${sql.array(types.flatMap(possibleNeeds), 'int4')}`;

const inStream = sql.fragment`i.workspace_id = s.workspace_id and i.needs = s.needs`;
const inState = sql.fragment`${inStream} and i.closed = s.closed`;
const eachState = (closed: Fragment, value: Fragment) => sql.fragment`select c.closed, ${value} from unnest(${closed}) c (closed)`;
const byState = (closed: Fragment) => ({
  column: sql.fragment`i.closed`,
  values: sql.fragment`select c.closed, c.closed from unnest(${closed}) c (closed)`,
});
/** All readable rows. */
export const openOrClosed = (closed: Fragment): Stream => ({ equal: inStream, ...byState(closed) });
/** All readable rows of a type, without regard to their status. */
export const ofType = (type: ItemType): Stream => ({
  equal: sql.fragment`i.workspace_id = s.workspace_id and i.type = ${type}`,
  column: sql.fragment`i.needs`,
  values: sql.fragment`select null::boolean, n.needs`,
});

const everyOf = (conditions: readonly Fragment[]) => sql.fragment`${sql.join([...conditions], sql.fragment` and `)}`;
const dueDay = sql.fragment`coalesce(i.due, 'infinity'::date)`;
/** Up to this many days, a due range is one stream per day, in id order. */
const MOST_DAYS = 7;

const table: { [Name in FilterName]-?: Filter<NonNullable<Filters[Name]>> } = {
  ids: {
    condition: (ids) => sql.fragment`i.id = any(${numbers(ids)})`,
    ids: (ids) => sql.fragment`select unnest(${numbers(ids)}) as id`,
  },
  requirementId: {
    condition: (id) => sql.fragment`i.requirement_id = ${id}`,
    stream: (id, closed) => ({ equal: sql.fragment`i.requirement_id = ${id} and ${inStream}`, ...byState(closed) }),
  },
  releaseId: {
    condition: (id) => sql.fragment`i.release_id = ${id}`,
    stream: (id, closed) => ({ equal: sql.fragment`i.release_id = ${id} and ${inStream}`, ...byState(closed) }),
  },
  underId: {
    condition: (id) => sql.fragment`i.id <> ${id} and ${isBelow(sql.fragment`i.id`, id)}`,
    ids: () => idsBelow(sql.fragment`s.rights`),
  },
  within: {
    condition: (ids) => sql.fragment`(i.parent_item_id = any(${numbers(ids)}) or i.parent_id = any(${numbers(ids)})
      or i.requirement_id = any(${numbers(ids)}) or i.release_id = any(${numbers(ids)})
      or s.context_rights & ${GOALS_READ} <> 0 and i.goal_id = any(${numbers(ids)}))`,
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
    stream: ([one, ...others], closed) => {
      if (others.length) return null;
      const id = one === 'me' ? sql.fragment`s.user_id` : sql.fragment`${one === 'unassigned' ? null : one!}::bigint`;
      return { equal: inState, column: sql.fragment`i.assignee_id`, values: eachState(closed, id), isNull: one === 'unassigned' };
    },
  },
  mine: { condition: () => sql.fragment`(i.assignee_id = s.user_id or i.owner_id = s.user_id)` },
  status: {
    condition: ({ status, key }) =>
      everyOf([
        ...(status === undefined ? [] : [sql.fragment`i.status = ${status}`]),
        ...(key === undefined ? [] : [sql.fragment`i.status_key = ${key}`]),
      ]),
    stream: ({ status = null, key = null }, closed) => ({
      equal: inState,
      column: sql.fragment`i.status_key`,
      values: sql.fragment`select c.closed, k.key from unnest(${closed}) c (closed) cross join statuses k
        where k.workspace_id = s.workspace_id and (${key}::text is null or k.key = ${key}) and (${status}::text is null or k.status = ${status})`,
    }),
  },
  priority: {
    condition: (keys) => sql.fragment`coalesce(i.priority_key, '') = any(${texts(keys)})`,
    stream: (keys, closed) =>
      keys.includes('')
        ? null
        : {
            equal: inState,
            column: sql.fragment`i.priority_key`,
            values: sql.fragment`select c.closed, k.key from unnest(${closed}) c (closed) cross join unnest(${texts(keys)}) k (key)`,
          },
  },
  due: {
    condition: isDue,
    stream: ({ ranges: [range], ...due }, closed) => {
      const days =
        range && isBounded(range) && isSimple({ ranges: [range], ...due }) ? daysBetween(range.from, range.to) + 1 : MOST_DAYS + 1;
      if (!range || days > MOST_DAYS) return null;
      const values = sql.fragment`select c.closed, ${range.from}::date + d.n from unnest(${closed}) c (closed) cross join generate_series(0, ${days - 1}) d (n)`;
      return { equal: inState, column: sql.fragment`i.due`, values };
    },
    ids: (due, { types, closed }) =>
      isSimple(due)
        ? sql.fragment`select d.id from (
            select s.workspace_id, n.needs, c.closed from unnest(${needsOf(types)}) n (needs) cross join unnest(${closed}) c (closed)
            where n.needs & s.rights = n.needs
          ) s cross join lateral (select i.id from items i where ${inState} and i.shown and ${isDue(due)} order by i.due, i.id) d`
        : null,
  },
  text: {
    condition: isHit,
    ids: (text) => (hasIndex(text) ? sql.fragment`select distinct item_id as id from (${indexedHits(text)}) h` : null),
  },
};

const isBounded = ({ from, to }: Days) => from > EVER && to < NEVER;
const isSimple = ({ ranges, overdueTo }: DueWanted) => ranges.length === 1 && overdueTo === undefined && ranges[0]!.to !== 'infinity';

function isDue(due: DueWanted): Fragment {
  const { ranges, overdueTo } = due;
  const all = [...ranges, ...(overdueTo === undefined ? [] : [{ from: EVER, to: overdueTo }])];
  const days = all.flatMap(({ from, to }) => [from, to]).sort();
  // Uses the index of due dates, which has no rows without a date.
  const between = sql.fragment`i.due between ${days[0]!}::date and ${days.at(-1)!}::date`;
  if (isSimple(due)) return between;
  const list = (end: keyof Days) =>
    sql.array(
      ranges.map((range) => range[end]),
      'date',
    );
  const overdue = overdueTo === undefined ? sql.fragment`` : sql.fragment`or not i.closed and i.due <= ${overdueTo}::date`;
  const exactly = sql.fragment`(exists (select from unnest(${list('from')}, ${list('to')}) r (a, b) where ${dueDay} between r.a and r.b) ${overdue})`;
  return days.includes('infinity') ? exactly : sql.fragment`${between} and ${exactly}`;
}

/** Narrow filters first: the first index leads, and the others are checked row by row. */
const names = keysOf(table);
const given = (filters: Filters) => names.filter((name) => filters[name] !== undefined);
// biome-ignore lint/suspicious/noExplicitAny: the value belongs to the filter of the same name
const entry = (name: FilterName): Filter<any> => table[name];

/** The conditions of all filters except one; null if there are none. */
export function conditionsOf(filters: Filters, except?: FilterName): Fragment | null {
  const all = given(filters).filter((name) => name !== except);
  return all.length ? everyOf(all.map((name) => entry(name).condition(filters[name]))) : null;
}

export const streamsFor = (filters: Filters, closed: Fragment): { name: FilterName; stream: Stream }[] =>
  given(filters).flatMap((name) => {
    const stream = entry(name).stream?.(filters[name], closed);
    return stream ? [{ name, stream }] : [];
  });

export const idsFor = (filters: Filters, types: readonly ItemType[], closed: Fragment): { name: FilterName; ids: Fragment }[] =>
  given(filters).flatMap((name) => {
    const ids = entry(name).ids?.(filters[name], { types, closed });
    return ids ? [{ name, ids }] : [];
  });
