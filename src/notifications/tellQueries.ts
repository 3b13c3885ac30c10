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
import { limitedChoice, storeTold } from './queries.ts';
import { usualChoices } from './schema.ts';

const quoted = (words: readonly string[]) => fixedSql(literals(words));
const approvedParts = quoted(approvable);

const choice = limitedChoice(sql.fragment`coalesce(h.choice, usual.choice)`, sql.fragment`m.notices`);

/** SQL of the user `u` and the membership `m` of `p`: `limit` makes PostgreSQL look up each, however few rows it expects. */
const memberOf = (workspaceId: string) => sql.fragment`
      join lateral (select u.id from users u where u.id = p.user_id and u.active and u.kind = 'person' limit 1) u on true
      join lateral (select m.rights, m.notices from memberships m
        where m.user_id = p.user_id and m.workspace_id = ${fixedSql(workspaceId)} limit 1) m on true`;

/** The owner or assignee right after change `c`. Later owners get no notifications of earlier changes. */
const atThatTime = (field: 'ownerId' | 'assigneeId', column: 'owner_id' | 'assignee_id') =>
  fixedSql(`select case when l.version is null then i.${column} else (l.fields #>> '{${field},0}')::bigint end as user_id
    from (select) one left join lateral (select l.version, l.fields from changes l where l.item_id = c.item_id and l.version > c.version
      and l.fields ? '${field}' order by l.version limit 1) l on true`);

/** A change that notifies commenters and watchers. */
const isFollowed = fixedSql(
  `(c.kind = 'comment.created' or c.kind not in ('item.created', 'item.moved') and c.fields ?| array['status', 'statusKey'])`,
);

/** CTE: the people who commented on the items of `c`, and since when. One index look-up for each person, however many comments they wrote. */
const authors = sql.fragment`
  authors as materialized (
    select i.item_id, array_agg(a.author_id) as ids, array_agg(a.created_at) as since
    from (select distinct c.item_id from c where ${isFollowed}) i cross join lateral (
      with recursive a as (
        (select o.author_id, o.created_at from comments o where o.item_id = i.item_id order by o.author_id, o.created_at limit 1)
        union all
        select o.author_id, o.created_at from a cross join lateral (
          select * from comments n where n.item_id = i.item_id and n.author_id > a.author_id order by n.author_id, n.created_at limit 1) o
      )
      select * from a) a
    group by i.item_id
  )`;

/** Users that a change `c` of item `i` concerns, by kind. The first kind that the user has not switched off counts. */
const concerned = sql.fragment`
  select unnest(m.user_ids) as user_id, 'mentioned' as kind, 1 as rank, null::bigint as approval_id from mentioned m where m.change_id = c.id
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
  from (select * from approvals p where p.item_id = c.item_id order by p.item_version desc limit 1) p
  where c.kind = 'item.updated' and i.changed_since_approval and p.item_version < c.version and c.fields ?| array[${approvedParts}]
    and not exists (select from notifications n where n.approval_id = p.id)
    and not exists (select from c earlier where earlier.item_id = c.item_id and earlier.version > p.item_version and earlier.version < c.version
      and earlier.actor_id <> p.user_id and earlier.fields ?| array[${approvedParts}])
  union all
  select p.user_id, 'approval_decided', 6, null
  from (select p.user_id from approvals p where p.item_id = c.item_id and p.action = 'requested' and p.item_version < c.version
        order by p.item_version desc limit 1) p
  where c.kind in ('approval.approved', 'approval.rejected')
  union all
  select f.user_id, case when c.kind = 'comment.created' then 'commented' when c.kind in ('approval.approved', 'approval.rejected')
      then 'approval_decided' else 'status_changed' end, 7, null
  from (
    ${atThatTime('ownerId', 'owner_id')} union ${atThatTime('assigneeId', 'assignee_id')}
    union select o.author_id from authors a cross join lateral unnest(a.ids, a.since) o (author_id, since)
      where a.item_id = c.item_id and o.since <= c.at
    union select h.user_id from item_watches h where h.item_id = i.id and h.watching
  ) f
  where ${isFollowed} and not exists (select from item_watches h where h.item_id = i.id and h.user_id = f.user_id and not h.watching)`;

export interface Mention {
  changeId: number;
  userId: number;
}

/** Notifies users of these changes, once per change. Only users who can see the item now, and not of their own changes. `mentions`: those that
 *  these changes brought. */
export async function notifyOfChanges(tx: Tx, changeIds: readonly number[], mentions: readonly Mention[]): Promise<void> {
  const [mentioning, mentioned] = [mentions.map(({ changeId }) => changeId), mentions.map(({ userId }) => userId)];
  await tx.query(sql.unsafe`
    with c as materialized (select * from changes where id = any(${sql.array([...changeIds], 'int8')})),
    usual as (select * from json_each_text(${JSON.stringify(usualChoices)}::json) as u (kind, choice)),
    mentioned as materialized (
      select change_id, array_agg(user_id) as user_ids
      from unnest(${sql.array(mentioning, 'int8')}, ${sql.array(mentioned, 'int8')}) as m (change_id, user_id) group by change_id
    ),
    ${authors},
    concerned as materialized (
      select c.id, c.account_id, c.workspace_id, c.item_id, c.actor_id, c.at, i.needs, p.user_id, p.kind, p.rank, p.approval_id
      from c cross join lateral (select * from items i where i.id = c.item_id and i.shown limit 1) i
      join workspaces w on w.id = c.workspace_id and w.archived_at is null
      cross join lateral (${concerned}) p
      where p.user_id <> c.actor_id
    ),
    told as (
      select distinct on (p.id, p.user_id) p.account_id, p.workspace_id, p.user_id, p.kind, p.item_id, p.id as change_id,
        p.approval_id, null::bigint as absence_id, null::date as due_on, p.at as due_at, p.actor_id, ${choice} as choice
      from concerned p join usual on usual.kind = p.kind
      ${memberOf('p.workspace_id')} and ${isReadable('p', 'm.rights')} and ${commentsAllow('p.kind', 'm.rights')}
      left join notification_choices h on h.user_id = p.user_id and h.kind = p.kind
      where ${choice} <> 'off'
      order by p.id, p.user_id, p.rank
    ),
    ${storeTold}`);
}

/** Notifies owners and assignees of open items whose last blocker was closed by these changes, unless they did it or can't see that blocker.
 *  Once per item, user and day, so a second run changes nothing. */
export async function notifyOfUnblocked(tx: Tx, changeIds: readonly number[]): Promise<void> {
  await tx.query(sql.unsafe`
    with c as materialized (
      select account_id, workspace_id, item_id, actor_id, min(at) as at from changes where id = any(${sql.array([...changeIds], 'int8')})
        and (kind = 'item.archived' or ${fixedSql(isClosed("fields #>> '{status,1}'"))})
      group by account_id, workspace_id, item_id, actor_id
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
      select distinct on (f.id, p.user_id) f.account_id, f.workspace_id, p.user_id, 'unblocked' as kind, f.id as item_id, null::bigint as change_id,
        null::bigint as approval_id, null::bigint as absence_id, (f.at at time zone 'UTC')::date as due_on, f.at as due_at, f.actor_id,
        ${choice} as choice
      from free f cross join lateral (select unnest(array[f.owner_id, f.assignee_id]) as user_id) p
      join workspaces w on w.id = f.workspace_id and w.archived_at is null
      join usual on usual.kind = 'unblocked'
      ${memberOf('f.workspace_id')}
        and (f.needs | f.blocker_needs) & m.rights = (f.needs | f.blocker_needs)
      left join notification_choices h on h.user_id = p.user_id and h.kind = 'unblocked'
      where p.user_id <> f.actor_id and ${choice} <> 'off'
      order by f.id, p.user_id, f.at
    ),
    ${storeTold}`);
}

/** Marks approval requests as read if one of these changes decided them. A request's notification may be created after its decision. */
export async function markDecided(tx: Tx, changeIds: readonly number[]): Promise<void> {
  await tx.query(sql.unsafe`
    update notifications n set read_at = now()
    from (select workspace_id, item_id, max(id) as id from changes
      where id = any(${sql.array([...changeIds], 'int8')}) and kind in ('approval.approved', 'approval.rejected') group by workspace_id, item_id) c
    where n.workspace_id = c.workspace_id and n.item_id = c.item_id and n.change_id < c.id
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

/** Of a comment `o`: its text as submitted, or after an edit. */
const originalText = fixedSql('case when o.edited_at is null then coalesce(o.original_body, o.body) else o.body end');

/** Empty if the caller can't see the item. */
export async function readMentionable(tx: Tx, caller: Caller, workspaceId: number, itemId: number): Promise<readonly Mentionable[]> {
  const found = await tx.maybeOne(sql.type(Found)`
    with ${accessTo(caller, workspaceId)}
    select ${mentionableJson} as people from items i join access on ${visible} where i.id = ${itemId}`);
  return found?.people ?? [];
}

const OfItem = z.object({ ids: z.array(z.number()), workspaceId: z.number(), needs: z.number() });

/** Comments with an @, by what people need to see their item. */
export function readAddressing(tx: Tx, commentIds: readonly number[]): Promise<readonly z.infer<typeof OfItem>[]> {
  return tx.any(sql.type(OfItem)`
    select i.workspace_id as "workspaceId", i.needs, array_agg(o.id order by o.id) as ids from comments o join items i on i.id = o.item_id
    where o.id = any(${sql.array([...commentIds], 'int8')}) and position('@' in ${originalText}) > 0
    group by i.workspace_id, i.needs`);
}

export function readMentionableBy(tx: Tx, { workspaceId, needs }: z.infer<typeof OfItem>): Promise<readonly Mentionable[]> {
  return tx.oneFirst(sql.type(Found)`
    select ${mentionableJson} as people from (select ${workspaceId}::bigint as workspace_id, ${needs}::integer as needs) i`);
}

const Text = z.object({ id: z.number(), accountId: z.number(), text: z.string() });

export const readTexts = (tx: Tx, commentIds: readonly number[]): Promise<readonly z.infer<typeof Text>[]> =>
  tx.any(sql.type(Text)`
    select o.id, o.account_id as "accountId", ${originalText} as text from comments o where o.id = any(${sql.array([...commentIds], 'int8')}) order by o.id`);

const Inserted = z.object({ commentId: z.number(), userId: z.number() });

/** Returns the mentions that are new. */
export function insertMentions(
  tx: Tx,
  mentions: readonly { accountId: number; commentId: number; userId: number }[],
): Promise<readonly z.infer<typeof Inserted>[]> {
  return tx.any(sql.type(Inserted)`
    insert into comment_mentions (account_id, comment_id, user_id)
    select m."accountId", m."commentId", m."userId"
    from json_to_recordset(${JSON.stringify(mentions)}::json) as m ("accountId" bigint, "commentId" bigint, "userId" bigint)
    order by 2, 3 on conflict do nothing returning comment_id as "commentId", user_id as "userId"`);
}
