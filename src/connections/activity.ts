/** Records reads and failures of agents in batches (behaviour §7.19); performOnce records writes. Never arguments or texts. */

import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { Db } from '../database/db.ts';
import type { Read } from '../operations/operation.ts';
import { sqlState } from '../operations/refusals.ts';
import { Forbidden } from '../values/errors.ts';
import { ActivityFilter } from './activityFilter.ts';
import { type Agents, type ListedActivity, readActivity, readAgents } from './activityQueries.ts';
import { insertActivity, type ToolCall } from './queries.ts';

export type { ToolCall };

const FLUSH_MS = 500;
const BATCH = 200;
/** Above this number the oldest are dropped while the database is unavailable. */
const MOST = 10_000;

export class Activity {
  readonly #db: Db;
  #waiting: (ToolCall & { at: number })[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(db: Db) {
    this.#db = db;
  }

  note(act: ToolCall): void {
    this.#waiting.push({ ...act, at: performance.now() });
    if (this.#waiting.length > MOST) this.#waiting.shift();
    if (this.#waiting.length === BATCH) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Resolves when all noted acts are written or failed. Never throws. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const acts = this.#waiting;
    if (!acts.length) return;
    this.#waiting = [];
    const now = performance.now();
    try {
      await insertActivity(
        this.#db.pool(),
        acts.map(({ at, ...act }) => ({ ...act, ageMs: Math.round(now - at) })),
      );
    } catch (error) {
      // Drops the batch: invalid data (SQLSTATE 22, 23) would block all later acts.
      if (/^2[23]/.test(sqlState(error) ?? '')) return;
      this.#waiting = [...acts, ...this.#waiting].slice(-MOST);
      this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS * 10).unref();
    }
  }
}

/** A person's own agents: their connections and calls, without arguments and texts (behaviour §7.19). */
export { type ActivityRow, type AgentCard, type Agents, type ListedActivity, MOST_CALLS } from './activityQueries.ts';

/** Throws Forbidden for keys and agents. */
function ofPeople(caller: Caller): Caller {
  if (caller.kind === 'key' || caller.kind === 'agent') throw new Forbidden();
  return caller;
}

const Nothing = z.strictObject({});

export const openAgents: Read<z.infer<typeof Nothing>, Agents> = {
  name: 'openAgents',
  input: Nothing,
  run: (tx, caller) => readAgents(tx, ofPeople(caller)),
};

export const listActivity: Read<ActivityFilter, ListedActivity> = {
  name: 'listActivity',
  input: ActivityFilter,
  run: (tx, caller, filter) => readActivity(tx, ofPeople(caller), filter),
};
