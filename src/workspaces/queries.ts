import { z } from 'zod';
import { type AdminScope, inScope, notFoundFault } from '../access/accountAccessQueries.ts';
import type { Caller } from '../access/caller.ts';
import { accessTo, accessToAll, authenticate } from '../access/queries.ts';
import { bits, itemTypes, type Level, type Resource, resourceOf, TASKS_WRITE, WORKSPACES_READ } from '../access/rights.ts';
import { type Fragment, fixedSql, literals, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { markForecastOf } from '../queue/jobs.ts';
import { CredentialRefused, Forbidden, InvalidRequest } from '../values/errors.ts';
import { closedStatuses, type MemberRole, memberRoles } from './statuses.ts';

/** SQL text: true if `column`, trusted text, contains a closed status. Items have this as column `closed` (sql/0009_find_work.sql). */
export const isClosed = (column: string): string => `${column} in (${literals(closedStatuses)})`;

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
/** For a statement with `access`: the caller reads a type of item. */
export const readsWork = fixedSql(`access.rights & ${itemTypes.reduce((all, type) => all | bits(resourceOf(type), 'read'), 0)} <> 0`);

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

const QueriesFound = z.object({ rights: z.number(), types: z.array(z.string()), options: z.string() });

/** Statuses, priorities and assignees as JSON. Statuses contain only the types that the caller can read. */
export async function readOptions(tx: Tx, caller: Caller, workspaceId: number): Promise<string> {
  const row = await tx.maybeOne(sql.type(QueriesFound)`
    with ${accessTo(caller, workspaceId)},
    readable as (select ${readableTypes} as types from access)
    select access.rights, readable.types, ${optionsJson}::text as options
    from access, readable`);
  if (!row) throw new CredentialRefused();
  if (!(row.rights & WORKSPACES_READ) || row.types.length === 0) throw new Forbidden();
  return row.options;
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

export const WorkspaceMembership = z.object({
  id: z.number(),
  name: z.string(),
  role: z.enum(memberRoles),
  rights: z.number(),
  /** Columns that the member hides in a list: by item type, or by "view ID". */
  hidden: z.record(z.string(), z.array(z.string())),
});
export type WorkspaceMembership = z.infer<typeof WorkspaceMembership>;
const MembershipFound = z.object({ membership: WorkspaceMembership.nullable() });

/** For a statement with `access`: a WorkspaceMembership; null if the caller is not a member. */
export const membershipJson = sql.fragment`(
  select json_build_object('id', w.id, 'name', w.name, 'role', access.role, 'rights', access.rights, 'hidden', coalesce(
    (select m.list_columns from memberships m where m.user_id = access.user_id and m.workspace_id = w.id), '{}'))
  from workspaces w where w.id = access.workspace_id)`;

/** The same; null also if the caller may not read the workspace. */
export const readerJson = sql.fragment`case when access.rights & ${WORKSPACES_READ} <> 0 then ${membershipJson} end`;

/** Throws Unauthenticated; Forbidden if the caller is not a member or the workspace is archived. */
export async function readMembership(tx: Tx, caller: Caller, workspaceId: number): Promise<WorkspaceMembership> {
  const row = await tx.maybeOne(sql.type(MembershipFound)`
    with ${accessTo(caller, workspaceId)}
    select ${membershipJson} as membership from access`);
  if (!row) throw new CredentialRefused();
  if (!row.membership) throw new Forbidden();
  return row.membership;
}

const WorkspaceRights = z.object({ workspace_id: z.number(), rights: z.number() });
export type WorkspaceRights = z.infer<typeof WorkspaceRights>;

export const readRights = (tx: Tx, caller: Caller): Promise<readonly WorkspaceRights[]> =>
  tx.any(sql.type(WorkspaceRights)`with ${accessToAll(caller)} select workspace_id, rights from access`);

/** For a user `u`: Left, or null for an active member of the workspace (behaviour §6.29). */
export const leftOf = (workspaceId: Fragment): Fragment => sql.fragment`case when not u.active then 'deactivated'
  when not exists (select from memberships m where m.user_id = u.id and m.workspace_id = ${workspaceId}) then 'left' end`;

export interface MemberChange {
  workspaceId: number;
  userId: number;
  role?: MemberRole | undefined;
  /** Limits the role by resource, in addition to existing limits; `delete` removes a limit. */
  access?: Partial<Record<Resource, Level>> | undefined;
  timeOversight?: boolean | null | undefined;
}

const Known = z.object({ has_user: z.boolean(), is_member: z.boolean() });
const Id = z.object({ id: z.number() });

const Member = z.object({
  role: z.enum(memberRoles),
  access: z.record(z.string(), z.string()),
  timeOversight: z.boolean().nullable(),
});
export type Member = z.infer<typeof Member>;

/** Only levels that limit the role are stored. */
const lowering = (overrides: Fragment) => sql.fragment`
  (select coalesce(jsonb_object_agg(o.key, o.value), '{}') from jsonb_each_text(${overrides}) o where o.value <> 'delete')`;

/** Adds a user of the same account, or changes the membership. Omitted values stay. */
export async function setMember(tx: Tx, scope: AdminScope, change: MemberChange): Promise<Member> {
  const { workspaceId, userId, role = null, access = {}, timeOversight } = change;
  const known = await tx.maybeOne(sql.type(Known)`
    select exists (select from users u where u.id = ${userId} and u.account_id = w.account_id) as has_user,
           exists (select from memberships m where m.user_id = ${userId} and m.workspace_id = w.id) as is_member
    from workspaces w where w.id = ${workspaceId} and ${inScope(scope, 'w')}`);
  if (!known) throw notFoundFault('workspace', workspaceId);
  if (!known.has_user) throw notFoundFault('user', userId);
  if (role === null && !known.is_member) throw new InvalidRequest(['role'], `user ${userId} is not a member yet; give a role.`);
  const member = await tx.one(sql.type(Member)`
    insert into memberships as m (account_id, workspace_id, user_id, role, overrides, time_oversight)
    select account_id, id, ${userId}, coalesce(${role}, 'viewer'), ${lowering(sql.fragment`${sql.jsonb(access)}::jsonb`)}, ${timeOversight ?? null}::boolean
    from workspaces where id = ${workspaceId}
    on conflict (user_id, workspace_id) do update set
      role = coalesce(${role}, m.role), overrides = ${lowering(sql.fragment`m.overrides || ${sql.jsonb(access)}::jsonb`)},
      time_oversight = case when ${timeOversight === undefined} then m.time_oversight else excluded.time_oversight end
    returning role, overrides as access, time_oversight as "timeOversight"`);
  await markForecastOf(tx, workspaceId);
  return member;
}

export async function removeMember(tx: Tx, scope: AdminScope, workspaceId: number, userId: number): Promise<void> {
  const found = await tx.maybeOneFirst(sql.type(Id)`
    delete from memberships m where m.workspace_id = ${workspaceId} and m.user_id = ${userId} and ${inScope(scope, 'm')}
    returning m.user_id as id`);
  if (found === null) throw new InvalidRequest(['user'], `user ${userId} is not a member of workspace ${workspaceId}; check both ids.`);
  await markForecastOf(tx, workspaceId);
}

/** Locks the workspace's members. Returns the active owners in id order. */
export async function lockOwners(tx: Tx, workspaceId: number): Promise<readonly number[]> {
  await tx.query(sql.unsafe`select 1 from workspaces where id = ${workspaceId} for no key update`);
  return tx.anyFirst(sql.type(Id)`
    select m.user_id as id from memberships m join users u on u.id = m.user_id and u.active
    where m.workspace_id = ${workspaceId} and m.role = 'owner' order by m.user_id`);
}
