/** Renews the forecasts of a workspace after a change (behaviour §6.25, §6.26). */
import { z } from 'zod';
import type { Db } from '../../database/db.ts';
import { sqlState } from '../../operations/refusals.ts';
import { enqueue, type Later, markForecastOf } from '../../queue/jobs.ts';
import {
  awaitWriters,
  countRenewal,
  endRenewal,
  enqueueAccountSnapshots,
  enqueueDailySnapshots,
  enqueueRenewals,
  enqueueSharedSnapshots,
  enqueueTrends,
  readRenewal,
  takeMark,
} from './renewQueries.ts';

const PATIENCE_MS = 300;

/** Removes the mark first, so that later changes set it again. */
export async function snapshotWorkspace(db: Db, workspaceId: number): Promise<void> {
  const { settled, since } = await settle(db, workspaceId);
  await enqueueRenewals(db.pool(), workspaceId, since);
  if (!settled) await markForecastOf(db.pool(), workspaceId);
}

/** Renews one forecast of the account, then waits for its next turn, after the other accounts, until none is left. */
export async function renewForecasts(db: Db, computations: Computations, accountId: number, signal: AbortSignal): Promise<void> {
  const later = (start: Later = {}) =>
    enqueue(db.pool(), 'renew_forecasts', { accountId }, { ...start, key: `renew_forecasts:${accountId}`, about: { account: accountId } });
  const next = await readRenewal(db.pool(), accountId);
  if (!next) return;
  if (next.waitsUntil !== null) return later({ runAt: next.waitsUntil });
  const outcome = await computations.snapshot(next, signal);
  if (outcome === 'later') return later({ delaySeconds: 1 });
  if (outcome === 'computed') await countRenewal(db.pool(), next.forecastId);
  await endRenewal(db.pool(), next);
  await later();
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

/** Scheduled jobs. They only enqueue: a job of its own computes each forecast. */
const PAGE = 500;

export async function renewDaily(db: Db, signal: AbortSignal): Promise<void> {
  await everyPage(signal, (after) => enqueueAccountSnapshots(db.pool(), after, PAGE));
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

// Computations that would block a worker's event loop for seconds (behaviour §6.24). A thread runs them, with computing/.

/** `later`: another worker computes it, or a change meanwhile made it out of date. `gone`: the forecast was deleted. */
export const Outcome = z.enum(['computed', 'fresh', 'later', 'gone']);
export type Outcome = z.infer<typeof Outcome>;

export interface ForecastRequest {
  forecastId: number;
  /** ISO instant. The snapshot must include everything committed by then. Null: any snapshot of today is enough. */
  since: string | null;
}

export interface TrendRequest {
  workspaceId: number;
  /** Monday of the points, YYYY-MM-DD. */
  day: string;
}

/** `signal` aborts a computation. It then stores nothing. */
export interface Computations {
  snapshot(wanted: ForecastRequest, signal: AbortSignal): Promise<Outcome>;
  trendPoints(wanted: TrendRequest, signal: AbortSignal): Promise<void>;
}
