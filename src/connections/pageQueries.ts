/** SQL about a person's own connections, as /mcp-access shows them. */
import { z } from 'zod';
import { type AgentLevels, type AgentResource, agentLevels, agentResources, type Level, levelOf } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import type { ActivityFilter } from './activityFilter.ts';
import { type PersonalNoteRight, personalNoteRightsOf } from './personalNoteRights.ts';

const Row = z.object({
  id: z.number(),
  name: z.string(),
  rights: z.number(),
  note_rights: z.number(),
  timezone: z.string(),
  plain_language: z.boolean(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
  state: z.enum(['active', 'expired', 'revoked']),
  workspaces: z.array(z.object({ id: z.number(), name: z.string(), disconnected: z.boolean() })),
});

export interface OwnConnection {
  id: number;
  name: string;
  permissions: AgentLevels;
  notes: PersonalNoteRight[];
  timezone: string;
  plainLanguage: boolean;
  expiresAt: string | null;
  lastUsedAt: string | null;
  state: 'active' | 'expired' | 'revoked';
  workspaces: { id: number; name: string; disconnected: boolean }[];
}

/** The name of a workspace `w` on the page of the person of `c`: what it is called is no business of who has left it, nor of anybody once it
 *  is archived. */
const nameToTell = sql.fragment`case
  when w.archived_at is null and exists (select from memberships m where m.workspace_id = w.id and m.user_id = c.user_id) then w.name
  else 'workspace ' || w.id || ' (out of reach)' end`;

/** Live ones first, newest first. */
export async function readOwnConnections(tx: Tx, userId: number): Promise<OwnConnection[]> {
  const rows = await tx.any(sql.type(Row)`
    select c.id, c.name, c.rights, c.note_rights, c.timezone, c.plain_language, c.expires_at, c.last_used_at,
      case when c.revoked_at is not null then 'revoked' when c.expires_at <= now() then 'expired' else 'active' end as state,
      coalesce((select json_agg(json_build_object('id', w.id, 'name', ${nameToTell}, 'disconnected', cw.disconnected_at is not null) order by w.name, w.id)
        from connection_workspaces cw join workspaces w on w.id = cw.workspace_id where cw.connection_id = c.id), '[]') as workspaces
    from connections c where c.user_id = ${userId} order by c.revoked_at is not null, c.id desc`);
  return rows.map(({ rights, note_rights, plain_language, expires_at, last_used_at, ...row }) => ({
    ...row,
    permissions: agentLevels(rights),
    notes: personalNoteRightsOf(note_rights),
    plainLanguage: plain_language,
    expiresAt: expires_at,
    lastUsedAt: last_used_at,
  }));
}

const ConnectableWorkspace = z.object({
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
  /** What an agent of this person could do there at most, and why not more. */
  most: Record<AgentResource, { level: Level; because: string | null }>;
}

const least = (a: Level, b: Level): Level =>
  ['none', 'read', 'write', 'delete'].indexOf(a) < ['none', 'read', 'write', 'delete'].indexOf(b) ? a : b;

/** The active workspaces that the person belongs to, with the highest level of each resource there. */
export async function readConnectable(tx: Tx, userId: number): Promise<ConnectableWorkspace[]> {
  const rows = await tx.any(sql.type(ConnectableWorkspace)`
    select w.id, w.name, w.mcp_enabled, w.mcp_rights, m.rights
    from memberships m join workspaces w on w.id = m.workspace_id and w.archived_at is null
    where m.user_id = ${userId} order by w.name, w.id`);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    enabled: row.mcp_enabled,
    most: Object.fromEntries(agentResources.map((resource) => [resource, mostOf(row, resource)])) as ConnectableWorkspace['most'],
  }));
}

function mostOf(row: z.infer<typeof ConnectableWorkspace>, resource: AgentResource) {
  const own = levelOf(row.rights, resource);
  const limit = levelOf(row.mcp_rights, resource);
  const level = least(own, limit);
  // Time and plans know no delete: nobody holds it, so write is all there is.
  const all = resource === 'time' || resource === 'plans' ? 'write' : 'delete';
  return { level, because: level === all ? null : own === level ? 'your own right' : 'the limit of the workspace' };
}

const ActivityRow = z.object({
  id: z.number(),
  at: z.string(),
  connection: z.string(),
  tool: z.string(),
  outcome: z.string(),
  elapsedMs: z.number(),
  workspace: z.string().nullable(),
});
export type ActivityRow = z.infer<typeof ActivityRow>;

const Tool = z.object({ tool: z.string() });
const LATELY = 500;

/** The tools among the latest calls of each of a person's connections. */
export function readTools(tx: Tx, userId: number): Promise<readonly string[]> {
  return tx.anyFirst(sql.type(Tool)`
    select distinct a.tool from connections c
    cross join lateral (select tool from activity where connection_id = c.id order by id desc limit ${LATELY}) a
    where c.user_id = ${userId} order by 1`);
}

const PAGE = 50;

/** Newest first, a page and one row more when there are more. */
export async function readActivity(tx: Tx, userId: number, filter: ActivityFilter): Promise<{ rows: ActivityRow[]; more: boolean }> {
  const rows = await tx.any(sql.type(ActivityRow)`
    select a.id, a.at, c.name as connection, a.tool, a.outcome, a.elapsed_ms as "elapsedMs", case when w.id is not null then ${nameToTell} end as workspace
    from connections c
    cross join lateral (
      select * from activity a
      where a.connection_id = c.id and a.id < coalesce(${filter.before}::bigint, 9223372036854775807)
        and (${filter.tool} = '' or a.tool = ${filter.tool})
        and (${filter.outcome} = 'all' or (a.outcome = 'ok') = (${filter.outcome} = 'ok'))
      order by a.id desc limit ${PAGE + 1}
    ) a left join workspaces w on w.id = a.workspace_id
    where c.user_id = ${userId} and (${filter.connectionId}::bigint is null or c.id = ${filter.connectionId}::bigint)
    order by a.id desc limit ${PAGE + 1}`);
  return { rows: rows.slice(0, PAGE), more: rows.length > PAGE };
}
