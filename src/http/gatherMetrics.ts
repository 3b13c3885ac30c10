/** METRICS_GATHER=database: /metrics of any process returns the stored metrics of all, for platforms with a router in front. */
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { Db } from '../database/db.ts';
import { readMetrics, storeMetrics } from './metricsQueries.ts';

/** Several times in the minute after which a process counts as ended. */
const EVERY_MS = 10_000;

const self = `${hostname()} ${process.pid}`;

/** Stores the metrics until `signal` is aborted. Retries after database errors. */
export async function publishMetrics(db: Pick<Db, 'pool'>, registry: Registry, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await storeOwnMetrics(db, registry).catch(() => {});
    await sleep(EVERY_MS, undefined, { signal, ref: false }).catch(() => {});
  }
}

async function storeOwnMetrics(db: Pick<Db, 'pool'>, registry: Registry): Promise<void> {
  await storeMetrics(db.pool(), self, JSON.stringify(await registry.getMetricsAsJSON()));
}

/** Labelled by `process`, and stored ones only: Prometheus takes any drop of a sum or a counter for a restart. */
export async function gatherMetrics(db: Db): Promise<string> {
  const kept = await readMetrics(db.pool());
  const labelled = kept.map(({ process, metrics }) =>
    metrics.map((metric) => ({ ...metric, values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, process } })) })),
  );
  return AggregatorRegistry.aggregate(labelled as never).metrics();
}
