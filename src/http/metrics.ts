/** Prometheus figures of one process. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const jobStates = ['runnable', 'scheduled', 'retrying', 'running', 'stuck', 'failed'] as const;
type QueueState = Record<(typeof jobStates)[number], number> & { oldest_seconds: number | null };

export class Metrics {
  readonly registry = new Registry();
  readonly #duration: Histogram;
  readonly #failures: Counter;
  readonly #jobs: Gauge;
  readonly #oldestJob: Gauge;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    this.#duration = new Histogram({
      name: 'stint_request_duration_seconds',
      help: 'Time to answer a request',
      labelNames: ['operation', 'method', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 11],
      registers: [this.registry],
    });
    this.#failures = new Counter({
      name: 'stint_unavailable_total',
      help: 'Requests answered 503',
      labelNames: ['operation'],
      registers: [this.registry],
    });
    this.#jobs = new Gauge({
      name: 'stint_jobs',
      help: 'Jobs by state: runnable, scheduled for later (retrying: after a failure), running, stuck with a dead worker, failed for good',
      labelNames: ['state'],
      registers: [this.registry],
    });
    this.#oldestJob = new Gauge({
      name: 'stint_oldest_runnable_job_seconds',
      help: 'How long the oldest runnable job waits',
      registers: [this.registry],
    });
  }

  /** The queue as it is now; none when the database can't be asked. */
  queue(state: QueueState | undefined): void {
    this.#jobs.reset();
    this.#oldestJob.reset();
    if (!state) return;
    for (const name of jobStates) this.#jobs.set({ state: name }, state[name]);
    this.#oldestJob.set(state.oldest_seconds ?? 0);
  }

  request(operation: string, method: string, status: number, ms: number): void {
    this.#duration.observe({ operation, method, status }, ms / 1000);
    if (status === 503) this.#failures.inc({ operation });
  }
}
