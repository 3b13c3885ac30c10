/** How many at once: work takes a slot or waits for one. Here also each credential's slots for operations (behaviour §13.6), so that a client
 *  that sends many requests together leaves database connections and memory to others. */
import { Unavailable } from '../../values/errors.ts';
import type { Caller, KeyHolder } from '../caller.ts';

interface Limits {
  atOnce: number;
  /** Beyond this, new work is refused, or replaces the last of the longest line. */
  mostWaiting?: number;
  mostInLine?: number;
  refusal?: () => Error;
  /** When the last slot is free. */
  onIdle?: () => void;
}

interface Waiting {
  start(): void;
  refuse(error: Error): void;
}

/** A number of slots, and lines that wait for them in turns: a line with many pieces does not hold up a line with one. */
export class Slots {
  readonly #limits: Required<Limits>;
  /** By name, the line whose turn is next first. */
  readonly #lines = new Map<string, Waiting[]>();
  #used = 0;

  constructor(limits: Limits) {
    const none = {
      mostWaiting: Number.POSITIVE_INFINITY,
      mostInLine: Number.POSITIVE_INFINITY,
      refusal: () => new Unavailable(),
      onIdle: () => {},
    };
    this.#limits = { ...none, ...limits };
  }

  /** A full queue has room for a line with nothing waiting as long as a longer line can give up a place. */
  hasRoom(line: string): boolean {
    const waiting = this.#lines.get(line)?.length ?? 0;
    if (waiting >= this.#limits.mostInLine) return false;
    return this.#waiting() < this.#limits.mostWaiting || (waiting === 0 && (this.#longest()?.length ?? 0) > 1);
  }

  /** Rejects with `refusal()` if there is no room, or if another line takes the place. */
  async run<T>(work: () => Promise<T>, line = ''): Promise<T> {
    if (this.#used < this.#limits.atOnce) this.#used++;
    else await this.#wait(line);
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  /** Uses a slot without waiting, over the limit if need be. Returns what frees it. */
  hold(): () => void {
    this.#used++;
    return () => this.#release();
  }

  async #wait(line: string): Promise<void> {
    if (!this.hasRoom(line)) throw this.#limits.refusal();
    if (this.#waiting() >= this.#limits.mostWaiting) this.#longest()?.pop()?.refuse(this.#limits.refusal());
    return new Promise((start, refuse) => {
      const waiting = this.#lines.get(line) ?? [];
      waiting.push({ start, refuse });
      this.#lines.set(line, waiting);
    });
  }

  /** Hands the slot to the next in turn, so that no other work takes it in between. */
  #release(): void {
    const next = this.#used <= this.#limits.atOnce && this.#next();
    if (next) next.start();
    else if (--this.#used === 0) this.#limits.onIdle();
  }

  #next(): Waiting | undefined {
    const [first] = this.#lines;
    if (!first) return undefined;
    const [line, waiting] = first;
    const next = waiting.shift();
    this.#lines.delete(line);
    if (waiting.length > 0) this.#lines.set(line, waiting);
    return next;
  }

  #waiting = () => this.#lines.values().reduce((sum, { length }) => sum + length, 0);

  #longest(): Waiting[] | undefined {
    return [...this.#lines.values()].reduce<Waiting[] | undefined>(
      (most, line) => (most && most.length >= line.length ? most : line),
      undefined,
    );
  }
}

/** Less than half of the pool's usual size. */
export const MOST_AT_ONCE = 4;
/** After this time the request has been answered 503 (behaviour §13.1): a write must not be carried out afterwards. */
const MOST_WAIT_MS = 10_000;

const byCredential = new Map<string, Slots>();

function slotsOf(caller: KeyHolder): Slots {
  const isPerson = caller.kind === 'session' && caller.personId !== undefined;
  const key = isPerson ? `person ${caller.personId}` : caller.hash.toString('latin1');
  const slots = byCredential.get(key) ?? new Slots({ atOnce: MOST_AT_ONCE, onIdle: () => byCredential.delete(key) });
  byCredential.set(key, slots);
  return slots;
}

/** Does the work as soon as the caller's credential has a free slot. Throws Unavailable when that takes too long, or when the work is not
 *  `wanted` any more by then. Callers without a credential are not limited here: workers have limits of their own, sign-in has its own
 *  limits per minute. */
export function withSlot<T>(caller: Caller, work: () => Promise<T>, wanted = () => true): Promise<T> {
  if (!('hash' in caller)) return work();
  const since = performance.now();
  return slotsOf(caller).run(async () => {
    if (performance.now() - since >= MOST_WAIT_MS || !wanted()) throw new Unavailable();
    return work();
  });
}

/** A slot for a result that stays in memory after its operation, until the client has received it. Returns what frees the slot. */
export function holdSlot(caller: Caller): () => void {
  return 'hash' in caller ? slotsOf(caller).hold() : () => {};
}
