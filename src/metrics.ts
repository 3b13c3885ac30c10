/** Prometheus figures of one process. */
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export class Metrics {
  readonly registry = new Registry();
  readonly #duration: Histogram;
  readonly #failures: Counter;

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
  }

  request(operation: string, method: string, status: number, ms: number): void {
    this.#duration.observe({ operation, method, status }, ms / 1000);
    if (status === 503) this.#failures.inc({ operation });
  }
}
