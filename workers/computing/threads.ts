/** Starts computing threads on demand, reuses them and ends idle ones. */
import type { ResourceLimits } from 'node:worker_threads';
import { type Computations, type ForecastRequest, Outcome, type TrendRequest } from '../../src/capacity/snapshots/snapshotWorkspace.ts';
import type { Request } from './messages.ts';
import { Thread, usualLimits } from './thread.ts';

const KEPT_FOR_MS = 60_000;

/** As many threads as concurrent requests; the lane of the requesting jobs limits them. */
export class ComputingThreads implements Computations {
  readonly #databaseUrl: string;
  readonly #limits: ResourceLimits;
  readonly #idle = new Map<Thread, NodeJS.Timeout>();

  constructor(databaseUrl: string, limits: ResourceLimits = usualLimits) {
    this.#databaseUrl = databaseUrl;
    this.#limits = limits;
  }

  async snapshot(wanted: ForecastRequest, signal: AbortSignal): Promise<Outcome> {
    return Outcome.parse(await this.#ask({ name: 'snapshot', wanted }, signal));
  }

  async trendPoints(wanted: TrendRequest, signal: AbortSignal): Promise<void> {
    await this.#ask({ name: 'trendPoints', wanted }, signal);
  }

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
