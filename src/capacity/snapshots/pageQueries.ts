/** SQL of the capacity page: parts of the newest snapshot, in one statement with the access check. */
import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { accessTo, accessWithin } from '../../access/queries.ts';
import { CAPACITY_RIGHTS } from '../../access/rights.ts';
import type { Cursor } from '../../changes/cursor.ts';
import type { Fragment, Tx } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { displayedDate, includesHidden, namedIn, onPagesCte } from '../../items/forecastQueries.ts';
import { CredentialRefused, Forbidden } from '../../values/errors.ts';
import { leftOf } from '../../workspaces/queries.ts';
import { leftStates } from '../../workspaces/statuses.ts';
import { PROJECTS_PER_PAGE, type StoredLine } from '../forecast/outline.ts';
import type { Explained } from '../forecast/schema.ts';
import type { Missing } from './queries.ts';

const Mark = z.object({ id: z.number(), kind: z.enum(['person', 'service']), left: z.enum(leftStates).nullable() });
export type Mark = z.infer<typeof Mark>;
const Marks = z.array(Mark);

const OnPages = z.object({ id: z.number().nullable(), forecastId: z.number().nullable(), ids: z.array(z.number()), outdated: z.boolean() });

const Row = z.object({
  authenticated: z.boolean(),
  name: z.string().nullable(),
  accountId: z.number().nullable(),
  ids: z.array(z.number()),
  week: z.string(),
  thisWeek: z.string(),
  forecastId: z.number().nullable(),
  head: z.string().nullable(),
  people: z.string().nullable(),
  peoplePage: z.number().nullable(),
  /** The forecast of pages, which has the projects' dates. */
  onPages: OnPages.nullable(),
  projects: z.string(),
  projectsPage: z.number(),
  counts: z.record(z.string(), z.number()),
  hidden: z.boolean(),
  named: z.array(z.number()),
  outdated: z.boolean(),
  marks: Marks.nullable(),
});

/** Stored JSON, so it is not validated. `only`: the date in the chosen workspace's own forecast, if that is another one. */
export interface StoredProject {
  line: StoredLine;
  explained: Explained | null;
  includesHidden: boolean;
  workspace: string;
  only: { forecastDate: string | null } | null;
}

export interface PageQuestion {
  /** 0: all workspaces that the caller may oversee. */
  workspaceId: number;
  from?: string | undefined;
  saved?: Cursor | null | undefined;
  /** Page numbers from 1. Above the last page: the last page. */
  people: number;
  projects: number;
}

export type PageRow = Pick<
  z.infer<typeof Row>,
  'name' | 'named' | 'people' | 'peoplePage' | 'projects' | 'projectsPage' | 'counts' | 'hidden' | 'marks' | 'outdated'
> & {
  /** Of the outdated one, else of the one of pages. */
  forecastId: number;
  /** All that the page shows. */
  forecastIds: number[];
  head: string;
};
export type PageMissing = Missing & Pick<PageRow, 'name'>;

const scopeOf = sql.fragment`
    scope as (
      select min(account_id) as account_id, min(user_id) as user_id, array_agg(workspace_id order by workspace_id) as ids from access
      where rights & ${CAPACITY_RIGHTS} = ${CAPACITY_RIGHTS})`;

const onPages = onPagesCte(sql.fragment`select scope.account_id, scope.user_id from scope where scope.account_id is not null`);

const weekOf = (from: string | undefined) => sql.fragment`date_trunc('week', coalesce(${from ?? null}::date, current_date))::date`;

const newestIn = (workspaceId: number) => sql.fragment`
      select s.id, s.forecast_id, s.seen from capacity_forecasts f join capacity_snapshots s on s.forecast_id = f.id
      where f.scope_key = ${workspaceId === 0 ? sql.fragment`scope_key_of(scope.ids)` : String(workspaceId)} and f.week = asked.week
        and s.day = current_date order by s.as_of desc limit 1`;

/** JSON of StoredProject of the row `p` of capacity_projects and its item `i`. `only`: a snapshot of one workspace. */
const storedJson = (only: Fragment): Fragment => sql.fragment`json_build_object('line', p.line, 'explained', p.explained,
  'includesHidden', ${includesHidden}, 'workspace', (select w.name from workspaces w where w.id = i.workspace_id),
  'only', (select json_build_object('forecastDate', ${displayedDate('n')})
    from capacity_projects n where n.snapshot_id = ${only} and n.snapshot_id <> p.snapshot_id and n.project_id = p.project_id))`;

/** SQL condition for a snapshot `s`. A transaction from before a restore of the database (another era) counts as included. */
const unseen = ({ era, xact }: Cursor) =>
  sql.fragment`${era}::integer = change_era() and not coalesce(pg_visible_in_snapshot(${xact}::xid8, s.seen), false)`;

/** Null if the caller asks for all workspaces and oversees none. Throws Unauthenticated, and Forbidden for one out of scope. */
export async function readPage(tx: Tx, caller: Caller, question: PageQuestion): Promise<PageRow | PageMissing | null> {
  const { workspaceId, from, people, projects, saved } = question;
  const all = workspaceId === 0;
  const isOutdated = saved ? unseen(saved) : sql.fragment`false`;
  const row = await tx.one(sql.type(Row)`
    with ${accessWithin(caller, all ? null : workspaceId)},
    ${scopeOf},
    asked as (select ${weekOf(from)} as week),
    ${onPages},
    ${mine},
    page as (select least(${projects}, (greatest(count(*), 1) - 1) / ${PROJECTS_PER_PAGE} + 1) as n from mine),
    shown as materialized (
      select m.place, p.project_id, ${storedJson(all ? sql.fragment`null` : sql.fragment`s.id`)} as stored, p.explained
      from (select * from mine order by place limit ${PROJECTS_PER_PAGE} offset (select (n - 1) * ${PROJECTS_PER_PAGE} from page)) m
      join capacity_projects p on p.snapshot_id = (select id from on_pages) and p.project_id = m.project_id
      join items i on i.id = p.project_id
      left join lateral (select narrow.id from scope cross join asked cross join lateral (${newestIn(workspaceId)}) narrow) s on true
    )
    select exists (select from who) as authenticated,
           ${all ? sql.fragment`null` : sql.fragment`(select w.name from workspaces w where w.id = ${workspaceId})`} as name,
           scope.account_id as "accountId", coalesce(case when head.text is null then scope.ids end, '{}') as ids, asked.week,
           ${weekOf(undefined)} as "thisWeek", s.forecast_id as "forecastId",
           array(select n.id from shown cross join lateral (${namedIn('shown.explained')}) n) as named,
           ${isOutdated} as outdated, head.text as head, people.text as people, people.n as "peoplePage",
           (select json_build_object('id', s.id, 'forecastId', s.forecast_id, 'outdated', ${isOutdated},
              'ids', case when s.id is null or exists (select from mine where line is null) then s.ids else '{}' end) from on_pages s) as "onPages",
           (select coalesce(json_agg(stored order by place), '[]')::text from shown) as projects, (select n - 1 from page) as "projectsPage",
           (select coalesce(json_object_agg(c.outlook, c.count), '{}') from (select outlook, count(*) from mine group by outlook) c) as counts,
           exists (select from (select distinct workspace_ids from mine) p where ${includesHidden}) as hidden,
           (select json_agg(m) from json_array_elements(people.text::json) p join users u on u.id = (p.value ->> 'id')::bigint
            cross join lateral (select u.id, u.kind, case when not u.active then 'deactivated' when not exists (
              select from memberships m where m.user_id = u.id and m.workspace_id = any(scope.ids)) then 'left' end as left) m
            where m.kind = 'service' or m.left is not null) as marks
    from scope cross join asked
    left join lateral (${newestIn(workspaceId)}) s on true
    left join capacity_pages head on head.snapshot_id = s.id and head.part = 'head' and head.n = 0
    left join lateral (
      select c.n, c.text from capacity_pages c where c.snapshot_id = s.id and c.part = 'people' and c.n < ${people} order by c.n desc limit 1
    ) people on true`);
  const { authenticated, accountId, ids, forecastId, head, name, onPages: wide } = row;
  if (!authenticated) throw new CredentialRefused();
  if (accountId === null || wide === null) {
    if (all) return null;
    throw new Forbidden();
  }
  if (head === null || forecastId === null) return { accountId, workspaceId, workspaceIds: ids, week: row.week, name };
  if (wide.forecastId === null || wide.ids.length > 0) return { ...missingOnPages(accountId, wide.ids, row.thisWeek), name };
  return {
    ...row,
    forecastId: row.outdated ? forecastId : wide.forecastId,
    forecastIds: [forecastId, wide.forecastId],
    outdated: row.outdated || wide.outdated,
    head,
  };
}

/** CTE `mine`: all projects of the scope in the forecast of pages. */
const mine = sql.fragment`
  mine as materialized (
    select p.snapshot_id, p.project_id, p.outlook, p.place, p.line, p.workspace_ids
    from on_pages join capacity_projects p on p.snapshot_id = on_pages.id join scope on true
    join items i on i.id = p.project_id and i.workspace_id = any(scope.ids))`;

const missingOnPages = (accountId: number, workspaceIds: number[], week: string): Missing => ({
  accountId,
  workspaceId: workspaceIds.length === 1 ? (workspaceIds[0] ?? 0) : 0,
  workspaceIds,
  week,
});

const Lines = z.object({
  authenticated: z.boolean(),
  accountId: z.number().nullable(),
  week: z.string(),
  onPages: OnPages.nullable(),
  lines: z.string(),
});

/** JSON of the StoredLines of all projects of the scope, worst first. Throws like readPage. */
export async function readLines(tx: Tx, caller: Caller, workspaceId: number): Promise<{ forecastId: number; lines: string } | Missing> {
  const row = await tx.one(sql.type(Lines)`
    with ${accessWithin(caller, workspaceId || null)}, ${scopeOf}, ${onPages}, ${mine}
    select exists (select from who) as authenticated, scope.account_id as "accountId", ${weekOf(undefined)} as week,
      (select json_build_object('id', s.id, 'forecastId', s.forecast_id, 'outdated', false,
        'ids', case when s.id is null or exists (select from mine where line is null) then s.ids else '{}' end) from on_pages s) as "onPages",
      (select coalesce(json_agg(line order by place), '[]')::text from mine) as lines
    from scope`);
  if (!row.authenticated) throw new CredentialRefused();
  const { accountId, onPages: wide, week, lines } = row;
  if (accountId === null || wide === null) throw new Forbidden();
  return wide.forecastId === null || wide.ids.length > 0
    ? missingOnPages(accountId, wide.ids, week)
    : { forecastId: wide.forecastId, lines };
}

/** Most pieces of a text that are read for one project. */
const MOST_PIECES = 64;

const Project = z.object({
  authenticated: z.boolean(),
  accountId: z.number().nullable(),
  workspaceId: z.number().nullable(),
  week: z.string(),
  onPages: OnPages.nullable(),
  today: z.string(),
  stored: z.string().nullable(),
  /** Null if there are too many. */
  text: z.string().nullable(),
  named: z.array(z.number()),
});

export interface ProjectQuestion {
  workspaceId: number;
  projectId: number;
}

type ProjectRow = Pick<z.infer<typeof Project>, 'today' | 'text' | 'named'> & {
  forecastId: number;
  workspaceId: number;
  stored: string | null;
};

/** Reads a project with the pieces of text that have its tasks. Throws Unauthenticated, and Forbidden for a project that the caller does not
 *  oversee. */
export async function readProject(tx: Tx, caller: Caller, { workspaceId, projectId }: ProjectQuestion): Promise<ProjectRow | Missing> {
  const only = workspaceId === 0 ? sql.fragment`null` : sql.fragment`(select s.id from scope, asked, lateral (${newestIn(workspaceId)}) s)`;
  const row = await tx.one(sql.type(Project)`
    with ${accessWithin(caller, workspaceId || null)}, ${scopeOf}, asked as (select ${weekOf(undefined)} as week), ${onPages}
    select exists (select from who) as authenticated, scope.account_id as "accountId", i.workspace_id as "workspaceId", asked.week,
      current_date::text as today,
      (select json_build_object('id', s.id, 'forecastId', s.forecast_id, 'outdated', false,
        'ids', case when s.id is null or p.project_id is not null and p.line is null then s.ids else '{}' end) from on_pages s) as "onPages",
      case when p.project_id is not null then ${storedJson(only)}::text end as stored, array(${namedIn('p.explained')}) as named,
      (select string_agg(c.text, '' order by c.n) from capacity_pieces c
        where c.snapshot_id = p.snapshot_id and c.n between (p.line -> 'text' ->> 'first')::integer and (p.line -> 'text' ->> 'last')::integer
          and (p.line -> 'text' ->> 'last')::integer - (p.line -> 'text' ->> 'first')::integer < ${MOST_PIECES}) as text
    from scope cross join asked
    left join items i on i.id = ${projectId} and i.workspace_id = any(scope.ids)
    left join capacity_projects p on p.snapshot_id = (select id from on_pages) and p.project_id = i.id`);
  if (!row.authenticated) throw new CredentialRefused();
  const { accountId, onPages: wide, workspaceId: home } = row;
  if (accountId === null || wide === null || home === null) throw new Forbidden();
  if (wide.forecastId === null || wide.ids.length > 0) return missingOnPages(accountId, wide.ids, row.week);
  return { ...row, forecastId: wide.forecastId, workspaceId: home };
}

const Assignee = z.object({ id: z.number(), name: z.string(), kind: z.enum(['person', 'service']), left: z.enum(leftStates).nullable() });
export type Assignee = z.infer<typeof Assignee>;

/** People of an overseen workspace. */
export const readAssignees = (tx: Tx, caller: Caller, workspaceId: number, ids: readonly number[]): Promise<readonly Assignee[]> =>
  tx.any(sql.type(Assignee)`
    with ${accessTo(caller, workspaceId)}
    select u.id, u.name, u.kind, ${leftOf(sql.fragment`access.workspace_id`)} as left
    from access join users u on u.account_id = access.account_id and u.id = any(${sql.array([...ids], 'int8')})
    where access.rights & ${CAPACITY_RIGHTS} = ${CAPACITY_RIGHTS}`);
