/** Delivers each change to followers exactly once (behaviour §16.9): their writes are committed together with their position. No change
 *  is lost, because rows after the position stay until they are read. Only changes that fail by themselves are skipped (behaviour §16.11). */
import { isOutage } from '../database/connections.ts';
import type { Db, Tx } from '../database/db.ts';
import type { Logger } from '../log.ts';
import type { Cursor } from './cursor.ts';
import { type ChangeRow, type FollowerName, followersWithChanges, lockPosition, readAllChanges, storePosition } from './readQueries.ts';

export interface Follower {
  name: FollowerName;
  /** Must be fast and only use our database, because other processes wait. `after`: the cursor before `rows`. */
  see(tx: Tx, rows: readonly ChangeRow[], after: Cursor): Promise<void>;
}

/** Full pages that take little time double up to MOST_ROWS. */
const FIRST_ROWS = 50;
const MOST_ROWS = 500;
/** A page that takes longer is followed by a smaller one: a statement may take 10 s. */
const SLOW_MS = 2_000;
/** Attempts at a single change before it is skipped. The first failures may be due to a busy server. */
const MOST_ATTEMPTS = 3;

/** The page size of one follower in one process. Halved after a failure, so that the changes of one account can't stop those of others. */
export class PageSize {
  readonly #log: Logger | undefined;
  #rows = FIRST_ROWS;
  #failing = { id: 0, attempts: 0 };
  /** Accounts with a skipped change: their next ones get one attempt, or each would delay all others. */
  readonly #faulty = new Set<number>();

  constructor(log?: Logger) {
    this.#log = log;
  }

  get rows(): number {
    return this.#rows;
  }

  /** True if this change must be skipped, which is logged. */
  skips({ id, accountId, workspaceId, itemId, kind }: ChangeRow, follower: FollowerName): boolean {
    const { id: failing, attempts } = this.#failing;
    if (id !== failing || attempts < (this.#faulty.has(accountId) ? 1 : MOST_ATTEMPTS)) return false;
    const about = { account: accountId, workspace: workspaceId, item: itemId };
    this.#log?.error({ follower, change: id, kind, ...about }, 'skipped a change that could not be processed');
    this.#faulty.add(accountId);
    return true;
  }

  done(rows: number, ms: number): void {
    if (ms > SLOW_MS) this.#rows = half(rows);
    else if (rows === this.#rows) this.#rows = Math.min(MOST_ROWS, 2 * rows);
  }

  failed(rows: readonly ChangeRow[]): void {
    this.#rows = half(rows.length);
    const [first] = rows;
    if (!first || rows.length > 1) return;
    this.#failing = { id: first.id, attempts: first.id === this.#failing.id ? this.#failing.attempts + 1 : 1 };
  }
}

const half = (size: number): number => Math.ceil(size / 2);

/** Processes up to 20 pages of new changes. Returns true if there may be more. Throws if a page fails; with the same `size`, the next call
 *  takes fewer changes. */
export async function follow(db: Db, follower: Follower, size = new PageSize()): Promise<boolean> {
  for (let page = 0; page < 20; page++) {
    const [behind] = await followersWithChanges(db.pool(), [follower.name]);
    if (!behind || !(await seePage(db, follower, size))) return false;
  }
  return true;
}

function seePage(db: Db, { name, see }: Follower, size: PageSize): Promise<boolean> {
  return db.transaction(async (tx) => {
    const place = await lockPosition(tx, name);
    if (!place) return false;
    const rows = await readAllChanges(tx, place, size.rows);
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) return true;
    if (size.rows > 1 || !size.skips(first, name)) await seeRows(() => see(tx, rows, place), rows, size);
    await storePosition(tx, name, last.place);
    return true;
  });
}

async function seeRows(see: () => Promise<void>, rows: readonly ChangeRow[], size: PageSize): Promise<void> {
  const started = performance.now();
  try {
    await see();
  } catch (error) {
    if (!isOutage(error)) size.failed(rows);
    throw error;
  }
  size.done(rows.length, performance.now() - started);
}
