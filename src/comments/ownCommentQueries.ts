/** SQL of authors' own comments and of reactions (behaviour §8.11–8.13). */
import { z } from 'zod';
import { heldItem, visibleById } from '../access/accountAccessQueries.ts';
import type { Caller, Permit } from '../access/caller.ts';
import { AccessRow, accessTo, includes, mayAtHome, permitOf } from '../access/queries.ts';
import { COMMENTS_READ, COMMENTS_WRITE, holds } from '../access/rights.ts';
import { recordComment } from '../changes/recordQueries.ts';
import { type Fragment, fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import type { Reaction } from './schema.ts';

const Found = AccessRow.extend({ item_id: z.number().nullable(), author_id: z.number().nullable() });

export interface CommentPermit extends Permit {
  itemId: number;
  isOwn: boolean;
}

/** Rights on a comment of a visible item. Throws Unauthenticated, Forbidden. */
export async function readCommentPermit(tx: Tx, caller: Caller, workspaceId: number, id: number): Promise<CommentPermit> {
  const row = await tx.maybeOne(sql.type(Found)`
    with ${accessTo(caller, workspaceId)}
    select access.account_id, access.user_id, access.workspace_id, access.rights, access.context_rights, o.item_id, o.author_id
    from access left join (select o.id, o.item_id, o.author_id from comments o where o.id = ${id}) o on exists (
      select from items i where i.id = o.item_id and ${visibleById})`);
  if (!row) throw new CredentialRefused();
  if (row.workspace_id === null || row.item_id === null || !holds(row.context_rights, COMMENTS_WRITE)) throw new Forbidden();
  return { ...permitOf(caller, row, row.workspace_id), itemId: row.item_id, isOwn: row.author_id === row.user_id };
}

const Id = z.object({ id: z.number() });

/** CTEs for the caller's own comment `own`, locked, if the caller may still write comments of its item. */
const ownComment = (itemId: number, id: number) => sql.fragment`
  ${heldItem(itemId)},
  own as (
    select o.* from comments o join held on held.id = o.item_id, access
    where o.id = ${id} and o.author_id = access.user_id and ${includes('access.context_rights', COMMENTS_WRITE)}
    for update of o
  )`;
const storeText = sql.fragment`
  kept as (
    insert into change_texts (account_id, change_id, name, before)
    select changed.account_id, changed.id, 'body', own.body from changed, own
  )`;

/** An equal text changes nothing. Throws Forbidden. */
export async function reviseComment(tx: Tx, { caller, workspaceId, itemId }: CommentPermit, id: number, body: string): Promise<void> {
  const found = await tx.maybeOne(sql.type(Id)`
    with ${accessTo(caller, workspaceId)}, ${ownComment(itemId, id)},
    saved as (update comments c set body = ${body}, edited_at = now() from own where c.id = own.id and own.body <> ${body} returning c.*),
    ${recordComment(caller, 'comment.updated')}, ${storeText}
    select id from own`);
  if (!found) throw new Forbidden();
}

/** Throws Forbidden. */
export async function removeComment(tx: Tx, { caller, workspaceId, itemId }: CommentPermit, id: number): Promise<void> {
  const found = await tx.maybeOne(sql.type(Id)`
    with ${accessTo(caller, workspaceId)}, ${ownComment(itemId, id)},
    mentions as (delete from comment_mentions m using own where m.comment_id = own.id),
    saved as (delete from comments c using own where c.id = own.id returning c.*),
    ${recordComment(caller, 'comment.deleted')}, ${storeText}
    select id from own`);
  if (!found) throw new Forbidden();
}

/** Throws Forbidden. */
export async function saveReaction(
  tx: Tx,
  { caller, workspaceId, itemId }: CommentPermit,
  id: number,
  reaction: Reaction,
  on: boolean,
): Promise<void> {
  const change = on
    ? sql.fragment`insert into comment_reactions (account_id, comment_id, user_id, reaction)
        select account_id, id, user_id, ${reaction} from target on conflict do nothing`
    : sql.fragment`delete from comment_reactions r using target
        where r.comment_id = target.id and r.user_id = target.user_id and r.reaction = ${reaction}`;
  // The lock keeps a concurrent deletion of the comment waiting.
  const found = await tx.maybeOne(sql.type(Id)`
    with ${accessTo(caller, workspaceId)}, ${heldItem(itemId)},
    target as materialized (
      select access.account_id, o.id, access.user_id from comments o join held on held.id = o.item_id, access
      where o.id = ${id} and ${includes('access.context_rights', COMMENTS_WRITE)} for key share of o
    ),
    changed as (${change})
    select id from target`);
  if (!found) throw new Forbidden();
}

/** SQL condition: an earlier text, written in `home`, is for owners of the workspace in which it was written. */
export const readsEarlierTexts = (caller: Caller, home: Fragment): Fragment =>
  mayAtHome(caller, home, (access) => fixedSql(`${access}.role = 'owner'`));

const MOST_TEXTS = 50;

/** JSON: comments before edits and deletions by change, of the visible item `i`: those that the caller may read, of its latest changes
 *  before `until`. For all readers, because a move may have brought texts from a workspace that they own. */
export const commentTextsJson = (caller: Caller, changes: number, until: string | null): Fragment => sql.fragment`
  case when access.context_rights & ${COMMENTS_READ} <> 0 then (
    select coalesce(json_object_agg(t.change_id, t.before), '{}') from (
      select t.change_id, t.before from (
        select * from changes c where c.item_id = i.id and c.left_needs is null and (${until}::timestamptz is null or c.at < ${until}::timestamptz)
        order by c.era desc, c.xact desc, c.id desc limit ${changes}
      ) c join change_texts t on t.change_id = c.id and t.name = 'body'
      where c.comment_id is not null and ${readsEarlierTexts(caller, sql.fragment`c.written_in`)}
      order by c.era desc, c.xact desc, c.id desc limit ${MOST_TEXTS}) t) end`;
