/** Measures what asynchronous work takes of this thread's CPU, without its waits (behaviour §13.15). Each wait for something else than the
 *  next microtask goes through `unmetered`; a step that does not is measured until the event loop's turn ends, and what follows it is not. */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Payer {
  charge(ms: number): void;
  /** CPU time of a helper thread. */
  chargeThread(ms: number): void;
  /** Resolves when the next step may begin. */
  turn(): Promise<void>;
}

/** CPU time of this thread in ms. A clock would also count the time in which a busy machine runs other processes. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The one whose step is running. */
let running: Meter | null = null;
let isEnding = false;

class Meter {
  readonly payer: Payer;
  #since = 0;
  #ended = false;

  constructor(payer: Payer) {
    this.payer = payer;
  }

  start(): void {
    // What the work has left behind, such as a timer, is not charged.
    if (this.#ended) return;
    running?.stop();
    running = this;
    this.#since = threadMs();
    if (isEnding) return;
    isEnding = true;
    setImmediate(() => {
      isEnding = false;
      running?.stop();
    });
  }

  stop(): void {
    if (running !== this) return;
    running = null;
    this.payer.charge(threadMs() - this.#since);
  }

  end(): void {
    this.stop();
    this.#ended = true;
  }
}

const meters = new AsyncLocalStorage<Meter>();

/** Charges the payer for all steps of the work. */
export async function meteredBy<T>(payer: Payer, work: () => Promise<T>): Promise<T> {
  const [outer, meter] = [meters.getStore(), new Meter(payer)];
  try {
    return await meters.run(meter, () => {
      meter.start();
      return work();
    });
  } finally {
    meter.end();
    outer?.start();
  }
}

/** Charges a helper thread's time to whom this work is charged. */
export function payerOfThread(): (ms: number) => void {
  const payer = meters.getStore()?.payer;
  return (ms) => payer?.chargeThread(ms);
}

/** Waits without measuring, then for the payer's turn. */
export async function unmetered<T>(wait: Promise<T>): Promise<T> {
  const meter = meters.getStore();
  if (!meter) return wait;
  meter.stop();
  try {
    return await wait;
  } finally {
    await meter.payer.turn();
    meter.start();
  }
}
