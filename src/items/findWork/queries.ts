import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { accessAmong, accessWithin, callerCte, isVisible } from '../../access/queries.ts';
import { itemTypes } from '../../access/rights.ts';
import type { Fragment, Tx } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { CredentialRefused } from '../../values/errors.ts';
import { rootOf, viaJson } from './belowQueries.ts';
import { type PageWanted, pageOf } from './pageQueries.ts';
import { readsNotes } from './textQueries.ts';
import { workRowJson } from './workRowQueries.ts';

const Clock = z.object({ now: z.string(), timezone: z.string() });

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

const Found = z.object({
  workspace_found: z.boolean(),
  requirement_type: z.enum(itemTypes).nullable(),
  release_type: z.enum(itemTypes).nullable(),
  root_found: z.boolean(),
  notes_readable: z.boolean(),
  items: z.string().nullable(),
  last_id: z.number().nullable(),
  has_more: z.boolean(),
});
export type FoundWork = z.infer<typeof Found>;

export interface WorkWanted extends PageWanted {
  workspaceId?: number | undefined;
}

const typeAbove = (id: number | undefined) => sql.fragment`(
  select i.type from items i join access a on a.workspace_id = i.workspace_id + 0
  where i.id = ${id ?? null}::bigint and ${isVisible('i', 'a.rights')})`;

// A subquery per row. With a join, the planner might read all items, because it does not know how few rows there are.
const row = (underId: number | undefined) => sql.fragment`(
  select (${workRowJson(underId === undefined ? undefined : viaJson(underId))})::text
  from items i join access on access.workspace_id = i.workspace_id + 0 left join users a on a.id = i.assignee_id where i.id = page.id)`;

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

/** Throws Unauthenticated. */
export async function readWork(tx: Tx, caller: Caller, wanted: WorkWanted): Promise<FoundWork> {
  const { workspaceId = null, limit, filters } = wanted;
  const { requirementId, releaseId, underId } = filters;
  const root = underId === undefined ? sql.fragment`` : sql.fragment`${rootOf(underId)},`;
  // Without a workspace the condition is just `true`, so that the planner expects many rows.
  const inWorkspace = workspaceId === null ? sql.fragment`true` : sql.fragment`workspace_id = ${workspaceId}`;
  const inRoot = underId === undefined ? sql.fragment`` : sql.fragment`and workspace_id = (select workspace_id from root)`;
  const rootFound = underId === undefined ? sql.fragment`true` : sql.fragment`exists (select from root)`;
  const found = await tx.maybeOne(sql.type(Found)`
    with ${accessFor(caller, wanted)},
    ${root}
    scope as (select * from access where ${inWorkspace} ${inRoot}),
    ${pageOf({ spread: workspaceId === null, ...wanted })}
    select ${workspaceId}::bigint is null or exists (select from access where workspace_id = ${workspaceId}) as workspace_found,
           ${typeAbove(requirementId)} as requirement_type, ${typeAbove(releaseId)} as release_type, ${rootFound} as root_found,
           exists (select from scope s where ${readsNotes}) as notes_readable,
           rows.items, rows.last_id, rows.has_more
    from who cross join lateral (
      select string_agg(${row(underId)}, ',' order by page.id) filter (where page.place <= ${limit}) as items,
             max(page.id) filter (where page.place <= ${limit}) as last_id, count(*) > ${limit} as has_more
      from page
    ) rows`);
  if (!found) throw new CredentialRefused();
  return found;
}
