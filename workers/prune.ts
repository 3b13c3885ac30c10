/** Deletes rows past their retention, in batches. Safe to run twice and to interrupt: the next run continues. */
import type { Db } from '../src/database/db.ts';
import { deleteBatch, type ExpiringTable, expiringTables, type Retention } from './pruneQueries.ts';

/** A table that fails stops no other: the error is thrown at the end. */
export async function pruneAll(db: Db, config: Retention, signal?: AbortSignal): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  const failures: unknown[] = [];
  for (const expiringTable of expiringTables(config)) {
    try {
      const deleted = await pruneTable(db, expiringTable, signal);
      if (deleted > 0) rows[expiringTable.table] = deleted;
    } catch (error) {
      signal?.throwIfAborted();
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return rows;
}

async function pruneTable(db: Db, expiringTable: ExpiringTable, signal?: AbortSignal): Promise<number> {
  let all = 0;
  for (let more = true; more; ) {
    signal?.throwIfAborted();
    const batch = await deleteBatch(db.pool(), expiringTable);
    all += batch.deleted;
    more = batch.more;
  }
  return all;
}
