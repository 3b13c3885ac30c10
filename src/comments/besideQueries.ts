/** SQL of notes that are saved together with a change of their items (behaviour §7.27, §7.38). */
import type { Permit } from '../access/caller.ts';
import { bits, type ItemType, resourceOf } from '../access/rights.ts';
import { recordNotes } from '../changes/recordQueries.ts';
import { sql } from '../database/sql.ts';
import type { Beside } from '../items/writeQueries.ts';
import type { Rewritten } from './rewrite/awaitRewrite.ts';

const COMMENTS_WRITE = bits('comments', 'write');

export interface NoteBeside {
  itemId: number;
  itemType: ItemType;
  body: string;
  rewritten: Rewritten | null;
}

export function notesBeside({ caller }: Permit, notes: readonly NoteBeside[]): Beside {
  const needed = notes.reduce((all, { itemType }) => all | bits(resourceOf(itemType), 'write'), 0);
  const rewrites = notes.flatMap(({ rewritten }) => (rewritten ? [rewritten.rewriteId] : []));
  const rows = notes.map(({ itemId, body, rewritten }) => ({
    id: itemId,
    body: rewritten?.body ?? body,
    original: rewritten ? body : null,
  }));
  const taken = sql.fragment`taken as (delete from note_rewrites where id = any(${sql.array(rewrites, 'int8')}) and state = 'done' returning id),`;
  const areTaken = sql.fragment`and (select count(*) from taken) = ${rewrites.length}`;
  return {
    first: rewrites.length ? taken : sql.fragment``,
    condition: sql.fragment`access.delegated_rights & ${needed} = ${needed} and access.context_rights & ${COMMENTS_WRITE} = ${COMMENTS_WRITE}
      ${rewrites.length ? areTaken : sql.fragment``}`,
    record: sql.fragment`
      noted as (
        insert into comments (account_id, workspace_id, item_id, author_id, body, original_body)
        select placed.account_id, placed.workspace_id, placed.id, access.user_id, n.body, n.original
        from placed join json_to_recordset(${JSON.stringify(rows)}::json) as n (id bigint, body text, original text) on n.id = placed.id, access
        order by placed.id
        returning *
      ),
      ${recordNotes(caller)}`,
    result: sql.fragment`(select json_build_object('id', noted.id, 'itemId', noted.item_id) from noted order by noted.id limit 1)`,
  };
}
