/** SQL about what kind of user somebody is. */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { whoAsks } from '../access/queries.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';

const Row = z.object({ id: z.number() });

export const readServices = (tx: Tx, caller: Caller, ids: readonly number[]): Promise<readonly number[]> =>
  tx.anyFirst(sql.type(Row)`
    with ${whoAsks(caller)}
    select u.id from who join users u on u.account_id = who.account_id
    where u.id = any(${sql.array([...ids], 'int8')}) and u.kind = 'service'`);
