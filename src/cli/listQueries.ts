import { z } from 'zod';
import { accountRoles, userKinds } from '../accounts/schema.ts';
import { Cursor } from '../changes/cursor.ts';
import { changedAtText, inOrderIn, placeJson, settledIn } from '../changes/readQueries.ts';
import type { Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { erasedAt } from '../erasure/queries.ts';
import { memberRoles } from '../workspaces/statuses.ts';

export interface Filter {
  account?: number | undefined;
  user?: number | undefined;
  workspace?: number | undefined;
  after?: number | undefined;
}

/** Entries of a page. Queries read one more to know whether there is a next page. */
export const PAGE = 1_000;

const nothing = sql.fragment`true`;
const on = (id: number | undefined, condition: (id: number) => Fragment) => (id === undefined ? nothing : condition(id));

const Account = z.object({
  id: z.number(),
  name: z.string(),
  users: z.number(),
  workspaces: z.number(),
  createdAt: z.string(),
  erasedAt: z.string().nullable(),
});

/** When it will be erased. Null: no erasure is scheduled. */

export function listAccounts(tx: Tx, { after = 0 }: Filter) {
  return tx.any(sql.type(Account)`
    select a.id, a.name, (select count(*) from users u where u.account_id = a.id) as users,
      (select count(*) from workspaces w where w.account_id = a.id) as workspaces, a.created_at as "createdAt", ${erasedAt('account', sql.fragment`a.id`)} as "erasedAt"
    from accounts a where a.id > ${after} order by a.id limit ${PAGE + 1}`);
}

const User = z.object({
  id: z.number(),
  accountId: z.number(),
  email: z.string(),
  name: z.string(),
  kind: z.enum(userKinds),
  accountRole: z.enum(accountRoles),
  timezone: z.string(),
  weeklyHours: z.number().nullable(),
  active: z.boolean(),
  canSignIn: z.boolean(),
});

export function listUsers(tx: Tx, { account, workspace, after = 0 }: Filter) {
  return tx.any(sql.type(User)`
    select u.id, u.account_id as "accountId", u.email, u.name, u.kind, u.account_role as "accountRole", u.timezone,
      weekly_minutes_now(u.id, u.weekly_minutes) / 60.0::float8 as "weeklyHours", u.active, u.password_hash is not null as "canSignIn"
    from users u
    where u.id > ${after} and ${on(account, (id) => sql.fragment`u.account_id = ${id}`)}
      and ${on(workspace, (id) => sql.fragment`exists (select from memberships m where m.user_id = u.id and m.workspace_id = ${id})`)}
    order by u.id limit ${PAGE + 1}`);
}

const Workspace = z.object({
  id: z.number(),
  accountId: z.number(),
  name: z.string(),
  members: z.number(),
  mcp: z.boolean(),
  archived: z.boolean(),
  createdAt: z.string(),
  erasedAt: z.string().nullable(),
});

export function listWorkspaces(tx: Tx, { account, user, after = 0 }: Filter) {
  return tx.any(sql.type(Workspace)`
    select w.id, w.account_id as "accountId", w.name, (select count(*) from memberships m where m.workspace_id = w.id) as members,
      w.mcp_enabled as mcp, w.archived_at is not null as archived, w.created_at as "createdAt", ${erasedAt('workspace', sql.fragment`w.id`)} as "erasedAt"
    from workspaces w
    where w.id > ${after} and ${on(account, (id) => sql.fragment`w.account_id = ${id}`)}
      and ${on(user, (id) => sql.fragment`exists (select from memberships m where m.workspace_id = w.id and m.user_id = ${id})`)}
    order by w.id limit ${PAGE + 1}`);
}

const Member = z.object({
  workspaceId: z.number(),
  userId: z.number(),
  name: z.string(),
  role: z.enum(memberRoles),
  access: z.record(z.string(), z.string()),
  timeOversight: z.boolean().nullable(),
  active: z.boolean(),
});

/** Sorted by user if a workspace is given, else by workspace. */
export function listMembers(tx: Tx, { user, workspace, after = 0 }: Filter) {
  const place = workspace === undefined ? sql.fragment`m.workspace_id` : sql.fragment`m.user_id`;
  return tx.any(sql.type(Member)`
    select m.workspace_id as "workspaceId", m.user_id as "userId", u.name, m.role, m.overrides as access,
      m.time_oversight as "timeOversight", u.active
    from memberships m join users u on u.id = m.user_id
    where ${place} > ${after} and ${on(user, (id) => sql.fragment`m.user_id = ${id}`)}
      and ${on(workspace, (id) => sql.fragment`m.workspace_id = ${id}`)}
    order by ${place} limit ${PAGE + 1}`);
}

const states = ['active', 'expired', 'revoked', 'user deactivated'] as const;
const state = sql.fragment`case when c.revoked_at is not null then 'revoked' when c.expires_at <= now() then 'expired'
  when not u.active then 'user deactivated' else 'active' end`;
const credential = {
  id: z.number(),
  userId: z.number(),
  name: z.string(),
  state: z.enum(states),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  createdAt: z.string(),
};
const columns = sql.fragment`c.id, c.user_id as "userId", c.name, ${state} as state, c.expires_at as "expiresAt",
  c.last_used_at as "lastUsedAt", c.created_at as "createdAt"`;

const Key = z.object({ ...credential, rights: z.number() });

export function listKeys(tx: Tx, { account, user, after = 0 }: Filter) {
  return tx.any(sql.type(Key)`
    select ${columns}, c.rights
    from rest_keys c join users u on u.id = c.user_id
    where c.id > ${after} and ${on(account, (id) => sql.fragment`c.account_id = ${id}`)} and ${on(user, (id) => sql.fragment`c.user_id = ${id}`)}
    order by c.id limit ${PAGE + 1}`);
}

const Connection = z.object({
  ...credential,
  workspaces: z.array(z.number()),
  rights: z.number(),
  noteRights: z.number(),
  timezone: z.string(),
  plainLanguage: z.boolean(),
});

export function listConnections(tx: Tx, { account, user, workspace, after = 0 }: Filter) {
  const among = sql.fragment`connection_workspaces cw where cw.connection_id = c.id and cw.disconnected_at is null`;
  return tx.any(sql.type(Connection)`
    select ${columns}, coalesce((select json_agg(cw.workspace_id order by cw.workspace_id) from ${among}), '[]') as workspaces,
      c.rights, c.note_rights as "noteRights", c.timezone, c.plain_language as "plainLanguage"
    from connections c join users u on u.id = c.user_id
    where c.id > ${after} and ${on(account, (id) => sql.fragment`c.account_id = ${id}`)} and ${on(user, (id) => sql.fragment`c.user_id = ${id}`)}
      and ${on(workspace, (id) => sql.fragment`exists (select from ${among} and cw.workspace_id = ${id})`)}
    order by c.id limit ${PAGE + 1}`);
}

/** SQL of `changes`, without checks of rights: the operator may see everything. */
const Line = z.object({ line: z.string(), place: Cursor });
export type Line = z.infer<typeof Line>;

const CHANGE_PAGE = 1_000;

export function readLines(tx: Tx, workspaceId: number, since: string, after: Cursor): Promise<readonly Line[]> {
  return tx.any(sql.type(Line)`
    select (json_build_object('id', c.id, 'at', ${changedAtText}, 'kind', c.kind, 'itemId', c.item_id, 'type', i.type, 'title', coalesce(c.left_title, i.title),
        'version', c.version, 'actor', json_build_object('id', u.id, 'name', u.name), 'via', c.via, 'keyName', c.credential_name,
        'commentId', c.comment_id, 'fields', c.fields))::text as line,
      ${placeJson} as place
    from changes c join items i on i.id = c.item_id join users u on u.id = c.actor_id
    where ${settledIn('workspace_id', sql.fragment`${workspaceId}::bigint`, after)} and c.at >= ${since}::timestamptz
    order by ${inOrderIn.workspace_id} limit ${CHANGE_PAGE}`);
}

const Exists = z.object({ exists: z.boolean() });

export const hasWorkspace = (tx: Tx, id: number): Promise<boolean> =>
  tx.oneFirst(sql.type(Exists)`select exists (select from workspaces where id = ${id})`);
