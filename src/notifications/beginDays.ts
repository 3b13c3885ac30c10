/** A person's day begins at eight in their zone: they are told what is due, and their digest is handed over to a job of its own (behaviour
 *  §10.22, §10.24). */
import type { Db } from '../database/db.ts';
import { beginDaysOfSome } from './dayQueries.ts';

/** Goes on until nobody is left whose day has come so far. Harmless when it runs twice, or is cut short: the next quarter of an hour goes on. */
export async function beginDays(db: Db, signal: AbortSignal): Promise<void> {
  for (let begun = 1; begun > 0; ) {
    signal.throwIfAborted();
    begun = await db.transaction(beginDaysOfSome);
  }
}
