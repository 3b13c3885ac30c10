/** Steps in an order that foreign keys allow (behaviour §14.5). Add every new table with data of a user or workspace here. */
import { z } from 'zod';
import { type AdminScope, inScope, notFoundFault } from '../access/accountAccessQueries.ts';
import { type Fragment, fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { Conflict, InvalidRequest } from '../values/errors.ts';
import { deleteFound, deleteInRanges, runOnce, type Step } from './queries.ts';

const is = (column: string, id: number): Fragment => sql.fragment`${sql.identifier([column])} = ${id}`;

export function rowsOfUser(accountId: number, userId: number): Step[] {
  const own = is('user_id', userId);
  const ofAccount = sql.fragment`account_id = ${accountId} and user_id = ${userId}`;
  const ofConnections = sql.fragment`connection_id in (select id from connections where user_id = ${userId})`;
  return [
    deleteFound('notifications', own),
    deleteFound('item_watches', ofAccount),
    deleteFound('notification_choices', own),
    deleteFound('notification_days', own),
    deleteFound('comment_mentions', ofAccount),
    deleteFound('comment_reactions', ofAccount),
    deleteFound('personal_notes', own),
    deleteFound('note_folders', own),
    deleteFound('note_usage', own),
    deleteFound('receipts', ofConnections),
    deleteFound('activity', ofConnections),
    deleteFound('note_rewrites', ofConnections),
    deleteFound('connection_workspaces', ofConnections),
    deleteFound('connections', own),
    deleteFound('rest_receipts', sql.fragment`key_id in (select id from rest_keys where user_id = ${userId})`),
    deleteFound('rest_keys', own),
    deleteFound('sessions', own),
    deleteFound('calendar_feeds', ofAccount),
    // They list people by name and address. An import that has not started makes a new one on request.
    deleteFound(
      'import_reports',
      sql.fragment`account_id = ${accountId} and not exists (
        select from imports m where m.id = import_id and m.state in ('running', 'stopped', 'undoing'))`,
    ),
    deleteFound('absences', own),
    deleteFound('stars', own),
    deleteFound('recent_items', own),
    deleteFound('data_exports', own),
    deleteFound('working_hours', own),
    deleteFound('email_changes', own),
    deleteFound('invitations', own),
    deleteFound('invited_memberships', ofAccount),
    deleteFound('memberships', own),
  ];
}

const RowId = z.object({ id: z.number() });

export const rowsOfAccount = (accountId: number): Step[] => [
  async (tx, from) => {
    const userId = await tx.maybeOneFirst(sql.type(RowId)`
      select id from users where account_id = ${accountId} and id > ${from} order by id limit 1`);
    if (userId === null) return null;
    for (const step of rowsOfUser(accountId, userId)) while ((await step(tx, 0)) !== null);
    return userId;
  },
  deleteFound('capacity_forecasts', is('account_id', accountId)),
  // One user at a time: foreign keys from items to users have no index.
  async (tx) => {
    const userId = await tx.maybeOneFirst(sql.type(RowId)`
      delete from users where id = (select min(id) from users where account_id = ${accountId}) returning id`);
    return userId === null ? null : 0;
  },
  deleteFound('owner_links', is('account_id', accountId)),
  // Before their blobs, so that no statement deletes more than 500 chunks.
  deleteFound('blob_chunks', is('account_id', accountId)),
  deleteFound('blobs', is('account_id', accountId)),
  deleteFound('blob_usage', is('account_id', accountId)),
  deleteInRanges('audit', sql.fragment`account_id = ${accountId} and kind <> 'account.erased'`),
  runOnce((tx) => endJobs(tx, 'account', accountId)),
  runOnce((tx) =>
    tx.query(sql.unsafe`
      with line as (
        update audit set subject_name = 'Deleted account ' || account_id, actor_name = case when actor_id is null then actor_name else 'Deleted user ' || actor_id end,
          address = null
        where account_id = ${accountId}
      ), ended as (delete from erasures where account_id = ${accountId})
      delete from accounts where id = ${accountId}`),
  ),
];

/** Items that no other item links to. These can be deleted first. */
const leaf =
  fixedSql(`not exists (select from items c where c.parent_id = items.id) and not exists (select from items c where c.parent_item_id = items.id)
  and not exists (select from items c where c.requirement_id = items.id) and not exists (select from items c where c.release_id = items.id)
  and not exists (select from items c where c.goal_id = items.id)`);

const expired = fixedSql(`created_at < now() - interval '30 days'`);

/** In the order of their links. An interrupted erasure continues at the number of its step. */
export const rowsOfWorkspace = (accountId: number, workspaceId: number): Step[] => [
  ...historyOfWorkspace(accountId, workspaceId),
  ...workOfWorkspace(accountId, workspaceId),
];

function historyOfWorkspace(accountId: number, workspaceId: number): Step[] {
  const here = is('workspace_id', workspaceId);
  const entries = sql.fragment`(select e.id from time_entries e where e.workspace_id = ${workspaceId})`;
  // Also the rows in other workspaces of items that moved here.
  const told = sql.fragment`(workspace_id = ${workspaceId}
    or left_needs is not null and exists (select from items i where i.id = item_id and i.${here}))`;
  return [
    deleteInRanges(
      'webhook_deliveries',
      sql.fragment`(webhook_id in (select id from webhooks where ${here}) or exists (select from changes c where c.id = change_id and ${told}))`,
    ),
    deleteInRanges('notifications', sql.fragment`${here} or entry_id in ${entries}`),
    deleteFound('webhooks', sql.fragment`account_id = ${accountId} and ${here}`),
    deleteInRanges('change_texts', sql.fragment`exists (select from changes c where c.id = change_id and c.${here})`, 'change_id'),
    deleteInRanges('changes', told),
    deleteInRanges('comment_mentions', sql.fragment`exists (select from comments c where c.id = comment_id and c.${here})`, 'comment_id'),
    deleteInRanges('comment_reactions', sql.fragment`exists (select from comments c where c.id = comment_id and c.${here})`, 'comment_id'),
    deleteInRanges('comments', here),
    deleteInRanges('plan_blocks', here),
    deleteInRanges(
      'time_entry_versions',
      sql.fragment`${here} or exists (select from time_entries e where e.id = entry_id and e.${here})`,
      'entry_id',
    ),
    // An entry may come from another workspace, whose block stays.
    runOnce((tx) => tx.query(sql.unsafe`update plan_blocks set entry_id = null where entry_id in ${entries}`)),
    deleteInRanges('time_entries', here),
    deleteInRanges('approvals', here),
  ];
}

function workOfWorkspace(accountId: number, workspaceId: number): Step[] {
  const here = is('workspace_id', workspaceId);
  const blobIds = sql.fragment`(select f.blob_id from item_files f where f.${here} union all select m.blob_id from imports m where m.${here})`;
  return [
    deleteFound('trend_points', here),
    deleteFound('project_outlooks', here),
    deleteFound('item_watches', here),
    deleteFound('stars', here),
    // Also those in other workspaces, whose series moved here with an item.
    deleteFound('recurrence_items', sql.fragment`${here} or recurrence_id in (select id from recurrences where ${here})`),
    deleteFound('recurrences', here),
    deleteFound('templates', here),
    deleteFound('item_dependencies', here),
    deleteFound('item_labels', here),
    runOnce((tx) => tx.query(sql.unsafe`delete from labels where ${here}`)),
    runOnce((tx) =>
      tx.query(sql.unsafe`
        update recent_items r set item_ids = array(
          select o.id from unnest(r.item_ids) with ordinality o (id, n)
          where not exists (select from items i where i.id = o.id and i.workspace_id = ${workspaceId}) order by n)
        where r.account_id = ${accountId} and exists (select from items i where i.id = any(r.item_ids) and i.workspace_id = ${workspaceId})`),
    ),
    // Chunks before their blobs, so that no statement deletes more than 500 of them. A blob takes its thumbnail along.
    deleteFound('blob_chunks', sql.fragment`account_id = ${accountId} and blob_id in ${blobIds}`),
    deleteFound('blobs', sql.fragment`account_id = ${accountId} and id in ${blobIds}`),
    deleteFound('item_files', here),
    deleteFound('imported_comments', here),
    deleteFound('imported_items', here),
    deleteFound('import_rows', sql.fragment`import_id in (select id from imports where ${here})`),
    deleteFound('import_reports', sql.fragment`import_id in (select id from imports where ${here})`),
    deleteFound('imports', here),
    deleteFound('items', sql.fragment`${here} and ${leaf}`),
    deleteFound('data_exports', sql.fragment`account_id = ${accountId} and ${workspaceId} = any(workspace_ids)`),
    deleteFound('capacity_forecasts', sql.fragment`account_id = ${accountId} and (${here} or ${workspaceId} = any(workspace_ids))`),
    deleteFound('capacity_marks', here),
    deleteInRanges('activity', here),
    // Receipts of this workspace are older, because it accepts no writes since it was archived.
    deleteFound('receipts', expired),
    deleteFound('rest_receipts', expired),
    deleteFound('memberships', here),
    deleteFound('invited_memberships', sql.fragment`account_id = ${accountId} and ${here}`),
    deleteFound('connection_workspaces', here),
    deleteFound('views', here),
    deleteFound('statuses', here),
    deleteFound('priorities', here),
    deleteInRanges('audit', sql.fragment`account_id = ${accountId} and ${here} and kind <> 'workspace.erased'`),
    runOnce((tx) => endJobs(tx, 'workspace', workspaceId)),
    runOnce((tx) =>
      tx.query(sql.unsafe`
        with line as (
          update audit set subject_name = 'Deleted workspace ' || workspace_id where account_id = ${accountId} and ${here}
        ), ended as (delete from erasures where subject = 'workspace' and subject_id = ${workspaceId})
        delete from workspaces where id = ${workspaceId}`),
    ),
  ];
}

/** Removes waiting jobs. A running one finds no rows and ends. */
async function endJobs(tx: Tx, name: 'workspace' | 'account', id: number): Promise<void> {
  await tx.query(sql.unsafe`
    select count(*) from graphile_worker.complete_jobs(array(
      select j.id from graphile_worker._private_jobs j
      where j.payload -> 'about' ->> ${name} = ${String(id)} or ${name} = 'workspace' and j.payload ->> 'workspaceId' = ${String(id)}))`);
}

/** SQL that erases a user's row and memberships. A job deletes the rest (traceQueries.ts, rowQueries.ts). */
const Found = z.object({ erased: z.boolean() });
const Named = z.object({ name: z.string() });
const PersonId = z.object({ id: z.number() });

/** Throws InvalidRequest for an unknown or erased user. */
export async function requireUnerased(tx: Tx, scope: AdminScope, userId: number): Promise<void> {
  const found = await tx.maybeOne(sql.type(Found)`
    select u.erased_at is not null as erased from users u where u.id = ${userId} and ${inScope(scope, 'u')}`);
  if (!found) throw notFoundFault('user', userId);
  if (found.erased) throw new InvalidRequest(['user'], `user ${userId} is already erased; check the id.`);
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
  return tx.anyFirst(sql.type(PersonId)`
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
      zone_chosen = false, weekly_minutes = null, weekdays = 31, holiday_region = null, theme = 'system', account_role = 'member', erased_at = now()
    where id = ${userId}`);
  await tx.query(sql.unsafe`delete from memberships where user_id = ${userId}`);
}
