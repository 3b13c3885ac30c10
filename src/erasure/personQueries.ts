/** SQL that erases a user's row and memberships. A job deletes the rest (traceQueries.ts, rowQueries.ts). */
import { z } from 'zod';
import { type AdminScope, inScope, notFoundFault } from '../access/adminScopeQueries.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { Conflict, InvalidRequest } from '../values/errors.ts';

const Found = z.object({ erased: z.boolean() });
const Named = z.object({ name: z.string() });
const Id = z.object({ id: z.number() });

/** Throws InvalidRequest for an unknown or erased user. */
export async function requireUnerased(tx: Tx, scope: AdminScope, userId: number): Promise<void> {
  const found = await tx.maybeOne(sql.type(Found)`
    select u.erased_at is not null as erased from users u where u.id = ${userId} and ${inScope(scope, 'u')}`);
  if (!found) throw notFoundFault('user', userId);
  if (found.erased) throw new InvalidRequest(['user'], `user ${userId} is erased already.`);
}

const MOST_NAMED = 10;

/** Throws Conflict for the only owner of a workspace. Locks the workspaces until the transaction ends. */
export async function requireOtherOwners(tx: Tx, userId: number): Promise<void> {
  await tx.query(sql.unsafe`
    select from workspaces where id in (select workspace_id from memberships where user_id = ${userId} and role = 'owner')
    order by id for no key update`);
  const alone = await tx.anyFirst(sql.type(Named)`
    select w.name from memberships m join workspaces w on w.id = m.workspace_id and w.archived_at is null
    where m.user_id = ${userId} and m.role = 'owner' and not exists (
      select from memberships o join users u on u.id = o.user_id and u.active
      where o.workspace_id = w.id and o.role = 'owner' and o.user_id <> ${userId})
    order by w.name limit ${MOST_NAMED}`);
  if (alone.length)
    throw new Conflict(`This user is the only owner of ${alone.join(', ')}. Make another member an owner there, then erase the user.`);
}

export function workingWebhooksOf(tx: Tx, userId: number): Promise<readonly number[]> {
  return tx.anyFirst(sql.type(Id)`
    select h.id from webhooks h join users u on u.id = ${userId} and h.account_id = u.account_id and h.user_id = u.id
    where h.revoked_at is null order by h.id`);
}

/** In seconds. Requests that have read the name end before the job, so none writes it afterwards. */
export const LATER_SECONDS = 60;

/** Keeps only the user's id. The erasure keeps names and addresses until the job has replaced them. */
export async function anonymise(tx: Tx, userId: number): Promise<void> {
  await tx.query(sql.unsafe`
    insert into erasures (account_id, subject, subject_id, due_at, begun, names, addresses)
    select u.account_id, 'user', u.id, now() + ${LATER_SECONDS} * interval '1 second', true,
      array(
        select u.name union select n from audit a cross join unnest(array[a.changes #>> '{name,0}', a.changes #>> '{name,1}']) n
        where a.account_id = u.account_id and a.user_id = u.id and a.subject = 'user' and n is not null),
      array(
        select lower(u.email) union select lower(e) from email_changes c cross join unnest(array[c.old_email, c.email]) e where c.user_id = u.id
        union select lower(e) from audit a cross join unnest(array[a.changes #>> '{email,0}', a.changes #>> '{email,1}']) e
        where a.account_id = u.account_id and a.user_id = u.id and a.subject = 'user' and e is not null)
    from users u where u.id = ${userId}`);
  await tx.query(sql.unsafe`
    update users set name = 'Deleted user ' || id, email = 'deleted-user-' || id || '@deleted.invalid', password_hash = null, timezone = 'UTC',
      zone_chosen = false, weekly_minutes = null, theme = 'system', account_role = 'member', erased_at = now()
    where id = ${userId}`);
  await tx.query(sql.unsafe`delete from memberships where user_id = ${userId}`);
}
