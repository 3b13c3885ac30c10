import type { Fragment } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { idsBelow } from './belowQueries.ts';
import { allBut, and, closed, conditions, mayRead, type WorkWanted } from './filterQueries.ts';
import type { FilterName } from './searchPlans.ts';
import { inWorkspace } from './streamQueries.ts';
import { hasIndex, hitsInOrder, indexedHits, lastOf } from './textQueries.ts';

const restBut = (leading: FilterName, wanted: WorkWanted) =>
  and([sql.fragment`i.shown and i.closed = any(${closed(wanted)})`, mayRead(wanted), ...allBut(wanted, leading)]);

export function probedByIds(wanted: WorkWanted): Fragment {
  return sql.fragment`
    probed as (
      select array(
        select i.id from items i join scope s on ${inWorkspace}
        where ${conditions(wanted).ids!} and i.id > ${wanted.afterId} and ${restBut('ids', wanted)} order by i.id limit ${wanted.limit + 1}
      ) as ids, null::bigint as until, 0 as looked
    )`;
}

/** All items below an item, if they fit into the budget. A part would be useless, because they are unordered. */
export function probedBelow(wanted: WorkWanted, budget: number | null): Fragment {
  const most = budget === null ? sql.fragment`` : sql.fragment`limit ${budget + 1}`;
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

const firstOf = (hits: Fragment, wanted: WorkWanted) => sql.fragment`array(
  select h.item_id from (${hits}) h where (select true from items i where i.id = h.item_id and ${restBut('text', wanted)}) limit ${wanted.limit + 1})`;

export const probedTexts = (wanted: WorkWanted, scan: 'text' | 'texts', budget: number | null): Fragment =>
  scan === 'text' && hasIndex(wanted) ? probedByText(wanted, budget) : probedInOrder(wanted, budget);

function probedByText(wanted: WorkWanted, budget: number | null): Fragment {
  const most = budget === null ? sql.fragment`` : sql.fragment`limit ${budget + 1}`;
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

function probedInOrder(wanted: WorkWanted, budget: number | null): Fragment {
  const share = budget === null ? null : sql.fragment`greatest(1, ${budget} / (select count(*) from scope))`;
  const until = share ? lastOf(wanted, share) : sql.fragment`null::bigint`;
  return sql.fragment`
    probed as (
      select p.ids, case when cardinality(p.ids) > ${wanted.limit} then p.ids[${wanted.limit + 1}] else ${until} end as until, ${share ?? sql.fragment`0::bigint`} as looked
      from scope s cross join lateral (select ${firstOf(hitsInOrder(wanted, share), wanted)} as ids offset 0) p
    )`;
}
