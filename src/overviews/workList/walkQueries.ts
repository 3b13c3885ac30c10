/** A list in default order (due date, then priority), read along its index (sql/0062_work_lists.sql). It reads one page, however large the
 *  workspace. A stream has one value of `needs`, status and priority, by due date and id. Streams are read only when the page needs
 *  them. */
import type { Fragment } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { decodeCursor } from './cursor.ts';
import { needsOfTypes } from './gatherQueries.ts';
import { closedText, hoursOf, isNarrowed, MOST_COUNTED, matches, statusPlace, statusWanted } from './partQueries.ts';
import { dueBuckets, type ListWork } from './schema.ts';
import { daysOf } from './wanted.ts';

/** True if the index gives this order and grouping, whatever the filters. */
export function isInOrder({ group, sort, reverse, archived }: ListWork): boolean {
  if (reverse || archived) return false;
  if (sort === 'due') return group !== 'assignee' && group !== 'parent';
  return sort === 'priority' && (group === 'none' || group === 'priority');
}

/** True if the index alone can answer this filter. Other filters are checked row by row. */
export const isWalk = (wanted: ListWork): boolean => isInOrder(wanted) && !isNarrowed(wanted);

const everyKey = sql.fragment`(select coalesce(array_agg(key order by place), '{}') from st)`;
const everyPriority = sql.fragment`(select coalesce(array_agg(key), '{}') from pr)`;

/** Rows of `place, gkey, skeys, pkeys, dfrom, dto`: the groups in order. */
function segments({ group, sort, today }: ListWork): Fragment {
  if (group === 'status')
    return sql.fragment`select row_number() over (order by place, key) as place, key as gkey, array[key] as skeys, ${everyPriority} as pkeys,
      '-infinity'::date as dfrom, 'infinity'::date as dto from st`;
  if (group === 'priority' || sort === 'priority')
    return sql.fragment`select row_number() over (order by r, key) as place, ${group === 'priority' ? sql.fragment`key` : sql.fragment`''`} as gkey,
      ${everyKey} as skeys, array[key] as pkeys, '-infinity'::date as dfrom, 'infinity'::date as dto from pr`;
  if (group === 'due') {
    const days = dueBuckets.map((bucket) => daysOf(bucket, today));
    const from = days.map((one, n) => (n === 0 ? '-infinity' : one.from));
    const to = days.map((one, n) => (n === days.length - 2 ? '9999-12-31' : one.to));
    return sql.fragment`select b.place, b.gkey, ${everyKey} as skeys, ${everyPriority} as pkeys, b.dfrom, b.dto
      from unnest(${sql.array([...dueBuckets], 'text')}, ${sql.array(from, 'date')}, ${sql.array(to, 'date')}) with ordinality b (gkey, dfrom, dto, place)`;
  }
  return sql.fragment`select 1::bigint as place, '' as gkey, ${everyKey} as skeys, ${everyPriority} as pkeys, '-infinity'::date as dfrom, 'infinity'::date as dto`;
}

/** CTEs `needs`, `st` (statuses), `pr` (priorities) and `ns`, the existing pairs of needs and status: most are empty, and each is checked
 *  once. */
export const streams = (wanted: ListWork): Fragment => sql.fragment`
  ${needsOfTypes(
    [wanted.type],
    sql.fragment`and exists (select from items i
      where i.workspace_id = access.workspace_id and i.type = ${wanted.type} and i.needs = n.needs and i.shown)`,
  )},
  st as materialized (select s.key, ${statusPlace(sql.fragment`s`)} as place, ${closedText} as closed from statuses s, access
    where s.workspace_id = access.workspace_id and ${statusWanted(wanted)}),
  pr as materialized (select key, r from (
    select p.key, -p.rank::float8 as r from priorities p, access where p.workspace_id = access.workspace_id
    union all select '', 'Infinity') p
    where ${wanted.priority.length === 0} or key = any(${sql.array(wanted.priority, 'text')})),
  ns as materialized (
    select n.*, st.key from needs n cross join st cross join lateral (
      select from items i where i.workspace_id = n.workspace_id and i.needs = n.needs and i.status_key = st.key and i.shown
      order by i.status_key, i.id limit 1
    ) one
  )`;

const inStreamOfAll = sql.fragment`i.workspace_id = s.workspace_id and i.needs = s.needs and i.status_key = s.key and i.shown`;
const dueDay = sql.fragment`coalesce(i.due, 'infinity'::date)`;
const inDays = sql.fragment`${dueDay} between g.dfrom and g.dto`;
const key = sql.fragment`coalesce(i.priority_key, '')`;

/** CTEs up to `page (gkey, gn, gt, sn, st, d, r, id)`, unordered, and `counted (gkey, gn, gt, …)`. */
export function walk(wanted: ListWork): Fragment {
  const { priority, limit, group } = wanted;
  const cursor = decodeCursor(wanted.after);
  const at = sql.fragment`${cursor?.groupNumber ?? '0'}::text::float8`;
  const [day, rank, id] = [
    sql.fragment`${cursor?.due ?? '-infinity'}::date`,
    sql.fragment`${cursor?.priority ?? '0'}::text::float8`,
    cursor?.id ?? 0,
  ];
  // Splits by priority only if segments or the filter need it. Otherwise one scan per status is enough.
  const ofPriority =
    group === 'priority' || wanted.sort === 'priority' || priority.length ? sql.fragment`and ${key} = any(g.pkeys)` : everything;
  const inStream = isNarrowed(wanted) ? sql.fragment`${inStreamOfAll} and (${matches(wanted)}) is true` : inStreamOfAll;
  const ofDays = group === 'due' ? sql.fragment`and ${inDays}` : sql.fragment``;
  return sql.fragment`
    ${streams(wanted)},
    segs as materialized (${segments(wanted)}),
    page as materialized (
      select g.gkey, g.place::float8 as gn, '' as gt, 0::float8 as sn, '' as st, x.d, x.r, x.id
      from access cross join (select * from segs where place >= ${at} order by place) g
      cross join lateral (
        select y.d, pr.r, y.id
        from ns s cross join pr cross join lateral (
          select ${dueDay} as d, i.id from items i
          where ${inStream} and ${key} = pr.key and ${inDays}
            and (${dueDay}, i.id) > (case when g.place = ${at} then ${day} else '-infinity'::date end,
              case when g.place > ${at} or pr.r > ${rank} then 0 when pr.r = ${rank} then ${id}::bigint else ${Number.MAX_SAFE_INTEGER}::bigint end)
          order by ${dueDay}, i.id limit ${limit + 1}
        ) y
        where s.key = any(g.skeys) and pr.key = any(g.pkeys)
        order by y.d, pr.r, y.id limit ${limit + 1}
      ) x
      limit ${limit + 1}
    ),
    ${isNarrowed(wanted) || ofPriority !== everything || group === 'due' ? countedByRow({ inStream, ofPriority, ofDays }) : countedByIndex}`;
}

const everything = sql.fragment``;

/** Counts with an index-only scan. Sums need table rows, so only completely counted groups are summed. */
const countedByIndex = sql.fragment`
    reached as materialized (
      select place, count(*) as count, sum(count(*)) over () > ${MOST_COUNTED} and place = max(place) over () as more
      from (
        select g.place from access cross join (select * from segs order by place) g
        cross join lateral (
          select from ns s cross join lateral (
            select from items i where ${inStreamOfAll} order by i.status_key, i.id limit ${MOST_COUNTED + 1}
          ) i where s.key = any(g.skeys) limit ${MOST_COUNTED + 1}
        ) z
        limit ${MOST_COUNTED + 1}
      ) looked group by place
    ),
    counted as (
      select g.gkey, g.place as gn, '' as gt, r.count, h.estimated, h.remaining, r.more
      from reached r join segs g on g.place = r.place cross join lateral (
        select ${hoursOf(sql.fragment`i`)} from ns s cross join lateral (
          select i.estimated_hours, i.progress_percent, i.closed from items i where ${inStreamOfAll} order by i.status_key, i.id limit ${MOST_COUNTED}
        ) i where not r.more and s.key = any(g.skeys)
      ) h
    )`;

const countedByRow = ({ inStream, ofPriority, ofDays }: Record<'inStream' | 'ofPriority' | 'ofDays', Fragment>): Fragment => sql.fragment`
    looked as materialized (
      select g.gkey, g.place, z.* from access cross join (select * from segs order by place) g
      cross join lateral (
        select i.* from ns s cross join lateral (
          select i.estimated_hours, i.progress_percent, i.closed from items i where ${inStream} ${ofPriority} ${ofDays}
          order by ${key}, ${dueDay}, i.id limit ${MOST_COUNTED + 1}
        ) i where s.key = any(g.skeys) limit ${MOST_COUNTED + 1}
      ) z
      limit ${MOST_COUNTED + 1}
    ),
    counted as (
      select gkey, min(place) as gn, '' as gt, count(*) as count, ${hoursOf(sql.fragment`looked`)},
        (select count(*) from looked) > ${MOST_COUNTED} and max(place) = (select max(place) from looked) as more
      from looked group by gkey
    )`;
