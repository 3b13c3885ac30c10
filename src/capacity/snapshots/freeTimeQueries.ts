import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { accessToAll } from '../../access/queries.ts';
import { CAPACITY_RIGHTS, holds, TASKS_WRITE, WORKSPACES_READ } from '../../access/rights.ts';
import type { Tx } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { CredentialRefused, Forbidden } from '../../values/errors.ts';
import type { Missing } from './queries.ts';

const Row = z.object({
  rights: z.number(),
  today: z.string(),
  week: z.string(),
  accountId: z.number(),
  overseen: z.array(z.number()),
  forecastId: z.number().nullable(),
  people: z.array(z.object({ id: z.number(), name: z.string(), kind: z.enum(['person', 'service']), awayUntil: z.string().nullable() })),
  /** JSON arrays of people in today's newest snapshot. */
  pages: z.array(z.string()),
});
export type FreeRow = Pick<z.infer<typeof Row>, 'today' | 'people' | 'pages'>;

/** The forecast is of all workspaces that the caller may oversee: people work in several. `missing`: the forecast that must be computed first. Callers who may not oversee capacity get no pages, and none is missing.
 *  Throws Unauthenticated, and Forbidden for a workspace that the caller may not read. */
export async function readFree(
  tx: Tx,
  caller: Caller,
  workspaceId: number,
): Promise<{ row: FreeRow; forecastId: number | null; missing: Missing | null }> {
  const row = await tx.maybeOne(sql.type(Row)`
    with ${accessToAll(caller)},
    scope as (
      select coalesce(array_agg(workspace_id order by workspace_id), '{}') as ids from access
      where rights & ${CAPACITY_RIGHTS} = ${CAPACITY_RIGHTS}
    )
    select coalesce(access.rights, 0) as rights, scope.ids as overseen, current_date::text as today, date_trunc('week', current_date)::date::text as week, who.account_id as "accountId",
      newest.forecast_id as "forecastId",
      (select coalesce(json_agg(json_build_object('id', u.id, 'name', u.name, 'kind', u.kind, 'awayUntil', away_until(u.id, current_date)) order by u.id), '[]')
        from memberships m join users u on u.id = m.user_id and u.active
        where m.workspace_id = access.workspace_id and m.rights & ${TASKS_WRITE} = ${TASKS_WRITE}) as people,
      array(select c.text from capacity_pages c where c.snapshot_id = newest.id and c.part = 'people' order by c.n) as pages
    from who cross join scope left join access on access.workspace_id = ${workspaceId} left join lateral (
      select s.id, s.forecast_id from capacity_forecasts f join capacity_snapshots s on s.forecast_id = f.id
      where f.scope_key = account_scope_key(scope.ids) and f.week = date_trunc('week', current_date)::date and s.day = current_date
        and access.rights & ${CAPACITY_RIGHTS} = ${CAPACITY_RIGHTS}
      order by s.as_of desc limit 1
    ) newest on true`);
  if (!row) throw new CredentialRefused();
  if (!holds(row.rights, WORKSPACES_READ)) throw new Forbidden();
  const { accountId, week, forecastId, overseen } = row;
  const oversees = holds(row.rights, CAPACITY_RIGHTS);
  return {
    row,
    forecastId,
    missing:
      oversees && forecastId === null
        ? { accountId, workspaceId: overseen.length === 1 ? workspaceId : 0, workspaceIds: overseen, week }
        : null,
  };
}
