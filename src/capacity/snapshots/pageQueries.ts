/** SQL of the capacity page: parts of the newest snapshot, in one statement with the access check. */
import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { accessWithin } from '../../access/queries.ts';
import { CAPACITY_RIGHTS } from '../../access/rights.ts';
import type { Cursor } from '../../changes/cursor.ts';
import type { Tx } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { namedIn } from '../../items/forecastQueries.ts';
import { CredentialRefused, Forbidden } from '../../values/errors.ts';
import { leftOf } from '../../workspaces/queries.ts';
import { leftStates } from '../../workspaces/statuses.ts';
import { Explained } from '../forecast/schema.ts';
import type { Missing } from './queries.ts';

const Mark = z.object({ id: z.number(), kind: z.enum(['person', 'service']), left: z.enum(leftStates).nullable() });
export type Mark = z.infer<typeof Mark>;
const Marks = z.array(Mark);

const Row = z.object({
  authenticated: z.boolean(),
  name: z.string().nullable(),
  accountId: z.number().nullable(),
  ids: z.array(z.number()),
  week: z.string(),
  forecastId: z.number().nullable(),
  head: z.string().nullable(),
  people: z.string().nullable(),
  peoplePage: z.number().nullable(),
  projects: z.string().nullable(),
  projectsPage: z.number().nullable(),
  places: z.record(z.string(), z.string()).nullable(),
  named: z.array(z.number()),
  outdated: z.boolean(),
  marks: Marks.nullable(),
});

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
  'name' | 'named' | 'people' | 'peoplePage' | 'projects' | 'projectsPage' | 'places' | 'marks' | 'outdated'
> & {
  forecastId: number;
  head: string;
};
export type PageMissing = Missing & Pick<PageRow, 'name'>;

const scopeOf = sql.fragment`
    scope as (
      select min(account_id) as account_id, array_agg(workspace_id order by workspace_id) as ids from access
      where rights & ${CAPACITY_RIGHTS} = ${CAPACITY_RIGHTS})`;

const weekOf = (from: string | undefined) => sql.fragment`date_trunc('week', coalesce(${from ?? null}::date, current_date))::date`;

const newestIn = (workspaceId: number) => sql.fragment`
      select s.id, s.forecast_id, s.seen from capacity_forecasts f join capacity_snapshots s on s.forecast_id = f.id
      where f.scope_key = ${workspaceId === 0 ? sql.fragment`scope_key_of(scope.ids)` : String(workspaceId)} and f.week = asked.week
        and s.day = current_date order by s.as_of desc limit 1`;

/** SQL condition for a snapshot `s`. A transaction from before a restore of the database (another era) counts as included. */
const unseen = ({ era, xact }: Cursor) =>
  sql.fragment`${era}::integer = change_era() and not coalesce(pg_visible_in_snapshot(${xact}::xid8, s.seen), false)`;

/** Null if the caller asks for all workspaces and oversees none. Throws Unauthenticated, and Forbidden for one out of scope. */
export async function readPage(tx: Tx, caller: Caller, question: PageQuestion): Promise<PageRow | PageMissing | null> {
  const { workspaceId, from, people, projects, saved } = question;
  const all = workspaceId === 0;
  const places = sql.fragment`(select json_object_agg(i.id, w.name)
    from json_array_elements(projects.text::json) p join items i on i.id = (p.value ->> 'id')::bigint join workspaces w on w.id = i.workspace_id)`;
  const row = await tx.one(sql.type(Row)`
    with ${accessWithin(caller, all ? null : workspaceId)},
    ${scopeOf},
    asked as (select ${weekOf(from)} as week)
    select exists (select from who) as authenticated,
           ${all ? sql.fragment`null` : sql.fragment`(select w.name from workspaces w where w.id = ${workspaceId})`} as name,
           scope.account_id as "accountId", coalesce(case when head.text is null then scope.ids end, '{}') as ids, asked.week, s.forecast_id as "forecastId",
           array(select n.id from json_array_elements(projects.text::json) p cross join lateral (${namedIn("(p.value -> 'explained')")}) n) as named,
           ${saved ? unseen(saved) : sql.fragment`false`} as outdated, head.text as head, people.text as people, people.n as "peoplePage", projects.text as projects, projects.n as "projectsPage",
           ${all ? places : sql.fragment`null::json`} as places,
           (select json_agg(m) from json_array_elements(people.text::json) p join users u on u.id = (p.value ->> 'id')::bigint
            cross join lateral (select u.id, u.kind, case when not u.active then 'deactivated' when not exists (
              select from memberships m where m.user_id = u.id and m.workspace_id = any(scope.ids)) then 'left' end as left) m
            where m.kind = 'service' or m.left is not null) as marks
    from scope cross join asked
    left join lateral (${newestIn(workspaceId)}) s on true
    left join capacity_pages head on head.snapshot_id = s.id and head.part = 'head' and head.n = 0
    left join lateral (
      select c.n, c.text from capacity_pages c where c.snapshot_id = s.id and c.part = 'people' and c.n < ${people} order by c.n desc limit 1
    ) people on true
    left join lateral (
      select c.n, c.text from capacity_pages c where c.snapshot_id = s.id and c.part = 'projects' and c.n < ${projects} order by c.n desc limit 1
    ) projects on true`);
  const { authenticated, accountId, ids, forecastId, head } = row;
  if (!authenticated) throw new CredentialRefused();
  if (accountId === null) {
    if (all) return null;
    throw new Forbidden();
  }
  if (head === null || forecastId === null) return { accountId, workspaceId, workspaceIds: ids, week: row.week, name: row.name };
  return { ...row, forecastId, head };
}

const Project = z.object({
  authenticated: z.boolean(),
  workspace: z.string().nullable(),
  explained: Explained.nullable(),
  people: Marks.nullable(),
  named: z.array(z.number()),
});

export interface ProjectQuestion extends Pick<PageQuestion, 'workspaceId' | 'from'> {
  projectId: number;
  people: readonly number[];
}

/** Reads the explanation of a project's forecast. Throws Unauthenticated, and Forbidden for a project that the caller does not oversee. */
export async function readProject(tx: Tx, caller: Caller, { workspaceId, from, projectId, people }: ProjectQuestion) {
  const all = workspaceId === 0;
  const row = await tx.one(sql.type(Project)`
    with ${accessWithin(caller, all ? null : workspaceId)},
    ${scopeOf},
    asked as (select ${weekOf(from)} as week)
    select exists (select from who) as authenticated, w.name as workspace, p.explained, array(${namedIn('p.explained')}) as named,
           (select json_agg(m) from users u cross join lateral (select u.id, u.kind, ${leftOf(sql.fragment`w.id`)} as left) m
            where u.account_id = w.account_id and u.id = any(${sql.array([...people], 'int8')})) as people
    from scope cross join asked
    left join items i on i.id = ${projectId} and i.workspace_id = any(scope.ids) left join workspaces w on w.id = i.workspace_id
    left join lateral (${newestIn(workspaceId)}) s on true
    left join capacity_projects p on p.snapshot_id = s.id and p.project_id = i.id`);
  if (!row.authenticated) throw new CredentialRefused();
  if (row.workspace === null) throw new Forbidden();
  return { workspace: row.workspace, explained: row.explained, people: row.people ?? [], named: row.named };
}
