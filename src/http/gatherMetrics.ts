/** METRICS_GATHER=database: each process stores its metrics in the database, and /metrics of any process returns all. For platforms where
 *  single processes can't be reached behind the router. */
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { Db } from '../database/db.ts';
import { keepMetrics, keptMetrics } from './metricsQueries.ts';

/** Several times in the minute after which a process counts as ended. */
const EVERY_MS = 10_000;

const self = `${hostname()} ${process.pid}`;

/** Stores the metrics until `signal` is aborted. Retries after database errors. */
export async function leaveMetrics(db: Pick<Db, 'pool'>, registry: Registry, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await keep(db, registry).catch(() => {});
    await sleep(EVERY_MS, undefined, { signal, ref: false }).catch(() => {});
  }
}

async function keep(db: Pick<Db, 'pool'>, registry: Registry): Promise<void> {
  await keepMetrics(db.pool(), self, JSON.stringify(await registry.getMetricsAsJSON()));
}

/** Stored metrics of all processes, with the label `process`. A sum would drop when a process ends, and Prometheus would read that as a
 *  restart. Live figures of this process would drop, too, when another process answers with stored ones. */
export async function gatherMetrics(db: Db): Promise<string> {
  const kept = await keptMetrics(db.pool());
  const labelled = kept.map(({ process, metrics }) =>
    metrics.map((metric) => ({ ...metric, values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, process } })) })),
  );
  return AggregatorRegistry.aggregate(labelled as never).metrics();
}
