import { z } from 'zod';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';

/** New changes sort after everything that readers of changes have seen (behaviour §15.5). */
export async function beginEra(tx: Tx): Promise<void> {
  await tx.query(sql.unsafe`select begin_change_era()`);
}

const Count = z.object({ count: z.number() });

export const countSessions = (tx: Tx): Promise<number> =>
  tx.oneFirst(sql.type(Count)`select count(*) from sessions where expires_at > now() and last_used_at > now() - interval '7 days'`);

const Account = z.object({ id: z.number() });

export const endEverySession = (tx: Tx): Promise<readonly number[]> =>
  tx.anyFirst(sql.type(Account)`
    with ended as (delete from sessions returning account_id) select distinct account_id as id from ended order by 1`);
