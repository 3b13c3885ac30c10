/** SQL of what a line of work can mean: the workspace's words and people, and what it names by its number. */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessTo } from '../access/queries.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import { optionsJson, readableTypes } from '../workspaces/queries.ts';
import type { Options } from '../workspaces/schema.ts';
import { LinkChoice } from './linkChoiceQueries.ts';

const Around = z.object({
  workspace_id: z.number().nullable(),
  rights: z.number(),
  user_id: z.number(),
  // What PostgreSQL made of our own columns is not walked again.
  options: z.custom<z.infer<typeof Options>>(),
  target: LinkChoice.nullable(),
});

/** `below`: the number in the line. Throws Unauthenticated, and Forbidden for who is no member. */
export async function readQuickAround(tx: Tx, caller: Caller, workspaceId: number, below: number | null) {
  const row = await tx.maybeOne(sql.type(Around)`
    with ${accessTo(caller, workspaceId)}, readable as (select ${readableTypes} as types from access)
    select access.workspace_id, access.rights, access.user_id, ${optionsJson} as options,
      (select json_build_object('id', i.id, 'type', i.type, 'title', i.title) from items i
        where i.id = ${below ?? 0} and i.workspace_id = access.workspace_id and i.shown
          and i.needs & access.context_rights = i.needs) as target
    from access cross join readable`);
  if (!row) throw new CredentialRefused();
  if (row.workspace_id === null) throw new Forbidden();
  return row;
}
