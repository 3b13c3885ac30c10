import { z } from 'zod';
import { type AdminScope, inScope, notFoundFault } from '../access/accountAccessQueries.ts';
import { type Fragment, fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { markForecastOf } from '../queue/jobs.ts';
import { Conflict } from '../values/errors.ts';
import { endLinksOf } from './invitationQueries.ts';
import { deactivateUser } from './queries.ts';
import { type AccountRole, accountRoles, userKinds } from './schema.ts';

export const Person = z.object({
  id: z.number(),
  email: z.string(),
  name: z.string(),
  kind: z.enum(userKinds),
  accountRole: z.enum(accountRoles),
  timezone: z.string(),
  weeklyMinutes: z.number().nullable(),
  active: z.boolean(),
  canSignIn: z.boolean(),
  erased: z.boolean(),
});
export type Person = z.infer<typeof Person>;

export const personColumns = sql.fragment`
  u.id, u.email, u.name, u.kind, u.account_role as "accountRole", u.timezone, weekly_minutes_now(u.id, u.weekly_minutes) as "weeklyMinutes", u.active,
  u.password_hash is not null as "canSignIn", u.erased_at is not null as erased`;

export function readPeople(tx: Tx, accountId: number): Promise<readonly Person[]> {
  return tx.any(sql.type(Person)`
    select ${personColumns} from users u where u.account_id = ${accountId} order by u.active desc, u.name, u.id`);
}

const Changed = z.object({ id: z.number() });

/** Throws Conflict if the account would have no active owner. */
export async function setAccountRole(tx: Tx, scope: AdminScope, userId: number, role: AccountRole): Promise<void> {
  const accountId = await tx.maybeOneFirst(sql.type(Changed)`
    select u.account_id as id from users u where u.id = ${userId} and ${inScope(scope, 'u')}`);
  if (accountId === null) throw notFoundFault('user', userId);
  await lockAccount(tx, accountId);
  await tx.query(sql.unsafe`update users set account_role = ${role} where id = ${userId}`);
  await endLinksOf(tx, userId);
  await requireOwner(tx, accountId);
}

const Count = z.object({ count: z.number() });

/** Throws Conflict if the account has no active owner who is a person. Call it after the change, with the account's row locked. */
export async function requireOwner(tx: Tx, accountId: number): Promise<void> {
  const owners = await tx.oneFirst(sql.type(Count)`
    select count(*) from users where account_id = ${accountId} and account_role = 'owner' and active and kind = 'person'`);
  if (owners === 0) throw new Conflict('An account needs an active owner. Make another user an owner first.');
}

export async function lockAccount(tx: Tx, accountId: number): Promise<void> {
  await tx.query(sql.unsafe`select 1 from accounts where id = ${accountId} for update`);
}

/** Blocks creating accounts until the transaction ends. */
export async function lockAccounts(tx: Tx): Promise<void> {
  await tx.query(sql.unsafe`lock table accounts in share row exclusive mode`);
}

const Leaving = z.object({ accountId: z.number(), isOwner: z.boolean() });

/** Like `deactivateUser`, but throws Conflict for the account's last active owner. */
export async function deactivatePerson(tx: Tx, scope: AdminScope, userId: number): Promise<void> {
  const read = async (lock: Fragment) => {
    const found = await tx.maybeOne(sql.type(Leaving)`
      select u.account_id as "accountId", u.active and u.account_role = 'owner' and u.kind = 'person' as "isOwner"
      from users u where u.id = ${userId} and ${inScope(scope, 'u')} ${lock}`);
    if (!found) throw notFoundFault('user', userId);
    return found;
  };
  const { accountId } = await read(sql.fragment``);
  await lockAccount(tx, accountId);
  const { isOwner } = await read(sql.fragment`for update`);
  await deactivateUser(tx, scope, userId);
  if (isOwner) await requireOwner(tx, accountId);
}

const Stored = z.object({ stored: z.string().nullable(), name: z.string(), email: z.string(), accountName: z.string() });
export type PasswordFacts = z.infer<typeof Stored>;

export function readPasswordFacts(tx: Tx, userId: number): Promise<PasswordFacts> {
  return tx.one(sql.type(Stored)`
    select u.password_hash as stored, u.name, u.email, a.name as "accountName"
    from users u join accounts a on a.id = u.account_id where u.id = ${userId}`);
}

/** SQL that schedules the erasure of an account, and restores it (behaviour §14.5). */
const GRACE_DAYS = 30;
/** When an account or workspace that is set to be erased now will be erased. */
export const erasedFrom = fixedSql(`now() + interval '${GRACE_DAYS} days'`);

const Due = z.object({ dueAt: z.string() });
const There = z.object({ id: z.number() });

/** Deactivates the users and archives the workspaces, so no session, key or agent works. Returns when the account will be erased. */
export async function setAccountDue(tx: Tx, accountId: number): Promise<string> {
  await lockAccount(tx, accountId);
  const found = await tx.maybeOneFirst(sql.type(There)`select id from accounts where id = ${accountId}`);
  if (found === null) throw notFoundFault('account', accountId);
  const dueAt = await tx.maybeOneFirst(sql.type(Due)`
    with ended as (update users set active = false where account_id = ${accountId} and active returning id),
    signed_out as (delete from sessions where user_id in (select id from ended)),
    archived as (update workspaces set archived_at = now() where account_id = ${accountId} and archived_at is null)
    insert into erasures (account_id, subject, subject_id, due_at, user_ids)
    values (${accountId}, 'account', ${accountId}, ${erasedFrom}, array(select id from ended order by id))
    on conflict do nothing returning due_at as "dueAt"`);
  if (dueAt === null) throw new Conflict(`Account ${accountId} is already scheduled for erasure. Restore it to cancel.`);
  return dueAt;
}

const Restored = z.object({ at: z.string(), userIds: z.array(z.number()) });

/** Throws Conflict if no erasure is scheduled or it has begun. */
export async function restoreAccountRows(tx: Tx, accountId: number): Promise<void> {
  const restored = await tx.maybeOne(sql.type(Restored)`
    delete from erasures where subject = 'account' and subject_id = ${accountId} and not begun
    returning requested_at::text as at, user_ids as "userIds"`);
  if (!restored)
    throw new Conflict(`Account ${accountId} can't be restored. Check the id: it was not erased, or its ${GRACE_DAYS} days are over.`);
  await tx.query(sql.unsafe`update users set active = true where id = any(${sql.array(restored.userIds, 'int8')}) and erased_at is null`);
  const workspaceIds = await tx.anyFirst(sql.type(There)`
    update workspaces set archived_at = null where account_id = ${accountId} and archived_at = ${restored.at}::timestamptz returning id`);
  await markForecastOf(tx, ...workspaceIds);
}
