/** Scheduled jobs. They only enqueue: a job of its own computes each forecast. */
import type { Db } from '../../database/db.ts';
import { enqueue } from '../../queue/jobs.ts';
import { enqueueDailySnapshots, enqueueSharedSnapshots, enqueueTrends } from './renewQueries.ts';

const PAGE = 500;

export async function renewDaily(db: Db, signal: AbortSignal): Promise<void> {
  await enqueueSharedSnapshots(db.pool());
  await everyPage(signal, (after) => enqueueDailySnapshots(db.pool(), after, PAGE));
}

export function keepTrendsOf(db: Db, day: string, signal: AbortSignal): Promise<void> {
  return everyPage(signal, (after) => enqueueTrends(db.pool(), day, after, PAGE));
}

async function everyPage(signal: AbortSignal, enqueuePage: (after: number) => Promise<number | null>): Promise<void> {
  for (let after: number | null = 0; after !== null; ) {
    signal.throwIfAborted();
    after = await enqueuePage(after);
  }
}

/** Another worker computes the snapshot. This job checks again, in case that worker dies. */
export async function recheckSnapshot(db: Db, forecastId: number): Promise<void> {
  await enqueue(db.pool(), 'snapshot_forecast', { forecastId }, { delaySeconds: 1, key: `snapshot_forecast:${forecastId}` });
}
