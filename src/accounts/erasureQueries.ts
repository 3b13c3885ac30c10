/** SQL that schedules the erasure of an account, and restores it (behaviour §14.5). */
import { z } from 'zod';
import { notFoundFault } from '../access/adminScopeQueries.ts';
import { fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { markForecastOf } from '../queue/jobs.ts';
import { Conflict } from '../values/errors.ts';
import { lockAccount } from './peopleQueries.ts';

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
  if (dueAt === null) throw new Conflict(`Account ${accountId} is already scheduled for erasure.`);
  return dueAt;
}

const Restored = z.object({ at: z.string(), userIds: z.array(z.number()) });

/** Throws Conflict if no erasure is scheduled or it has begun. */
export async function restoreAccountRows(tx: Tx, accountId: number): Promise<void> {
  const restored = await tx.maybeOne(sql.type(Restored)`
    delete from erasures where subject = 'account' and subject_id = ${accountId} and not begun
    returning requested_at::text as at, user_ids as "userIds"`);
  if (!restored) throw new Conflict(`Account ${accountId} can't be restored: it was not erased, or its ${GRACE_DAYS} days are over.`);
  await tx.query(sql.unsafe`update users set active = true where id = any(${sql.array(restored.userIds, 'int8')}) and erased_at is null`);
  const workspaceIds = await tx.anyFirst(sql.type(There)`
    update workspaces set archived_at = null where account_id = ${accountId} and archived_at = ${restored.at}::timestamptz returning id`);
  await markForecastOf(tx, ...workspaceIds);
}
