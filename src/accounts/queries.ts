import pg from 'pg';
import { z } from 'zod';
import { type AdminScope, inScope, notFoundFault } from '../access/accountAccessQueries.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { markForecastOf } from '../queue/jobs.ts';
import { Conflict, InvalidRequest } from '../values/errors.ts';
import { endLinksFor, endLinksOf, settleInvitedWorkspaces } from './invitationQueries.ts';
import type { AccountRole, UserKind } from './schema.ts';

const Created = z.object({ id: z.number() });

export async function insertAccount(tx: Tx, name: string): Promise<number> {
  return tx.oneFirst(sql.type(Created)`insert into accounts (name) values (${name}) returning id`);
}

/** Throws InvalidRequest for an unknown account. */
export async function renameAccount(tx: Tx, id: number, name: string): Promise<void> {
  const renamed = await tx.maybeOneFirst(sql.type(Created)`update accounts set name = ${name} where id = ${id} returning id`);
  if (renamed === null) throw notFoundFault('account', id);
}

const Named = z.object({ name: z.string() });

/** Throws InvalidRequest for an unknown account. */
export async function readAccountName(tx: Tx, id: number): Promise<string> {
  const name = await tx.maybeOneFirst(sql.type(Named)`select name from accounts where id = ${id}`);
  if (name === null) throw notFoundFault('account', id);
  return name;
}

export interface NewUser {
  accountId: number;
  email: string;
  name: string;
  kind: UserKind;
  accountRole: AccountRole;
  passwordHash: string | null;
  timezone: string;
  weeklyMinutes: number | null;
}

/** Throws InvalidRequest for an unknown account or an email address that is taken in it. */
export async function insertUser(tx: Tx, scope: AdminScope, user: NewUser): Promise<number> {
  const account = await tx.maybeOneFirst(sql.type(Created)`
    select a.id from (select id, id as account_id from accounts) a where a.id = ${user.accountId} and ${inScope(scope, 'a')}`);
  if (account === null) throw notFoundFault('account', user.accountId);
  await refuseErased(tx, user.accountId);
  const id = await tx.maybeOneFirst(sql.type(Created)`
    insert into users (account_id, email, name, kind, account_role, password_hash, timezone, weekly_minutes)
    values (${account}, ${user.email}, ${user.name}, ${user.kind}, ${user.accountRole}, ${user.passwordHash}, ${user.timezone},
      ${user.weeklyMinutes})
    on conflict (account_id, lower(email)) do nothing returning id`);
  if (id === null) throw takenEmail(user.email);
  return id;
}

export interface UserChange {
  email?: string | undefined;
  name?: string | undefined;
  timezone?: string | undefined;
  weeklyMinutes?: number | null | undefined;
}

const Profile = z.object({
  id: z.number(),
  email: z.string(),
  name: z.string(),
  timezone: z.string(),
  weeklyMinutes: z.number().nullable(),
  active: z.boolean(),
});

/** Absent fields stay. A new address ends links that were mailed to the old one. */
export async function updateUser(tx: Tx, scope: AdminScope, userId: number, change: UserChange): Promise<z.infer<typeof Profile>> {
  const { email = null, name = null, timezone = null, weeklyMinutes } = change;
  await refuseTakenEmail(tx, userId, email);
  const changed = tx.maybeOne(sql.type(Profile)`
    update users u set email = coalesce(${email}, u.email), name = coalesce(${name}, u.name), timezone = coalesce(${timezone}, u.timezone),
      zone_chosen = u.zone_chosen or ${timezone !== null},
      weekly_minutes = case when ${weeklyMinutes === undefined} then u.weekly_minutes else ${weeklyMinutes ?? null}::integer end
    where u.id = ${userId} and ${inScope(scope, 'u')}
    returning u.id, u.email, u.name, u.timezone, u.weekly_minutes as "weeklyMinutes", u.active`);
  const user = await changed.catch((error) => {
    // Another user took the address after the check.
    throw error instanceof pg.DatabaseError && error.code === '23505' && email !== null ? takenEmail(email) : error;
  });
  if (!user) throw notFoundFault('user', userId);
  if (email !== null) await endLinksFor(tx, userId);
  if (weeklyMinutes !== undefined) await endBegunHours(tx, userId);
  await markForecastsOf(tx, userId);
  return user;
}

const takenEmail = (email: string) => new InvalidRequest(['email'], `${email} is taken; give another address.`);

async function refuseTakenEmail(tx: Tx, userId: number, email: string | null): Promise<void> {
  if (email === null) return;
  const owner = await tx.maybeOneFirst(sql.type(Created)`select id from users where lower(email) = lower(${email}) and id <> ${userId}
      and account_id = (select account_id from users where id = ${userId})`);
  if (owner !== null) throw takenEmail(email);
}

/** Permanently ends the user's sessions, REST keys and connections (behaviour §3.15). History stays. */
export async function deactivateUser(tx: Tx, scope: AdminScope, userId: number): Promise<void> {
  const id = await tx.maybeOneFirst(sql.type(Created)`
    update users u set active = false where u.id = ${userId} and ${inScope(scope, 'u')} returning u.id`);
  if (id === null) throw notFoundFault('user', userId);
  await endCredentials(tx, userId);
  await markForecastsOf(tx, userId);
}

/** Keeps the old password. Ends keys and connections that survived a deactivation by an import. */
export async function activateUser(tx: Tx, scope: AdminScope, userId: number): Promise<void> {
  const id = await tx.maybeOneFirst(
    sql.type(Created)`select u.id from users u where u.id = ${userId} and ${inScope(scope, 'u')} for update`,
  );
  if (id === null) throw notFoundFault('user', userId);
  const { accountId, erased } = await tx.one(sql.type(Erased)`
    select account_id as "accountId", erased_at is not null as erased from users where id = ${userId}`);
  if (erased) throw new Conflict(`User ${userId} was erased and cannot be activated. Add a new user instead.`);
  await refuseErased(tx, accountId);
  const became = await tx.maybeOneFirst(sql.type(Created)`update users set active = true where id = ${userId} and not active returning id`);
  if (became === null) return;
  await endCredentials(tx, userId);
  await markForecastsOf(tx, userId);
}

const Erased = z.object({ accountId: z.number(), erased: z.boolean() });

/** Throws Conflict if the account is scheduled for erasure: all its users stay inactive until it is restored. */
export async function refuseErased(tx: Tx, accountId: number): Promise<void> {
  const id = await tx.maybeOneFirst(sql.type(Created)`
    select subject_id as id from erasures where subject = 'account' and subject_id = ${accountId}`);
  if (id !== null)
    throw new Conflict(`Account ${accountId} is set to be erased. Restore it first: stint account restore --account ${accountId}`);
}

async function endCredentials(tx: Tx, userId: number): Promise<void> {
  await endSessions(tx, userId);
  await settleInvitedWorkspaces(tx, userId, false);
  await endLinksOf(tx, userId);
  await endKeys(tx, userId);
}

/** Also ends the calendar address, which is a secret like a key. */
export async function endKeys(tx: Tx, userId: number): Promise<void> {
  await tx.query(sql.unsafe`
    with calendars as (delete from calendar_feeds where user_id = ${userId}),
    keys as (update rest_keys set revoked_at = now() where user_id = ${userId} and revoked_at is null)
    update connections set revoked_at = now() where user_id = ${userId} and revoked_at is null`);
}

/** Also ends the user's sessions (behaviour §12.11) and links to set a password. */
export async function setPasswordHash(tx: Tx, scope: AdminScope, userId: number, passwordHash: string): Promise<void> {
  const id = await tx.maybeOneFirst(sql.type(Created)`
    update users u set password_hash = ${passwordHash} where u.id = ${userId} and ${inScope(scope, 'u')} returning u.id`);
  if (id === null) throw notFoundFault('user', userId);
  await endSessions(tx, userId);
  await endLinksFor(tx, userId);
}

/** Null: not confirmed (behaviour §6.15). */
export async function setWeeklyMinutes(tx: Tx, scope: AdminScope, userId: number, weeklyMinutes: number | null): Promise<void> {
  const id = await tx.maybeOneFirst(sql.type(Created)`
    update users u set weekly_minutes = ${weeklyMinutes} where u.id = ${userId} and ${inScope(scope, 'u')} returning u.id`);
  if (id === null) throw notFoundFault('user', userId);
  await endBegunHours(tx, userId);
  await markForecastsOf(tx, userId);
}

/** Ends dated hours that have started, so that the new hours apply from today. Keeps their working days. */
async function endBegunHours(tx: Tx, userId: number): Promise<void> {
  await tx.query(sql.unsafe`
    with ended as (delete from working_hours where user_id = ${userId} and starts_on <= current_date returning starts_on, weekdays)
    update users set weekdays = ended.weekdays from ended
    where id = ${userId} and ended.starts_on = (select max(starts_on) from ended)`);
}

export async function endSessions(tx: Tx, userId: number): Promise<void> {
  await tx.query(sql.unsafe`delete from sessions where user_id = ${userId}`);
}

/** Marks forecasts that include a person: as a member, or by work, time or plan blocks. */
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
