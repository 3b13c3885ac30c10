import type { Tx } from '../../database/db.ts';
import type { Listens } from '../../database/listen.ts';
import { SNAPSHOT_CHANNEL } from './computing/storeQueries.ts';
import { type Missing, requestSnapshot } from './queries.ts';

/** Requests a missing snapshot and repeats `look` until it is `wanted` or the time ends. Each `look` checks access again. */
export async function onceComputed<Found extends { forecastId: number } | Missing | null>(
  tx: Tx,
  look: () => Promise<Found>,
  listener: Listens,
  waitMs: number,
  wanted = (found: Found): boolean => !isMissing(found),
): Promise<Found> {
  const end = performance.now() + waitMs;
  let found = await look();
  if (found === null || wanted(found)) return found;
  const forecastId = 'forecastId' in found ? found.forecastId : await requestSnapshot(tx, found);
  for (;;) {
    const waiting = await listener.listen(SNAPSHOT_CHANNEL, String(forecastId));
    try {
      found = await look();
      const left = end - performance.now();
      if (found === null || wanted(found) || left <= 0) return found;
      await waiting.within(left);
    } finally {
      waiting.end();
    }
  }
}

export const isMissing = <Found extends object | null>(found: Found): found is Extract<Found, Missing> =>
  found !== null && 'workspaceIds' in found;
