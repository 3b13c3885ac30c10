/** SQL about progress notes: comments that agents write and read, with author and the original of a rewritten text (behaviour §8.3). */
import { z } from 'zod';
import { visibleById, workspaceOf } from '../access/accountAccessQueries.ts';
import type { Caller, Permit } from '../access/caller.ts';
import { AccessRow, accessTo, permitOf } from '../access/queries.ts';
import { bits, COMMENTS_READ, COMMENTS_WRITE, type ItemType, itemTypes, resourceOf } from '../access/rights.ts';
import { recordComment } from '../changes/recordQueries.ts';
import { fixedSql, instantText, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { CredentialRefused, Forbidden, RewriteUnavailable } from '../values/errors.ts';
import type { Rewritten } from './rewrite/awaitRewrite.ts';
import { takeRewrites } from './rewrite/queries.ts';

const noteJson = (withOriginal: boolean) =>
  fixedSql(`json_strip_nulls(json_build_object('id', c.id, 'body', c.body, 'createdAt', ${instantText('c.created_at')}, 'authorName', u.name,
    'rewritten', c.original_body is not null${withOriginal ? ", 'originalBody', case when c.edited_at is null then c.original_body end" : ''}))`);

/** JSON of an item's latest 100 notes, for a statement with `access` and the item `i`. Null without the right to read comments. */
export const notesJson = (includeOriginals: boolean) => sql.fragment`case when access.context_rights & ${COMMENTS_READ} <> 0 then (
  select coalesce(json_agg(${noteJson(includeOriginals)} order by c.created_at desc, c.id desc), '[]')
  from (select * from comments where item_id = i.id order by created_at desc, id desc limit 100) c join users u on u.id = c.author_id
) end`;

const Target = AccessRow.extend({ delegated_rights: z.number(), item_type: z.enum(itemTypes).nullable(), plain_language: z.boolean() });

/** Rights for notes, type of the visible item, plain language of the connection. Throws Unauthenticated, Forbidden. */
export async function readProgressNoteTarget(tx: Tx, caller: Caller, itemId: number) {
  const row = await tx.maybeOne(sql.type(Target)`
    with ${accessTo(caller, workspaceOf(itemId))}
    select access.account_id, access.user_id, access.workspace_id, access.rights, access.context_rights, access.delegated_rights,
           (select i.type from items i where i.id = ${itemId} and ${visibleById}) as item_type,
           (select c.plain_language from connections c where c.id = access.credential_id) as plain_language
    from access`);
  if (!row) throw new CredentialRefused();
  if (row.workspace_id === null || row.item_type === null) throw new Forbidden();
  return {
    ...permitOf(caller, row, row.workspace_id),
    delegatedRights: row.delegated_rights,
    itemType: row.item_type,
    plainLanguage: row.plain_language,
  };
}

const WrittenProgressNote = z.object({
  id: z.number(),
  itemId: z.number(),
  body: z.string(),
  createdAt: z.string(),
  rewritten: z.boolean(),
});
export type WrittenProgressNote = z.infer<typeof WrittenProgressNote>;
const written = sql.fragment`c.id, c.item_id as "itemId", c.body, c.created_at as "createdAt", c.original_body is not null as rewritten`;

export interface NewNote {
  itemId: number;
  itemType: ItemType;
  body: string;
  rewritten: Rewritten | null;
}

/** Saves notes, all or none, by the ids of their items. Checks the rights again. Throws Forbidden, and RewriteUnavailable if a rewriting
 *  has expired. */
export async function insertProgressNotes(tx: Tx, permit: Permit, notes: readonly NewNote[]): Promise<readonly WrittenProgressNote[]> {
  const rewrites = notes.flatMap(({ rewritten }) => rewritten?.rewriteId ?? []);
  if (rewrites.length && !(await takeRewrites(tx, rewrites))) throw new RewriteUnavailable();
  const needed = notes.reduce((all, { itemType }) => all | bits(resourceOf(itemType), 'write'), 0);
  const rows = notes.map(({ itemId, body, rewritten }) => ({ id: itemId, body: rewritten?.body ?? body, original: rewritten && body }));
  const saved = await tx.any(sql.type(WrittenProgressNote)`
    with ${accessTo(permit.caller, permit.workspaceId)},
    saved as (
      insert into comments (account_id, workspace_id, item_id, author_id, body, original_body)
      select access.account_id, access.workspace_id, i.id, access.user_id, link.body, link.original
      from access, json_to_recordset(${JSON.stringify(rows)}::json) as link (id bigint, body text, original text)
        cross join lateral (select * from items one where one.id = link.id limit 1) i
      where ${visibleById} and access.delegated_rights & ${needed} = ${needed} and access.context_rights & ${COMMENTS_WRITE} = ${COMMENTS_WRITE}
      order by i.id
      returning *
    ),
    ${recordComment(permit.caller)}
    select ${written} from saved c order by c.id`);
  if (saved.length < notes.length) throw new Forbidden();
  return saved;
}

/** Null if it has been deleted. */
export const readProgressNote = (tx: Tx, { workspaceId }: Permit, { id, itemId }: ProgressNoteIds): Promise<WrittenProgressNote | null> =>
  tx.maybeOne(sql.type(WrittenProgressNote)`
    select ${written} from comments c where c.id = ${id} and c.item_id = ${itemId} and c.workspace_id = ${workspaceId}`);

/** The parts of a note that receipts contain. */
export interface ProgressNoteIds {
  id: number;
  itemId: number;
}
