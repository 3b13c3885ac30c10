/** Probes for callers with many workspaces, where probing every stream of every workspace would cost more than the page. Whether a probe
 *  was enough depends only on rows that the caller may see (decision 0039). */
import type { Fragment } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { allBut, and, assigneeId, closed, conditions, mayRead, type WorkWanted } from './filterQueries.ts';
import { inWorkspace } from './streamQueries.ts';

const cursor = ({ afterId }: WorkWanted) => sql.fragment`${afterId}::bigint`;

/** CTE `near`, from `who`: matching rows among this many ids after `start`, not yet checked for rights and text. */
const nearRows = (wanted: WorkWanted, start: Fragment, ids: number): Fragment => sql.fragment`
  near as materialized (
    select i.id, i.workspace_id, i.needs
    from who s cross join lateral (
      select i.* from items i where i.id > ${start} and i.id <= ${start} + ${ids} order by i.id offset 0
    ) i
    where i.account_id = s.account_id and i.shown and i.closed = any(${closed(wanted)}) and ${and(allBut(wanted, 'text'))}
  )`;

/** CTE `near` after the cursor, and as `workspaces` an array of its workspaces. Rights are read only in these. */
export const nearCursor = (wanted: WorkWanted, ids: number) => ({
  near: nearRows(wanted, cursor(wanted), ids),
  workspaces: sql.fragment`array(select distinct workspace_id from near)`,
});

/** Texts are checked last and row by row. A join might read the texts of each workspace. */
function readableNear(wanted: WorkWanted): Fragment {
  const text = and(conditions(wanted).text ? [conditions(wanted).text!] : []);
  const readable = sql.fragment`select i.id, i.workspace_id from near i join scope s on ${inWorkspace} where ${mayRead(wanted)} order by i.id offset 0`;
  return sql.fragment`array(select i.id from (${readable}) i where ${text} limit ${wanted.limit + 1})`;
}

export const nearProbe = (wanted: WorkWanted, ids: number): Fragment =>
  sql.fragment`select ${readableNear(wanted)} as ids, ${cursor(wanted)} + ${ids} as until, ${ids}::bigint as looked`;

export const probedNear = (wanted: WorkWanted, ids: number): Fragment => sql.fragment`probed as (${nearProbe(wanted, ids)})`;

/** CTE `start (id)`: the id before the first row of all workspaces after the cursor; null if there is none. */
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

/** Number of ids per window. Rows of other accounts lie between those of the workspaces. */
const WINDOW = 20_000;

/** The planner does not see the value of this limit. It then expects to stop soon and makes no bitmap of all rows. */
const atMost = (rows: number) => sql.fragment`limit (select ${rows + 1}::bigint)`;

/** Starts at the first existing row, because an account's ids may begin far after the cursor. Reads the workspaces' rows in a window of
 *  ids. If these are more than `most`, reads `most` ids instead. Workspaces with the same rights share one index scan. */
export function probedWindow(wanted: WorkWanted, most: number): Fragment {
  const end = sql.fragment`${start} + ${WINDOW}`;
  // Compares the column before the id too. Otherwise the planner may choose an index without it and read closed work.
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
