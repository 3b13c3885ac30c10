/** SQL about one commit: its changes, for undo (behaviour §23.3), and its transaction. */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { AccessRow, accessTo } from '../access/queries.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import { Cursor } from './cursor.ts';
import { ChangedFields, changeKinds } from './schema.ts';

export const UNDO_HOURS = 24;

const CommitRow = z.object({ itemId: z.number(), version: z.number(), kind: z.enum(changeKinds), fields: ChangedFields });
export type CommitRow = z.infer<typeof CommitRow>;

const Found = AccessRow.extend({ rows: z.array(CommitRow).nullable(), recent: z.boolean().nullable() });

export interface CommitWanted {
  workspaceId: number;
  itemId: number;
  version: number;
}

/** The caller's changes on a page in this commit, without comments. Throws Unauthenticated, and Forbidden without such a commit. */
export async function readCommit(tx: Tx, caller: Caller, { workspaceId, itemId, version }: CommitWanted) {
  const row = await tx.maybeOne(sql.type(Found)`
    with ${accessTo(caller, workspaceId)},
    made as materialized (
      select c.era, c.xact, c.at from changes c, access
      where c.item_id = ${itemId} and c.version = ${version} and c.kind <> 'comment.created' and c.workspace_id = access.workspace_id
        and c.actor_id = access.user_id and c.via = 'page'
      limit 1
    )
    select access.account_id, access.user_id, access.workspace_id, access.rights, access.context_rights,
      (select made.at > now() - ${UNDO_HOURS} * interval '1 hour' from made) as recent,
      (select json_agg(json_build_object('itemId', c.item_id, 'version', c.version, 'kind', c.kind, 'fields', c.fields) order by c.item_id)
        from made join changes c on (c.workspace_id, c.era, c.xact) = (${workspaceId}::bigint, made.era, made.xact) and c.kind <> 'comment.created') as rows
    from access`);
  if (!row) throw new CredentialRefused();
  if (row.workspace_id === null || !row.rows) throw new Forbidden();
  return { rows: row.rows, recent: row.recent === true };
}

const Own = z.object({ cursor: Cursor });

export const ownTransaction = (tx: Tx): Promise<Cursor> =>
  tx.oneFirst(sql.type(Own)`select json_build_object('era', change_era()::text, 'xact', pg_current_xact_id()::text, 'id', '0') as cursor`);
