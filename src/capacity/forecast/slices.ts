/** Long computations cut into short ones, so that a worker's event loop is never held for long. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A computation that may be interrupted wherever it yields (about every millisecond). */
export type Steps<Result = void> = Generator<undefined, Result, undefined>;

/** Gives way to other work; may reject to abandon the computation (an aborted job). */
export type Pause = () => Promise<unknown>;

/** Elements handled between two yields. */
const CHUNK = 4096;
const SLICE_MS = 8;

/** Handles the elements 0 … size − 1 chunk by chunk. The loop over a chunk belongs in a plain function: inside a generator it is several
 *  times slower. */
export function* inChunks(size: number, handle: (from: number, to: number) => void): Steps {
  for (let from = 0; from < size; from += CHUNK) {
    handle(from, Math.min(from + CHUNK, size));
    yield;
  }
}

/** Counts the time since the event loop was last free. The clock decides only when to pause, never what comes out. */
export class Pacer {
  #until = performance.now() + SLICE_MS;
  readonly #pause: Pause;

  constructor(pause: Pause = () => nextTurn()) {
    this.#pause = pause;
  }

  get due(): boolean {
    return performance.now() >= this.#until;
  }

  async pause(): Promise<void> {
    await this.#pause();
    this.#until = performance.now() + SLICE_MS;
  }
}

export async function runInSlices<Result>(steps: Steps<Result>, pacer: Pacer): Promise<Result> {
  let step = steps.next();
  while (!step.done) {
    if (pacer.due) await pacer.pause();
    step = steps.next();
  }
  return step.value;
}

export function runAtOnce<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}
