/** Deletes what is past its time, batch by batch. Harmless when it runs twice, or is cut short: the next hour goes on. */
import type { Db } from '../src/database/db.ts';
import type { Logger } from '../src/log.ts';
import { deleteBatch, type Kept, perishables } from './pruneQueries.ts';

export async function pruneAll(db: Db, log: Logger, config: Kept, signal: AbortSignal): Promise<void> {
  for (const perishable of perishables(config)) {
    let total = 0;
    for (let more = true; more; ) {
      signal.throwIfAborted();
      const batch = await deleteBatch(db.pool(), perishable);
      total += batch.deleted;
      more = batch.more;
    }
    if (total > 0) log.info({ table: perishable.table, rows: total }, 'pruned');
  }
}
