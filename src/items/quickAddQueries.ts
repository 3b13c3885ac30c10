import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessTo, isVisible } from '../access/queries.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import { ItemLabel } from '../workspaces/labelSchema.ts';
import { optionsJson, readableTypes } from '../workspaces/queries.ts';
import { Options } from '../workspaces/schema.ts';
import { LinkChoice } from './placeQueries.ts';
import { offeredLabelsJson } from './relationQueries.ts';

const Around = z.object({
  workspace_id: z.number().nullable(),
  rights: z.number(),
  user_id: z.number(),
  options: Options,
  labels: z.array(ItemLabel),
  targets: z.array(LinkChoice),
});

/** Throws Unauthenticated; Forbidden if the caller is not a member. */
export async function readQuickContext(tx: Tx, caller: Caller, workspaceId: number, ids: readonly number[]) {
  const row = await tx.maybeOne(sql.type(Around)`
    with ${accessTo(caller, workspaceId)}, readable as (select ${readableTypes} as types from access)
    select access.workspace_id, access.rights, access.user_id, ${optionsJson} as options, ${offeredLabelsJson} as labels,
      (select coalesce(json_agg(json_build_object('id', i.id, 'type', i.type, 'title', i.title)), '[]') from items i
        where i.id = any(${sql.array([...ids], 'int8')}) and i.workspace_id = access.workspace_id and ${isVisible('i', 'access.context_rights')}) as targets
    from access cross join readable`);
  if (!row) throw new CredentialRefused();
  if (row.workspace_id === null) throw new Forbidden();
  return row;
}
