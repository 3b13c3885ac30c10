import { z } from 'zod';
import { visibleById } from '../access/accountAccessQueries.ts';
import type { Caller, Permit } from '../access/caller.ts';
import { AccessRow, accessTo, permitOf } from '../access/queries.ts';
import { COMMENTS_READ, COMMENTS_WRITE, itemTypes } from '../access/rights.ts';
import { recordComment } from '../changes/recordQueries.ts';
import { type Fragment, fixedSql, instantText, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { CredentialRefused, Forbidden, InvalidRequest } from '../values/errors.ts';
import { readsEarlierTexts } from './ownCommentQueries.ts';
import { type Comment, ProgressNote, reactions } from './schema.ts';

const commentJson = fixedSql(`json_build_object('id', c.id, 'body', c.body, 'createdAt', ${instantText('c.created_at')})`);

const Found = z.object({ comments: z.string().nullable(), has_more: z.boolean().nullable(), known: z.boolean() });

const PAGE = 100;

/** Comments of the item `i`, newest first, one more than a page. `before`: only those before this comment. */
const page = (before: number | undefined): Fragment =>
  before === undefined
    ? sql.fragment`select * from comments where item_id = i.id order by created_at desc, id desc limit ${PAGE + 1}`
    : sql.fragment`select earlier.* from comments b cross join lateral (
        select * from comments where item_id = i.id and (created_at, id) < (b.created_at, b.id) order by created_at desc, id desc limit ${PAGE + 1}
      ) earlier where b.id = ${before} and b.item_id = i.id`;

/** Up to 100 comments as a JSON array, newest first. Throws Forbidden, and InvalidRequest if `before` is not a comment of the item. */
export async function readComments(tx: Tx, caller: Caller, workspaceId: number, itemId: number, before?: number) {
  const known =
    before === undefined ? sql.fragment`true` : sql.fragment`exists (select from comments where id = ${before} and item_id = ${itemId})`;
  const row = await tx.maybeOne(sql.type(Found)`
    with ${accessTo(caller, workspaceId)}
    select found.comments, found.has_more, ${known} as known
    from access left join lateral (
      select coalesce(json_agg(${commentJson} order by c.place) filter (where c.place <= ${PAGE}), '[]')::text as comments, count(*) > ${PAGE} as has_more
      from items i left join lateral (select c.*, row_number() over (order by c.created_at desc, c.id desc) as place from (${page(before)}) c) c on true
      where i.id = ${itemId} and ${visibleById} and access.context_rights & ${COMMENTS_READ} <> 0
      group by i.id
    ) found on true`);
  if (!row) throw new CredentialRefused();
  if (row.comments === null) throw new Forbidden();
  if (!row.known) throw new InvalidRequest(['before'], 'give the id of a comment of this item.');
  return { comments: row.comments, hasMore: row.has_more };
}

const Target = AccessRow.extend({ item_type: z.enum(itemTypes).nullable() });

/** Rights and the type of a visible item. Throws Unauthenticated, Forbidden. */
export async function readTarget(tx: Tx, caller: Caller, workspaceId: number | Fragment, itemId: number) {
  const row = await tx.maybeOne(sql.type(Target)`
    with ${accessTo(caller, workspaceId)}
    select access.account_id, access.user_id, access.workspace_id, access.rights, access.context_rights,
           (select i.type from items i where i.id = ${itemId} and ${visibleById}) as item_type
    from access`);
  if (!row) throw new CredentialRefused();
  if (row.workspace_id === null || row.item_type === null) throw new Forbidden();
  return { ...permitOf(caller, row, row.workspace_id), itemType: row.item_type };
}

const Written = z.object({ id: z.number(), body: z.string(), createdAt: z.string() });
const written = fixedSql(`c.id, c.body, ${instantText('c.created_at')} as "createdAt"`);

/** Checks the rights again. Throws Forbidden. */
export async function insertComment(tx: Tx, { caller, workspaceId }: Permit, itemId: number, body: string): Promise<Comment> {
  const needed = COMMENTS_WRITE;
  const comment = await tx.maybeOne(sql.type(Written)`
    with ${accessTo(caller, workspaceId)},
    saved as (
      insert into comments (account_id, workspace_id, item_id, author_id, body)
      select access.account_id, access.workspace_id, i.id, access.user_id, ${body}
      from access join items i on i.id = ${itemId} and ${visibleById}
      where access.context_rights & ${needed} = ${needed}
      returning *
    ),
    ${recordComment(caller)}
    select ${written} from saved c`);
  if (!comment) throw new Forbidden();
  return comment;
}

/** Null if it has been deleted. */
export const readComment = (tx: Tx, { workspaceId }: Permit, id: number): Promise<Comment | null> =>
  tx.maybeOne(sql.type(Written)`select ${written} from comments c where c.id = ${id} and c.workspace_id = ${workspaceId}`);

/** SQL of an item's comments, for the stream on its page (behaviour §15.11). */
const createdAt = fixedSql(instantText('c.created_at'));

export const StreamNote = ProgressNote.extend({
  originalBody: z.string().nullable(),
  edited: z.boolean(),
  /** Oldest first. */
  reactions: z.array(z.object({ reaction: z.enum(reactions), userId: z.number(), name: z.string() })),
  author: z.object({ id: z.number(), name: z.string(), kind: z.enum(['person', 'service']) }),
});
export type StreamNote = z.infer<typeof StreamNote>;

const MOST_NOTES = 100;
/** Limit for the comments of a page with their originals: more would block the event loop (behaviour §15.11). */
const MOST_CHARACTERS = 200_000;

export const mayHaveOlder = (notes: readonly StreamNote[]): boolean =>
  notes.length === MOST_NOTES ||
  notes.reduce((sum, { body, originalBody }) => sum + body.length + (originalBody?.length ?? 0), 0) >= MOST_CHARACTERS;

/** JSON of the latest StreamNotes before `until`, newest first. For `access` and the item `i`. Null without comments:read. */
export const streamNotesJson = (
  caller: Caller,
  until: string | null,
) => sql.fragment`case when access.context_rights & ${COMMENTS_READ} <> 0 then (
  select coalesce(json_agg(row_to_json(told) order by c.created_at desc, c.id desc), '[]')
  from (select *, sum(length(body) + coalesce(length(original_body), 0)) over (order by created_at desc, id desc
      rows between unbounded preceding and 1 preceding) as characters_after
    from (select * from comments c where c.item_id = i.id and (${until}::timestamptz is null or c.created_at < ${until}::timestamptz)
      order by c.created_at desc, c.id desc limit ${MOST_NOTES}) latest) c
    join lateral (select u.id, u.name, row_to_json(named) as person from users u cross join lateral (select u.id, u.name, u.kind) named where u.id = c.author_id) u on true
    cross join lateral (select c.id, c.body, ${createdAt} as "createdAt", u.name as "authorName", u.person as author,
      c.original_body is not null as rewritten, case when c.edited_at is null or ${readsEarlierTexts(caller, sql.fragment`c.written_in`)} then c.original_body end as "originalBody",
      c.edited_at is not null as edited, coalesce((select json_agg(json_build_object('reaction', r.reaction, 'userId', r.user_id, 'name', p.name)
        order by r.created_at, r.user_id) from comment_reactions r join users p on p.id = r.user_id where r.comment_id = c.id), '[]') as reactions) told
  where coalesce(c.characters_after, 0) < ${MOST_CHARACTERS}
) end`;
