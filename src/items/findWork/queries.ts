import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { accessAmong, accessWithin, callerCte, isVisible } from '../../access/queries.ts';
import { itemTypes } from '../../access/rights.ts';
import type { Fragment, Tx } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { CredentialRefused } from '../../values/errors.ts';
import { rootOf, viaJson } from './belowQueries.ts';
import { type GroupsWanted, groupsOf } from './groupQueries.ts';
import { matchOf } from './matchQueries.ts';
import { type PageWanted, pageOf } from './pageQueries.ts';
import { scopeCte } from './scopeQueries.ts';
import { readsNotes } from './textQueries.ts';
import { workRowJson } from './workRowQueries.ts';

const Clock = z.object({ now: z.string(), timezone: z.string() });

/** For a statement with `who`: the time zone of the caller's dates, which is the connection's or the user's (behaviour §10.9). */
export const zoneOf = (caller: Caller) =>
  caller.kind === 'agent'
    ? sql.fragment`(select c.timezone from connections c, who where c.id = who.credential_id)`
    : sql.fragment`(select u.timezone from users u, who where u.id = who.user_id)`;

/** The database's clock and the time zone of the caller's dates; an agent's zone is its connection's. Throws Unauthenticated. */
export async function readClock(tx: Tx, caller: Caller): Promise<z.infer<typeof Clock>> {
  const clock = await tx.maybeOne(sql.type(Clock)`with ${callerCte(caller)} select now() as now, ${zoneOf(caller)} as timezone from who`);
  if (!clock) throw new CredentialRefused();
  return clock;
}

/** The caller's view of the ids in the filters; nulls for hidden ones. */
const Named = z.object({
  workspace_found: z.boolean(),
  requirement_type: z.enum(itemTypes).nullable(),
  release_type: z.enum(itemTypes).nullable(),
  root_found: z.boolean(),
  notes_readable: z.boolean(),
});
export type NamedItems = z.infer<typeof Named>;
const Found = Named.extend({ items: z.string().nullable(), last_id: z.number().nullable(), has_more: z.boolean() });
export type FoundWork = z.infer<typeof Found>;

export interface WorkWanted extends PageWanted {
  workspaceId?: number | undefined;
  /** Properties of each row besides id. Unset: all properties. */
  columns?: readonly string[] | undefined;
}

const typeAbove = (id: number | undefined) => sql.fragment`(
  select i.type from items i join access a on a.workspace_id = i.workspace_id + 0
  where i.id = ${id ?? null}::bigint and ${isVisible('i', 'a.rights')})`;

const nothing = sql.fragment``;

// A subquery per row. With a join, the planner might read all items, because it does not know how few rows there are.
function row({ filters: { underId, text }, columns }: WorkWanted): Fragment {
  const via = underId === undefined ? nothing : sql.fragment`, 'via', ${viaJson(underId)}`;
  const whole = workRowJson(sql.fragment`${via} ${text ? sql.fragment`, 'matched', m.matched, 'snippets', m.snippets` : nothing}`);
  const some =
    columns &&
    sql.fragment`(select json_object_agg(key, value) from json_each(${whole}) where key = any(${sql.array(['id', ...columns], 'text')}))`;
  return sql.fragment`(
    select (${some ?? whole})::text
    from items i join access on access.workspace_id = i.workspace_id + 0 left join users a on a.id = i.assignee_id
    ${text ? sql.fragment`cross join lateral (${matchOf(text)}) m` : nothing} where i.id = page.id)`;
}

/** CTEs `who` and `access`, limited to the workspaces that can matter. A caller may have 500. */
function accessFor(caller: Caller, { workspaceId: given, filters: { requirementId, releaseId, underId, ids } }: WorkWanted): Fragment {
  const workspaceId = given ?? null;
  const above = [requirementId, releaseId, underId].filter((id) => id !== undefined);
  if (workspaceId !== null && above.length === 0) return accessWithin(caller, workspaceId);
  const named = above.length ? above : ids;
  if (!named) return accessWithin(caller, null);
  // Links stay inside a workspace, but a parent may be in another workspace than the given one.
  const places = sql.fragment`array(select n.workspace_id from items n where n.id = any(${sql.array([...named], 'int8')}))`;
  return sql.fragment`${callerCte(caller)}, ${accessAmong(caller, sql.fragment`${places} || ${workspaceId}::bigint`)}`;
}

/** A statement whose row is Named and what `rows` selects from CTE `page`. */
function found(caller: Caller, wanted: WorkWanted, rows: Fragment): Fragment {
  const { workspaceId = null, filters } = wanted;
  const { requirementId, releaseId, underId } = filters;
  const root = underId === undefined ? nothing : sql.fragment`${rootOf(underId)},`;
  // Without a workspace the condition is just `true`, so that the planner expects many rows.
  const inWorkspace = workspaceId === null ? sql.fragment`true` : sql.fragment`workspace_id = ${workspaceId}`;
  const inRoot = underId === undefined ? nothing : sql.fragment`and workspace_id = (select workspace_id from root)`;
  const rootFound = underId === undefined ? sql.fragment`true` : sql.fragment`exists (select from root)`;
  return sql.fragment`
    with ${accessFor(caller, wanted)},
    ${root}
    ${scopeCte(wanted.types, sql.fragment`${inWorkspace} ${inRoot}`)},
    ${pageOf({ spread: workspaceId === null, ...wanted })}
    select ${workspaceId}::bigint is null or exists (select from access where workspace_id = ${workspaceId}) as workspace_found,
           ${typeAbove(requirementId)} as requirement_type, ${typeAbove(releaseId)} as release_type, ${rootFound} as root_found,
           exists (select from scope s where ${readsNotes}) as notes_readable, rows.*
    from who cross join lateral (${rows}) rows`;
}

/** Throws Unauthenticated. */
export async function readWork(tx: Tx, caller: Caller, wanted: WorkWanted): Promise<FoundWork> {
  const { limit } = wanted;
  const rows = sql.fragment`
    select string_agg(${row(wanted)}, ',' order by page.id) filter (where page.place <= ${limit}) as items,
           max(page.id) filter (where page.place <= ${limit}) as last_id, count(*) > ${limit} as has_more
    from page`;
  const work = await tx.maybeOne(sql.type(Found)`${found(caller, wanted, rows)}`);
  if (!work) throw new CredentialRefused();
  return work;
}

const Grouped = Named.extend({ groups: z.string(), total: z.string(), groups_more: z.boolean(), has_more: z.boolean() });
export type GroupedWork = z.infer<typeof Grouped>;

/** The sums of up to `limit` items; `has_more` if there are more. Throws Unauthenticated. */
export async function readGroups(tx: Tx, caller: Caller, wanted: WorkWanted, groups: GroupsWanted): Promise<GroupedWork> {
  const work = await tx.maybeOne(sql.type(Grouped)`${found(caller, wanted, groupsOf(groups, wanted.limit))}`);
  if (!work) throw new CredentialRefused();
  return work;
}
