import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { Answer, Request } from './messages.ts';

/** A thread that exceeds this heap ends and only its job fails. Columns of tasks are outside the heap. */
export const usualLimits: ResourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 12 };

export class Thread {
  readonly #worker: Worker;
  readonly #ended = Promise.withResolvers<void>();
  #asked = Promise.withResolvers<unknown>();
  alive = true;

  constructor(databaseUrl: string, resourceLimits: ResourceLimits) {
    this.#worker = new Worker(new URL('entry.ts', import.meta.url), { workerData: { databaseUrl }, resourceLimits });
    this.#worker.on('message', (answer: Answer) =>
      'error' in answer ? this.#asked.reject(answer.error) : this.#asked.resolve(answer.result),
    );
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', (code) => {
      this.#fail(new Error(`The thread that computes ended (${code}).`));
      this.#ended.resolve();
    });
  }

  /** One request at a time. Rejects if the thread ends first or `signal` aborts. */
  async ask(request: Request, signal: AbortSignal): Promise<unknown> {
    const abort = () => {
      this.#fail(signal.reason);
      // Its connection closes with it, and the database rolls back.
      void this.#worker.terminate();
    };
    this.#asked = Promise.withResolvers();
    this.#worker.ref();
    this.#worker.postMessage(request);
    signal.addEventListener('abort', abort);
    try {
      return await this.#asked.promise;
    } finally {
      signal.removeEventListener('abort', abort);
      // An idle thread must not keep the process alive.
      this.#worker.unref();
    }
  }

  end(): Promise<void> {
    this.alive = false;
    this.#worker.ref();
    this.#worker.postMessage('end' satisfies Request);
    return this.#ended.promise;
  }

  #fail(error: unknown): void {
    this.alive = false;
    this.#asked.promise.catch(() => {});
    this.#asked.reject(error);
  }
}
