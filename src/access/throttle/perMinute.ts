/** Counts requests of a key in a minute of the database's clock, over all web processes. A process counts a quarter of the limit alone,
 *  then in the database. Each further process can admit at most a quarter more (behaviour §13.3). */
import type { Db } from '../../database/db.ts';
import { addToWindow } from '../queries.ts';

const MINUTE_MS = 60_000;

export interface Allowance {
  admitted: boolean;
  limit: number;
  remaining: number;
  /** Counted in this minute, as far as this process knows. Above the limit each process counts alone. */
  used: number;
  /** Whole seconds until the count starts again, at least 1. */
  reset: number;
}

interface Count {
  /** Admitted here and not yet added to the database. */
  unsent: number;
  /** True once a quarter of the limit is used. From then on the database counts. */
  sharing: boolean;
  shared: number;
  /** The latest count of several requests under way to the database. Later counts wait, or they would be admitted in its place. */
  several?: Promise<unknown>;
}

export class Limiter {
  readonly #db: Db;
  readonly #limit: number;
  readonly #free: number;
  /** The database's clock minus performance.now(), in ms. Undefined until the first count in the database. */
  #ahead: number | undefined;
  #minute = 0;
  #counts = new Map<string, Count>();

  constructor(db: Db, limitPerMinute: number) {
    this.#db = db;
    this.#limit = limitPerMinute;
    this.#free = Math.floor(limitPerMinute / 4);
  }

  /** The allowance that one more request would get, as far as this process knows. Counts nothing. */
  peek(key: string): Allowance {
    this.#turnMinute();
    const count = this.#counts.get(key);
    return this.#allowance((count?.shared ?? 0) + (count?.unsent ?? 0) + 1);
  }

  /** Counts one request. Synchronous while a key is below a quarter of its limit. */
  admit(key: string): Allowance | Promise<Allowance> {
    this.#turnMinute();
    let count = this.#counts.get(key);
    if (!count) {
      count = { unsent: 0, sharing: false, shared: 0 };
      this.#counts.set(key, count);
    }
    if (this.#ahead !== undefined && !count.sharing && count.shared + count.unsent < this.#free) {
      count.unsent++;
      return this.#allowance(count.shared + count.unsent);
    }
    return this.#admitShared(key, count);
  }

  async #admitShared(key: string, count: Count): Promise<Allowance> {
    if (count.shared > this.#limit) return this.#allowance(++count.shared);
    const sent = count.unsent + 1;
    count.sharing = true;
    count.unsent = 0;
    const add = () => addToWindow(this.#db.pool(), key, sent);
    const adding = count.several ? count.several.then(add) : add();
    if (sent > 1) count.several = adding.catch(() => {});
    try {
      const { used, now } = await adding;
      this.#setClock(now);
      count.shared = Math.max(count.shared, used);
      count.sharing = count.shared >= this.#free;
      return this.#allowance(used);
    } catch {
      // Without a database the operation answers 503, so do not report the limit as reached.
      count.unsent += sent;
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

  /** Starts new counts each minute. A slow query can set the clock back into the previous minute, which must not reset the counts. */
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
