/** SQL of workspaces for operators and account administrators. queries.ts has their members. */
import { z } from 'zod';
import { type AdminScope, inScope, notFoundFault } from '../access/accountAccessQueries.ts';
import { type AgentLevels, type AgentResource, agentLevels, changeLevels } from '../access/rights.ts';
import { erasedFrom } from '../accounts/peopleQueries.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { markForecastOf } from '../queue/jobs.ts';
import { Conflict } from '../values/errors.ts';
import type { ForecastReaders } from './schema.ts';

const Created = z.object({ id: z.number() });

export async function insertWorkspace(tx: Tx, scope: AdminScope, accountId: number, name: string): Promise<number> {
  const id = await tx.maybeOneFirst(sql.type(Created)`
    insert into workspaces (account_id, name)
    select a.account_id, ${name} from (select id as account_id from accounts) a where a.account_id = ${accountId} and ${inScope(scope, 'a')}
    returning id`);
  if (id === null) throw notFoundFault('account', accountId);
  await markForecastOf(tx, id);
  return id;
}

/** Throws InvalidRequest for an unknown workspace. */
export async function accountOfWorkspace(tx: Tx, workspaceId: number): Promise<number> {
  const id = await tx.maybeOneFirst(sql.type(Created)`select account_id as id from workspaces where id = ${workspaceId}`);
  if (id === null) throw notFoundFault('workspace', workspaceId);
  return id;
}

export async function rename(tx: Tx, scope: AdminScope, workspaceId: number, name: string): Promise<void> {
  const id = await tx.maybeOneFirst(sql.type(Created)`
    update workspaces w set name = ${name} where w.id = ${workspaceId} and ${inScope(scope, 'w')} returning w.id`);
  if (id === null) throw notFoundFault('workspace', workspaceId);
}

export async function setForecasts(tx: Tx, scope: AdminScope, workspaceId: number, forecasts: ForecastReaders): Promise<void> {
  const id = await tx.maybeOneFirst(sql.type(Created)`
    update workspaces w set forecasts = ${forecasts} where w.id = ${workspaceId} and ${inScope(scope, 'w')} returning w.id`);
  if (id === null) throw notFoundFault('workspace', workspaceId);
}

/** Archiving twice keeps the first time. Restoring also cancels the erasure, and throws Conflict if that has begun or the account is to be
 *  erased. */
export async function setArchived(tx: Tx, scope: AdminScope, workspaceId: number, archived: boolean): Promise<void> {
  if (!archived) await endErasureOf(tx, scope, workspaceId);
  const id = await tx.maybeOneFirst(sql.type(Created)`
    update workspaces w set archived_at = case when ${archived} then coalesce(w.archived_at, now()) end
    where w.id = ${workspaceId} and ${inScope(scope, 'w')} returning w.id`);
  if (id === null) throw notFoundFault('workspace', workspaceId);
  await markForecastOf(tx, workspaceId);
}

const Due = z.object({ dueAt: z.string() });

/** Archives the workspace and schedules its erasure. Returns that time; a second call keeps it. */
export async function setToBeErased(tx: Tx, scope: AdminScope, workspaceId: number): Promise<string> {
  await setArchived(tx, scope, workspaceId, true);
  return tx.oneFirst(sql.type(Due)`
    insert into erasures as e (account_id, subject, subject_id, due_at)
    select account_id, 'workspace', id, ${erasedFrom} from workspaces where id = ${workspaceId}
    on conflict (subject, subject_id) do update set due_at = e.due_at returning due_at as "dueAt"`);
}

async function endErasureOf(tx: Tx, scope: AdminScope, workspaceId: number): Promise<void> {
  await tx.query(sql.unsafe`
    delete from erasures e where e.subject = 'workspace' and e.subject_id = ${workspaceId} and not e.begun and ${inScope(scope, 'e')}`);
  const left = await tx.maybeOneFirst(sql.type(Created)`
    select e.subject_id as id from erasures e join workspaces w on w.id = ${workspaceId} and w.account_id = e.account_id
    where (e.subject = 'workspace' and e.subject_id = w.id or e.subject = 'account') and ${inScope(scope, 'w')} limit 1`);
  if (left !== null) throw new Conflict('The workspace or its account is being erased and cannot be restored. Create a new workspace.');
}

const Mcp = z.object({ mcp_enabled: z.boolean(), mcp_rights: z.number() });

/** Sets whether agents may work here, and their maximum rights. Omitted values stay. */
export async function setMcp(
  tx: Tx,
  scope: AdminScope,
  workspaceId: number,
  change: { enabled?: boolean | undefined; limits?: Partial<Record<AgentResource, AgentLevels[AgentResource]>> | undefined },
): Promise<{ enabled: boolean; limits: AgentLevels }> {
  const { mask, bits } = changeLevels(change.limits ?? {});
  const row = await tx.maybeOne(sql.type(Mcp)`
    update workspaces w set mcp_enabled = coalesce(${change.enabled ?? null}, w.mcp_enabled), mcp_rights = w.mcp_rights & ~(${mask}::integer) | ${bits}
    where w.id = ${workspaceId} and ${inScope(scope, 'w')} returning w.mcp_enabled, w.mcp_rights`);
  if (!row) throw notFoundFault('workspace', workspaceId);
  return { enabled: row.mcp_enabled, limits: agentLevels(row.mcp_rights) };
}
