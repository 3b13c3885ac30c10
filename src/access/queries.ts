/** The one place where rights are decided, inside the very statement that uses them: nothing is cached between calls. */
import { z } from 'zod';
import { type Fragment, fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { CredentialRefused } from '../values/errors.ts';
import type { Caller, Permit } from './caller.ts';
import { ALL_RIGHTS, bits, GOALS_READ } from './rights.ts';

/** Goals and comments: not agent resources, so an agent has them by its user's own right (behaviour §3.8). */
const CONTEXT_RIGHTS = bits('goals', 'delete') | bits('comments', 'write');

const live = (alias: Fragment) =>
  sql.fragment`${alias}.revoked_at is null and (${alias}.expires_at is null or ${alias}.expires_at > now())`;

/** One row while the credential is good: account_id, user_id, credential_id, credential_name, rights; none when it is not. */
export function who(caller: Caller): Fragment {
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
        where s.token_hash = ${sql.binary(caller.hash)} and s.expires_at > now() and s.last_used_at > now() - interval '7 days'`;
    case 'user':
      return sql.fragment`
        select u.account_id, u.id as user_id, null::bigint as credential_id, null::text as credential_name, ${ALL_RIGHTS}::integer as rights
        from users u where u.id = ${caller.userId} and u.active`;
    case 'visitor':
      return sql.fragment`select null::bigint as account_id, null::bigint as user_id, null::bigint as credential_id, null::text as credential_name, 0 as rights where false`;
  }
}

/** The memberships `m` in active workspaces `w` by which `who` may get anywhere: tables, what joins them to `who`, and rights there. The
 *  delegated ones are the credential's and the workspace's limits without the member's own. */
function reach(caller: Caller): { tables: Fragment; join: Fragment; rights: Fragment; context: Fragment; delegated: Fragment } {
  if (caller.kind !== 'agent') {
    const rights = sql.fragment`who.rights & m.rights`;
    return {
      tables: sql.fragment`memberships m join workspaces w on w.id = m.workspace_id and w.archived_at is null`,
      join: sql.fragment`m.user_id = who.user_id`,
      rights,
      context: rights,
      // Null with the rest where there is no membership.
      delegated: sql.fragment`case when m.user_id is not null then who.rights end`,
    };
  }
  return {
    tables: sql.fragment`memberships m join workspaces w on w.id = m.workspace_id and w.archived_at is null and w.mcp_enabled
      join connection_workspaces cw on cw.workspace_id = m.workspace_id and cw.disconnected_at is null`,
    join: sql.fragment`m.user_id = who.user_id and cw.connection_id = who.credential_id`,
    rights: sql.fragment`who.rights & m.rights & w.mcp_rights`,
    context: sql.fragment`who.rights & m.rights & w.mcp_rights | m.rights & ${CONTEXT_RIGHTS}::integer`,
    delegated: sql.fragment`who.rights & w.mcp_rights`,
  };
}

/** CTE `who`. What a statement does not ask for still costs it: PostgreSQL locks all that it names anew each time. */
export const whoAsks = (caller: Caller): Fragment => sql.fragment`who as (${who(caller)})`;

/** CTE `access` for one workspace (an id, or an expression that yields one): exactly one row while the credential is good, with rights 0
 *  where there is no way in; no row means 401. It is one join, and inlined where it is used once. */
export function accessTo(caller: Caller, workspaceId: number | Fragment): Fragment {
  const { tables, join, rights, context, delegated } = reach(caller);
  return sql.fragment`
    access as (
      select who.account_id, who.user_id, who.credential_id, who.credential_name, m.workspace_id, m.role,
             coalesce(${rights}, 0) as rights, coalesce(${context}, 0) as context_rights, coalesce(${delegated}, 0) as delegated_rights
      from (${who(caller)}) who left join (${tables}) on ${join} and m.workspace_id = ${workspaceId}
    )`;
}

/** CTE `access` beside `who`, for every workspace the caller can reach, or for those of them that are among `ids` (an array): no row where
 *  there is none. */
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

/** CTEs `who` and `access` for every workspace the caller can reach. */
export const accessToAll = (caller: Caller): Fragment => sql.fragment`${whoAsks(caller)}, ${accessAmong(caller, null)}`;

/** For a statement with `who`: the workspaces that the caller is let into, as an array that ends after `most` + 1 of them. Not all of them may be
 *  open to it still. */
export function placesOf(caller: Caller, most: number): Fragment {
  const places =
    caller.kind === 'agent'
      ? sql.fragment`connection_workspaces p on p.connection_id = who.credential_id`
      : sql.fragment`memberships p on p.user_id = who.user_id`;
  return sql.fragment`array(select p.workspace_id from who join ${places} limit ${most + 1})`;
}

/** CTEs `who` and `access` for one workspace, or with null for all that the caller can reach. */
export const accessWithin = (caller: Caller, workspaceId: number | null): Fragment =>
  workspaceId === null ? accessToAll(caller) : sql.fragment`${whoAsks(caller)}, ${accessTo(caller, workspaceId)}`;

/** For a statement with `access`: whether the caller may read goals. They are no agent resource: an agent sees them by its user's own
 *  right (behaviour §3.8). */
export const readsGoals = fixedSql(`access.context_rights & ${GOALS_READ} <> 0`);

export const AccessRow = z.object({
  account_id: z.number(),
  user_id: z.number(),
  workspace_id: z.number().nullable(),
  rights: z.number(),
  context_rights: z.number(),
});

/** The permit that such a row amounts to; `workspaceId` is the row's, known not to be null. */
export function permitOf(caller: Caller, row: z.infer<typeof AccessRow>, workspaceId: number): Permit {
  return { caller, accountId: row.account_id, userId: row.user_id, workspaceId, rights: row.rights, contextRights: row.context_rights };
}

const Identity = z.object({ account_id: z.number(), user_id: z.number(), credential_id: z.number().nullable(), rights: z.number() });

/** Who the caller is, without any workspace. Throws Unauthenticated. */
export async function authenticate(tx: Tx, caller: Caller): Promise<z.infer<typeof Identity>> {
  const found = await tx.maybeOne(sql.type(Identity)`with ${whoAsks(caller)} select account_id, user_id, credential_id, rights from who`);
  if (!found) throw new CredentialRefused();
  return found;
}

const Window = z.object({ used: z.number(), now: z.number() });

/** Adds to the shared count of a key in this minute of the database's clock; a new minute starts from nothing. Returns the count after it,
 *  and that clock in ms since 1970. */
export async function addToWindow(tx: Tx, key: string, count: number): Promise<z.infer<typeof Window>> {
  return tx.one(sql.type(Window)`
    insert into rate_windows as w (key, window_start, count) values (${key}, date_trunc('minute', clock_timestamp()), ${count})
    on conflict (key) do update set
      count = case when w.window_start = date_trunc('minute', clock_timestamp()) then w.count + excluded.count else excluded.count end,
      window_start = date_trunc('minute', clock_timestamp())
    returning count as used, (extract(epoch from clock_timestamp()) * 1000)::float8 as now`);
}

/** Notes that credentials were used; once a minute each is enough for people to see which are alive. */
export async function touchCredentials(tx: Tx, table: 'rest_keys' | 'connections' | 'sessions', hashes: Buffer[]): Promise<void> {
  const column = table === 'sessions' ? 'token_hash' : 'key_hash';
  await tx.query(sql.unsafe`update ${sql.identifier([table])} set last_used_at = now()
    where ${sql.identifier([column])} = any(${sql.array(hashes, 'bytea')}) and (last_used_at is null or last_used_at < now() - interval '1 minute')`);
}
