/** The threads that a worker computes in: each is started when it is needed, kept for the next request, and ended when none comes. */
import type { ResourceLimits } from 'node:worker_threads';
import type { Computations, Outcome, TrendWanted, Wanted } from '../../src/capacity/snapshots/computations.ts';
import type { Request } from './messages.ts';
import { Thread, usualLimits } from './thread.ts';

/** Long enough for the changes that follow one another while people work, so that not each of them waits for a start. */
const KEPT_FOR_MS = 60_000;

/** There are as many threads as were asked at once: the lane of the jobs that ask says how many. */
export class ComputingThreads implements Computations {
  readonly #databaseUrl: string;
  readonly #limits: ResourceLimits;
  /** Those that have nothing to do, each with the clock of its end. */
  readonly #idle = new Map<Thread, NodeJS.Timeout>();

  constructor(databaseUrl: string, limits: ResourceLimits = usualLimits) {
    this.#databaseUrl = databaseUrl;
    this.#limits = limits;
  }

  async snapshot(wanted: Wanted, signal: AbortSignal): Promise<Outcome> {
    return (await this.#ask({ name: 'snapshot', wanted }, signal)) as Outcome;
  }

  async trendPoints(wanted: TrendWanted, signal: AbortSignal): Promise<void> {
    await this.#ask({ name: 'trendPoints', wanted }, signal);
  }

  /** Ends those that have nothing to do. */
  async close(): Promise<void> {
    await Promise.all([...this.#idle.keys()].map((thread) => this.#end(thread)));
  }

  async #ask(request: Request, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    const thread = this.#take();
    const result = await thread.ask(request, signal);
    const clock = setTimeout(() => void this.#end(thread), KEPT_FOR_MS).unref();
    this.#idle.set(thread, clock);
    return result;
  }

  #take(): Thread {
    const [thread] = this.#idle.keys();
    if (!thread) return new Thread(this.#databaseUrl, this.#limits);
    this.#release(thread);
    return thread.alive ? thread : this.#take();
  }

  #release(thread: Thread): void {
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
  }

  #end(thread: Thread): Promise<void> {
    this.#release(thread);
    return thread.end();
  }
}
