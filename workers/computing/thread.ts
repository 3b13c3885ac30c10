/** A thread as the process sees it: it is asked, and answers or ends. */
import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { Answer, Request } from './messages.ts';

/** A thread that needs more of V8's heap ends, and its job fails; the process, and what else runs in it, does not. A million tasks need
 *  little of it: their columns lie outside. The young generation is that of the process (start/services.ts). */
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

  /** One request at a time. Rejects when the thread ends first, of itself or because `signal` says so. */
  async ask(request: Request, signal: AbortSignal): Promise<unknown> {
    const abort = () => {
      this.#fail(signal.reason);
      // Its connection closes with it, and the database undoes what was begun.
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
      // Idle, it does not keep the process.
      this.#worker.unref();
    }
  }

  /** For one that has nothing to do. */
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
