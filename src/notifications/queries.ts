/** All SQL about notifications as they are read, and of those that somebody else's transaction makes. What one tells is read with the rights
 *  of that moment, never stored (behaviour §10.12). */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessToAll } from '../access/queries.ts';
import { bits } from '../access/rights.ts';
import { type Fragment, fixedSql, literals, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { visible } from '../items/queries.ts';
import { enqueue } from '../queue/jobs.ts';
import { type Kind, MailedRow, NotificationRow, ofComments, usualChoices } from './schema.ts';

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

/** What is left of `choice` where its reader hears only so much of a workspace: `notices` of their membership. */
export const lowered = (choice: Fragment, notices: Fragment): Fragment => sql.fragment`
  case ${notices} when 'off' then 'off' when 'page' then case ${choice} when 'off' then 'off' else 'page' end else ${choice} end`;

const noticesOf = (userId: Fragment, workspaceId: Fragment): Fragment =>
  sql.fragment`(select m.notices from memberships m where m.user_id = ${userId} and m.workspace_id = ${workspaceId})`;

/** For a row `n`: how its reader wants to hear of its kind now. */
export const choiceNow = lowered(
  sql.fragment`coalesce((select h.choice from notification_choices h where h.user_id = n.user_id and h.kind = n.kind),
    ${JSON.stringify(usualChoices)}::json ->> n.kind)`,
  noticesOf(sql.fragment`n.user_id`, sql.fragment`n.workspace_id`),
);

/** How the person wants to hear of a kind. */
const choiceOf = (userId: Fragment, workspaceId: Fragment, kind: Kind): Fragment =>
  lowered(
    sql.fragment`coalesce((select h.choice from notification_choices h where h.user_id = ${userId} and h.kind = ${kind}), ${usualChoices[kind]})`,
    noticesOf(userId, workspaceId),
  );

const Inserted = z.object({ id: z.number(), mailed: z.boolean() });

/** Tells a person something, once, in the way they chose, and leaves the mail about it to a job of its own. */
export async function notify(
  tx: Tx,
  { accountId, workspaceId, userId, kind, blockId, entryId, webhookId, dueAt }: NewNotification,
): Promise<void> {
  const added = await tx.maybeOne(sql.type(Inserted)`
    with chosen as (select ${choiceOf(sql.fragment`${userId}`, sql.fragment`${workspaceId}`, kind)} as choice)
    insert into notifications (account_id, workspace_id, user_id, kind, block_id, entry_id, webhook_id, due_at, digest)
    select ${accountId}, ${workspaceId}, ${userId}, ${kind}, ${blockId ?? null}::bigint, ${entryId ?? null}::bigint,
      ${webhookId ?? null}::bigint, ${dueAt}::timestamptz, choice = 'digest' from chosen where choice <> 'off'
    on conflict do nothing returning id, (select choice = 'mail' from chosen) as mailed`);
  if (added?.mailed)
    await enqueue(
      tx,
      'mail_notification',
      { notificationId: added.id },
      { about: { account: accountId, user: userId, workspace: workspaceId } },
    );
}

const COMMENTS_READ = bits('comments', 'read');
const commentKinds = fixedSql(literals(ofComments));

/** For a row `n` and the rights there: whether it may be told, as far as comments go. */
export const commentsAllow = (rights: string): Fragment =>
  sql.fragment`(n.kind not in (${commentKinds}) or ${fixedSql(rights)} & ${COMMENTS_READ} <> 0)`;

/** Notifications of the caller's own, newest first. Of what happened to an item only while they can see it; what is about themselves (their
 *  plans, timers and approvals) without its name when they can't. */
export const told = (caller: Caller, condition: Fragment, limit: number) =>
  sql.type(NotificationRow)`with ${accessToAll(caller)} ${toldRows(condition, limit)}`;

/** The same for a mail, with the item's own words; a comment's only where the item may be seen and comments be read. */
export const toldByMail = (caller: Caller, condition: Fragment, limit: number) =>
  sql.type(MailedRow)`with ${accessToAll(caller)}
    select n.*, w.name as workspace_name, case when n.kind in (${commentKinds}) then left(o.body, 1000) end as comment_begins
    from (${toldRows(condition, limit)}) n
    left join workspaces w on w.id = n.workspace_id and n.item_id is not null
    left join comments o on o.id = n.comment_id and o.item_id = n.item_id
    order by n.id desc`;

/** For a statement with `who` and `access` to all workspaces: the rows of it. */
export const toldRows = (condition: Fragment, limit: number): Fragment => sql.fragment`
  select n.id, n.kind, n.created_at, n.read_at, n.due_at, n.workspace_id, n.block_id, n.entry_id, n.due_on::text,
         b.start_local, b.end_local, b.timezone, b.reason, e.started_at, m.name as made_by, i.id as item_id, i.title as item_title,
         a.name as actor, c.via, c.credential_name as credential, c.kind = 'approval.approved' as approved, c.comment_id,
         ${statusLabel(0)} as status_before, ${statusLabel(1)} as status_after,
         n.webhook_id, h.url as webhook_url, h.rests_because
  from notifications n
  join who on who.user_id = n.user_id
  left join plan_blocks b on b.id = n.block_id
  left join time_entries e on e.id = n.entry_id
  left join invitations v on v.id = n.invitation_id
  left join users m on m.id = v.created_by
  left join approvals p on p.id = n.approval_id
  left join webhooks h on h.id = n.webhook_id
  left join changes c on c.id = n.change_id
  left join users a on a.id = c.actor_id
  left join lateral (
    select i.id, i.title from items i join access on ${visible} and ${commentsAllow('access.context_rights')}
    where i.id = coalesce(n.item_id, b.item_id, e.item_id, p.item_id)
  ) i on true
  where (n.item_id is null or i.id is not null) and ${condition}
  order by n.id desc limit ${limit}`;

/** The name of the status before or after a change `c`, as the workspace calls it now; the key where it has gone. */
function statusLabel(place: 0 | 1): Fragment {
  const key = fixedSql(`c.fields #>> '{statusKey,${place}}'`);
  return sql.fragment`case when n.kind = 'status_changed' then coalesce(
    (select s.label from statuses s where s.workspace_id = c.workspace_id and s.key = ${key}), ${key},
    replace(${fixedSql(`c.fields #>> '{status,${place}}'`)}, '_', ' ')) end`;
}

/** Marks a person's notifications up to `upToId` as read. */
export async function markRead(tx: Tx, userId: number, upToId: number): Promise<void> {
  await tx.query(sql.unsafe`update notifications set read_at = now() where user_id = ${userId} and id <= ${upToId} and read_at is null`);
}

/** Marks one of a person's own as read; nothing of anybody else's. */
export async function markOneRead(tx: Tx, userId: number, id: number): Promise<void> {
  await tx.query(sql.unsafe`update notifications set read_at = now() where user_id = ${userId} and id = ${id} and read_at is null`);
}

const Recipient = z.object({ user_id: z.number(), email: z.string() });

/** Takes the mail about a notification over, or null when it was sent, read, is not wanted any more or lost its reader: who claims it sends it.
 *  Null as well, and nothing to be mailed any more, when its reader can't see the item by now. */
export async function claimMail(tx: Tx, id: number) {
  const recipient = await tx.maybeOne(sql.type(Recipient)`
    update notifications n set mail_claimed_at = now() from users u
    where n.id = ${id} and n.mail_claimed_at is null and n.read_at is null and u.id = n.user_id and u.active
      and ${choiceNow} = 'mail'
    returning n.user_id, u.email`);
  if (!recipient) return null;
  const notification = await tx.maybeOne(toldByMail({ kind: 'user', userId: recipient.user_id }, sql.fragment`n.id = ${id}`, 1));
  return notification && { to: recipient.email, userId: recipient.user_id, notification };
}

/** After a mail that certainly was not taken: the next try may claim it. */
export async function releaseMail(tx: Tx, id: number): Promise<void> {
  await tx.query(sql.unsafe`update notifications set mail_claimed_at = null where id = ${id}`);
}
