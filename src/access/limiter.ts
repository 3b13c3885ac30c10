/** Requests per minute and key, shared by all web processes. A process lets a quarter of the limit through on its own count, at no
 *  cost; from there on it counts in the database. Several processes together let through at most a quarter more each (behaviour §13.3). */
import type { Db } from '../database/db.ts';
import { addToWindow } from './queries.ts';

const WINDOW_MS = 60_000;

export interface Allowance {
  admitted: boolean;
  limit: number;
  remaining: number;
  /** Counted so far in this minute, as far as is known here: beyond the limit each process counts for itself. */
  used: number;
  /** Whole seconds until the count starts anew, at least 1. */
  reset: number;
}

interface Count {
  /** Let through here and not yet told to the database. */
  untold: number;
  /** The free quarter is used up: from now on the database counts. */
  sharing: boolean;
  /** The shared count as last heard. */
  shared: number;
}

export class Limiter {
  readonly #db: Db;
  readonly #limit: number;
  readonly #free: number;
  #window = 0;
  #counts = new Map<string, Count>();

  constructor(db: Db, limitPerMinute: number) {
    this.#db = db;
    this.#limit = limitPerMinute;
    this.#free = Math.floor(limitPerMinute / 4);
  }

  /** What one more request would be told, as far as this process knows; counts nothing. */
  peek(key: string, now = Date.now()): Allowance {
    const count = Math.floor(now / WINDOW_MS) === this.#window ? this.#counts.get(key) : undefined;
    return this.#allowance((count?.shared ?? 0) + (count?.untold ?? 0) + 1, now);
  }

  /** Counts one request. Synchronous for a key below a quarter of its limit. */
  admit(key: string, now = Date.now()): Allowance | Promise<Allowance> {
    const window = Math.floor(now / WINDOW_MS);
    if (window !== this.#window) {
      this.#window = window;
      this.#counts = new Map();
    }
    let count = this.#counts.get(key);
    if (!count) {
      count = { untold: 0, sharing: false, shared: 0 };
      this.#counts.set(key, count);
    }
    if (!count.sharing && count.untold < this.#free) {
      count.untold++;
      return this.#allowance(count.untold, now);
    }
    return this.#admitShared(key, count, window, now);
  }

  async #admitShared(key: string, count: Count, window: number, now: number): Promise<Allowance> {
    if (count.shared > this.#limit) return this.#allowance(++count.shared, now);
    const told = count.untold + 1;
    count.sharing = true;
    count.untold = 0;
    try {
      const used = await addToWindow(this.#db.pool(), key, window * WINDOW_MS, told);
      count.shared = Math.max(count.shared, used);
      return this.#allowance(used, now);
    } catch {
      // Without a database the operation itself answers 503: no reason to call the key over its limit.
      count.untold += told;
      return this.#allowance(0, now);
    }
  }

  #allowance(used: number, now: number): Allowance {
    return {
      admitted: used <= this.#limit,
      limit: this.#limit,
      used,
      remaining: Math.max(0, this.#limit - used),
      reset: Math.max(1, Math.ceil((WINDOW_MS - (now % WINDOW_MS)) / 1000)),
    };
  }
}
