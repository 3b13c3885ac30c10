import { z } from 'zod';
import { isVisible } from '../access/queries.ts';
import { CAPACITY_READ, CAPACITY_RIGHTS, itemTypes, TIME_OVERSIGHT, WORKSPACES_READ } from '../access/rights.ts';
import { type Fragment, fixedSql } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { countedWith } from './projectQueries.ts';

const OVERSIGHT = WORKSPACES_READ | CAPACITY_READ | TIME_OVERSIGHT;

/** True if the user of this row of access may oversee capacity and the credential may read its inputs. Agents use their user's oversight
 *  right. */
export const overseesBy = (access: string): Fragment => sql.fragment`(
  ${fixedSql(access)}.rights & ${CAPACITY_RIGHTS & ~OVERSIGHT}::integer = ${CAPACITY_RIGHTS & ~OVERSIGHT}::integer
  and exists (select from memberships m where m.workspace_id = ${fixedSql(access)}.workspace_id and m.user_id = ${fixedSql(access)}.user_id
    and m.rights & ${OVERSIGHT}::integer = ${OVERSIGHT}::integer))`;

export const oversees = overseesBy('access');

/** For a person's rights in a workspace: true if they see dates and outlooks of its forecasts (behaviour §6.30). Only for pages and mails:
 *  keys and agents need `oversees`. */
export const seesForecasts = (rights: Fragment, workspaceId: Fragment): Fragment => sql.fragment`(
  ${rights} & ${CAPACITY_RIGHTS}::integer = ${CAPACITY_RIGHTS}::integer
  or exists (select from workspaces f where f.id = ${workspaceId} and f.forecasts = 'members'))`;

/** The snapshot whose dates and outlooks pages, agents and notifications name for the projects of a workspace. */
export const newestSnapshotOf = (workspaceId: Fragment): Fragment => sql.fragment`(
  select s.id from capacity_forecasts f join capacity_snapshots s on s.forecast_id = f.id and s.day = current_date
  where f.scope_key = (${workspaceId})::text and f.week = date_trunc('week', current_date)::date
  order by s.as_of desc limit 1)`;

const here = sql.fragment`access.workspace_id`;
export const newestSnapshot = newestSnapshotOf(here);

/** JSON of a project's forecast for an agent; null without the right or without a forecast. */
export const forecastSummaryJson = (projectId: Fragment): Fragment => sql.fragment`(
  select row_to_json(summary) from capacity_projects p
  cross join lateral (select p.forecast_date as "forecastDate", p.buffered_date as "bufferedDate", p.outlook) summary
  where ${oversees} and p.snapshot_id = ${newestSnapshot} and p.project_id = ${projectId})`;

/** For a page's statement with `access`: the reader sees dates and outlooks. */
export const seesForecastsHere = seesForecasts(sql.fragment`access.rights`, here);

/** Explanation of a row `p` of capacity_projects, for a page's statement with `access`. Without people and their load for those who don't
 *  oversee capacity. */
const explainedJson = sql.fragment`case when ${oversees} or p.explained is null then p.explained else json_build_object(
  'progress', p.explained -> 'progress', 'rest', p.explained -> 'rest', 'missing', null, 'bottleneck', null, 'weeks', null) end`;

/** JSON of a project's forecast in a snapshot, for a page's statement with `access`; null without one. */
export const shownForecastJson = (projectId: Fragment, snapshotId: Fragment): Fragment => sql.fragment`(
  select row_to_json(stands) from capacity_projects p
  cross join lateral (select p.forecast_date as "forecastDate", p.buffered_date as "bufferedDate", p.outlook, ${explainedJson} as explained) stands
  where p.snapshot_id = ${snapshotId} and p.project_id = ${projectId})`;

export const ForecastSummary = z.object({
  id: z.number(),
  type: z.enum(itemTypes),
  title: z.string(),
  today: z.string(),
  targetDate: z.string().nullable(),
  forecastDate: z.string().nullable(),
  bufferedDate: z.string().nullable(),
  outlook: z.string(),
});
export type ForecastSummary = z.infer<typeof ForecastSummary>;

/** Ids of the items that an explanation names and that the caller sees, for a statement with `access`. `explained`: SQL of its JSON. */
export const namedIn = (explained: string): Fragment => {
  const ids = (path: string) => `select value::bigint from json_array_elements_text(coalesce(${explained} ${path}, '[]'))`;
  return sql.fragment`
    select t.id from items t join access on access.workspace_id = t.workspace_id
    where t.id in (${fixedSql(`${ids("-> 'waits' -> 'chain'")} union all ${ids("-> 'missing' -> 'waiting' -> 'blockers'")}
        union all select (${explained} -> 'waits' ->> 'taskId')::bigint`)})
      and ${isVisible('t', 'access.rights')}`;
};

/** JSON of ForecastSummary of the item's project, for a page's statement with `access` and `self`. */
export const projectJson = sql.fragment`(
  with recursive up (id, above, depth) as (
    select self.id, ${fixedSql(countedWith('self'))}, 0 from self where ${seesForecastsHere}
    union all
    select i.id, ${fixedSql(countedWith('i'))}, up.depth + 1 from up join items i on i.id = up.above where up.depth < 100
  )
  select json_build_object('id', i.id, 'type', i.type, 'title', i.title, 'today', current_date, 'targetDate', coalesce(i.target_date, i.due_date),
    'forecastDate', p.forecast_date, 'bufferedDate', p.buffered_date, 'outlook', p.outlook, 'explained', e.explained, 'named', array(${namedIn('e.explained')}))
  from up join items i on i.id = up.id join capacity_projects p on p.project_id = i.id and p.snapshot_id = ${newestSnapshot}
  cross join lateral (select ${explainedJson} as explained) e
  where up.above is null and ${isVisible('i', 'access.rights')})`;
