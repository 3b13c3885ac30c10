/** SQL about which workspaces a caller may oversee. */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessToAll } from '../access/queries.ts';
import { CAPACITY_RIGHTS } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';

const ScopeChoice = z.object({ id: z.number(), name: z.string() });
export type ScopeChoice = z.infer<typeof ScopeChoice>;

export function readScopes(tx: Tx, caller: Caller): Promise<readonly ScopeChoice[]> {
  return tx.any(sql.type(ScopeChoice)`
    with ${accessToAll(caller)}
    select w.id, w.name from access join workspaces w on w.id = access.workspace_id
    where access.rights & ${CAPACITY_RIGHTS} = ${CAPACITY_RIGHTS} order by lower(w.name), w.id`);
}
