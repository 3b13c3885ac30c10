/** All SQL about browser sessions and signing in. */
import { z } from 'zod';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { accountRoles, normalEmail } from './schema.ts';

const SESSION_DAYS = 14;

const SessionUser = z.object({
  id: z.number(),
  accountId: z.number(),
  name: z.string(),
  email: z.string(),
  accountRole: z.enum(accountRoles),
  timezone: z.string(),
  /** Notifications. */
  unread: z.number(),
});
export type SignedIn = z.infer<typeof SessionUser>;

/** The user of a good session; null otherwise. */
export function readSession(tx: Tx, tokenHash: Buffer): Promise<SignedIn | null> {
  return tx.maybeOne(sql.type(SessionUser)`
    select u.id, u.account_id as "accountId", u.name, u.email, u.account_role as "accountRole", u.timezone,
           (select count(*) from notifications n where n.user_id = u.id and n.read_at is null) as unread
    from sessions s join users u on u.id = s.user_id and u.active
    where s.token_hash = ${sql.binary(tokenHash)} and s.expires_at > now()`);
}

/** Starts a session and ends the one it replaces, in one statement. */
export async function insertSession(tx: Tx, userId: number, tokenHash: Buffer, replaces: Buffer | null): Promise<void> {
  await tx.query(sql.unsafe`
    with ended as (delete from sessions where token_hash = ${replaces ? sql.binary(replaces) : null}::bytea)
    insert into sessions (account_id, user_id, token_hash, expires_at)
    select account_id, id, ${sql.binary(tokenHash)}, now() + make_interval(days => ${SESSION_DAYS}) from users where id = ${userId} and active`);
}

export async function deleteSession(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx.query(sql.unsafe`delete from sessions where token_hash = ${sql.binary(tokenHash)}`);
}

const Login = z.object({ id: z.number(), passwordHash: z.string().nullable() });
export type Login = z.infer<typeof Login>;

/** The active person with this e-mail, however it is spelt; null when there is none. */
export function findLogin(tx: Tx, email: string): Promise<Login | null> {
  return tx.maybeOne(sql.type(Login)`
    select id, password_hash as "passwordHash" from users where lower(email) = lower(${normalEmail(email)}) and active and kind = 'person'`);
}

const Exists = z.object({ exists: z.boolean() });

/** Whether anybody is there at all: a fresh database offers to create the first account. */
export function anyUser(tx: Tx): Promise<boolean> {
  return tx.oneFirst(sql.type(Exists)`select exists (select from users)`);
}
