/** Probes for who reaches many workspaces, where a look at each stream of each of them would cost more than the page. What decides whether
 *  one was enough are rows that may be seen, and nothing else (decision 0039). */
import type { Fragment } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { allBut, and, assigneeId, closed, conditions, mayRead, type WorkWanted } from './filterQueries.ts';
import { inWorkspace } from './streamQueries.ts';

const cursor = ({ afterId }: WorkWanted) => sql.fragment`${afterId}::bigint`;

/** CTE `near`, from `who`: what has one of this many ids behind `start`, whoever may see it. All but searching is asked already, so that
 *  rights are needed in few workspaces. */
const nearRows = (wanted: WorkWanted, start: Fragment, ids: number): Fragment => sql.fragment`
  near as materialized (
    select i.id, i.workspace_id, i.needs
    from who s cross join lateral (
      select i.* from items i where i.id > ${start} and i.id <= ${start} + ${ids} order by i.id offset 0
    ) i
    where i.account_id = s.account_id and i.shown and i.closed = any(${closed(wanted)}) and ${and(allBut(wanted, 'text'))}
  )`;

/** CTEs `near` behind the cursor and, as `workspaces`, an array of those that it is in: rights are read in no others. */
export const nearCursor = (wanted: WorkWanted, ids: number) => ({
  near: nearRows(wanted, cursor(wanted), ids),
  workspaces: sql.fragment`array(select distinct workspace_id from near)`,
});

/** Texts last, and of one row after the other: each is a look-up, which a join might make for each workspace. */
function readableNear(wanted: WorkWanted): Fragment {
  const text = and(conditions(wanted).text ? [conditions(wanted).text!] : []);
  const readable = sql.fragment`select i.id, i.workspace_id from near i join scope s on ${inWorkspace} where ${mayRead(wanted)} order by i.id offset 0`;
  return sql.fragment`array(select i.id from (${readable}) i where ${text} limit ${wanted.limit + 1})`;
}

/** What a probe of `near` yields. */
export const nearProbe = (wanted: WorkWanted, ids: number): Fragment =>
  sql.fragment`select ${readableNear(wanted)} as ids, ${cursor(wanted)} + ${ids} as until, ${ids}::bigint as looked`;

export const probedNear = (wanted: WorkWanted, ids: number): Fragment => sql.fragment`probed as (${nearProbe(wanted, ids)})`;

/** CTE `start (id)`: the id before the first of all workspaces behind the cursor; null where nothing is left. */
const startOf = (wanted: WorkWanted): Fragment => sql.fragment`
  start as materialized (
    select min(first.id) - 1 as id
    from scope s cross join unnest(${closed(wanted)}) c (closed) cross join lateral (
      select i.id from items i
      where ${inWorkspace} and i.shown and (i.closed, i.id) > (c.closed, ${cursor(wanted)}) and i.closed <= c.closed
      order by i.closed, i.id limit 1
    ) first
  )`;
const start = sql.fragment`(select id from start)`;

/** Ids in which rows of the workspaces are looked for together: where other accounts' lie between. */
const WINDOW = 20_000;

/** A limit that the planner does not know: it then expects to stop soon, and takes no bitmap of everything. */
const atMost = (rows: number) => sql.fragment`limit (select ${rows + 1}::bigint)`;

/** From where there is anything to see, for an account's ids may begin far behind the cursor: what of the workspaces lies in a window of ids;
 *  where that is more than `most`, of as many ids. Workspaces with the same rights are one walk over an index, and no join with each. */
export function probedWindow(wanted: WorkWanted, most: number): Fragment {
  const end = sql.fragment`${start} + ${WINDOW}`;
  // Compared with the column before the id, as in streams: the planner may take an index without it otherwise, and go through closed work.
  return sql.fragment`
    ${startOf(wanted)},
    ${nearRows(wanted, start, most)},
    alike as (select s.user_id, s.rights, array_agg(s.workspace_id) as workspaces from scope s group by s.user_id, s.rights),
    inside as (
      select count(*) as n, array_agg(i.id) filter (where i.hit) as ids
      from (
        select i.id, i.hit from alike s cross join unnest(${closed(wanted)}) c (closed) cross join lateral (
          select i.id, ${and([mayRead(wanted), ...allBut(wanted)])} as hit from items i
          where i.workspace_id = any(s.workspaces) and i.shown
            and (i.closed, i.id) > (c.closed, ${start}) and (i.closed, i.id) <= (c.closed, ${end}) ${atMost(most)}
        ) i ${atMost(most)}
      ) i
    ),
    probed as (
      select case when n <= ${most} then ids else ${readableNear(wanted)} end as ids,
             case when n <= ${most} then ${end} else ${start} + ${most} end as until, n as looked from inside
    )`;
}

/** All open work of one person, where it is no more than `most`: mostly little, wherever it is. */
export const probedOfPerson = (wanted: WorkWanted, most: number): Fragment => sql.fragment`
  probed as (
    select case when count(*) <= ${most} then array_agg(i.id) filter (where i.hit) end as ids,
           case when count(*) > ${most} then 0::bigint end as until, count(*) as looked
    from (
      select i.id, i.hit from scope s cross join lateral (
        select i.id, ${and([mayRead(wanted), ...allBut(wanted, 'assignee')])} as hit from items i
        where ${inWorkspace} and i.assignee_id = ${assigneeId(wanted)} and i.shown and not i.closed and i.id > ${wanted.afterId}
        order by i.due, i.id ${atMost(most)}
      ) i ${atMost(most)}
    ) i
  )`;
