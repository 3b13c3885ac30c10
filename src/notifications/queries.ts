/** SQL that reads notifications and creates some. Texts are read with the reader's current rights, never stored (behaviour §10.12). */
import { z } from 'zod';
import { commentsAllow, isCommentKind } from '../access/accountAccessQueries.ts';
import type { Caller } from '../access/caller.ts';
import { accessToAll } from '../access/queries.ts';
import { type Fragment, fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { seesForecastsHere } from '../items/forecastQueries.ts';
import { visible } from '../items/queries.ts';
import { enqueue } from '../queue/jobs.ts';
import { type Kind, MailedRow, usualChoices } from './schema.ts';
import { shownUrl } from './shownUrl.ts';

export interface NewNotification {
  accountId: number;
  workspaceId: number;
  userId: number;
  kind: Kind;
  blockId?: number;
  entryId?: number;
  webhookId?: number;
  itemId?: number;
  /** Set only together with `itemId`. */
  dueOn?: string;
  /** When it became due. There is only one notification for a subject, kind and due time (behaviour §10.11). */
  dueAt: string;
}

/** Limits `choice` by the workspace setting `notices` of the membership. */
export const limitedChoice = (choice: Fragment, notices: Fragment): Fragment => sql.fragment`
  case ${notices} when 'off' then 'off' when 'page' then case ${choice} when 'off' then 'off' else 'page' end else ${choice} end`;

const noticesOf = (userId: Fragment, workspaceId: Fragment): Fragment =>
  sql.fragment`(select m.notices from memberships m where m.user_id = ${userId} and m.workspace_id = ${workspaceId})`;

/** For a row `n`: its reader's current choice for its kind. */
export const currentChoice = limitedChoice(
  sql.fragment`coalesce((select h.choice from notification_choices h where h.user_id = n.user_id and h.kind = n.kind),
    ${JSON.stringify(usualChoices)}::json ->> n.kind)`,
  noticesOf(sql.fragment`n.user_id`, sql.fragment`n.workspace_id`),
);

const choiceOf = (userId: Fragment, workspaceId: Fragment, kind: Kind): Fragment =>
  limitedChoice(
    sql.fragment`coalesce((select h.choice from notification_choices h where h.user_id = ${userId} and h.kind = ${kind}), ${usualChoices[kind]})`,
    noticesOf(userId, workspaceId),
  );

const Inserted = z.object({ id: z.number(), mailed: z.boolean() });

export async function notify(
  tx: Tx,
  { accountId, workspaceId, userId, kind, blockId, entryId, webhookId, itemId, dueOn, dueAt }: NewNotification,
): Promise<void> {
  const added = await tx.maybeOne(sql.type(Inserted)`
    with chosen as (select ${choiceOf(sql.fragment`${userId}`, sql.fragment`${workspaceId}`, kind)} as choice)
    insert into notifications (account_id, workspace_id, user_id, kind, block_id, entry_id, webhook_id, item_id, due_on, due_at, digest)
    select ${accountId}, ${workspaceId}, ${userId}, ${kind}, ${blockId ?? null}::bigint, ${entryId ?? null}::bigint,
      ${webhookId ?? null}::bigint, ${itemId ?? null}::bigint, ${dueOn ?? null}::date, ${dueAt}::timestamptz, choice = 'digest' from chosen where choice <> 'off'
    on conflict do nothing returning id, (select choice = 'mail' from chosen) as mailed`);
  if (added?.mailed)
    await enqueue(
      tx,
      'mail_notification',
      { notificationId: added.id },
      { about: { account: accountId, user: userId, workspace: workspaceId } },
    );
}

export const oneMail = sql.fragment`a.account_id, a.workspace_id, a.user_id, a.kind, a.due_at`;

/** After other mails: a link for a password must not wait for thousands of notifications (behaviour §10.29). */
const AFTER_OTHERS = 10;

export const mailJob = sql.fragment`('mail_notification', json_build_object('notificationId', min(a.id), 'about',
  json_build_object('account', a.account_id, 'user', a.user_id, 'workspace', a.workspace_id)), null, now(), null, null, ${AFTER_OTHERS}::integer, null)::graphile_worker.job_spec`;

export const digestJob = sql.fragment`('mail_digest', json_build_object('userId', b.user_id, 'day', b.day, 'about',
  json_build_object('account', b.account_id, 'user', b.user_id)), null, now(), null, null, ${AFTER_OTHERS}::integer, null)::graphile_worker.job_spec`;

/** Immediate mails that one person's changes cause in an hour of the clock. Further ones wait for the digest (behaviour §10.29). */
const MOST_MAILS = 200;

/** SQL: jobs for the mails of the CTE `added`. The choice is read again: PostgreSQL would join `added` with its source row by row. */
export const mailsOfAdded = sql.fragment`
  select ${mailJob} as job from (select n.* from added n where not n.digest and ${currentChoice} = 'mail') a group by ${oneMail}`;

/** SQL: adds to the counts of this hour, in an insert into rate_windows `w`. */
export const addToHour = fixedSql(`on conflict (key) do update set window_start = excluded.window_start,
        count = excluded.count + case when w.window_start = excluded.window_start then w.count else 0 end`);

/** CTE `hour`: the count of a key in this hour. Locks it until the transaction ends. */
export const heldHour = (key: Fragment, from: string): Fragment => sql.fragment`
    hour as (
      insert into rate_windows as w (key, window_start, count) select ${key}, date_trunc('hour', now()), 0 from ${fixedSql(from)}
      ${addToHour} returning count
    )`;

/** Stores the notifications of the CTE `told` and enqueues their mails. `told` has the columns of notifications, as far as named here,
 *  `choice`, and `actor_id`: who caused it. */
export const storeTold = sql.fragment`
    hour as (select date_trunc('hour', now()) as began),
    numbered as materialized (
      select told.*, mails.key, choice = 'mail' and coalesce(sent.count, 0)
        + dense_rank() over (partition by mails.key, choice order by due_at, user_id, kind, workspace_id) > ${MOST_MAILS} as late
      from told cross join hour cross join lateral (select 'mails:' || told.actor_id as key) mails
      left join lateral (select w.count from rate_windows w where w.key = mails.key and w.window_start = hour.began limit 1) sent on true
    ),
    counted as (
      insert into rate_windows as w (key, window_start, count)
      select key, began, count(distinct (due_at, user_id, kind, workspace_id)) from numbered, hour where choice = 'mail' and not late
      group by key, began order by key
      ${addToHour}
    ),
    added as (
      insert into notifications (account_id, workspace_id, user_id, kind, item_id, change_id, approval_id, absence_id, due_on, due_at, digest)
      select account_id, workspace_id, user_id, kind, item_id, change_id, approval_id, absence_id, due_on, due_at, choice = 'digest' or late
      from numbered order by change_id, item_id, user_id
      on conflict do nothing
      returning id, account_id, workspace_id, user_id, kind, due_at, digest
    )
    select count(*) from graphile_worker.add_jobs(array(${mailsOfAdded}))`;

/** Like `notificationRows`, for a mail, with the message. A comment is included only if the reader may see the item and read comments. */
export const notificationMailRows = (caller: Caller, condition: Fragment, limit: number) =>
  sql.type(MailedRow)`with ${accessToAll(caller)}
    select n.*, w.name as workspace_name, left(case when ${isCommentKind('n.kind')} then o.body else p.comment end, 1000) as message_begins
    from (${notificationRows(condition, limit, true)}) n
    left join workspaces w on w.id = n.workspace_id and n.item_id is not null
    left join comments o on o.id = n.comment_id and o.item_id = n.item_id
    left join approvals p on p.item_id = n.item_id and p.item_version = n.item_version and n.kind in ('approval_requested', 'approval_decided')
    order by n.id desc`;

/** Lines of a Monday summary `n` that the reader may see now. In mails without workspaces whose notifications they get on pages only. */
const summaryOf = (mailed: boolean) => sql.fragment`
    select json_agg(json_build_object('item_id', i.id, 'item_title', i.title, 'workspace_id', i.workspace_id, 'outlook', e.value -> 'outlook',
      'forecastDate', e.value -> 'forecastDate', 'targetDate', e.value -> 'targetDate', 'before', e.value -> 'before') order by e.place) as lines
    from json_array_elements(case when n.kind = 'outlook_week' then n.told else '[]' end) with ordinality e (value, place)
    join items i on i.id = (e.value ->> 'itemId')::bigint join access on ${visible} and ${seesForecastsHere}
    where not ${mailed} or (${noticesOf(sql.fragment`n.user_id`, sql.fragment`i.workspace_id`)}) is null`;

/** For a statement with `who` and `access` to all workspaces: the caller's notifications, newest first. Changes only of visible items; the
 *  caller's own plans, timers and approvals otherwise without the item's name. */
export const notificationRows = (condition: Fragment, limit: number, mailed = false): Fragment => sql.fragment`
  select n.id, n.kind, n.created_at, n.read_at, n.snoozed_until, n.due_at, n.workspace_id, n.block_id, n.entry_id, n.due_on::text,
         b.start_local, b.end_local, b.timezone, b.reason, e.started_at, m.name as made_by, i.id as item_id, i.title as item_title,
         a.name as actor, a.id as actor_id, a.kind as actor_kind, c.via, c.credential_name as credential, c.kind = 'approval.approved' as approved, c.comment_id, c.version as item_version,
         ${statusLabel(0)} as status_before, ${statusLabel(1)} as status_after,
         case when n.kind = 'outlook' then n.told end as outlook, summary.lines as summary, aw.name as away_name, ab.last_day::text as away_until, n.webhook_id, ${shownUrl('h')} as webhook_url, h.rests_because
  from notifications n
  join who on who.user_id = n.user_id
  left join plan_blocks b on b.id = n.block_id
  left join time_entries e on e.id = n.entry_id
  left join invitations v on v.id = n.invitation_id
  left join users m on m.id = v.created_by
  left join approvals p on p.id = n.approval_id
  left join webhooks h on h.id = n.webhook_id
  left join changes c on c.id = n.change_id
  left join absences ab on ab.id = n.absence_id
  left join users aw on aw.id = ab.user_id
  left join users a on a.id = c.actor_id
  left join lateral (
    select i.id, i.title from items i join access on ${visible} and ${commentsAllow('n.kind', 'access.context_rights')}
      and (n.kind <> 'outlook' or ${seesForecastsHere})
    where i.id = coalesce(n.item_id, b.item_id, e.item_id, p.item_id)
  ) i on true
  left join lateral (${summaryOf(mailed)}) summary on true
  where (${isShownWithoutItem} or i.id is not null or summary.lines is not null) and ${condition}
  order by n.id desc limit ${limit}`;

/** Current label of the status before or after a change `c`; the key if that status was deleted. */
function statusLabel(place: 0 | 1): Fragment {
  const key = fixedSql(`c.fields #>> '{statusKey,${place}}'`);
  return sql.fragment`case when n.kind = 'status_changed' then coalesce(
    (select s.label from statuses s where s.workspace_id = c.workspace_id and s.key = ${key}), ${key},
    replace(${fixedSql(`c.fields #>> '{status,${place}}'`)}, '_', ' ')) end`;
}

/** For a row `n`: the user may see it even if they may not see its item. A paused series has no other message. */
export const isShownWithoutItem = fixedSql(`(n.item_id is null and n.kind <> 'outlook_week' or n.kind = 'series_paused')`);

/** For a row `n`: it is snoozed now. */
export const isSnoozed = fixedSql(`coalesce(n.snoozed_until > now(), false)`);

/** Snoozed notifications stay unread. */
export async function markRead(tx: Tx, userId: number, upToId: number): Promise<void> {
  await tx.query(sql.unsafe`
    update notifications n set read_at = now() where user_id = ${userId} and id <= ${upToId} and read_at is null and not ${isSnoozed}`);
}

export async function markOneRead(tx: Tx, userId: number, id: number): Promise<void> {
  await tx.query(sql.unsafe`update notifications set read_at = now() where user_id = ${userId} and id = ${id} and read_at is null`);
}

/** `until` null ends the snooze. Changes only unread notifications. */
export async function storeSnooze(tx: Tx, userId: number, id: number, until: string | null): Promise<void> {
  await tx.query(sql.unsafe`
    update notifications set snoozed_until = ${until}::timestamptz where user_id = ${userId} and id = ${id} and read_at is null`);
}

/** Also ends its snooze. Changes only unread notifications and those that were read in the last 24 hours. */
export async function markUnread(tx: Tx, userId: number, id: number): Promise<void> {
  await tx.query(sql.unsafe`
    update notifications set read_at = null, snoozed_until = null
    where user_id = ${userId} and id = ${id} and coalesce(read_at > now() - interval '24 hours', true)`);
}

const Claimed = z.object({ id: z.number(), user_id: z.number(), email: z.string() });

/** For a user `u`: true if they get mails. Invited users who have not joined find notifications in the inbox later. */
export const mailable = sql.fragment`u.active and u.password_hash is not null`;

export const MAIL_LINES = 50;

/** Claims the mail about a notification and later ones of the same save. The caller sends it. Returns null if there is nothing to mail. */
export async function claimMail(tx: Tx, id: number) {
  const claimed = await tx.any(sql.type(Claimed)`
    with same as (
      select n.id from notifications f
      join notifications n on n.user_id = f.user_id and n.id >= f.id and n.kind = f.kind and n.due_at = f.due_at
        and (n.id = f.id or n.workspace_id = f.workspace_id and n.item_id is not null and f.item_id is not null)
      where f.id = ${id} and n.mail_claimed_at is null and n.read_at is null
      order by n.id for update of n
    )
    update notifications n set mail_claimed_at = now() from same, users u
    where n.id = same.id and u.id = n.user_id and ${mailable} and ${currentChoice} = 'mail'
    returning n.id, n.user_id, u.email`);
  const [first] = claimed;
  if (!first) return null;
  const ids = claimed.map((one) => one.id);
  const caller = { kind: 'user', userId: first.user_id } as const;
  const lines = await tx.any(notificationMailRows(caller, sql.fragment`n.id = any(${sql.array(ids, 'int8')})`, MAIL_LINES + 1));
  return lines.length === 0 ? null : { to: first.email, userId: first.user_id, ids, lines };
}

/** After a mail that was certainly not accepted: allows another attempt. */
export async function releaseMail(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.query(sql.unsafe`update notifications set mail_claimed_at = null where id = any(${sql.array([...ids], 'int8')})`);
}
