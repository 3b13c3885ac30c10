/** METRICS_GATHER=database: each process leaves its figures in the database, so that whichever answers /metrics tells those of all. For
 *  platforms on which a single process behind the router can't be reached. */
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { Db } from '../database/db.ts';
import { keepMetrics, metricsOfOthers } from './metricsQueries.ts';

/** Several times within the minute after which a process counts as gone. */
const EVERY_MS = 10_000;

const self = `${hostname()} ${process.pid}`;

/** Leaves the figures in the database until `signal` is aborted. An outage is waited out. */
export async function leaveMetrics(db: Pick<Db, 'pool'>, registry: Registry, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await keep(db, registry).catch(() => {});
    await sleep(EVERY_MS, undefined, { signal, ref: false }).catch(() => {});
  }
}

async function keep(db: Pick<Db, 'pool'>, registry: Registry): Promise<void> {
  await keepMetrics(db.pool(), self, JSON.stringify(await registry.getMetricsAsJSON()));
}

/** This process's figures as they are now, with those that the others left: counters and histograms are sums. */
export async function gatherMetrics(db: Db, registry: Registry): Promise<string> {
  const own = await registry.getMetricsAsJSON();
  return AggregatorRegistry.aggregate([own, ...(await metricsOfOthers(db.pool(), self))] as never).metrics();
}
