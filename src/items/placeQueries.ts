import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessToAll } from '../access/queries.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { visible } from './queries.ts';

const Place = z.object({ id: z.number(), workspaceId: z.number(), workspace: z.string() });
export type Place = z.infer<typeof Place>;

export const readPlaces = (tx: Tx, caller: Caller, ids: readonly number[]): Promise<readonly Place[]> =>
  tx.any(sql.type(Place)`
    with ${accessToAll(caller)}
    select i.id, i.workspace_id as "workspaceId", w.name as workspace
    from unnest(${sql.array([...ids], 'int8')}) wanted (id) cross join lateral (select * from items where id = wanted.id limit 1) i
    join access on ${visible} join workspaces w on w.id = i.workspace_id`);
