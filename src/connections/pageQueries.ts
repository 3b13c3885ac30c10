import { z } from 'zod';
import { type AgentResource, agentResources, type Level, levelOf, levels } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { recordOf } from '../values/records.ts';
import { type InWords, inWords } from './personalNoteRights.ts';

const Row = z.object({
  id: z.number(),
  name: z.string(),
  rights: z.number(),
  noteRights: z.number(),
  timezone: z.string(),
  plainLanguage: z.boolean(),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  state: z.enum(['active', 'expired', 'revoked']),
  workspaces: z.array(z.object({ id: z.number(), name: z.string(), disconnected: z.boolean() })),
});
export type OwnConnection = InWords<z.infer<typeof Row>>;

/** The name of a workspace `w` for the owner of `c`. Hidden if they left it or it is archived: sort by this, not by
 *  `w.name`, because the order would tell where the hidden name is in the alphabet. */
export const visibleWorkspaceName = sql.fragment`case
  when w.archived_at is null and exists (select from memberships m where m.workspace_id = w.id and m.user_id = c.user_id) then w.name
  else 'workspace ' || w.id || ' (out of reach)' end`;

export async function readOwnConnections(tx: Tx, userId: number): Promise<OwnConnection[]> {
  const rows = await tx.any(sql.type(Row)`
    select c.id, c.name, c.rights, c.note_rights as "noteRights", c.timezone, c.plain_language as "plainLanguage",
      c.expires_at as "expiresAt", c.last_used_at as "lastUsedAt",
      case when c.revoked_at is not null then 'revoked' when c.expires_at <= now() then 'expired' else 'active' end as state,
      coalesce((select json_agg(json_build_object('id', w.id, 'name', ${visibleWorkspaceName}, 'disconnected', cw.disconnected_at is not null) order by ${visibleWorkspaceName}, w.id)
        from connection_workspaces cw join workspaces w on w.id = cw.workspace_id where cw.connection_id = c.id), '[]') as workspaces
    from connections c where c.user_id = ${userId} order by c.revoked_at is not null, c.id desc`);
  return rows.map(inWords);
}

export const ConnectableRow = z.object({
  id: z.number(),
  name: z.string(),
  mcp_enabled: z.boolean(),
  mcp_rights: z.number(),
  rights: z.number(),
});

export interface ConnectableWorkspace {
  id: number;
  name: string;
  enabled: boolean;
  /** The highest level that an agent of this person can have, and the reason if it is limited. */
  most: Record<AgentResource, { level: Level; because: string | null }>;
}

const least = (a: Level, b: Level): Level => (levels.indexOf(a) < levels.indexOf(b) ? a : b);

export async function readConnectable(tx: Tx, userId: number): Promise<ConnectableWorkspace[]> {
  const rows = await tx.any(sql.type(ConnectableRow)`
    select w.id, w.name, w.mcp_enabled, w.mcp_rights, m.rights
    from memberships m join workspaces w on w.id = m.workspace_id and w.archived_at is null
    where m.user_id = ${userId} order by w.name, w.id`);
  return rows.map(connectableOf);
}

export const connectableOf = (row: z.infer<typeof ConnectableRow>): ConnectableWorkspace => ({
  id: row.id,
  name: row.name,
  enabled: row.mcp_enabled,
  most: recordOf(agentResources, (resource) => mostOf(row, resource)),
});

function mostOf(row: z.infer<typeof ConnectableRow>, resource: AgentResource) {
  const own = levelOf(row.rights, resource);
  const limit = levelOf(row.mcp_rights, resource);
  const level = least(own, limit);
  // Time and plans have no delete level.
  const all = resource === 'time' || resource === 'plans' ? 'write' : 'delete';
  return { level, because: level === all ? null : own === level ? 'your role' : 'workspace limit' };
}

export const AgentLine = z.object({
  id: z.number(),
  name: z.string(),
  userName: z.string(),
  lastUsedAt: z.string().nullable(),
  expired: z.boolean(),
  disconnectedAt: z.string().nullable(),
  /** `rights`: of the connection. `memberRights`: of its user in this workspace, null if no longer a member. */
  rights: z.number(),
  memberRights: z.number().nullable(),
});
export type AgentLine = z.infer<typeof AgentLine>;

export const agentsOf = sql.fragment`
  select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name, 'userName', u.name, 'lastUsedAt', c.last_used_at,
      'expired', coalesce(c.expires_at <= now(), false), 'disconnectedAt', cw.disconnected_at, 'rights', c.rights, 'memberRights', m.rights)
    order by cw.disconnected_at is not null, u.name, c.name, c.id), '[]')
  from connection_workspaces cw join connections c on c.id = cw.connection_id join users u on u.id = c.user_id
  left join memberships m on m.user_id = c.user_id and m.workspace_id = cw.workspace_id
  where cw.workspace_id = p.id and cw.account_id = p.account_id and c.revoked_at is null`;
