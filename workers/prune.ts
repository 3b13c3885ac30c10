/** Deletes rows past their retention, in batches. Safe to run twice and to interrupt: the next run continues. */
import type { Db } from '../src/database/db.ts';
import { deleteBatch, expiringTables, type Retention } from './pruneQueries.ts';

export async function pruneAll(db: Db, config: Retention, signal?: AbortSignal): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for (const expiringTable of expiringTables(config)) {
    for (let more = true; more; ) {
      signal?.throwIfAborted();
      const batch = await deleteBatch(db.pool(), expiringTable);
      if (batch.deleted > 0) rows[expiringTable.table] = (rows[expiringTable.table] ?? 0) + batch.deleted;
      more = batch.more;
    }
  }
  return rows;
}
