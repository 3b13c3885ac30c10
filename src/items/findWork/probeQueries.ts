/** The part of svc_find_work's SQL that looks for ids. What may be seen lies in streams: the rows of one workspace and one set of needs,
 *  in id order on an index for each filter (sql/0009_find_work.sql). A scan probes its streams for the ids that come first. */

import { possibleNeeds } from '../../access/rights.ts';
import { type Fragment, fixedSql } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { isClosed } from '../../workspaces/statusQueries.ts';
import { idsBelow } from './belowQueries.ts';
import { and, assigneeId, conditions, type WorkWanted } from './filterQueries.ts';
import { type FilterName, filterNames, type SearchPlan } from './searchPlans.ts';
import { hasIndex, hitsInOrder, indexedHits, lastOf } from './textQueries.ts';

const none = sql.fragment``;
const needs = (wanted: WorkWanted) => sql.array(wanted.types.flatMap(possibleNeeds), 'int4');
const closed = (wanted: WorkWanted) => sql.array([...wanted.closed], 'bool');
/** For scans that do not take the sets of needs one at a time. */
const mayRead = (wanted: WorkWanted) => sql.fragment`i.needs & s.rights = i.needs and i.needs = any(${needs(wanted)})`;

/** How a scan's index is used: equal columns first, then one whose value is `last`, then the id. */
interface IndexUse {
  equal: Fragment;
  column: Fragment;
  last: Fragment;
  /** What multiplies the streams, as a column and a join. */
  values?: { column: Fragment; join: Fragment } | undefined;
}

const inWorkspace = sql.fragment`i.workspace_id = s.workspace_id`;
const inStream = sql.fragment`${inWorkspace} and i.needs = s.needs`;
const inState = sql.fragment`${inStream} and i.closed = s.closed`;
const byState = { column: sql.fragment`i.closed`, last: sql.fragment`s.closed` };
const isClosedKey = fixedSql(isClosed('k.status'));

/** Scans that no stream of an index is made for. */
type OtherScan = 'text' | 'texts' | 'ids' | 'under';

function indexUseOf(wanted: WorkWanted, scan: Exclude<SearchPlan['scan'], OtherScan>): IndexUse {
  const { status = null, statusKey = null, priorityKey = '', requirementId = 0, releaseId = 0, due } = wanted;
  switch (scan) {
    case 'walk':
      return { equal: inWorkspace, ...byState };
    case 'all':
    case 'range':
      return { equal: inStream, ...byState };
    case 'requirement':
      return { equal: sql.fragment`i.requirement_id = ${requirementId} and ${inStream}`, ...byState };
    case 'release':
      return { equal: sql.fragment`i.release_id = ${releaseId} and ${inStream}`, ...byState };
    case 'assignee':
      return { equal: inState, column: sql.fragment`i.assignee_id`, last: assigneeId(wanted) };
    case 'priority':
      return { equal: inState, column: sql.fragment`i.priority_key`, last: sql.fragment`${priorityKey}` };
    case 'status':
      return {
        equal: inState,
        column: sql.fragment`i.status_key`,
        last: sql.fragment`s.key`,
        values: {
          column: sql.fragment`, k.key`,
          join: sql.fragment`join statuses k on k.workspace_id = a.workspace_id and (${isClosedKey}) = c.closed
            and (${statusKey}::text is null or k.key = ${statusKey}) and (${status}::text is null or k.status = ${status})`,
        },
      };
    case 'due':
      return {
        equal: inState,
        column: sql.fragment`i.due`,
        last: sql.fragment`s.day`,
        ...(due?.days && {
          values: {
            column: sql.fragment`, ${due.from}::date + d.n as day`,
            join: sql.fragment`cross join generate_series(0, ${due.days - 1}) d (n)`,
          },
        }),
      };
  }
}

/** The rows of a stream after the cursor. Compared and ordered with the column before the id, although all its rows have the same value
 *  there: otherwise the planner may think that the primary key, which gives the id order as well, is cheaper to scan. */
function rowsAfter(
  wanted: WorkWanted,
  scan: SearchPlan['scan'],
  { equal, column, last }: IndexUse,
): { where: Fragment; order: Fragment; byId: boolean } {
  const shown = sql.fragment`${equal} and i.shown`;
  const order = sql.fragment`order by ${column}, i.id`;
  if (scan === 'assignee' && wanted.assignee === 'unassigned') {
    return { where: sql.fragment`${shown} and ${column} is null and i.id > ${wanted.afterId}`, order, byId: true };
  }
  if (scan === 'due' && !wanted.due?.days) {
    return { where: sql.fragment`${shown} and ${conditions(wanted).due!} and i.id > ${wanted.afterId}`, order, byId: false };
  }
  return {
    where: sql.fragment`${shown} and (${column}, i.id) > (${last}, ${wanted.afterId}::bigint) and ${column} <= ${last}`,
    order,
    byId: true,
  };
}

/** CTE `probed (ids, until, looked)`: of each stream the ids of its first rows that fulfil everything; the id up to which these are all,
 *  null when there are no more; how many rows were looked at. From the CTE `scope`. */
export function probed(wanted: WorkWanted, { scan, budget }: SearchPlan): Fragment {
  if (scan === 'text' || scan === 'texts')
    return scan === 'text' && hasIndex(wanted) ? probedByText(wanted, budget) : probedInOrder(wanted, budget);
  if (scan === 'ids') return probedByIds(wanted);
  if (scan === 'under') return probedBelow(wanted, budget);
  const index = indexUseOf(wanted, scan);
  const all = conditions(wanted);
  const others = filterNames.flatMap((name) => (name === scan || !all[name] ? [] : [all[name]]));
  // The keys of a status could have been given another meaning since.
  const own = scan === 'status' ? [all.status!] : scan === 'walk' ? [mayRead(wanted)] : [];
  const rest = and([...own, ...others]);
  const rows = rowsAfter(wanted, scan, index);
  const [toEnd, share] = scan === 'range' ? [probeRangeToEnd, probeRange] : [probeToEnd, probeShare];
  const probe = budget === null ? toEnd(wanted, rows, rest) : share(budget, wanted, rows, rest);
  // Of the others, which may be half, a budget is not to be spent on looking.
  const inRange = scan === 'range' ? sql.fragment`where (${inDays(wanted, rest)} limit 1) is not null` : none;
  const eachNeed = scan === 'walk' ? none : sql.fragment`join unnest(${needs(wanted)}) n (needs) on n.needs & a.rights = n.needs`;
  return sql.fragment`
    streams as (
      select s.* from (
        select a.workspace_id, a.user_id, a.rights, a.context_rights, c.closed ${scan === 'walk' ? none : sql.fragment`, n.needs`} ${index.values?.column ?? none}
        from scope a ${eachNeed} cross join unnest(${closed(wanted)}) c (closed) ${index.values?.join ?? none}
      ) s ${inRange}
    ),
    probed as (select p.* from streams s cross join lateral (${probe}) p)`;
}

type Rows = ReturnType<typeof rowsAfter>;

/** Of a budget, for each stream. */
const shareOf = (budget: number) => sql.fragment`greatest(1, ${budget} / (select count(*) from streams))`;

/** As many as a page can take. */
function probeToEnd({ limit }: WorkWanted, { where, order }: Rows, rest: Fragment): Fragment {
  return sql.fragment`
    select array_agg(l.id) as ids, case when count(*) = ${limit + 1} then max(l.id) end as until, count(*) as looked
    from (select i.id from items i where ${where} and ${rest} ${order} limit ${limit + 1}) l`;
}

/** Of a long range of days, which their index has in another order than that of ids. */
const inDays = ({ afterId }: WorkWanted, inRange: Fragment) =>
  sql.fragment`select i.id from items i where ${inState} and i.shown and ${inRange} and i.id > ${afterId} order by i.due, i.id`;

/** Those of the stream that are in the range, where they are no more than its share; else those among its first rows. */
function probeRange(budget: number, wanted: WorkWanted, { where, order }: Rows, inRange: Fragment): Fragment {
  const share = shareOf(budget);
  return sql.fragment`
    select coalesce(first.ids, few.ids) as ids, first.until, few.n + coalesce(first.looked, 0) as looked
    from (select array_agg(d.id) as ids, count(*) as n from (${inDays(wanted, inRange)} limit ${share} + 1) d) few
    left join lateral (
      select coalesce(array_agg(l.id) filter (where l.hit), '{}') as ids, max(l.id) as until, count(*) as looked
      from (select i.id, ${inRange} as hit from items i where few.n > ${share} and ${where} ${order} limit ${share}) l
    ) first on few.n > ${share}`;
}

function probeRangeToEnd(wanted: WorkWanted, _rows: Rows, inRange: Fragment): Fragment {
  return sql.fragment`
    select array_agg(l.id) as ids, case when count(*) = ${wanted.limit + 1} then max(l.id) end as until, count(*) as looked
    from (select r.id from (${inDays(wanted, inRange)} offset 0) r order by r.id limit ${wanted.limit + 1}) l`;
}

/** Those among the stream's share of the budget. */
function probeShare(budget: number, _wanted: WorkWanted, { where, order, byId }: Rows, rest: Fragment): Fragment {
  const share = shareOf(budget);
  // In another order nothing is sure before the end.
  const until = byId ? sql.fragment`max(l.id)` : sql.fragment`0`;
  return sql.fragment`
    select array_agg(l.id) filter (where l.hit) as ids, case when count(*) = ${share} then ${until} end as until, count(*) as looked
    from (select i.id, ${rest} as hit from items i where ${where} ${order} limit ${share}) l`;
}

/** What every row must fulfil that no index has looked at, but for one filter. */
function restBut(leading: FilterName, wanted: WorkWanted): Fragment {
  const all = conditions(wanted);
  const others = filterNames.flatMap((name) => (name === leading || !all[name] ? [] : [all[name]]));
  return and([sql.fragment`i.shown and i.closed = any(${closed(wanted)})`, mayRead(wanted), ...others]);
}

function probedByIds(wanted: WorkWanted): Fragment {
  return sql.fragment`
    probed as (
      select array(
        select i.id from items i join scope s on ${inWorkspace}
        where ${conditions(wanted).ids!} and i.id > ${wanted.afterId} and ${restBut('ids', wanted)} order by i.id limit ${wanted.limit + 1}
      ) as ids, null::bigint as until, 0 as looked
    )`;
}

/** Of all below an item, when it is no more than the budget: in no order that would tell anything of a part. */
function probedBelow(wanted: WorkWanted, budget: number | null): Fragment {
  const most = budget === null ? none : sql.fragment`limit ${budget + 1}`;
  const whole = budget === null ? sql.fragment`true` : sql.fragment`d.n <= ${budget}`;
  return sql.fragment`
    probed as (
      select case when ${whole} then array(
          select i.id from items i where i.id = any(d.ids) and i.id > ${wanted.afterId} and ${restBut('under', wanted)} order by i.id limit ${wanted.limit + 1}
        ) end as ids, case when ${whole} then null else 0::bigint end as until, d.n as looked
      from scope s cross join lateral (
        select array_agg(below.id) as ids, count(*) as n from (${idsBelow(sql.fragment`s.rights`)} ${most}) below
      ) d
    )`;
}

/** Of these hits the first that fulfil everything else. */
const firstOf = (hits: Fragment, wanted: WorkWanted) => sql.fragment`array(
  select h.item_id from (${hits}) h where (select true from items i where i.id = h.item_id and ${restBut('text', wanted)}) limit ${wanted.limit + 1})`;

/** Of the texts in each workspace that hold what is searched for, when they are no more than the budget. */
function probedByText(wanted: WorkWanted, budget: number | null): Fragment {
  const most = budget === null ? none : sql.fragment`limit ${budget + 1}`;
  const whole = budget === null ? sql.fragment`true` : sql.fragment`hits.n <= ${budget}`;
  return sql.fragment`
    probed as (
      select p.* from scope s cross join lateral (
        with hit as materialized (${indexedHits(wanted)} ${most})
        select case when ${whole} then ${firstOf(sql.fragment`select distinct item_id from hit order by item_id`, wanted)} end as ids,
          case when ${whole} then null else 0::bigint end as until, hits.n as looked
        from (select count(*) as n from hit) hits
      ) p
    )`;
}

/** Of the first texts in each workspace, its share of the budget. */
function probedInOrder(wanted: WorkWanted, budget: number | null): Fragment {
  const share = budget === null ? null : sql.fragment`greatest(1, ${budget} / (select count(*) from scope))`;
  const until = share ? lastOf(wanted, share) : sql.fragment`null::bigint`;
  return sql.fragment`
    probed as (
      select p.ids, case when cardinality(p.ids) > ${wanted.limit} then p.ids[${wanted.limit + 1}] else ${until} end as until, ${share ?? sql.fragment`0::bigint`} as looked
      from scope s cross join lateral (select ${firstOf(hitsInOrder(wanted, share), wanted)} as ids offset 0) p
    )`;
}
