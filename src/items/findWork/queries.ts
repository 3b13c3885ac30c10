import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { accessAmong, accessWithin, placesOf, whoAsks } from '../../access/queries.ts';
import { itemTypes } from '../../access/rights.ts';
import type { Fragment, Tx } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { CredentialRefused } from '../../values/errors.ts';
import { nearCursor, nearProbe } from './acrossQueries.ts';
import { rootOf, viaJson } from './belowQueries.ts';
import type { WorkWanted } from './filterQueries.ts';
import { probed } from './probeQueries.ts';
import { FEW_WORKSPACES, NEAR, type SearchPlan } from './searchPlans.ts';
import { readsNotes } from './textQueries.ts';
import { workRowJson } from './workRowQueries.ts';

const Clock = z.object({ now: z.string(), timezone: z.string() });

export const zoneOf = (caller: Caller) =>
  caller.kind === 'agent'
    ? sql.fragment`(select c.timezone from connections c, who where c.id = who.credential_id)`
    : sql.fragment`(select u.timezone from users u, who where u.id = who.user_id)`;

/** The database's clock and the time zone of the caller's dates; an agent's zone is its connection's. Throws Unauthenticated. */
export async function readClock(tx: Tx, caller: Caller): Promise<z.infer<typeof Clock>> {
  const clock = await tx.maybeOne(sql.type(Clock)`with ${whoAsks(caller)} select now() as now, ${zoneOf(caller)} as timezone from who`);
  if (!clock) throw new CredentialRefused();
  return clock;
}

const Found = z.object({
  workspace_found: z.boolean(),
  requirement_type: z.enum(itemTypes).nullable(),
  release_type: z.enum(itemTypes).nullable(),
  root_found: z.boolean(),
  notes_readable: z.boolean(),
  /** The caller has more workspaces than this plan supports, so only rows near the cursor were read. */
  too_many: z.boolean(),
  complete: z.boolean(),
  dense: z.boolean(),
  items: z.string().nullable(),
  last_id: z.number().nullable(),
  has_more: z.boolean(),
});
export type FoundWork = z.infer<typeof Found>;

const typeAbove = (id: number | undefined) => sql.fragment`(
  select i.type from items i join access a on a.workspace_id = i.workspace_id + 0
  where i.id = ${id ?? null}::bigint and i.shown and i.needs & a.rights = i.needs)`;

// A subquery per row. With a join, the planner might read all items, because it does not know how few rows there are.
const row = (underId: number | undefined) => sql.fragment`(
  select (${workRowJson(underId === undefined ? undefined : viaJson(underId))})::text
  from items i join access on access.workspace_id = i.workspace_id + 0 left join users a on a.id = i.assignee_id where i.id = page.id)`;

const mayBeTooMany = ({ workspaceId, requirementId, releaseId, underId, ids }: WorkWanted, { across }: SearchPlan) =>
  !across && [workspaceId, requirementId, releaseId, underId, ids].every((given) => given === undefined);

/** `near` reads only some workspaces, which is not enough to know if the caller may read comments anywhere. */
const seesNear = ({ search, searchIn }: WorkWanted) => search === undefined || searchIn !== 'all';

/** CTEs `who` and `access`, limited to the workspaces that can matter. A caller may have 500. */
function accessFor(caller: Caller, wanted: WorkWanted, plan: SearchPlan): Fragment {
  const { workspaceId = null, requirementId, releaseId, underId, ids } = wanted;
  const above = [requirementId, releaseId, underId].filter((id) => id !== undefined);
  const among = (workspaces: Fragment) => accessAmong(caller, workspaces);
  if (plan.scan === 'near') {
    const { near, workspaces } = nearCursor(wanted, plan.budget!);
    return sql.fragment`${whoAsks(caller)}, ${near}, ${among(workspaces)}`;
  }
  if (mayBeTooMany(wanted, plan)) return accessToFew(caller, wanted);
  if (workspaceId !== null && above.length === 0) return accessWithin(caller, workspaceId);
  const named = above.length ? above : ids;
  if (!named) return accessWithin(caller, null);
  // Links stay inside a workspace, but a parent may be in another workspace than the given one.
  const places = sql.fragment`array(select n.workspace_id from items n where n.id = any(${sql.array([...named], 'int8')}))`;
  return sql.fragment`${whoAsks(caller)}, ${among(sql.fragment`${places} || ${workspaceId}::bigint`)}`;
}

/** Access to all workspaces if they are few, otherwise to those near the cursor. CTE `reach (places, too_many)` tells which. */
function accessToFew(caller: Caller, wanted: WorkWanted): Fragment {
  const reach = sql.fragment`
    reach as (select places, cardinality(places) > ${FEW_WORKSPACES} as too_many from (select ${placesOf(caller, FEW_WORKSPACES)} as places) p)`;
  const { near, workspaces } = nearCursor(wanted, NEAR);
  if (!seesNear(wanted)) return sql.fragment`${whoAsks(caller)}, ${reach}, ${accessAmong(caller, null)}`;
  const these = sql.fragment`(select case when too_many then ${workspaces} else places end from reach)::bigint[]`;
  return sql.fragment`${whoAsks(caller)}, ${reach}, ${near}, ${accessAmong(caller, these)}`;
}

function seenBy(wanted: WorkWanted, plan: SearchPlan): Fragment {
  const found = probed(wanted, plan);
  if (!mayBeTooMany(wanted, plan)) return sql.fragment`${found}, seen as (select ids, until, looked from probed)`;
  const near = seesNear(wanted)
    ? nearProbe(wanted, NEAR)
    : sql.fragment`select null::bigint[] as ids, 0::bigint as until, 0::bigint as looked`;
  const tooMany = sql.fragment`(select too_many from reach)`;
  return sql.fragment`${found},
    seen as (select ids, until, looked from probed where not ${tooMany} union all select ids, until, looked from (${near}) near where ${tooMany})`;
}

/** Reads one page with one plan. Use it only if `complete`. `dense`: many of the rows read were matches. Throws Unauthenticated. */
export async function readWork(tx: Tx, caller: Caller, wanted: WorkWanted, plan: SearchPlan): Promise<FoundWork> {
  const { workspaceId = null, requirementId, releaseId, underId, limit } = wanted;
  const root = underId === undefined ? sql.fragment`` : sql.fragment`${rootOf(underId)},`;
  // Without a workspace the condition is just `true`, so that the planner expects many rows.
  const inWorkspace = workspaceId === null ? sql.fragment`true` : sql.fragment`workspace_id = ${workspaceId}`;
  const inRoot = underId === undefined ? sql.fragment`` : sql.fragment`and workspace_id = (select workspace_id from root)`;
  const tooMany = mayBeTooMany(wanted, plan) ? sql.fragment`(select too_many from reach)` : sql.fragment`false`;
  const rootFound = underId === undefined ? sql.fragment`true` : sql.fragment`exists (select from root)`;
  const found = await tx.maybeOne(sql.type(Found)`
    with ${accessFor(caller, wanted, plan)},
    ${root}
    scope as (select * from access where ${inWorkspace} ${inRoot}),
    ${seenBy(wanted, plan)},
    sure as (select min(until) as until, sum(looked) as looked, sum(cardinality(ids)) as hits from seen),
    page as (
      select id, row_number() over (order by id) as place
      from (
        select h.id from (select unnest(ids) as id from seen) h, sure where sure.until is null or h.id <= sure.until order by h.id limit ${limit + 1}
      ) first
    ),
    verdict as (select until is null or (select count(*) from page) > ${limit} as complete, coalesce(hits * 20 >= looked, false) as dense from sure)
    select ${workspaceId}::bigint is null or exists (select from access where workspace_id = ${workspaceId}) as workspace_found,
           ${typeAbove(requirementId)} as requirement_type, ${typeAbove(releaseId)} as release_type, ${rootFound} as root_found,
           exists (select from scope s where ${readsNotes}) as notes_readable,
           ${tooMany} as too_many, verdict.complete, verdict.dense, rows.items, rows.last_id, coalesce(rows.has_more, false) as has_more
    from who cross join verdict cross join lateral (
      select string_agg(${row(underId)}, ',' order by page.id) filter (where page.place <= ${limit}) as items,
             max(page.id) filter (where page.place <= ${limit}) as last_id, count(*) > ${limit} as has_more
      from page where verdict.complete
    ) rows`);
  if (!found) throw new CredentialRefused();
  return found;
}
