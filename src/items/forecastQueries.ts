import { z } from 'zod';
import { isVisible } from '../access/queries.ts';
import { CAPACITY_READ, CAPACITY_RIGHTS, itemTypes, TIME_OVERSIGHT, WORKSPACES_READ } from '../access/rights.ts';
import { type Fragment, fixedSql } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { scopeNote } from '../values/scopeNote.ts';
import { countedWith } from './projectQueries.ts';

const OVERSIGHT = WORKSPACES_READ | CAPACITY_READ | TIME_OVERSIGHT;
/** Of all work that a forecast counts. */
const READS = CAPACITY_RIGHTS & ~OVERSIGHT;

/** True if the user of this row of access may oversee capacity and the credential may read its inputs. Agents use their user's oversight
 *  right. */
export const overseesBy = (access: string): Fragment => sql.fragment`(
  ${fixedSql(access)}.rights & ${READS}::integer = ${READS}::integer
  and exists (select from memberships m where m.workspace_id = ${fixedSql(access)}.workspace_id and m.user_id = ${fixedSql(access)}.user_id
    and m.rights & ${OVERSIGHT}::integer = ${OVERSIGHT}::integer))`;

export const oversees = overseesBy('access');

/** For a person's rights in a workspace: true if they see dates and outlooks of its forecasts (behaviour §6.30). Only for pages and mails:
 *  keys and agents need `oversees`. */
export const seesForecasts = (rights: Fragment, workspaceId: Fragment): Fragment => sql.fragment`(
  ${rights} & ${CAPACITY_RIGHTS}::integer = ${CAPACITY_RIGHTS}::integer
  or exists (select from workspaces f where f.id = ${workspaceId} and f.forecasts = 'members'))`;

/** For a page's statement with `access`: the reader sees dates and outlooks. */
export const seesForecastsHere = seesForecasts(sql.fragment`access.rights`, sql.fragment`access.workspace_id`);

const week = sql.fragment`date_trunc('week', current_date)::date`;

// The forecast of one workspace, for agents: only what the caller may oversee (behaviour §7.33).

export const newestSnapshot = sql.fragment`(
  select s.id from capacity_forecasts f join capacity_snapshots s on s.forecast_id = f.id and s.day = current_date
  where f.scope_key = access.workspace_id::text and f.week = ${week}
  order by s.as_of desc limit 1)`;

/** JSON of a project's forecast for an agent; null without the right or without a forecast. */
export const forecastSummaryJson = (projectId: Fragment): Fragment => sql.fragment`(
  select row_to_json(summary) from capacity_projects p
  cross join lateral (
    select p.forecast_date as "forecastDate", p.buffered_date as "bufferedDate", p.outlook, ${scopeNote.one}::text as "scopeNote") summary
  where ${oversees} and p.snapshot_id = ${newestSnapshot} and p.project_id = ${projectId})`;

// The forecast of a project on pages and in notifications: over all active workspaces of the account, for everyone who sees it (behaviour §24.17).

/** Ids of all active workspaces of an account, sorted. */
const activeIn = (accountId: Fragment): Fragment =>
  sql.fragment`array(select active.id from workspaces active where active.account_id = ${accountId} and active.archived_at is null order by active.id)`;

/** The columns of the snapshot `s` of pages, from an SQL query with one row: `account_id`, and `user_id` of the reader. */
const snapshotOfPages = (reader: Fragment): Fragment => sql.fragment`
  select reader.account_id, reader.user_id, scope.ids, s.id, s.seen, f.id as forecast_id, f.read_at, f.asked_at, ${week} as week
  from (${reader}) reader
  cross join lateral (select ${activeIn(sql.fragment`reader.account_id`)} as ids) scope
  left join capacity_forecasts f on f.scope_key = account_scope_key(scope.ids) and f.week = ${week}
  left join lateral (
    select s.id, s.seen from capacity_snapshots s where s.forecast_id = f.id and s.day = current_date order by s.as_of desc limit 1
  ) s on true`;

/** CTE `on_pages`: one row for readers who see forecasts, with a null `id` while the first snapshot is computed. */
export const onPagesCte = (
  reader = sql.fragment`select access.account_id, access.user_id from access where ${seesForecastsHere}`,
): Fragment => sql.fragment`on_pages as materialized (${snapshotOfPages(reader)})`;

/** The snapshot that notifications name: the one of pages. */
export const snapshotOfAccount = (accountId: Fragment): Fragment =>
  sql.fragment`(select o.id from (${snapshotOfPages(sql.fragment`select ${accountId} as account_id, null as user_id`)}) o)`;

/** The row of capacity_forecasts for the forecast of pages. None without active workspaces. */
export const forecastOfAccount = (accountId: Fragment): Fragment => sql.fragment`
  select ${accountId} as account_id, account_scope_key(scope.ids) as scope_key,
    case when cardinality(scope.ids) = 1 then scope.ids[1] else 0 end as workspace_id, scope.ids as workspace_ids, ${week} as week
  from (select ${activeIn(accountId)} as ids) scope where cardinality(scope.ids) > 0`;

/** `wanted`: whether to tell workers that this forecast is read. */
export const PageForecast = z.object({
  forecastId: z.number().nullable(),
  /** What to compute; null if there is a snapshot. */
  missing: z.object({ accountId: z.number(), workspaceId: z.number(), workspaceIds: z.array(z.number()), week: z.string() }).nullable(),
  wanted: z.boolean(),
});
export type PageForecast = z.infer<typeof PageForecast>;

/** JSON of PageForecast, for a statement with `on_pages`. Null for readers who may not see forecasts. */
export const pageForecastJson = sql.fragment`(
  select json_build_object('forecastId', o.forecast_id,
    'missing', case when o.id is null then json_build_object('accountId', o.account_id, 'workspaceIds', o.ids, 'week', o.week,
      'workspaceId', case when cardinality(o.ids) = 1 then o.ids[1] else 0 end) end,
    'wanted', case when o.id is null then coalesce(o.asked_at < now() - interval '10 seconds', true)
      else o.read_at < now() - interval '4 minutes' end)
  from on_pages o)`;

/** True if the dates of the row `p` of capacity_projects include work of a workspace whose work the reader can't read. */
export const includesHidden = sql.fragment`exists (
  select from unnest(p.workspace_ids) w (id) where not exists (
    select from memberships m where m.workspace_id = w.id and m.user_id = (select user_id from on_pages)
      and m.rights & ${READS}::integer = ${READS}::integer))`;

/** The date that pages show of a row of capacity_projects (displayedDates in capacity/forecast/outline.ts). */
export const displayedDate = (p: string): Fragment =>
  fixedSql(`coalesce(${p}.explained -> 'rest' ->> 'forecastDate', ${p}.forecast_date::text)`);

/** Explanation of a row `p` of capacity_projects, for a page's statement with `access`. Without people and their load for those who don't
 *  oversee capacity. */
const explainedJson = sql.fragment`case when ${oversees} or p.explained is null then p.explained else json_build_object(
  'progress', p.explained -> 'progress', 'rest', p.explained -> 'rest', 'missing', null, 'bottleneck', null, 'weeks', null) end`;

const isOnPages = sql.fragment`p.snapshot_id = (select id from on_pages)`;

/** A project's forecast as lists and the timeline show it. */
export const ShownForecast = z.object({
  forecastDate: z.string().nullable(),
  bufferedDate: z.string().nullable(),
  outlook: z.string(),
  /** The dates include work that the reader can't see. */
  includesHidden: z.boolean(),
});

/** JSON of ShownForecast with its explanation, for a page's statement with `access` and `on_pages`. */
export const shownForecastJson = (projectId: Fragment): Fragment => sql.fragment`(
  select row_to_json(stands) from capacity_projects p
  cross join lateral (select p.forecast_date as "forecastDate", p.buffered_date as "bufferedDate", p.outlook,
    ${includesHidden} as "includesHidden", ${explainedJson} as explained) stands
  where ${isOnPages} and p.project_id = ${projectId})`;

export const ForecastSummary = ShownForecast.extend({
  id: z.number(),
  type: z.enum(itemTypes),
  title: z.string(),
  today: z.string(),
  targetDate: z.string().nullable(),
});

/** Ids of the items that an explanation names and that the caller sees, for a statement with `access`. `explained`: SQL of its JSON. */
export const namedIn = (explained: string): Fragment => {
  const ids = (path: string) => `select value::bigint from json_array_elements_text(coalesce(${explained} ${path}, '[]'))`;
  return sql.fragment`
    select t.id from items t join access on access.workspace_id = t.workspace_id
    where t.id in (${fixedSql(`${ids("-> 'waits' -> 'chain'")} union all ${ids("-> 'missing' -> 'waiting' -> 'blockers'")}
        union all select (${explained} -> 'waits' ->> 'taskId')::bigint`)})
      and ${isVisible('t', 'access.rights')}`;
};

/** JSON of ForecastSummary of the item's project, for a page's statement with `access`, `self` and `on_pages`. */
export const projectJson = sql.fragment`(
  with recursive up (id, above, depth) as (
    select self.id, ${fixedSql(countedWith('self'))}, 0 from self
    union all
    select i.id, ${fixedSql(countedWith('i'))}, up.depth + 1 from up join items i on i.id = up.above where up.depth < 100
  )
  select json_build_object('id', i.id, 'type', i.type, 'title', i.title, 'today', current_date, 'targetDate', coalesce(i.target_date, i.due_date),
    'forecastDate', p.forecast_date, 'bufferedDate', p.buffered_date, 'outlook', p.outlook, 'includesHidden', ${includesHidden},
    'explained', e.explained, 'named', array(${namedIn('e.explained')}))
  from up join items i on i.id = up.id join capacity_projects p on p.project_id = i.id and ${isOnPages}
  cross join lateral (select ${explainedJson} as explained) e
  where up.above is null and ${isVisible('i', 'access.rights')})`;
