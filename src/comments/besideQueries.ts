import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import { accessTo } from '../access/queries.ts';
import { bits, type ItemType, resourceOf } from '../access/rights.ts';
import { recordComment } from '../changes/recordQueries.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { visibleById } from '../items/lookupQueries.ts';
import { Forbidden, RewriteUnavailable } from '../values/errors.ts';
import type { Rewritten } from './rewrite/awaitRewrite.ts';

const COMMENTS_WRITE = bits('comments', 'write');

export interface NewNote {
  itemId: number;
  itemType: ItemType;
  body: string;
  rewritten: Rewritten | null;
}

const Saved = z.object({ taken: z.number(), notes: z.array(z.object({ id: z.number(), itemId: z.number() })) });

/** Saves progress notes, all or none, with their rows of changes. Throws Forbidden if the caller has lost the rights (behaviour §8.2), and
 *  RewriteUnavailable if a rewriting has expired: its row must still be there. */
export async function insertProgressNotes(tx: Tx, permit: Permit, notes: readonly NewNote[]) {
  const needed = notes.reduce((all, { itemType }) => all | bits(resourceOf(itemType), 'write'), 0);
  const rewrites = notes.flatMap(({ rewritten }) => (rewritten ? [rewritten.rewriteId] : []));
  const rows = notes.map(({ itemId, body, rewritten }) => ({
    id: itemId,
    body: rewritten?.body ?? body,
    original: rewritten ? body : null,
  }));
  const { taken, notes: saved } = await tx.one(sql.type(Saved)`
    with ${accessTo(permit.caller, permit.workspaceId)},
    taken as (delete from note_rewrites where id = any(${sql.array(rewrites, 'int8')}) and state = 'done' returning id),
    saved as (
      insert into comments (account_id, workspace_id, item_id, author_id, body, original_body)
      select access.account_id, access.workspace_id, i.id, access.user_id, n.body, n.original
      from access, json_to_recordset(${JSON.stringify(rows)}::json) as n (id bigint, body text, original text)
        cross join lateral (select * from items one where one.id = n.id limit 1) i
      where ${visibleById} and access.delegated_rights & ${needed} = ${needed} and access.context_rights & ${COMMENTS_WRITE} = ${COMMENTS_WRITE}
      order by i.id
      returning *
    ),
    ${recordComment(permit.caller)}
    select (select count(*) from taken) as taken,
      (select coalesce(json_agg(json_build_object('id', saved.id, 'itemId', saved.item_id) order by saved.id), '[]') from saved) as notes`);
  if (saved.length < notes.length) throw new Forbidden();
  if (taken < rewrites.length) throw new RewriteUnavailable();
  return saved;
}
