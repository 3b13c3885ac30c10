/** Limits concurrent work. Slots for each credential, person and account (behaviour §13.6) leave connections and memory to other clients. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Unavailable } from '../../values/errors.ts';
import type { Caller, KeyHolder, Owner } from '../caller.ts';

interface Limits {
  concurrent: number;
  /** At this limit, new work is refused, or takes the place of the last work in the longest line. */
  mostWaiting?: number;
  mostInLine?: number;
  refusal?: () => Error;
  onIdle?: () => void;
}

interface Waiting {
  start(): void;
  refuse(error: Error): void;
}

/** A number of slots. Lines take turns for free slots, so a long line does not delay a short one. */
export class Slots {
  readonly #limits: Required<Limits>;
  /** Waiting work by line name. The first line in the map has the next turn. */
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

  /** If the queue is full, an empty line has room if it can take a place from a line of at least two. */
  hasRoom(line: string): boolean {
    const waiting = this.#lines.get(line)?.length ?? 0;
    if (waiting >= this.#limits.mostInLine) return false;
    return this.waiting < this.#limits.mostWaiting || (waiting === 0 && (this.#longest()?.length ?? 0) > 1);
  }

  async run<T>(work: () => Promise<T>, line = ''): Promise<T> {
    await this.take(line);
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  /** Rejects with `refusal()` if there is no room, or if another line takes its place. */
  async take(line = ''): Promise<void> {
    if (this.isFull) await this.#wait(line);
    else this.#used++;
  }

  get isFull(): boolean {
    return this.#used >= this.#limits.concurrent;
  }

  /** Takes a slot without waiting, even over the limit. Returns a function that frees it. */
  hold(): () => void {
    this.#used++;
    return () => this.release();
  }

  async #wait(line: string): Promise<void> {
    if (!this.hasRoom(line)) throw this.#limits.refusal();
    if (this.waiting >= this.#limits.mostWaiting) this.#longest()?.pop()?.refuse(this.#limits.refusal());
    return new Promise((start, refuse) => {
      const waiting = this.#lines.get(line) ?? [];
      waiting.push({ start, refuse });
      this.#lines.set(line, waiting);
    });
  }

  /** Gives the slot directly to the next waiting work, so that no new work can take it first. */
  release(): void {
    const next = this.#used <= this.#limits.concurrent && this.#next();
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

  /** Work that waits, in all lines. */
  get waiting(): number {
    return this.#lines.values().reduce((sum, { length }) => sum + length, 0);
  }

  #longest(): Waiting[] | undefined {
    return [...this.#lines.values()].reduce<Waiting[] | undefined>(
      (most, line) => (most && most.length >= line.length ? most : line),
      undefined,
    );
  }
}

export const MOST_AT_ONCE = 4;
/** A search may read all texts of a workspace: more at once would take every core of the database. */
const MOST_SEARCHES = 2;
/** After this time the request has been answered with 503 (behaviour §13.1): a write must not run afterwards. */
const MOST_WAIT_MS = 10_000;

/** Slots in use. */
const byCredential = new Map<string, Slots>();
const byPerson = new Map<number, Slots>();
const byAccount = new Map<number, Slots>();
const bySearcher = new Map<number, Slots>();

/** The slots of a person, account or credential, which `inUse` forgets when all are free. */
export function slotsOf<Key>(inUse: Map<Key, Slots>, key: Key, limits: Limits): Slots {
  const slots = inUse.get(key) ?? new Slots({ ...limits, onIdle: () => inUse.delete(key) });
  inUse.set(key, slots);
  return slots;
}

/** All sessions of a person together count as one credential. */
const ofCredential = ({ kind, hash, owner }: KeyHolder): Slots =>
  slotsOf(byCredential, kind === 'session' && owner ? `person ${owner.userId}` : hash.toString('latin1'), { concurrent: MOST_AT_ONCE });

/** Of a process's connections, a person may use half with all their credentials, and an account all but one. */
const ofOwner = ({ accountId, userId }: Owner, connections: number): (() => Slots)[] => [
  () => slotsOf(byPerson, userId, { concurrent: Math.max(1, Math.floor(connections / 2)) }),
  () => slotsOf(byAccount, accountId, { concurrent: Math.max(1, connections - 1) }),
];

/** Searches wait here first, so that the person's other operations pass them. */
const ofSearcher = ({ userId }: Owner) => slotsOf(bySearcher, userId, { concurrent: MOST_SEARCHES });

/** Operations that wait because their account already uses all the connections that it may use. */
export const waitingForConnections = (): number => byAccount.values().reduce((sum, { waiting }) => sum + waiting, 0);

/** The slots of one operation. */
class Place {
  readonly #all: (() => Slots)[];
  #taken: Slots[] = [];
  #waits = 0;
  #ended = false;

  constructor(all: (() => Slots)[]) {
    this.#all = all;
  }

  async take(): Promise<void> {
    for (const slotsNow of this.#all) {
      const slots = slotsNow();
      await slots.take();
      this.#taken.push(slots);
    }
  }

  #leave(): void {
    for (const slots of this.#taken.splice(0)) slots.release();
  }

  end(): void {
    this.#ended = true;
    this.#leave();
  }

  async without<T>(wait: Promise<T>): Promise<T> {
    if (this.#waits++ === 0) this.#leave();
    try {
      return await wait;
    } finally {
      if (--this.#waits === 0 && !this.#ended) await this.take();
    }
  }
}

const places = new AsyncLocalStorage<Place>();

interface Work {
  wanted?: (() => boolean) | undefined;
  searches?: boolean | undefined;
}

/** Throws Unavailable if it waits too long or the work is no longer `wanted`. Callers without a credential have other limits.
 *  `connections`: of the process to the database. */
export async function withSlot<T>(
  caller: Caller,
  connections: number,
  work: () => Promise<T>,
  { wanted = () => true, searches = false }: Work = {},
): Promise<T> {
  if (!('hash' in caller)) return work();
  const { owner } = caller;
  const since = performance.now();
  const place = new Place([
    ...(owner && searches ? [() => ofSearcher(owner)] : []),
    () => ofCredential(caller),
    ...(owner ? ofOwner(owner, connections) : []),
  ]);
  try {
    await place.take();
    if (performance.now() - since >= MOST_WAIT_MS || !wanted()) throw new Unavailable();
    return await places.run(place, work);
  } finally {
    place.end();
  }
}

/** Gives the operation's slots to others while it waits for another process, without a connection. */
export const withoutSlot = <T>(wait: Promise<T>): Promise<T> => places.getStore()?.without(wait) ?? wait;

/** Holds a slot for a result that stays in memory until the client has received it. Returns a function that frees it. */
export function holdSlot(caller: Caller): () => void {
  return 'hash' in caller ? ofCredential(caller).hold() : () => {};
}
