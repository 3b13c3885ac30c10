/** Renews the forecasts of a workspace after a change (behaviour §6.25, §6.26). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../database/db.ts';
import { markForecastOf } from '../../queue/jobs.ts';
import type { Computations } from './computations.ts';
import { anyRuns, forecastsToRenew, takeMark } from './renewQueries.ts';

const LOOK_MS = 10;
const PATIENCE_MS = 300;

/** Takes the mark away, then computes: a change that comes in between sets the mark again, and with it the next job. What can't be
 *  computed now is marked once more. */
export async function snapshotWorkspace(db: Db, computations: Computations, workspaceId: number, signal: AbortSignal): Promise<void> {
  const { settled, since } = await settle(db, workspaceId, signal);
  let later = !settled;
  for (const forecastId of await forecastsToRenew(db.pool(), workspaceId, since)) {
    const outcome = await computations.snapshot({ forecastId, since }, signal);
    if (outcome === 'later') later = true;
  }
  if (later) await markForecastOf(db.pool(), workspaceId);
}

/** Takes the mark away, and waits for the changes that found it still there to be committed: without it they would be in no snapshot. */
async function settle(db: Db, workspaceId: number, signal: AbortSignal): Promise<{ settled: boolean; since: string }> {
  const writers = await takeMark(db.pool(), workspaceId);
  for (const end = performance.now() + PATIENCE_MS; ; await sleep(LOOK_MS, undefined, { signal })) {
    const { running, now } = await anyRuns(db.pool(), workspaceId, writers);
    if (!running || performance.now() > end) return { settled: !running, since: now };
  }
}
