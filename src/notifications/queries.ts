/** All SQL about notifications. What one tells is read with the rights of that moment, never stored (behaviour §10.12). */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessToAll, authenticate } from '../access/queries.ts';
import type { Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { visible } from '../items/queries.ts';
import { enqueue } from '../queue/jobs.ts';
import { type Kind, NotificationRow } from './schema.ts';

export interface NewNotification {
  accountId: number;
  workspaceId: number;
  userId: number;
  kind: Kind;
  blockId?: number;
  entryId?: number;
  webhookId?: number;
  /** The moment it became due: for one subject, kind and moment there is one notification (behaviour §10.11), however often this is
   *  called. */
  dueAt: string;
}

const Inserted = z.object({ id: z.number() });

/** Tells a person something, once, and leaves the mail about it to a job of its own. */
export async function notify(
  tx: Tx,
  { accountId, workspaceId, userId, kind, blockId, entryId, webhookId, dueAt }: NewNotification,
): Promise<void> {
  const added = await tx.maybeOne(sql.type(Inserted)`
    insert into notifications (account_id, workspace_id, user_id, kind, block_id, entry_id, webhook_id, due_at)
    values (${accountId}, ${workspaceId}, ${userId}, ${kind}, ${blockId ?? null}::bigint, ${entryId ?? null}::bigint,
      ${webhookId ?? null}::bigint, ${dueAt}::timestamptz)
    on conflict do nothing returning id`);
  if (added)
    await enqueue(
      tx,
      'mail_notification',
      { notificationId: added.id },
      { about: { account: accountId, user: userId, workspace: workspaceId } },
    );
}

/** Notifications of the caller's own, newest first; the item only while it can be seen. */
const told = (caller: Caller, condition: Fragment, limit: number) => sql.type(NotificationRow)`
  with ${accessToAll(caller)}
  select n.id, n.kind, n.created_at, n.read_at, n.due_at, n.workspace_id, n.block_id, n.entry_id,
         b.start_local, b.end_local, b.timezone, b.reason, e.started_at, m.name as made_by, i.id as item_id, i.title as item_title,
         n.webhook_id, h.url as webhook_url, h.rests_because
  from notifications n
  join who on who.user_id = n.user_id
  left join plan_blocks b on b.id = n.block_id
  left join time_entries e on e.id = n.entry_id
  left join invitations v on v.id = n.invitation_id
  left join users m on m.id = v.created_by
  left join approvals p on p.id = n.approval_id
  left join webhooks h on h.id = n.webhook_id
  left join lateral (
    select i.id, i.title from items i join access on ${visible} where i.id = coalesce(b.item_id, e.item_id, p.item_id)
  ) i on true
  where ${condition}
  order by n.id desc limit ${limit}`;

/** Throws Unauthenticated. */
export async function readNotifications(tx: Tx, caller: Caller, { unreadOnly, limit }: { unreadOnly: boolean; limit: number }) {
  await authenticate(tx, caller);
  return tx.any(told(caller, unreadOnly ? sql.fragment`n.read_at is null` : sql.fragment`true`, limit));
}

/** Marks a person's notifications up to `upToId` as read. */
export async function markRead(tx: Tx, userId: number, upToId: number): Promise<void> {
  await tx.query(sql.unsafe`update notifications set read_at = now() where user_id = ${userId} and id <= ${upToId} and read_at is null`);
}

const Recipient = z.object({ user_id: z.number(), email: z.string() });

/** Takes the mail about a notification over, or null when it was sent, read or lost its reader: who claims it sends it. */
export async function claimMail(tx: Tx, id: number) {
  const recipient = await tx.maybeOne(sql.type(Recipient)`
    update notifications n set mail_claimed_at = now() from users u
    where n.id = ${id} and n.mail_claimed_at is null and n.read_at is null and u.id = n.user_id and u.active
    returning n.user_id, u.email`);
  if (!recipient) return null;
  const notification = await tx.one(told({ kind: 'user', userId: recipient.user_id }, sql.fragment`n.id = ${id}`, 1));
  return { to: recipient.email, notification };
}

/** After a mail that certainly was not taken: the next try may claim it. */
export async function releaseMail(tx: Tx, id: number): Promise<void> {
  await tx.query(sql.unsafe`update notifications set mail_claimed_at = null where id = ${id}`);
}
