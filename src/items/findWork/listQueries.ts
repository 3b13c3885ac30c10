/** The finder in the order of a list: groups, then one of the orders, then due date, priority and number.
 *
 *  The usual orders read the index items_by_due, as far as the page needs. Any other order, and filters that this index can't
 *  check, sort all matches, up to a limit. Both make the CTEs `page (gkey, gn, gt, sn, st, d, r, id)`, unordered, and
 *  `counted (gkey, gn, gt, count, estimated, remaining, more)`. */
import { type Fragment, fixedSql } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { isClosed } from '../../workspaces/queries.ts';
import { leftHours } from '../leftQueries.ts';
import { type Cursor, decodeCursor } from './cursor.ts';
import { candidatesOf, conditionsOf, dueDay, type Filters, isStatus, priority } from './filterQueries.ts';
import { daysOf, dueBuckets, type Grouping, groups, isIndexed, orders, rank, type SortName, statusPlace } from './orderQueries.ts';
import { rowsById } from './pageQueries.ts';
import { closedOf, matches, type Sought, typesOf } from './scopeQueries.ts';

export interface ListSought extends Sought {
  group: Grouping;
  sort: SortName;
  reverse: boolean;
  after?: string | undefined;
  limit: number;
  today: string;
}

/** Maximum number of rows to gather and sort. If more match, the list is read in index order instead. */
export const MOST_GATHERED = 10_000;

/** Counts stop at `each` rows of a group and `all` together. */
interface Caps {
  each: number;
  all: number;
}

/** Estimated and remaining hours of item rows. */
export const hoursOf = (row: string): Fragment => fixedSql(`sum(${row}.estimated_hours) as estimated, sum(${leftHours(row)}) as remaining`);

const nothing = sql.fragment``;

/** CTEs `st` (statuses), `pr` (priorities) and `streams`: the ranges of the index that are not empty, one for each type, status and
 *  priority, for rows `s`. */
export const streams = ({ types, closed, filters }: Sought): Fragment => sql.fragment`
  st as materialized (
    select k.key, ${statusPlace} as place, ${fixedSql(isClosed('k.status'))} as closed from scope s join statuses k on k.workspace_id = s.workspace_id
    where ${fixedSql(isClosed('k.status'))} = any(${closedOf({ closed })}) and ${filters.status ? isStatus(filters.status) : fixedSql('true')}
  ),
  pr as materialized (select p.key, p.r from (
    select p.key, -p.rank::float8 as r from scope s join priorities p on p.workspace_id = s.workspace_id
    union all select '', 'Infinity') p
    where ${filters.priority === undefined} or p.key = any(${sql.array([...(filters.priority ?? [])], 'text')})),
  streams as materialized (
    select s.*, t.type, st.key, pr.key as pkey, pr.r
    from scope s cross join lateral ${typesOf(types)} t cross join st cross join pr cross join lateral (
      select from items i where ${inStreamOf(fixedSql('t.type'), fixedSql('st.key'), fixedSql('pr.key'))} order by ${dueDay}, i.id limit 1
    ) one
  )`;

/** Only the index items_by_due has this expression of the workspace, so that the planner has no other to choose. */
function inStreamOf(type: Fragment, status: Fragment, key: Fragment): Fragment {
  return sql.fragment`i.workspace_id - 0 = s.workspace_id and i.type = ${type} and i.status_key = ${status} and ${priority} = ${key} and i.shown`;
}

/** True if row `i` is in stream `s`, is visible and matches. */
export const inStream = ({ filters }: Pick<Sought, 'filters'>): Fragment => sql.fragment`
  ${inStreamOf(fixedSql('s.type'), fixedSql('s.key'), fixedSql('s.pkey'))} and i.needs = any(s.needs)
  and ${conditionsOf({ ...filters, status: undefined, priority: undefined })}`;

/** Rows of `place, gkey, key, dfrom, dto`: the groups in order, and the streams or days of each. */
function segments({ group, sort, today }: ListSought): Fragment {
  const days = sql.fragment`'-infinity'::date as dfrom, 'infinity'::date as dto`;
  if (group === 'status')
    return sql.fragment`select row_number() over (order by place, key)::float8 as place, key as gkey, key, closed, ${days} from st`;
  if (byPriority({ group, sort }))
    return sql.fragment`select row_number() over (order by r, key)::float8 as place, ${group === 'priority' ? fixedSql('key') : fixedSql("''")} as gkey,
      key, false as closed, ${days} from pr`;
  if (group !== 'due') return sql.fragment`select 1::float8 as place, '' as gkey, '' as key, false as closed, ${days}`;
  const buckets = dueBuckets.map((bucket) => daysOf(bucket, today));
  const from = buckets.map((one, n) => (n === 0 ? '-infinity' : one.from));
  const to = buckets.map((one) => one.to);
  return sql.fragment`select b.place::float8, b.key as gkey, b.key, false as closed, b.dfrom, b.dto
    from unnest(${sql.array([...dueBuckets], 'text')}, ${sql.array(from, 'date')}, ${sql.array(to, 'date')}) with ordinality b (key, dfrom, dto, place)`;
}

const byPriority = ({ group, sort }: Pick<ListSought, 'group' | 'sort'>) => group === 'priority' || sort === 'priority';

/** True if stream `s` belongs to segment `g`. */
function inSegment({ group, sort }: ListSought): Fragment {
  if (group === 'status') return sql.fragment`s.key = g.key`;
  return byPriority({ group, sort }) ? sql.fragment`s.pkey = g.key` : sql.fragment`true`;
}

const inDays = ({ group }: ListSought) => (group === 'due' ? sql.fragment`and ${dueDay} between g.dfrom and g.dto` : nothing);

/** CTEs `segs` and those of streams, with `page`. `each`: up to this many rows of every group that is not in `folded`. Unset: one page. */
export function ordered(wanted: ListSought, each?: { most: number; folded: Fragment }): Fragment {
  const limit = each?.most ?? wanted.limit + 1;
  const cursor = decodeCursor(wanted.after);
  const [day, id] = [sql.fragment`${cursor?.due ?? '-infinity'}::date`, cursor?.id ?? 0];
  const least = sql.fragment`${cursor?.priority ?? '0'}::text::float8`;
  return sql.fragment`
    ${streams(wanted)},
    segs as materialized (${segments(wanted)}),
    start as materialized (select ${startOf(cursor)} as place),
    page as materialized (
      select g.gkey, g.place as gn, '' as gt, 0::float8 as sn, '' as st, x.d, x.r, x.id
      from (select g.*, start.place as start from segs g, start where g.place >= start.place ${each ? sql.fragment`and not ${each.folded}` : nothing} order by g.place) g
      cross join lateral (
        select y.d, s.r, y.id
        from streams s cross join lateral (
          select ${dueDay} as d, i.id from items i
          where ${inStream(wanted)} ${inDays(wanted)}
            and (${dueDay}, i.id) > (case when g.place = g.start then ${day} else '-infinity'::date end,
              case when g.place > g.start or s.r > ${least} then 0 when s.r = ${least} then ${id}::bigint else ${Number.MAX_SAFE_INTEGER}::bigint end)
          order by ${dueDay}, i.id limit ${limit}
        ) y
        where ${inSegment(wanted)}
        order by y.d, s.r, y.id limit ${limit}
      ) x
      ${each ? nothing : sql.fragment`limit ${limit}`}
    )`;
}

/** The first segment after a cursor. Cursors of sorted lists name the key of their group. */
function startOf(cursor: Cursor | null): Fragment {
  if (!cursor) return sql.fragment`1::float8`;
  const named = sql.fragment`(select place from segs where gkey = ${cursor.groupText} and gkey <> '')`;
  return sql.fragment`coalesce(${named}, greatest(1, least(${cursor.groupNumber}::text::float8, (select max(place) from segs))))`;
}

/** CTE `counted` for `ordered`. Counts read the index. Sums need table rows, so only completely counted groups are summed. */
export function countedInOrder(wanted: ListSought, { each, all }: Caps): Fragment {
  const rows = (columns: Fragment, most: number) => sql.fragment`
    select i.* from streams s cross join lateral (
      select ${columns} from items i where ${inStream(wanted)} ${inDays(wanted)} order by ${dueDay}, i.id limit ${most}
    ) i where ${inSegment(wanted)} limit ${most}`;
  return sql.fragment`
    reached as materialized (
      select gkey, place, key, dfrom, dto, count(*) as count,
        count(*) > ${each} or sum(count(*)) over () > ${all} and place = max(place) over () as more
      from (
        select g.* from scope cross join (select * from segs order by place) g
        cross join lateral (${rows(nothing, each + 1)}) one limit ${all + 1}
      ) looked group by gkey, place, key, dfrom, dto
    ),
    counted as materialized (
      select g.gkey, min(g.place) as gn, '' as gt, sum(g.count) as count, sum(h.estimated) as estimated, sum(h.remaining) as remaining,
        bool_or(g.more) as more
      from reached g cross join lateral (
        select ${hoursOf('i')} from (${rows(sql.fragment`i.id, i.estimated_hours, i.progress_percent, i.closed`, each)}) i where not g.more
      ) h group by g.gkey
    )`;
}

/** Up to `most` matching rows `i`: from the first filter with candidates, otherwise in id order. */
export function rowsOf(wanted: Sought, most: number): Fragment {
  const [first] = candidatesOf(wanted.filters, wanted.closed);
  if (!first) return rowsById(wanted, most);
  return sql.fragment`(select i.* from (select distinct c.id from scope s cross join lateral (${first.ids}) c) c cross join lateral (
      select i.* from items i join scope s on s.workspace_id = i.workspace_id where i.id = c.id and ${matches(wanted, first.name)} offset 0
    ) i limit ${most}) i`;
}

/** CTE `matched`: rows with their group and sort values. */
export function gathered(wanted: ListSought, rows = rowsOf(wanted, MOST_GATHERED + 1)): Fragment {
  const { key, number: place, text: name, join: groupJoin } = groups[wanted.group](wanted.today);
  const { down = false, join, ...value } = orders[wanted.sort];
  const sign = fixedSql(down === wanted.reverse ? '1' : '-1');
  const [by, text] =
    value.text === undefined
      ? [sql.fragment`coalesce(${sign} * (${value.number})::float8, 'Infinity')`, sql.fragment`''`]
      : [sql.fragment`(${value.text} is null)::int::float8`, sql.fragment`coalesce(${value.text}, '')`];
  return sql.fragment`
    matched as materialized (
      select i.id, i.estimated_hours, i.progress_percent, i.closed, ${key} as gkey, (${place})::float8 as gn, ${name} as gt,
        ${by} as sn, ${text} as st, ${dueDay} as d, ${rank} as r
      from access cross join ${rows}
      left join priorities p on p.workspace_id = i.workspace_id and p.key = i.priority_key
      ${groupJoin ?? nothing} ${join && join !== groupJoin ? join : nothing}
    )`;
}

/** CTE `page` of `matched`. */
export function sorted(wanted: ListSought): Fragment {
  return sql.fragment`page as materialized (
    select gkey, gn, gt, sn, st, d, r, id from matched ${after(decodeCursor(wanted.after), isTextDown(wanted))}
    order by ${orderOf(wanted)} limit ${wanted.limit + 1}
  )`;
}

/** CTE `counted`: counts the rows of `matched` by group. `more` is true above `each` rows in a group; if `each` is unset, above
 *  MOST_GATHERED rows in all. */
export const countedOfMatched = (each?: number): Fragment => sql.fragment`
    counted as materialized (
      select gkey, gn, gt, count(*) as count, ${hoursOf('matched')},
        ${each === undefined ? sql.fragment`(select count(*) from matched) > ${MOST_GATHERED}` : sql.fragment`count(*) > ${each}`} as more
      from matched group by gkey, gn, gt
    )`;

const isTextDown = ({ sort, reverse }: ListSought) => reverse && orders[sort].text !== undefined;

/** The order of a page. In an index order the columns of the sort are equal. */
export const orderOf = (wanted: ListSought): Fragment =>
  isTextDown(wanted) ? sql.fragment`gn, gt, sn, st desc, d, r, id` : sql.fragment`gn, gt, sn, st, d, r, id`;

function after(cursor: Cursor | null, textDown: boolean): Fragment {
  if (!cursor) return nothing;
  const { groupNumber, groupText, columnNumber, columnText, due, priority: least, id } = cursor;
  const number = (text: string) => sql.fragment`${text}::text::float8`;
  const before = sql.fragment`${number(groupNumber)}, ${groupText}::text, ${number(columnNumber)}`;
  const tail = sql.fragment`${due}::date, ${number(least)}, ${id}::bigint`;
  if (!textDown) return sql.fragment`where (gn, gt, sn, st, d, r, id) > (${before}, ${columnText}::text, ${tail})`;
  return sql.fragment`where (gn, gt, sn) > (${before})
    or (gn, gt, sn) = (${before}) and (st < ${columnText}::text or st = ${columnText}::text and (d, r, id) > (${tail}))`;
}

const inIndex: readonly (keyof Filters)[] = ['assignee', 'status', 'statusKey', 'priority', 'due'];

/** True if the index of the order can check all filters. */
export const isCovered = (filters: Filters): boolean =>
  Object.entries(filters).every(([name, value]) => value === undefined || inIndex.some((one) => one === name));

/** True if the list is read along the index. */
export const isInOrder = (wanted: ListSought): boolean => isIndexed(wanted) && isCovered(wanted.filters);
