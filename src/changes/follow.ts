/** Delivers each change to followers exactly once (behaviour §16.9): their writes are committed together with their position. No change
 *  is lost, because rows after the position stay until they are read. */
import type { Db, Tx } from '../database/db.ts';
import type { Cursor } from './cursor.ts';
import { type ChangeRow, type FollowerName, followersWithChanges, lockPosition, readAllChanges, storePosition } from './readQueries.ts';

export interface Follower {
  name: FollowerName;
  /** Must be fast and only use our database, because other processes wait. `after`: the cursor before `rows`. */
  see(tx: Tx, rows: readonly ChangeRow[], after: Cursor): Promise<void>;
}

const PAGE = 500;

/** Processes up to `pages` pages of new changes. Returns true if there may be more. */
export async function follow(db: Db, follower: Follower, pages = 20): Promise<boolean> {
  for (let page = 0; page < pages; page++) {
    const [behind] = await followersWithChanges(db.pool(), [follower.name]);
    if (!behind || !(await seePage(db, follower))) return false;
  }
  return true;
}

function seePage(db: Db, { name, see }: Follower): Promise<boolean> {
  return db.transaction(async (tx) => {
    const place = await lockPosition(tx, name);
    if (!place) return false;
    const rows = await readAllChanges(tx, place, PAGE);
    const last = rows.at(-1);
    if (last) {
      await see(tx, rows, place);
      await storePosition(tx, name, last.place);
    }
    return true;
  });
}
