/** Deletes rows past their retention, in batches. Safe to run twice and to interrupt: the next run continues. */
import type { Db } from '../src/database/db.ts';
import { deleteBatch, perishables, type Retention } from './pruneQueries.ts';

export async function pruneAll(db: Db, config: Retention, signal?: AbortSignal): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for (const perishable of perishables(config)) {
    for (let more = true; more; ) {
      signal?.throwIfAborted();
      const batch = await deleteBatch(db.pool(), perishable);
      if (batch.deleted > 0) rows[perishable.table] = (rows[perishable.table] ?? 0) + batch.deleted;
      more = batch.more;
    }
  }
  return rows;
}
