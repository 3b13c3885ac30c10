/** How many per minute: requests of a key, counted over all web processes. A process lets a quarter of the limit through on its own count, at no
 *  cost; from there on it counts in the database. Several processes together let through at most a quarter more each (behaviour §13.3).
 *  Minutes are those of the database's clock: what it says with each count is carried on by this process's monotonic clock. */
import type { Db } from '../../database/db.ts';
import { addToWindow } from '../queries.ts';

const MINUTE_MS = 60_000;

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
  /** The database's clock less ours, in ms; unknown until the database has counted once. */
  #ahead: number | undefined;
  #minute = 0;
  #counts = new Map<string, Count>();

  constructor(db: Db, limitPerMinute: number) {
    this.#db = db;
    this.#limit = limitPerMinute;
    this.#free = Math.floor(limitPerMinute / 4);
  }

  /** What one more request would be told, as far as this process knows; counts nothing. */
  peek(key: string): Allowance {
    this.#turnMinute();
    const count = this.#counts.get(key);
    return this.#allowance((count?.shared ?? 0) + (count?.untold ?? 0) + 1);
  }

  /** Counts one request. Synchronous for a key below a quarter of its limit. */
  admit(key: string): Allowance | Promise<Allowance> {
    this.#turnMinute();
    let count = this.#counts.get(key);
    if (!count) {
      count = { untold: 0, sharing: false, shared: 0 };
      this.#counts.set(key, count);
    }
    if (this.#ahead !== undefined && !count.sharing && count.shared + count.untold < this.#free) {
      count.untold++;
      return this.#allowance(count.shared + count.untold);
    }
    return this.#admitShared(key, count);
  }

  async #admitShared(key: string, count: Count): Promise<Allowance> {
    if (count.shared > this.#limit) return this.#allowance(++count.shared);
    const told = count.untold + 1;
    count.sharing = true;
    count.untold = 0;
    try {
      const { used, now } = await addToWindow(this.#db.pool(), key, told);
      this.#setClock(now);
      count.shared = Math.max(count.shared, used);
      // Below a quarter the database was asked for its clock alone.
      count.sharing = count.shared >= this.#free;
      return this.#allowance(used);
    } catch {
      // Without a database the operation itself answers 503: no reason to call the key over its limit.
      count.untold += told;
      return this.#allowance(0);
    }
  }

  #now(): number {
    return performance.now() + (this.#ahead ?? 0);
  }

  #setClock(databaseNow: number): void {
    const first = this.#ahead === undefined;
    this.#ahead = databaseNow - performance.now();
    if (first) this.#minute = minuteOf(this.#now());
  }

  /** Counts start anew with each minute. Answers that took longer make the clock go back a little: that is no other minute. */
  #turnMinute(): void {
    const minute = minuteOf(this.#now());
    if (minute === this.#minute || minute === this.#minute - 1) return;
    this.#minute = minute;
    this.#counts = new Map();
  }

  #allowance(used: number): Allowance {
    return {
      admitted: used <= this.#limit,
      limit: this.#limit,
      used,
      remaining: Math.max(0, this.#limit - used),
      reset: Math.max(1, Math.ceil((MINUTE_MS - (this.#now() % MINUTE_MS)) / 1000)),
    };
  }
}

const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS);
