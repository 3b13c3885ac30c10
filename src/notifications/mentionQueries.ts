/** SQL of the users who can be mentioned on an item: active members who can see it and read comments (behaviour §10.21). */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessTo } from '../access/queries.ts';
import { bits } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { visible } from '../items/queries.ts';
import { memberRoles } from '../workspaces/roles.ts';

const COMMENTS_READ = bits('comments', 'read');

export const Mentionable = z.object({ id: z.number(), name: z.string(), role: z.enum(memberRoles) });
export type Mentionable = z.infer<typeof Mentionable>;

export const mentionableJson = sql.fragment`(
  select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name, 'role', p.role) order by p.name, p.id), '[]') from (
    select u.id, u.name, m.role from memberships m join users u on u.id = m.user_id and u.active and u.kind = 'person'
    where m.workspace_id = i.workspace_id and i.needs & m.rights = i.needs and m.rights & ${COMMENTS_READ} <> 0
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
    select o.id, o.account_id, coalesce(o.original_body, o.body) as body, ${mentionableJson} as people
    from comments o join items i on i.id = o.item_id
    where o.id = any(${sql.array([...commentIds], 'int8')}) and position('@' in coalesce(o.original_body, o.body)) > 0 order by o.id`);
}

export async function insertMentions(tx: Tx, mentions: readonly { accountId: number; commentId: number; userId: number }[]): Promise<void> {
  await tx.query(sql.unsafe`
    insert into comment_mentions (account_id, comment_id, user_id)
    select m."accountId", m."commentId", m."userId"
    from json_to_recordset(${JSON.stringify(mentions)}::json) as m ("accountId" bigint, "commentId" bigint, "userId" bigint)
    order by 2, 3 on conflict do nothing`);
}
