/** SQL about accounts and their people, as operators and account administrators change them. */
import { z } from 'zod';
import { type AdminScope, absent, within } from '../access/adminScopeQueries.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { markForecastOf } from '../queue/jobs.ts';
import { InvalidRequest } from '../values/errors.ts';
import type { AccountRole, UserKind } from './schema.ts';

const Created = z.object({ id: z.number() });

export async function insertAccount(tx: Tx, name: string): Promise<number> {
  return tx.oneFirst(sql.type(Created)`insert into accounts (name) values (${name}) returning id`);
}

export interface NewUser {
  accountId: number;
  email: string;
  name: string;
  kind: UserKind;
  accountRole: AccountRole;
  /** From hashPassword; null: can't sign in. */
  passwordHash: string | null;
  timezone: string;
  weeklyMinutes: number | null;
}

/** Throws InvalidRequest for an unknown account and for an e-mail address that anybody has already. */
export async function insertUser(tx: Tx, scope: AdminScope, user: NewUser): Promise<number> {
  const account = await tx.maybeOneFirst(sql.type(Created)`
    select a.id from (select id, id as account_id from accounts) a where a.id = ${user.accountId} and ${within(scope, 'a')}`);
  if (account === null) throw absent('account', user.accountId);
  const id = await tx.maybeOneFirst(sql.type(Created)`
    insert into users (account_id, email, name, kind, account_role, password_hash, timezone, weekly_minutes)
    values (${account}, ${user.email}, ${user.name}, ${user.kind}, ${user.accountRole}, ${user.passwordHash}, ${user.timezone},
      ${user.weeklyMinutes})
    on conflict (lower(email)) do nothing returning id`);
  if (id === null) throw new InvalidRequest(['email'], `${user.email} is taken; give another address.`);
  return id;
}

/** Every credential of theirs stops working with this, sessions for good. Their history stays. */
export async function deactivateUser(tx: Tx, scope: AdminScope, userId: number): Promise<void> {
  const id = await tx.maybeOneFirst(sql.type(Created)`
    update users u set active = false where u.id = ${userId} and ${within(scope, 'u')} returning u.id`);
  if (id === null) throw absent('user', userId);
  await endSessions(tx, userId);
  await markForecastsOf(tx, userId);
}

/** Sessions begun with the old password end (behaviour §12.11), and so do links to set another one. */
export async function setPasswordHash(tx: Tx, scope: AdminScope, userId: number, passwordHash: string): Promise<void> {
  const id = await tx.maybeOneFirst(sql.type(Created)`
    update users u set password_hash = ${passwordHash} where u.id = ${userId} and ${within(scope, 'u')} returning u.id`);
  if (id === null) throw absent('user', userId);
  await endSessions(tx, userId);
  await tx.query(sql.unsafe`
    update invitations set expires_at = now() where user_id = ${userId} and used_at is null and expires_at > now()`);
}

/** Null: not confirmed (behaviour §6.15). */
export async function setWeeklyMinutes(tx: Tx, scope: AdminScope, userId: number, weeklyMinutes: number | null): Promise<void> {
  const id = await tx.maybeOneFirst(sql.type(Created)`
    update users u set weekly_minutes = ${weeklyMinutes} where u.id = ${userId} and ${within(scope, 'u')} returning u.id`);
  if (id === null) throw absent('user', userId);
  await markForecastsOf(tx, userId);
}

export async function endSessions(tx: Tx, userId: number): Promise<void> {
  await tx.query(sql.unsafe`delete from sessions where user_id = ${userId}`);
}

/** Marks the forecasts that tell of a person: as a member, or by their work, time or blocks. */
export async function markForecastsOf(tx: Tx, userId: number): Promise<void> {
  const workspaceIds = await tx.anyFirst(sql.type(Created)`
    select w.id from users u join workspaces w on w.account_id = u.account_id
    where u.id = ${userId} and (
      exists (select from memberships m where m.user_id = u.id and m.workspace_id = w.id)
      or exists (select from items i where i.workspace_id = w.id and i.shown and i.assignee_id = u.id)
      or exists (select from time_parts p where p.user_id = u.id and p.workspace_id = w.id)
      or exists (select from plan_blocks b where b.user_id = u.id and b.workspace_id = w.id))`);
  await markForecastOf(tx, ...workspaceIds);
}

const There = z.object({ there: z.boolean() });

export async function hasAccounts(tx: Tx): Promise<boolean> {
  return tx.oneFirst(sql.type(There)`select exists (select from accounts) as there`);
}
