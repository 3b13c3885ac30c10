/** Waiting for a forecast that nobody has looked at today. */
import type { Tx } from '../../database/db.ts';
import type { Listens } from '../../database/listen.ts';
import { SNAPSHOT_CHANNEL } from './computing/storeQueries.ts';
import { askForSnapshot, type Missing } from './queries.ts';

/** Has what a look misses computed, and looks again when it is there or the time is over: then what is missing is the answer. Access is
 *  decided again by each look. */
export async function onceComputed<Found extends object | null>(
  tx: Tx,
  look: () => Promise<Found>,
  listener: Listens,
  waitMs: number,
): Promise<Found> {
  const end = performance.now() + waitMs;
  let found = await look();
  if (!isMissing(found)) return found;
  const forecastId = await askForSnapshot(tx, found);
  for (;;) {
    const waiting = await listener.listen(SNAPSHOT_CHANNEL, String(forecastId));
    try {
      found = await look();
      const left = end - performance.now();
      if (!isMissing(found) || left <= 0) return found;
      await waiting.within(left);
    } finally {
      waiting.end();
    }
  }
}

export const isMissing = <Found extends object | null>(found: Found): found is Extract<Found, Missing> =>
  found !== null && 'workspaceIds' in found;
