import { z } from 'zod';
import { commentsAllow } from '../access/commentQueries.ts';
import { fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { FrameData, frameJson } from './frameQueries.ts';
import { accountRoles, normalEmail, type Theme, themes } from './schema.ts';

const SESSION_DAYS = 14;
const CONFIRMED = sql.fragment`interval '10 minutes'`;

const SessionUser = z.object({
  id: z.number(),
  accountId: z.number(),
  name: z.string(),
  email: z.string(),
  accountRole: z.enum(accountRoles),
  timezone: z.string(),
  theme: z.enum(themes),
  /** Keyboard shortcuts without a modifier are on. */
  singleKeys: z.boolean(),
  zoneChosen: z.boolean(),
  confirmed: z.boolean(),
  /** Unread notifications that the user may see, at most 100, and the newest id of them, 0 for none. */
  unread: z.number(),
  newestUnread: z.number(),
  /** Position in the changes that the page shows. Null: no page is shown. */
  place: z.object({ era: z.string(), xact: z.string(), id: z.string() }).nullable(),
  frame: FrameData.nullable(),
});
export type SignedIn = z.infer<typeof SessionUser>;

/** Unread notifications of a user `u` that they may see, among the latest 200: every page runs this. See notifications/queries.ts. */
export const toldUnread = sql.fragment`(select count(*) as unread, coalesce(max(shown.id), 0) as newest from (
  select n.id from (select * from notifications n where n.user_id = u.id and n.read_at is null order by n.id desc limit 200) n
  where n.item_id is null or exists (
    select from items i join memberships m on m.user_id = u.id and m.workspace_id = i.workspace_id
    join workspaces w on w.id = i.workspace_id and w.archived_at is null
    where i.id = n.item_id and i.shown and i.needs & m.rights = i.needs
      and ${commentsAllow('n.kind', 'm.rights')})
  limit 100) shown)`;
const untold = sql.fragment`(select 0 as unread, 0 as newest)`;
const herePlace = fixedSql(
  `json_build_object('era', change_era()::text, 'xact', pg_snapshot_xmin(pg_current_snapshot())::text, 'id', '0')`,
);

/** The user of a valid session, else null. `showing`: id of the page's workspace, 0 for none, null if no page is shown. */
export function readSession(tx: Tx, tokenHash: Buffer, showing: number | null): Promise<SignedIn | null> {
  const none = sql.fragment`null::json`;
  const [told, frame, place] = showing === null ? [untold, none, none] : [toldUnread, frameJson(showing), herePlace];
  return tx.maybeOne(sql.type(SessionUser)`
    select u.id, u.account_id as "accountId", u.name, u.email, u.account_role as "accountRole", u.timezone, u.theme,
           u.single_keys as "singleKeys", u.zone_chosen as "zoneChosen",
           coalesce(s.confirmed_at, s.created_at) > now() - ${CONFIRMED} as confirmed,
           told.unread, told.newest as "newestUnread", ${frame} as frame, ${place} as place
    from sessions s join users u on u.id = s.user_id and u.active cross join lateral ${told} told
    where s.token_hash = ${sql.binary(tokenHash)} and s.expires_at > now() and s.last_used_at > now() - interval '7 days'`);
}

export async function setTheme(tx: Tx, userId: number, theme: Theme): Promise<void> {
  await tx.query(sql.unsafe`update users set theme = ${theme} where id = ${userId}`);
}

export const Browser = z.strictObject({
  replaces: z.array(z.instanceof(Buffer)),
  device: z.string().max(100),
  address: z.string().max(100),
});
export type Browser = z.infer<typeof Browser>;

export async function insertSession(tx: Tx, userId: number, tokenHash: Buffer, { replaces, device, address }: Browser): Promise<void> {
  await tx.query(sql.unsafe`
    with ended as (delete from sessions where token_hash = any(${sql.array(replaces, 'bytea')}))
    insert into sessions (account_id, user_id, token_hash, device, address, expires_at)
    select account_id, id, ${sql.binary(tokenHash)}, ${device}, ${address}, now() + make_interval(days => ${SESSION_DAYS}) from users where id = ${userId} and active`);
}

export async function deleteSession(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx.query(sql.unsafe`delete from sessions where token_hash = ${sql.binary(tokenHash)}`);
}

export async function confirm(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx.query(sql.unsafe`update sessions set confirmed_at = now() where token_hash = ${sql.binary(tokenHash)}`);
}

const SessionRow = z.object({
  id: z.number(),
  /** Null in old rows. */
  device: z.string().nullable(),
  address: z.string().nullable(),
  createdAt: z.string(),
  lastUsedAt: z.string(),
  current: z.boolean(),
});
export type SessionRow = z.infer<typeof SessionRow>;

/** Latest used first. `own`: token hash of the caller's session. */
export function readSessions(tx: Tx, userId: number, own: Buffer | null): Promise<readonly SessionRow[]> {
  return tx.any(sql.type(SessionRow)`
    select id, device, address, created_at as "createdAt", last_used_at as "lastUsedAt",
           token_hash is not distinct from ${own ? sql.binary(own) : null}::bytea as current
    from sessions where user_id = ${userId} and expires_at > now() and last_used_at > now() - interval '7 days'
    order by last_used_at desc, id desc limit 100`);
}

export async function deleteOwnSession(tx: Tx, userId: number, sessionId: number): Promise<void> {
  await tx.query(sql.unsafe`delete from sessions where id = ${sessionId} and user_id = ${userId}`);
}

const Login = z.object({
  id: z.number(),
  accountId: z.number(),
  accountName: z.string(),
  passwordHash: z.string().nullable(),
  /** When the account will be erased. Until then the owner can only restore it. */
  erasedAt: z.string().nullable(),
});
const MOST_ACCOUNTS = 10;
export type Login = z.infer<typeof Login>;

const logins = sql.fragment`
  select u.id, a.id as "accountId", a.name as "accountName", u.password_hash as "passwordHash", e.due_at as "erasedAt"
  from users u join accounts a on a.id = u.account_id and u.kind = 'person'
  left join erasures e on e.subject = 'account' and e.subject_id = u.account_id and not e.begun and u.account_role = 'owner' and u.id = any(e.user_ids)
  where (u.active or e.due_at is not null)`;

export function findLogins(tx: Tx, email: string): Promise<readonly Login[]> {
  return tx.any(sql.type(Login)`${logins} and lower(u.email) = lower(${normalEmail(email)}) order by u.id limit ${MOST_ACCOUNTS}`);
}

const Count = z.object({ count: z.number() });

export function countMostAccounts(tx: Tx): Promise<number> {
  return tx.oneFirst(sql.type(Count)`
    select least(coalesce(max(n), 1), ${MOST_ACCOUNTS}) as count
    from (
      select count(*) as n from users u where kind = 'person' and (active or exists (select from erasures e where e.subject = 'account' and e.subject_id = u.account_id))
      group by lower(email)) addresses`);
}

export function findLogin(tx: Tx, userId: number): Promise<Login | null> {
  return tx.maybeOne(sql.type(Login)`${logins} and u.id = ${userId}`);
}

const Exists = z.object({ exists: z.boolean() });

export function anyUser(tx: Tx): Promise<boolean> {
  return tx.oneFirst(sql.type(Exists)`select exists (select from users)`);
}
