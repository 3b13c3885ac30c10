/** SQL with which users, operators and administrators change agent connections (behaviour §3.20). */
import { z } from 'zod';
import { type AdminScope, checkExpiry, inScope, notFoundFault, type OwnScope } from '../access/accountAccessQueries.ts';
import { type AgentLevels, agentResources, changeLevels, rightsOfLevels } from '../access/rights.ts';
import { newSecret } from '../access/secrets.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { Forbidden, InvalidRequest } from '../values/errors.ts';
import { type InWords, inWords, type PersonalNoteRight, personalNoteBits } from './personalNoteRights.ts';

/** Absent fields stay. Defaults of a new connection: read on everything, no notes, no workspaces, the user's timezone, no expiry. */
export interface ConnectionSettings {
  name?: string | undefined;
  permissions?: Partial<AgentLevels> | undefined;
  /** The complete list: other workspaces are removed. */
  workspaces?: readonly number[] | undefined;
  timezone?: string | undefined;
  plainLanguage?: boolean | undefined;
  notes?: readonly PersonalNoteRight[] | undefined;
  /** ISO 8601. Null: never. */
  expires?: string | null | undefined;
}

const Found = z.object({ id: z.number() });
const Row = z.object({
  id: z.number(),
  userId: z.number(),
  name: z.string(),
  rights: z.number(),
  noteRights: z.number(),
  timezone: z.string(),
  plainLanguage: z.boolean(),
  expiresAt: z.string().nullable(),
  workspaces: z.array(z.number()),
});
export type Connection = InWords<z.infer<typeof Row>>;

const defaultRights = rightsOfLevels(Object.fromEntries(agentResources.map((resource) => [resource, 'read'] as const)));

/** `key` is the secret. It is shown only once. */
export async function insertConnection(
  tx: Tx,
  scope: OwnScope,
  userId: number,
  settings: ConnectionSettings,
): Promise<Connection & { key: string }> {
  refuseGrantingNotes(scope, settings);
  const { secret, hash } = newSecret('agent');
  const { mask, bits } = changeLevels(settings.permissions ?? {});
  await checkExpiry(tx, settings.expires);
  const id = await tx.maybeOneFirst(sql.type(Found)`
    insert into connections (account_id, user_id, name, key_hash, rights, note_rights, timezone, plain_language, expires_at)
    select u.account_id, u.user_id, ${settings.name ?? 'Agent'}, ${sql.binary(hash)}, ${(defaultRights & ~mask) | bits},
      ${personalNoteBits(settings.notes ?? [])}, coalesce(${settings.timezone ?? null}, u.timezone), ${settings.plainLanguage ?? false},
      ${settings.expires ?? null}::timestamptz
    from (select account_id, id as user_id, timezone, active from users) u where u.user_id = ${userId} and u.active and ${inScope(scope, 'u')}
    returning id`);
  if (id === null) throw notFoundFault('user', userId);
  await setWorkspaces(tx, scope, id, settings.workspaces ?? []);
  return { ...(await readConnection(tx, id)), key: secret };
}

/** Only the owner of personal notes grants access to them. Operators and administrators can only remove it (behaviour §11.2). */
function refuseGrantingNotes(scope: OwnScope, { notes }: ConnectionSettings): void {
  if (notes?.length && (scope === 'everything' || 'accountId' in scope)) throw new Forbidden();
}

/** The old key stops working immediately. The connection, its settings and receipts stay. */
export async function rotateConnection(tx: Tx, scope: OwnScope, connectionId: number): Promise<{ id: number; key: string }> {
  const { secret, hash } = newSecret('agent');
  const id = await tx.maybeOneFirst(sql.type(Found)`
    update connections c set key_hash = ${sql.binary(hash)}, last_used_at = null, client = null, protocol_version = null
    where c.id = ${connectionId} and c.revoked_at is null and ${inScope(scope, 'c')} returning c.id`);
  if (id === null) throw notFoundFault('connection', connectionId);
  return { id, key: secret };
}

/** Permanent. Revoking twice keeps the first time. */
export async function revokeConnection(tx: Tx, scope: OwnScope, connectionId: number): Promise<void> {
  const id = await tx.maybeOneFirst(sql.type(Found)`
    update connections c set revoked_at = coalesce(c.revoked_at, now()) where c.id = ${connectionId} and ${inScope(scope, 'c')} returning c.id`);
  if (id === null) throw notFoundFault('connection', connectionId);
}

export async function setConnection(tx: Tx, scope: OwnScope, connectionId: number, settings: ConnectionSettings): Promise<Connection> {
  refuseGrantingNotes(scope, settings);
  const { mask, bits } = changeLevels(settings.permissions ?? {});
  await checkExpiry(tx, settings.expires);
  const id = await tx.maybeOneFirst(sql.type(Found)`
    update connections c set
      name = coalesce(${settings.name ?? null}, c.name),
      rights = c.rights & ~(${mask}::integer) | ${bits},
      note_rights = coalesce(${settings.notes ? personalNoteBits(settings.notes) : null}, c.note_rights),
      timezone = coalesce(${settings.timezone ?? null}, c.timezone),
      plain_language = coalesce(${settings.plainLanguage ?? null}, c.plain_language),
      expires_at = case when ${settings.expires === undefined} then c.expires_at else ${settings.expires ?? null}::timestamptz end
    where c.id = ${connectionId} and c.revoked_at is null and ${inScope(scope, 'c')} returning c.id`);
  if (id === null) throw notFoundFault('connection', connectionId);
  if (settings.workspaces) await setWorkspaces(tx, scope, id, settings.workspaces);
  return readConnection(tx, id);
}

/** Disconnects an agent from a workspace. The agent's user can't undo it. */
export async function disconnectAgent(tx: Tx, scope: AdminScope, connectionId: number, workspaceId: number): Promise<void> {
  const id = await tx.maybeOneFirst(sql.type(Found)`
    update connection_workspaces cw set disconnected_at = coalesce(cw.disconnected_at, now())
    where cw.connection_id = ${connectionId} and cw.workspace_id = ${workspaceId} and ${inScope(scope, 'cw')} returning cw.connection_id as id`);
  if (id === null) throw notFoundFault('connection', connectionId);
}

/** New workspaces must be active, have MCP enabled and have the user as a member (behaviour §3.21). Existing ones are not checked again. */
async function setWorkspaces(tx: Tx, scope: OwnScope, connectionId: number, wanted: readonly number[]): Promise<void> {
  const ids = sql.array([...wanted], 'int8');
  await tx.query(sql.unsafe`
    delete from connection_workspaces where connection_id = ${connectionId} and disconnected_at is null and workspace_id <> all(${ids})`);
  const refused = await tx.anyFirst(sql.type(Found)`
    select given as id from unnest(${ids}) given
    where not exists (select from connection_workspaces cw where cw.connection_id = ${connectionId} and cw.workspace_id = given)
      and not exists (
        select from connections c
        join memberships m on m.user_id = c.user_id and m.workspace_id = given
        join workspaces w on w.id = given and w.archived_at is null and w.mcp_enabled
        where c.id = ${connectionId})`);
  if (refused.length) {
    throw new InvalidRequest(
      ['workspaces'],
      `no agent of this person can be connected to workspace ${refused[0]}; it must be active, have MCP on and have the person as a member.`,
    );
  }
  const undo = typeof scope === 'object' && 'userId' in scope ? sql.fragment`nothing` : sql.fragment`update set disconnected_at = null`;
  await tx.query(sql.unsafe`
    insert into connection_workspaces (account_id, connection_id, workspace_id)
    select distinct c.account_id, c.id, given from connections c, unnest(${ids}) given where c.id = ${connectionId}
    on conflict (connection_id, workspace_id) do ${undo}`);
}

async function readConnection(tx: Tx, id: number): Promise<Connection> {
  const row = await tx.one(sql.type(Row)`
    select c.id, c.user_id as "userId", c.name, c.rights, c.note_rights as "noteRights", c.timezone, c.plain_language as "plainLanguage",
      c.expires_at as "expiresAt", coalesce((select json_agg(cw.workspace_id order by cw.workspace_id) from connection_workspaces cw
        where cw.connection_id = c.id and cw.disconnected_at is null), '[]') as workspaces
    from connections c where c.id = ${id}`);
  return inWords(row);
}
