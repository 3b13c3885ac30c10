import { deleteBatch, perishables } from '../pruneQueries.ts';
import type { Task } from '../task.ts';

/** Harmless when it runs twice, or is cut short: the next hour goes on. */
const prune: Task<'prune'> = async (_payload, { db, log, signal }) => {
  for (const perishable of perishables) {
    let total = 0;
    for (let more = true; more; ) {
      signal.throwIfAborted();
      const batch = await deleteBatch(db.pool(), perishable);
      total += batch.deleted;
      more = batch.more;
    }
    if (total > 0) log.info({ table: perishable.table, rows: total }, 'pruned');
  }
};

export default prune;
