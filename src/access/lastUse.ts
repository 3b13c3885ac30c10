/** When each credential was last used. Collected in memory and written in batches, so a read request does not write (behaviour §3.27). */
import type { Db } from '../database/db.ts';
import type { Caller, KeyHolder } from './caller.ts';
import { touchCredentials } from './queries.ts';

const tables = { key: 'rest_keys', agent: 'connections', session: 'sessions' } as const;
const FLUSH_MS = 1_000;

export class LastUse {
  readonly #db: Db;
  #seen = new Map<string, KeyHolder>();
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  note(caller: Caller): void {
    if (!('hash' in caller)) return;
    const key = caller.kind + caller.hash.toString('latin1');
    if (this.#seen.has(key)) return;
    this.#seen.set(key, caller);
    this.#timer ??= setTimeout(() => void this.flush().catch(() => {}), FLUSH_MS).unref();
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const callers = [...this.#seen.values()];
    this.#seen = new Map();
    for (const kind of ['key', 'agent', 'session'] as const) {
      const hashes = callers.filter((caller) => caller.kind === kind).map((caller) => caller.hash);
      if (hashes.length) await touchCredentials(this.#db.pool(), tables[kind], hashes);
    }
  }
}
