/** The time limit of a request. After it the answer is 503, whatever is still running (behaviour §13.1). */
import { Unavailable } from '../values/errors.ts';

export class Deadline {
  #endsAt: number;
  #timer: NodeJS.Timeout | undefined;
  #expire: (error: Unavailable) => void = () => {};
  /** Number of running `apart` calls, and since when the clock is stopped. */
  #apart = 0;
  #stoppedAt = 0;

  constructor(ms: number) {
    this.#endsAt = performance.now() + ms;
  }

  /** Stops the clock while `work` runs. It must have its own time limit. */
  async apart<T>(work: Promise<T>): Promise<T> {
    if (this.#apart++ === 0) this.#stoppedAt = performance.now();
    this.#arm();
    try {
      return await work;
    } finally {
      if (--this.#apart === 0) this.#endsAt += performance.now() - this.#stoppedAt;
      this.#arm();
    }
  }

  /** Throws Unavailable if the time ends before the work. */
  async race(work: Promise<unknown>): Promise<void> {
    this.#arm();
    try {
      await new Promise((resolve, reject) => {
        this.#expire = reject;
        work.then(resolve, reject);
      });
    } finally {
      clearTimeout(this.#timer);
    }
  }

  #arm() {
    clearTimeout(this.#timer);
    if (this.#apart === 0) this.#timer = setTimeout(() => this.#expire(new Unavailable()), this.#endsAt - performance.now());
  }
}
