import { z } from 'zod';
import { validSession } from '../access/queries.ts';
import { SESSION_DAYS } from '../access/secrets.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { normalEmail, type Theme } from './schema.ts';

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
    from sessions s where user_id = ${userId} and ${validSession}
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

export function hasAnyUser(tx: Tx): Promise<boolean> {
  return tx.oneFirst(sql.type(Exists)`select exists (select from users)`);
}
