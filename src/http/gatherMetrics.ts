/** METRICS_GATHER=database: each process stores its metrics in the database, and whichever answers /metrics returns those of all. For
 *  platforms on which a single process behind the router can't be reached. */
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { Db } from '../database/db.ts';
import { keepMetrics, keptMetrics } from './metricsQueries.ts';

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

/** All processes' metrics as they were stored, with the label `process`. A sum would fall whenever a process ends, and Prometheus would take
 *  that for a restart. So would this process's own latest counts, once another process answers with those that it stored before. */
export async function gatherMetrics(db: Db): Promise<string> {
  const kept = await keptMetrics(db.pool());
  const labelled = kept.map(({ process, metrics }) =>
    metrics.map((metric) => ({ ...metric, values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, process } })) })),
  );
  return AggregatorRegistry.aggregate(labelled as never).metrics();
}
