import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessTo, accessToAll, authenticate } from '../access/queries.ts';
import { bits, itemTypes, resourceOf, WORKSPACES_READ } from '../access/rights.ts';
import { fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import { isClosed } from './statusQueries.ts';

const Reachable = z.object({ rights: z.number().nullable(), workspaces: z.string() });

/** Active workspaces that the caller may read, as a JSON array in id order. Throws Forbidden if the credential may not read workspaces. */
export async function readWorkspaces(tx: Tx, caller: Caller): Promise<string> {
  const row = await tx.one(sql.type(Reachable)`
    with ${accessToAll(caller)}
    select (select rights from who) as rights, coalesce(
      json_agg(json_build_object('id', w.id, 'name', w.name, 'uuid', w.uuid, 'sample', w.sample) order by w.id), '[]')::text as workspaces
    from access join workspaces w on w.id = access.workspace_id
    where access.rights & ${WORKSPACES_READ} <> 0`);
  if (row.rights === null) throw new CredentialRefused();
  if (!(row.rights & WORKSPACES_READ)) throw new Forbidden();
  return row.workspaces;
}

/** The readable types, as an array expression over access.rights. */
export const readableTypes = fixedSql(
  `array_remove(array[${itemTypes.map((type) => `case when access.rights & ${bits(resourceOf(type), 'read')} <> 0 then '${type}' end`).join(', ')}], null)`,
);
const TASKS_WRITE = bits('tasks', 'write');

/** For a statement with `access` and `readable (types)`: the statuses for these types as JSON. */
export const statusesJson = fixedSql(`(select coalesce(json_agg(row_to_json(one) order by s.position, s.key), '[]')
  from statuses s cross join lateral (select s.key, s.label, s.status,
    case when s.types <@ readable.types then s.types else array(select t from unnest(s.types) t where t = any(readable.types)) end as types,
    ${isClosed('s.status')} as closed, s.status in ('pending_approval', 'approved') as approval) one
  where s.workspace_id = access.workspace_id and s.types && readable.types)`);
export const prioritiesJson = fixedSql(`(select coalesce(json_agg(row_to_json(one) order by p.rank, p.key), '[]')
  from priorities p cross join lateral (select p.key, p.label, p.rank, p.is_default as default) one
  where p.workspace_id = access.workspace_id)`);
/** For a statement with `access`: the users who can be assigned, as JSON (behaviour §3.14). */
export const assigneesJson = fixedSql(`(select coalesce(json_agg(row_to_json(one) order by u.name, u.id), '[]')
  from memberships m join users u on u.id = m.user_id and u.active cross join lateral (select u.id, u.name) one
  where m.workspace_id = access.workspace_id and m.rights & ${TASKS_WRITE} = ${TASKS_WRITE})`);

/** For a statement with `access` and `readable (types)`: the response of GET /options. */
export const optionsJson = sql.fragment`json_build_object(
  'statuses', ${statusesJson}, 'priorities', ${prioritiesJson}, 'assignees', ${assigneesJson})`;

const Found = z.object({ rights: z.number(), types: z.array(z.string()), options: z.string().nullable() });

/** Statuses, priorities and assignees as JSON. Statuses contain only the types that the caller can read. */
export async function readOptions(tx: Tx, caller: Caller, workspaceId: number): Promise<string> {
  const row = await tx.maybeOne(sql.type(Found)`
    with ${accessTo(caller, workspaceId)},
    readable as (select ${readableTypes} as types from access)
    select access.rights, readable.types, ${optionsJson}::text as options
    from access, readable`);
  if (!row) throw new CredentialRefused();
  if (!(row.rights & WORKSPACES_READ) || row.types.length === 0) throw new Forbidden();
  return row.options!;
}

const Credential = z.object({ user_name: z.string(), key_name: z.string().nullable(), expires_at: z.string().nullable() });

/** The caller and the credential's data. Throws Unauthenticated. */
export async function readIdentity(tx: Tx, caller: Caller) {
  const who = await authenticate(tx, caller);
  const row = await tx.one(sql.type(Credential)`
    select u.name as user_name, k.name as key_name, coalesce(k.expires_at, s.expires_at) as expires_at
    from users u
    left join rest_keys k on k.id = ${who.credential_id} and ${caller.kind === 'key'}
    left join sessions s on s.id = ${who.credential_id} and ${caller.kind === 'session'}
    where u.id = ${who.user_id}`);
  return { ...who, ...row };
}
