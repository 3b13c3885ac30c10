/** SQL about workspaces as operators and account administrators change them; their members are in memberQueries.ts. */
import { z } from 'zod';
import { type AdminScope, absent, within } from '../access/adminScopeQueries.ts';
import { type AgentLevels, type AgentResource, agentLevels, changeLevels } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { markForecastOf } from '../queue/jobs.ts';

const Created = z.object({ id: z.number() });

/** With the statuses and priorities that every workspace starts with, MCP off, nobody in it. */
export async function insertWorkspace(tx: Tx, scope: AdminScope, accountId: number, name: string): Promise<number> {
  const id = await tx.maybeOneFirst(sql.type(Created)`
    insert into workspaces (account_id, name)
    select a.account_id, ${name} from (select id as account_id from accounts) a where a.account_id = ${accountId} and ${within(scope, 'a')}
    returning id`);
  if (id === null) throw absent('account', accountId);
  return id;
}

/** Throws InvalidRequest for an unknown workspace. */
export async function accountOfWorkspace(tx: Tx, workspaceId: number): Promise<number> {
  const id = await tx.maybeOneFirst(sql.type(Created)`select account_id as id from workspaces where id = ${workspaceId}`);
  if (id === null) throw absent('workspace', workspaceId);
  return id;
}

export async function rename(tx: Tx, scope: AdminScope, workspaceId: number, name: string): Promise<void> {
  const id = await tx.maybeOneFirst(sql.type(Created)`
    update workspaces w set name = ${name} where w.id = ${workspaceId} and ${within(scope, 'w')} returning w.id`);
  if (id === null) throw absent('workspace', workspaceId);
}

/** Archived: nobody sees it, and every key loses it at once. Archiving twice keeps the first moment. */
export async function setArchived(tx: Tx, scope: AdminScope, workspaceId: number, archived: boolean): Promise<void> {
  const id = await tx.maybeOneFirst(sql.type(Created)`
    update workspaces w set archived_at = case when ${archived} then coalesce(w.archived_at, now()) end
    where w.id = ${workspaceId} and ${within(scope, 'w')} returning w.id`);
  if (id === null) throw absent('workspace', workspaceId);
  await markForecastOf(tx, workspaceId);
}

const Mcp = z.object({ mcp_enabled: z.boolean(), mcp_rights: z.number() });

/** Whether agents may work here, and the most they may do. What is left out stays as it is. */
export async function setMcp(
  tx: Tx,
  scope: AdminScope,
  workspaceId: number,
  change: { enabled?: boolean | undefined; limits?: Partial<Record<AgentResource, AgentLevels[AgentResource]>> | undefined },
): Promise<{ enabled: boolean; limits: AgentLevels }> {
  const { mask, bits } = changeLevels(change.limits ?? {});
  const row = await tx.maybeOne(sql.type(Mcp)`
    update workspaces w set mcp_enabled = coalesce(${change.enabled ?? null}, w.mcp_enabled), mcp_rights = w.mcp_rights & ~(${mask}::integer) | ${bits}
    where w.id = ${workspaceId} and ${within(scope, 'w')} returning w.mcp_enabled, w.mcp_rights`);
  if (!row) throw absent('workspace', workspaceId);
  return { enabled: row.mcp_enabled, limits: agentLevels(row.mcp_rights) };
}
