/** The time a request may take in all; past it the answer is 503, whatever is still running (behaviour §13.1). */
import { Unavailable } from '../values/errors.ts';

export class Deadline {
  #endsAt: number;
  #timer: NodeJS.Timeout | undefined;
  #expire: (error: Unavailable) => void = () => {};

  constructor(ms: number) {
    this.#endsAt = performance.now() + ms;
  }

  /** For work that waits for somebody else's answer. */
  extendBy(ms: number): void {
    this.#endsAt += ms;
    this.#arm();
  }

  /** Throws Unavailable when the time is up before the work is done. */
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
    this.#timer = setTimeout(() => this.#expire(new Unavailable()), this.#endsAt - performance.now());
  }
}
