/** Renews the forecasts of a workspace after a change (behaviour §6.25, §6.26). */
import type { Db } from '../../database/db.ts';
import { sqlState } from '../../operations/refusals.ts';
import { markForecastOf } from '../../queue/jobs.ts';
import type { Computations } from './computations.ts';
import { awaitWriters, forecastsToRenew, takeMark } from './renewQueries.ts';

const PATIENCE_MS = 300;

/** Removes the mark before computing, so a change meanwhile sets it again. Sets it again if a forecast can't be computed now. */
export async function snapshotWorkspace(db: Db, computations: Computations, workspaceId: number, signal: AbortSignal): Promise<void> {
  const { settled, since } = await settle(db, workspaceId);
  let later = !settled;
  for (const forecastId of await forecastsToRenew(db.pool(), workspaceId, since)) {
    const outcome = await computations.snapshot({ forecastId, since }, signal);
    if (outcome === 'later') later = true;
  }
  if (later) await markForecastOf(db.pool(), workspaceId);
}

/** Removes the mark and waits for transactions that found it set. Without the wait their changes would be in no snapshot. */
async function settle(db: Db, workspaceId: number): Promise<{ settled: boolean; since: string }> {
  const taken = await takeMark(db.pool(), workspaceId);
  try {
    return { settled: true, since: await awaitWriters(db.pool(), workspaceId, PATIENCE_MS) };
  } catch (error) {
    if (sqlState(error) === '55P03') return { settled: false, since: taken };
    throw error;
  }
}
