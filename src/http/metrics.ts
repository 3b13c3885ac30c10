import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { RewriteFault } from '../comments/rewrite/rewritePending.ts';
import type { Db } from '../database/db.ts';
import { commit, version } from '../values/version.ts';
import { readMetrics, storeMetrics } from './metricsQueries.ts';

/** Outcomes of rewriting a note. Faults of our check count as `refused`. */
const rewriteOutcomes: readonly string[] = [
  'rewritten',
  'not_configured',
  'configuration',
  'server',
  'timeout',
  'answer',
  'aborted',
  'held',
  'refused',
];

export interface PoolLoad {
  inUse: number;
  waiting: number;
}

export class Metrics {
  readonly registry = new Registry();

  readonly #duration = new Histogram({
    name: 'stint_request_duration_seconds',
    help: 'Time to answer a request',
    labelNames: ['operation', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 11],
    registers: [this.registry],
  });
  readonly #unavailable = new Counter({
    name: 'stint_unavailable_total',
    help: 'Requests answered 503, and tool calls answered unavailable',
    labelNames: ['operation'],
    registers: [this.registry],
  });
  readonly #jobsStarted = new Counter({
    name: 'stint_jobs_started_total',
    help: 'Jobs started by this worker, counting each attempt',
    labelNames: ['task'],
    registers: [this.registry],
  });
  readonly #jobsFailed = new Counter({
    name: 'stint_jobs_failed_total',
    help: 'Failed attempts of jobs; final: no attempts left',
    labelNames: ['task', 'final'],
    registers: [this.registry],
  });
  readonly #jobDuration = new Histogram({
    name: 'stint_job_duration_seconds',
    help: 'Duration of jobs that succeeded',
    labelNames: ['task'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30, 120],
    registers: [this.registry],
  });
  readonly #deliveries = new Histogram({
    name: 'stint_webhook_delivery_duration_seconds',
    help: 'Duration of delivery attempts, by outcome: delivered or failed',
    labelNames: ['outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers: [this.registry],
  });
  readonly #rewrites = new Counter({
    name: 'stint_rewrites_total',
    help: 'Notes submitted for rewriting, by outcome',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  constructor(pool?: () => PoolLoad) {
    collectDefaultMetrics({ register: this.registry });
    // Starts at 0, because Prometheus sees no increase if the first value is 1.
    for (const outcome of rewriteOutcomes) this.#rewrites.inc({ outcome }, 0);
    new Gauge({
      name: 'stint_build_info',
      help: 'Version and commit of this process; the value is always 1',
      labelNames: ['version', 'commit'],
      registers: [this.registry],
    }).set({ version, commit: commit ?? 'unknown' }, 1);
    if (!pool) return;
    new Gauge({
      name: 'stint_pool_connections',
      help: 'Database connections of the process: in use, and work waiting for one',
      labelNames: ['state'],
      registers: [this.registry],
      collect() {
        const { inUse, waiting } = pool();
        this.set({ state: 'in_use' }, inUse);
        this.set({ state: 'waiting' }, waiting);
      },
    });
  }

  countStreams(open: () => number): void {
    new Gauge({
      name: 'stint_live_streams',
      help: 'Open event streams to browsers',
      registers: [this.registry],
      collect() {
        this.set(open());
      },
    });
  }

  /** `unavailable`: also true for a failed tool call, which has status 200. */
  request(operation: string, method: string, status: number, ms: number, unavailable: boolean): void {
    this.#duration.observe({ operation, method, status }, ms / 1000);
    if (unavailable) this.#unavailable.inc({ operation });
  }

  jobStarted(task: string): void {
    this.#jobsStarted.inc({ task });
  }

  jobDone(task: string, ms: number): void {
    this.#jobDuration.observe({ task }, ms / 1000);
  }

  jobFailed(task: string, final: boolean): void {
    this.#jobsFailed.inc({ task, final: String(final) });
  }

  delivered(ok: boolean, ms: number): void {
    this.#deliveries.observe({ outcome: ok ? 'delivered' : 'failed' }, ms / 1000);
  }

  rewriteEnded(fault: RewriteFault | null): void {
    const outcome = fault ?? 'rewritten';
    this.#rewrites.inc({ outcome: rewriteOutcomes.includes(outcome) ? outcome : 'refused' });
  }
}

// METRICS_GATHER=database: /metrics of any process returns the stored metrics of all, for platforms with a router in front.

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
  return AggregatorRegistry.aggregate(labelled).metrics();
}
