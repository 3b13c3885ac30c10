/** The one place that decides rights, inside the statement that uses them. Nothing is cached between calls. */
import { z } from 'zod';
import { type Fragment, fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { CredentialRefused } from '../values/errors.ts';
import type { Caller, Permit } from './caller.ts';
import { ALL_RIGHTS, bits, GOALS_READ } from './rights.ts';
import { IDLE_DAYS } from './secrets.ts';

/** Goals and comments are not agent resources: an agent has its user's own rights to them (behaviour §3.8). */
const CONTEXT_RIGHTS = bits('goals', 'delete') | bits('comments', 'write');

export const live = (alias: Fragment) =>
  sql.fragment`${alias}.revoked_at is null and (${alias}.expires_at is null or ${alias}.expires_at > now())`;

/** True for a session `s` that has not ended. */
export const validSession = fixedSql(`s.expires_at > now() and s.last_used_at > now() - interval '${IDLE_DAYS} days'`);

/** SQL with one row if the credential works: account_id, user_id, credential_id, credential_name, rights. No row otherwise. */
export function callerRow(caller: Caller): Fragment {
  switch (caller.kind) {
    case 'key':
      return sql.fragment`
        select k.account_id, k.user_id, k.id as credential_id, k.name as credential_name, k.rights
        from rest_keys k join users u on u.id = k.user_id and u.active
        where k.key_hash = ${sql.binary(caller.hash)} and ${live(sql.fragment`k`)}`;
    case 'agent':
      return sql.fragment`
        select c.account_id, c.user_id, c.id as credential_id, c.name as credential_name, c.rights
        from connections c join users u on u.id = c.user_id and u.active
        where c.key_hash = ${sql.binary(caller.hash)} and ${live(sql.fragment`c`)}`;
    case 'session':
      return sql.fragment`
        select s.account_id, s.user_id, s.id as credential_id, null::text as credential_name, ${ALL_RIGHTS}::integer as rights
        from sessions s join users u on u.id = s.user_id and u.active
        where s.token_hash = ${sql.binary(caller.hash)} and ${validSession}`;
    case 'user':
      return sql.fragment`
        select u.account_id, u.id as user_id, null::bigint as credential_id, null::text as credential_name, ${ALL_RIGHTS}::integer as rights
        from users u where u.id = ${caller.userId} and u.active`;
    case 'visitor':
      return sql.fragment`select null::bigint as account_id, null::bigint as user_id, null::bigint as credential_id, null::text as credential_name, 0 as rights where false`;
  }
}

/** Tables, join condition and rights of the memberships `m` that `who` can reach. `delegated`: rights without the member's own. */
function reach(caller: Caller): { tables: Fragment; join: Fragment; rights: Fragment; context: Fragment; delegated: Fragment } {
  if (caller.kind !== 'agent') {
    const rights = sql.fragment`who.rights & m.rights`;
    return {
      tables: sql.fragment`memberships m join workspaces w on w.id = m.workspace_id and w.archived_at is null`,
      join: sql.fragment`m.user_id = who.user_id`,
      rights,
      context: rights,
      delegated: sql.fragment`case when m.user_id is not null then who.rights end`,
    };
  }
  return {
    tables: sql.fragment`memberships m join workspaces w on w.id = m.workspace_id and w.archived_at is null and w.mcp_enabled
      join connection_workspaces cw on cw.workspace_id = m.workspace_id and cw.disconnected_at is null`,
    join: sql.fragment`m.user_id = who.user_id and cw.connection_id = who.credential_id`,
    rights: sql.fragment`who.rights & m.rights & w.mcp_rights`,
    // & and | have the same precedence in PostgreSQL.
    context: sql.fragment`(who.rights & m.rights & w.mcp_rights) | (m.rights & ${CONTEXT_RIGHTS}::integer)`,
    delegated: sql.fragment`who.rights & w.mcp_rights`,
  };
}

/** CTE `who`. Leave it out where it is unused: PostgreSQL locks every table that a statement names. */
export const callerCte = (caller: Caller): Fragment => sql.fragment`who as (${callerRow(caller)})`;

/** CTE `access`: one row if the credential works, with rights 0 if the workspace is out of reach. No row means 401. */
export function accessTo(caller: Caller, workspaceId: number | Fragment): Fragment {
  const { tables, join, rights, context, delegated } = reach(caller);
  return sql.fragment`
    access as (
      select who.account_id, who.user_id, who.credential_id, who.credential_name, m.workspace_id, m.role,
             coalesce(${rights}, 0) as rights, coalesce(${context}, 0) as context_rights, coalesce(${delegated}, 0) as delegated_rights
      from (${callerRow(caller)}) who left join (${tables}) on ${join} and m.workspace_id = ${workspaceId}
    )`;
}

/** CTE `access` for all workspaces that the caller can reach, or for those among `ids` (an SQL array). It needs the CTE `who`. */
export function accessAmong(caller: Caller, ids: Fragment | null): Fragment {
  const { tables, join, rights, context, delegated } = reach(caller);
  const among = ids ? sql.fragment`and m.workspace_id = any(${ids})` : sql.fragment``;
  return sql.fragment`
    access as (
      select who.account_id, who.user_id, who.credential_id, m.workspace_id, m.role,
             ${rights} as rights, ${context} as context_rights, ${delegated} as delegated_rights
      from who join (${tables}) on ${join} ${among}
    )`;
}

export const accessToAll = (caller: Caller): Fragment => sql.fragment`${callerCte(caller)}, ${accessAmong(caller, null)}`;

export const accessWithin = (caller: Caller, workspaceId: number | null): Fragment =>
  workspaceId === null ? accessToAll(caller) : sql.fragment`${callerCte(caller)}, ${accessTo(caller, workspaceId)}`;

/** SQL condition for a statement with `access`: the caller can reach the workspace with this id. */
export function reaches(caller: Caller, workspaceId: Fragment): Fragment {
  const { tables, join } = reach(caller);
  return sql.fragment`exists (
    select from (select access.user_id, access.credential_id) who join (${tables}) on ${join} where m.workspace_id = ${workspaceId})`;
}

/** SQL condition for a row that moved here with its item: by the rights of the workspace `home` in which it was written, which is null if it
 *  never moved (behaviour §42.7). `may`: the condition on a row of access, by its alias. Needs the CTE `access`. */
export function mayAtHome(caller: Caller, home: Fragment, may: (access: string) => Fragment): Fragment {
  const { tables, join, rights, context } = reach(caller);
  return sql.fragment`case when ${home} is null then ${may('access')} else exists (
    select from (
      select who.user_id, m.workspace_id, m.role, ${rights} as rights, ${context} as context_rights
      from (${callerRow(caller)}) who join (${tables}) on ${join} where m.workspace_id = ${home}
    ) there where ${may('there')}) end`;
}

/** SQL condition: `rights` include all of these bits. A higher level includes the bits of the lower ones, so one common bit says nothing. */
export const includes = (rights: string, needed: number): Fragment => fixedSql(`${rights} & ${needed} = ${needed}`);

/** True if these rights can read row `i` of items and everything above it, whether archived or not (sql/0004_items.sql). */
export const isReadable = (i: string, rights: string | Fragment): Fragment => {
  const needs = fixedSql(`${i}.needs`);
  return sql.fragment`${needs} & ${typeof rights === 'string' ? fixedSql(rights) : rights} = ${needs}`;
};

/** The rule for visible rows: readable, and neither the row nor anything above it is archived. */
export const isVisible = (i: string, rights: string | Fragment): Fragment =>
  sql.fragment`${fixedSql(`${i}.shown`)} and ${isReadable(i, rights)}`;

/** SQL condition for a statement with `access`: the caller may read goals. An agent has its user's own right to goals (behaviour §3.8). */
export const readsGoals = fixedSql(`access.context_rights & ${GOALS_READ} <> 0`);

export const AccessRow = z.object({
  account_id: z.number(),
  user_id: z.number(),
  workspace_id: z.number().nullable(),
  rights: z.number(),
  context_rights: z.number(),
});

export function permitOf(caller: Caller, row: z.infer<typeof AccessRow>, workspaceId: number): Permit {
  return { caller, accountId: row.account_id, userId: row.user_id, workspaceId, rights: row.rights, contextRights: row.context_rights };
}

const Identity = z.object({ account_id: z.number(), user_id: z.number(), credential_id: z.number().nullable(), rights: z.number() });

export async function authenticate(tx: Tx, caller: Caller): Promise<z.infer<typeof Identity>> {
  const found = await tx.maybeOne(sql.type(Identity)`with ${callerCte(caller)} select account_id, user_id, credential_id, rights from who`);
  if (!found) throw new CredentialRefused();
  return found;
}

const Window = z.object({ used: z.number(), now: z.number() });

/** Adds to a key's count in this minute of the database's clock. Returns the new count and the database's time in ms since 1970. */
export async function addToWindow(tx: Tx, key: string, count: number): Promise<z.infer<typeof Window>> {
  return tx.one(sql.type(Window)`
    insert into rate_windows as w (key, window_start, count) values (${key}, date_trunc('minute', clock_timestamp()), ${count})
    on conflict (key) do update set
      count = case when w.window_start = date_trunc('minute', clock_timestamp()) then w.count + excluded.count else excluded.count end,
      window_start = date_trunc('minute', clock_timestamp())
    returning count as used, (extract(epoch from clock_timestamp()) * 1000)::float8 as now`);
}

/** Sets last_used_at, at most once a minute for each credential. */
export async function touchCredentials(tx: Tx, table: 'rest_keys' | 'connections' | 'sessions', hashes: Buffer[]): Promise<void> {
  const column = table === 'sessions' ? 'token_hash' : 'key_hash';
  await tx.query(sql.unsafe`update ${sql.identifier([table])} set last_used_at = now()
    where ${sql.identifier([column])} = any(${sql.array(hashes, 'bytea')}) and (last_used_at is null or last_used_at < now() - interval '1 minute')`);
}

export interface AgentClient {
  /** The key's hash in base64. */
  hash: string;
  client: string | null;
  /** True if the client gave its name; false for a User-Agent. */
  named: boolean;
  protocolVersion: string | null;
}

/** Stores the clients of connections. A User-Agent doesn't replace a name: in the legacy era only `initialize` has the name. */
export async function setClients(tx: Tx, clients: AgentClient[]): Promise<void> {
  await tx.query(sql.unsafe`
    update connections c set client = n.client, protocol_version = n.version
    from json_to_recordset(${JSON.stringify(clients)}::json) as s (hash text, client text, named boolean, "protocolVersion" text)
    join connections old on old.key_hash = decode(s.hash, 'base64')
    cross join lateral (
      select case when s.named or old.client is null then s.client else old.client end as client,
        coalesce(s."protocolVersion", old.protocol_version) as version
    ) n
    where c.id = old.id and (old.client, old.protocol_version) is distinct from (n.client, n.version)`);
}
