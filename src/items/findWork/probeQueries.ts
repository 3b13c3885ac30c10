import type { Fragment } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { probedNear, probedOfPerson, probedWindow } from './acrossQueries.ts';
import { allBut, and, conditions, mayRead, type WorkWanted } from './filterQueries.ts';
import { probedBelow, probedByIds, probedTexts } from './hitQueries.ts';
import type { SearchPlan, StreamScan } from './searchPlans.ts';
import { inState, type Rows, rowsAfter, streamsOf } from './streamQueries.ts';

/** CTE `probed (ids, until, looked)`, from CTE `scope`, one row for each stream. `ids`: its first matching rows. `until`: `ids` is complete
 *  up to this id; null if the stream has no more. `looked`: number of rows read. */
export function probed(wanted: WorkWanted, { scan, budget, across = false }: SearchPlan): Fragment {
  switch (scan) {
    case 'text':
    case 'texts':
      return probedTexts(wanted, scan, budget);
    case 'ids':
      return probedByIds(wanted);
    case 'under':
      return probedBelow(wanted, budget);
    case 'near':
      return probedNear(wanted, budget!);
    case 'window':
      return probedWindow(wanted, budget!);
    case 'person':
      return probedOfPerson(wanted, budget!);
    default:
      return probedStreams(wanted, scan, budget, across);
  }
}

function probedStreams(wanted: WorkWanted, scan: StreamScan, budget: number | null, across: boolean): Fragment {
  // A status key may have got another canonical status since, so it is checked again.
  const own = scan === 'status' ? [conditions(wanted).status!] : scan === 'walk' ? [mayRead(wanted)] : [];
  const rows = rowsAfter(wanted, scan);
  const rest = and([...own, ...allBut(wanted, scan)]);
  if (budget === null && across && scan !== 'range') return probedFirsts(wanted, scan, rows, rest);
  const [toEnd, share] = scan === 'range' ? [probeRangeToEnd, probeRange] : [probeToEnd, probeShare];
  const probe = budget === null ? toEnd(wanted, rows, rest) : share(budget, wanted, rows, rest);
  // Excludes streams without a match first, because each stream takes a share of the budget.
  const inRange = scan === 'range' ? sql.fragment`(${inDays(wanted, rest)} limit 1) is not null` : sql.fragment`true`;
  return sql.fragment`${streamsOf(wanted, scan, inRange)}, probed as (select p.* from streams s cross join lateral (${probe}) p)`;
}

/** A page needs only the streams whose first rows are among the first `limit + 1` of all. */
function probedFirsts(wanted: WorkWanted, scan: StreamScan, rows: Rows, rest: Fragment): Fragment {
  const { where, order } = rows;
  return sql.fragment`${streamsOf(wanted, scan)},
    firsts as materialized (
      select s.* from streams s cross join lateral (select i.id from items i where ${where} and ${rest} ${order} limit 1) first
      order by first.id limit ${wanted.limit + 1}
    ),
    probed as (select p.* from firsts s cross join lateral (${probeToEnd(wanted, rows, rest)}) p)`;
}

const shareOf = (budget: number) => sql.fragment`greatest(1, ${budget} / (select count(*) from streams))`;

function probeToEnd({ limit }: WorkWanted, { where, order }: Rows, rest: Fragment): Fragment {
  return sql.fragment`
    select array_agg(l.id) as ids, case when count(*) = ${limit + 1} then max(l.id) end as until, count(*) as looked
    from (select i.id from items i where ${where} and ${rest} ${order} limit ${limit + 1}) l`;
}

/** Rows of a long range of days. Their index is in date order, not in id order. */
const inDays = ({ afterId }: WorkWanted, inRange: Fragment) =>
  sql.fragment`select i.id from items i where ${inState} and i.shown and ${inRange} and i.id > ${afterId} order by i.due, i.id`;

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

function probeShare(budget: number, _wanted: WorkWanted, { where, order, byId }: Rows, rest: Fragment): Fragment {
  const share = shareOf(budget);
  // Without id order, `ids` is incomplete until the end.
  const until = byId ? sql.fragment`max(l.id)` : sql.fragment`0`;
  return sql.fragment`
    select array_agg(l.id) filter (where l.hit) as ids, case when count(*) = ${share} then ${until} end as until, count(*) as looked
    from (select i.id, ${rest} as hit from items i where ${where} ${order} limit ${share}) l`;
}
