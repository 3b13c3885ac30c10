/** Recipients of changes (behaviour §10.15–§10.18), for all changes in one statement. */

import { z } from 'zod';
import { commentsAllow } from '../access/accountAccessQueries.ts';
import type { Caller } from '../access/caller.ts';
import { accessTo, isReadable } from '../access/queries.ts';
import { COMMENTS_READ } from '../access/rights.ts';
import { fixedSql, literals, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { approvers } from '../items/approvalQueries.ts';
import { approvable } from '../items/approved.ts';
import { visible } from '../items/queries.ts';
import { isClosed } from '../workspaces/queries.ts';
import { memberRoles } from '../workspaces/statuses.ts';
import { limitedChoice, mailJob, oneMail } from './queries.ts';
import { usualChoices } from './schema.ts';

const quoted = (words: readonly string[]) => fixedSql(literals(words));
const approvedParts = quoted(approvable);

const choice = limitedChoice(sql.fragment`coalesce(h.choice, usual.choice)`, sql.fragment`m.notices`);

/** The owner or assignee right after change `c`. Later owners get no notifications of earlier changes. */
const atThatTime = (field: 'ownerId' | 'assigneeId', column: 'owner_id' | 'assignee_id') =>
  fixedSql(`select case when l.version is null then i.${column} else (l.fields #>> '{${field},0}')::bigint end as user_id
    from (select) one left join lateral (select l.version, l.fields from changes l where l.item_id = c.item_id and l.version > c.version
      and l.fields ? '${field}' order by l.version limit 1) l on true`);

/** Users that a change `c` of item `i` concerns, by kind. The first kind that the user has not switched off counts. */
const concerned = sql.fragment`
  select m.user_id, 'mentioned' as kind, 1 as rank, null::bigint as approval_id from comment_mentions m where m.comment_id = c.comment_id
    and (c.kind = 'comment.created' or not exists (select from notifications told join changes e on e.id = told.change_id
        where told.user_id = m.user_id and told.kind = 'mentioned' and told.item_id = c.item_id and e.comment_id = c.comment_id)
      and not exists (select from c earlier where earlier.comment_id = c.comment_id and earlier.id < c.id))
  union all
  select m.user_id, 'approval_requested', 2, null from memberships m
  where c.kind = 'approval.requested' and m.workspace_id = c.workspace_id and m.role in (${quoted(approvers)})
    and m.rights & resource_bits(i.type || 's', 'write') = resource_bits(i.type || 's', 'write')
  union all
  select (c.fields #>> '{assigneeId,1}')::bigint, 'assigned', 3, null
  union all
  select (c.fields #>> '{ownerId,1}')::bigint, 'owner', 4, null
  union all
  select p.user_id, 'approved_changed', 5, p.id
  from (select * from approvals p where p.item_id = c.item_id order by p.id desc limit 1) p
  where c.kind = 'item.updated' and i.changed_since_approval and p.item_version < c.version and c.fields ?| array[${approvedParts}]
    and not exists (select from notifications n where n.approval_id = p.id)
    and not exists (select from c earlier where earlier.item_id = c.item_id and earlier.version > p.item_version and earlier.version < c.version
      and earlier.actor_id <> p.user_id and earlier.fields ?| array[${approvedParts}])
  union all
  select p.user_id, 'approval_decided', 6, null
  from (select p.user_id from approvals p where p.item_id = c.item_id and p.action = 'requested' and p.item_version < c.version
        order by p.id desc limit 1) p
  where c.kind in ('approval.approved', 'approval.rejected')
  union all
  select f.user_id, case when c.kind = 'comment.created' then 'commented' when c.kind in ('approval.approved', 'approval.rejected')
      then 'approval_decided' else 'status_changed' end, 7, null
  from (
    ${atThatTime('ownerId', 'owner_id')} union ${atThatTime('assigneeId', 'assignee_id')} union select o.author_id from comments o where o.item_id = i.id and o.id is distinct from c.comment_id and o.created_at <= c.at
    union select h.user_id from item_watches h where h.item_id = i.id and h.watching
  ) f
  where (c.kind = 'comment.created' or c.kind not in ('item.created', 'item.moved') and c.fields ?| array['status', 'statusKey'])
    and not exists (select from item_watches h where h.item_id = i.id and h.user_id = f.user_id and not h.watching)`;

/** Notifies users of these changes, once per change. Only users who can see the item now, and not of their own changes. */
export async function notifyOfChanges(tx: Tx, changeIds: readonly number[]): Promise<void> {
  await tx.query(sql.unsafe`
    with c as (select * from changes where id = any(${sql.array([...changeIds], 'int8')})),
    usual as (select * from json_each_text(${JSON.stringify(usualChoices)}::json) as u (kind, choice)),
    told as (
      select distinct on (c.id, p.user_id) c.account_id, c.workspace_id, p.user_id, p.kind, c.item_id, c.id as change_id, p.approval_id, c.at,
        ${choice} as choice
      from c join items i on i.id = c.item_id and i.shown
      join workspaces w on w.id = c.workspace_id and w.archived_at is null
      cross join lateral (${concerned}) p
      join usual on usual.kind = p.kind
      join users u on u.id = p.user_id and u.active and u.kind = 'person'
      join memberships m on m.user_id = p.user_id and m.workspace_id = c.workspace_id and ${isReadable('i', 'm.rights')}
        and ${commentsAllow('p.kind', 'm.rights')}
      left join notification_choices h on h.user_id = p.user_id and h.kind = p.kind
      where p.user_id <> c.actor_id and ${choice} <> 'off'
      order by c.id, p.user_id, p.rank
    ),
    added as (
      insert into notifications (account_id, workspace_id, user_id, kind, item_id, change_id, approval_id, due_at, digest)
      select account_id, workspace_id, user_id, kind, item_id, change_id, approval_id, at, choice = 'digest' from told order by change_id, user_id
      on conflict do nothing
      returning id, account_id, workspace_id, user_id, kind, due_at, change_id
    )
    select count(*) from graphile_worker.add_jobs(array(
      select ${mailJob} from added a join told t on t.change_id = a.change_id and t.user_id = a.user_id where t.choice = 'mail'
      group by ${oneMail}))`);
}

/** Notifies owners and assignees of open items whose last blocker was closed by these changes, unless they did it or can't see that blocker.
 *  Once per item, user and day, so a second run changes nothing. */
export async function notifyOfUnblocked(tx: Tx, changeIds: readonly number[]): Promise<void> {
  await tx.query(sql.unsafe`
    with c as (
      select * from changes where id = any(${sql.array([...changeIds], 'int8')})
        and (kind = 'item.archived' or ${fixedSql(isClosed("fields #>> '{status,1}'"))})
    ),
    usual as (select * from json_each_text(${JSON.stringify(usualChoices)}::json) as u (kind, choice)),
    free as (
      select c.account_id, c.workspace_id, c.actor_id, c.at, i.id, i.needs, i.owner_id, i.assignee_id, b.needs as blocker_needs
      from c cross join lateral (select * from items b where b.id = c.item_id limit 1) b
      join item_dependencies d on d.blocker_id = c.item_id
      cross join lateral (select * from items i where i.id = d.item_id limit 1) i
      where i.shown and not i.closed and not exists (
        select from item_dependencies o cross join lateral (select * from items one where one.id = o.blocker_id limit 1) other
        where o.item_id = i.id and other.shown and not other.closed)
    ),
    told as (
      select distinct on (f.id, p.user_id) f.account_id, f.workspace_id, p.user_id, f.id as item_id, f.at, ${choice} as choice
      from free f cross join lateral (select unnest(array[f.owner_id, f.assignee_id]) as user_id) p
      join workspaces w on w.id = f.workspace_id and w.archived_at is null
      join usual on usual.kind = 'unblocked'
      join users u on u.id = p.user_id and u.active and u.kind = 'person'
      join memberships m on m.user_id = p.user_id and m.workspace_id = f.workspace_id
        and (f.needs | f.blocker_needs) & m.rights = (f.needs | f.blocker_needs)
      left join notification_choices h on h.user_id = p.user_id and h.kind = 'unblocked'
      where p.user_id <> f.actor_id and ${choice} <> 'off'
      order by f.id, p.user_id, f.at
    ),
    added as (
      insert into notifications (account_id, workspace_id, user_id, kind, item_id, due_on, due_at, digest)
      select account_id, workspace_id, user_id, 'unblocked', item_id, (at at time zone 'UTC')::date, at, choice = 'digest' from told order by item_id, user_id
      on conflict do nothing
      returning id, account_id, workspace_id, user_id, kind, item_id, due_at
    )
    select count(*) from graphile_worker.add_jobs(array(
      select ${mailJob} from added a join told t on t.item_id = a.item_id and t.user_id = a.user_id where t.choice = 'mail'
      group by ${oneMail}))`);
}

/** Marks approval requests as read if one of these changes decided them. A request's notification may be created after its decision. */
export async function markDecided(tx: Tx, changeIds: readonly number[]): Promise<void> {
  await tx.query(sql.unsafe`
    update notifications n set read_at = now() from changes c
    where c.id = any(${sql.array([...changeIds], 'int8')}) and c.kind in ('approval.approved', 'approval.rejected')
      and n.workspace_id = c.workspace_id and n.item_id = c.item_id and n.change_id < c.id
      and n.kind = 'approval_requested' and n.read_at is null`);
}

/** SQL of the users who can be mentioned on an item: active members who can see it and read comments (behaviour §10.21). */

export const Mentionable = z.object({ id: z.number(), name: z.string(), role: z.enum(memberRoles) });
export type Mentionable = z.infer<typeof Mentionable>;

export const mentionableJson = sql.fragment`(
  select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name, 'role', p.role) order by p.name, p.id), '[]') from (
    select u.id, u.name, m.role from memberships m join users u on u.id = m.user_id and u.active and u.kind = 'person'
    where m.workspace_id = i.workspace_id and ${isReadable('i', 'm.rights')} and m.rights & ${COMMENTS_READ} <> 0
    order by u.name, u.id limit 1000) p)`;

const Found = z.object({ people: z.array(Mentionable) });

/** Empty if the caller can't see the item. */
export async function readMentionable(tx: Tx, caller: Caller, workspaceId: number, itemId: number): Promise<readonly Mentionable[]> {
  const found = await tx.maybeOne(sql.type(Found)`
    with ${accessTo(caller, workspaceId)}
    select ${mentionableJson} as people from items i join access on ${visible} where i.id = ${itemId}`);
  return found?.people ?? [];
}

const Written = z.object({ id: z.number(), account_id: z.number(), body: z.string(), people: z.array(Mentionable) });

export function readWritten(tx: Tx, commentIds: readonly number[]): Promise<readonly z.infer<typeof Written>[]> {
  return tx.any(sql.type(Written)`
    select o.id, o.account_id, t.text as body, ${mentionableJson} as people
    from comments o join items i on i.id = o.item_id
      cross join lateral (select case when o.edited_at is null then coalesce(o.original_body, o.body) else o.body end as text) t
    where o.id = any(${sql.array([...commentIds], 'int8')}) and position('@' in t.text) > 0 order by o.id`);
}

export async function insertMentions(tx: Tx, mentions: readonly { accountId: number; commentId: number; userId: number }[]): Promise<void> {
  await tx.query(sql.unsafe`
    insert into comment_mentions (account_id, comment_id, user_id)
    select m."accountId", m."commentId", m."userId"
    from json_to_recordset(${JSON.stringify(mentions)}::json) as m ("accountId" bigint, "commentId" bigint, "userId" bigint)
    order by 2, 3 on conflict do nothing`);
}
