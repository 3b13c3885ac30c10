/** Prometheus figures of one process, web or worker. What is the whole installation's (queue, workers) is asked of the database when the
 *  figures are read, and is the same whichever process is asked. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { commit, version } from '../values/version.ts';

const jobStates = ['runnable', 'scheduled', 'retrying', 'running', 'stuck', 'failed'] as const;

/** The state of the installation; null where the database can't be asked. */
export interface Installation {
  queue: (Record<(typeof jobStates)[number], number> & { oldest_seconds: number | null }) | null;
  workers: number | null;
}

/** Connections of the pool. */
export interface PoolLoad {
  inUse: number;
  /** Statements that wait for a connection. */
  waiting: number;
}

export class Metrics {
  readonly registry = new Registry();
  /** Asked of the database by whichever process is read: never gathered from several. */
  readonly #shared = new Registry();

  readonly #duration = new Histogram({
    name: 'stint_request_duration_seconds',
    help: 'Time to answer a request',
    labelNames: ['operation', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 11],
    registers: [this.registry],
  });
  readonly #unavailable = new Counter({
    name: 'stint_unavailable_total',
    help: 'Requests answered 503',
    labelNames: ['operation'],
    registers: [this.registry],
  });
  readonly #jobsStarted = new Counter({
    name: 'stint_jobs_started_total',
    help: 'Jobs begun by this worker, tries counted each',
    labelNames: ['task'],
    registers: [this.registry],
  });
  readonly #jobsFailed = new Counter({
    name: 'stint_jobs_failed_total',
    help: 'Tries of jobs that failed; final: out of tries',
    labelNames: ['task', 'final'],
    registers: [this.registry],
  });
  readonly #jobDuration = new Histogram({
    name: 'stint_job_duration_seconds',
    help: 'Time that a job took which ended well',
    labelNames: ['task'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30, 120],
    registers: [this.registry],
  });
  readonly #deliveries = new Histogram({
    name: 'stint_webhook_delivery_duration_seconds',
    help: 'Time that an attempt at a delivery took, by its outcome: delivered or failed',
    labelNames: ['outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers: [this.registry],
  });
  readonly #jobs = new Gauge({
    name: 'stint_jobs',
    help: 'Jobs by state: runnable, scheduled for later (retrying: after a failure), running, stuck with a dead worker, failed for good',
    labelNames: ['state'],
    registers: [this.#shared],
  });
  readonly #oldestJob = new Gauge({
    name: 'stint_oldest_runnable_job_seconds',
    help: 'How long the oldest runnable job waits',
    registers: [this.#shared],
  });
  readonly #workers = new Gauge({ name: 'stint_workers_alive', help: 'Worker processes with a sign of life', registers: [this.#shared] });

  /** `pool` is asked whenever the figures are read. Event-loop lag, memory and CPU come with the default metrics. */
  constructor(pool?: () => PoolLoad) {
    collectDefaultMetrics({ register: this.registry });
    new Gauge({
      name: 'stint_build_info',
      help: 'Version and commit of this process; the value is always 1',
      labelNames: ['version', 'commit'],
      registers: [this.registry],
    }).set({ version, commit: commit ?? 'unknown' }, 1);
    if (!pool) return;
    new Gauge({
      name: 'stint_pool_connections',
      help: 'Database connections of the process: in use, and statements waiting for one',
      labelNames: ['state'],
      registers: [this.registry],
      collect() {
        const { inUse, waiting } = pool();
        this.set({ state: 'in_use' }, inUse);
        this.set({ state: 'waiting' }, waiting);
      },
    });
  }

  /** `open` is asked whenever the figures are read. */
  countStreams(open: () => number): void {
    new Gauge({
      name: 'stint_live_streams',
      help: 'Streams of events to browsers that are open',
      registers: [this.registry],
      collect() {
        this.set(open());
      },
    });
  }

  request(operation: string, method: string, status: number, ms: number): void {
    this.#duration.observe({ operation, method, status }, ms / 1000);
    if (status === 503) this.#unavailable.inc({ operation });
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

  /** What the installation is like now, in the same text as the process's own figures. */
  async installation({ queue, workers }: Installation): Promise<string> {
    this.#shared.resetMetrics();
    if (queue) {
      for (const name of jobStates) this.#jobs.set({ state: name }, queue[name]);
      this.#oldestJob.set(queue.oldest_seconds ?? 0);
    }
    if (workers !== null) this.#workers.set(workers);
    return this.#shared.metrics();
  }
}
