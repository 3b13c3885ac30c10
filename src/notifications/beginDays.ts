/** At 08:00 in their time zone, users get notifications of due work and their digest (behaviour §10.22, §10.24). */
import type { Db } from '../database/db.ts';
import { beginDaysBatch } from './dayQueries.ts';

/** Repeats until all users whose day has begun are done. Safe to run twice or to interrupt: the run 15 minutes later continues. */
export async function beginDays(db: Db, signal: AbortSignal): Promise<void> {
  for (let begun = 1; begun > 0; ) {
    signal.throwIfAborted();
    begun = await db.transaction(beginDaysBatch);
  }
}
