/** The jobs of the calendar: they only enqueue, page by page, so that each forecast is computed by a job of its own. */
import type { Db } from '../../database/db.ts';
import { enqueue } from '../../queue/jobs.ts';
import { enqueueDailySnapshots, enqueueSharedSnapshots, enqueueTrends } from './renewQueries.ts';

const PAGE = 500;

/** The first snapshots of the day. */
export async function renewDaily(db: Db, signal: AbortSignal): Promise<void> {
  await enqueueSharedSnapshots(db.pool());
  await everyPage(signal, (after) => enqueueDailySnapshots(db.pool(), after, PAGE));
}

/** The trend points of a Monday, also of one that is caught up late. */
export function keepTrendsOf(db: Db, day: string, signal: AbortSignal): Promise<void> {
  return everyPage(signal, (after) => enqueueTrends(db.pool(), day, after, PAGE));
}

async function everyPage(signal: AbortSignal, enqueuePage: (after: number) => Promise<number | null>): Promise<void> {
  for (let after: number | null = 0; after !== null; ) {
    signal.throwIfAborted();
    after = await enqueuePage(after);
  }
}

/** Another worker computes it: should that one die, somebody has to look again. */
export async function lookAgain(db: Db, forecastId: number): Promise<void> {
  await enqueue(db.pool(), 'snapshot_forecast', { forecastId }, { delaySeconds: 1, key: `snapshot_forecast:${forecastId}` });
}
