/** SQL that reads changes without checking rights: for workers, which check them before they notify anyone, and for the operator. */
import { z } from 'zod';
import { vias } from '../access/via.ts';
import { type Fragment, fixedSql, instantText, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { Cursor } from './cursor.ts';
import { ChangedFields, changeKinds } from './schema.ts';

/** Rows `c` after the cursor and before all running transactions, so no row can appear before them later. */
export const settledAfter = ({ era, xact, id }: Cursor): Fragment => sql.fragment`
  (c.era, c.xact, c.id) > (${era}::integer, ${xact}::xid8, ${id}::bigint)
  and (c.era, c.xact) < (change_era(), pg_snapshot_xmin(pg_current_snapshot()))`;

const inOrder = fixedSql('c.era, c.xact, c.id');

/** The column is in the comparison and in the order, so that a generic plan uses the matching index. */
export const settledIn = (place: 'workspace_id' | 'item_id', value: Fragment, { era, xact, id }: Cursor): Fragment => sql.fragment`
  (${columnOf[place]}, c.era, c.xact, c.id) > (${value}, ${era}::integer, ${xact}::xid8, ${id}::bigint)
  and (${columnOf[place]}, c.era, c.xact) < (${value}, change_era(), pg_snapshot_xmin(pg_current_snapshot()))`;

const columnOf = { workspace_id: fixedSql('c.workspace_id'), item_id: fixedSql('c.item_id') };

export const inOrderIn = {
  workspace_id: fixedSql('c.workspace_id, c.era, c.xact, c.id'),
  item_id: fixedSql('c.item_id, c.era, c.xact, c.id'),
};

export const placeJson = fixedSql(`json_build_object('era', c.era::text, 'xact', c.xact::text, 'id', c.id::text)`);
export const changedAtText = fixedSql(instantText('c.at'));

const Row = z.object({
  place: Cursor,
  id: z.number(),
  accountId: z.number(),
  workspaceId: z.number(),
  itemId: z.number(),
  at: z.string(),
  actorId: z.number(),
  via: z.enum(vias),
  credentialId: z.number().nullable(),
  credentialName: z.string().nullable(),
  kind: z.enum(changeKinds),
  version: z.number(),
  commentId: z.number().nullable(),
  fields: ChangedFields,
});
export type ChangeRow = z.infer<typeof Row>;

/** At most `limit` changes of all workspaces, oldest first. Continuing from the last `place` skips none, whenever transactions commit. */
export function readAllChanges(tx: Tx, after: Cursor, limit: number): Promise<readonly ChangeRow[]> {
  return tx.any(sql.type(Row)`
    select ${placeJson} as place, c.id, c.account_id as "accountId", c.workspace_id as "workspaceId", c.item_id as "itemId", ${changedAtText} as at,
      c.actor_id as "actorId", c.via, c.credential_id as "credentialId", c.credential_name as "credentialName", c.kind, c.version,
      c.comment_id as "commentId", c.fields
    from changes c where ${settledAfter(after)} order by ${inOrder} limit ${limit}`);
}
