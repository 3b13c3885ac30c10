/** SQL of `changes`, without checks of rights: the operator may see everything. */
import { z } from 'zod';
import { Cursor } from '../changes/cursor.ts';
import { changedAtText, inOrderIn, placeJson, settledIn } from '../changes/readQueries.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';

const Line = z.object({ line: z.string(), place: Cursor });
export type Line = z.infer<typeof Line>;

const PAGE = 1_000;

export function readLines(tx: Tx, workspaceId: number, since: string, after: Cursor): Promise<readonly Line[]> {
  return tx.any(sql.type(Line)`
    select (json_build_object('id', c.id, 'at', ${changedAtText}, 'kind', c.kind, 'itemId', c.item_id, 'type', i.type, 'title', i.title,
        'version', c.version, 'actor', json_build_object('id', u.id, 'name', u.name), 'via', c.via, 'keyName', c.credential_name,
        'commentId', c.comment_id, 'fields', c.fields))::text as line,
      ${placeJson} as place
    from changes c join items i on i.id = c.item_id join users u on u.id = c.actor_id
    where ${settledIn('workspace_id', sql.fragment`${workspaceId}::bigint`, after)} and c.at >= ${since}::timestamptz
    order by ${inOrderIn.workspace_id} limit ${PAGE}`);
}

const Exists = z.object({ exists: z.boolean() });

export const hasWorkspace = (tx: Tx, id: number): Promise<boolean> =>
  tx.oneFirst(sql.type(Exists)`select exists (select from workspaces where id = ${id})`);
