/** Delivers all changes to followers, exactly once (behaviour §16.9). A follower's writes are committed together with its position, so a
 *  crash neither skips nor repeats a row. Writers need not notify followers: rows after the position stay there until they are read, so
 *  none can be lost. */
import type { Db, Tx } from '../database/db.ts';
import type { Cursor } from './cursor.ts';
import { type FollowerName, followersBehind, holdPlace, movePlace } from './followQueries.ts';
import { type ChangeRow, readAllChanges } from './readQueries.ts';

export interface Follower {
  name: FollowerName;
  /** Must be fast and only use our database, because other processes wait. `after`: the cursor before `rows`. */
  see(tx: Tx, rows: readonly ChangeRow[], after: Cursor): Promise<void>;
}

const PAGE = 500;

/** Processes up to `pages` pages of new changes. Returns true if there may be more. */
export async function follow(db: Db, follower: Follower, pages = 20): Promise<boolean> {
  for (let page = 0; page < pages; page++) {
    const [behind] = await followersBehind(db.pool(), [follower.name]);
    if (!behind || !(await seePage(db, follower))) return false;
  }
  return true;
}

/** False if another process holds the position, or there is none. */
function seePage(db: Db, { name, see }: Follower): Promise<boolean> {
  return db.transaction(async (tx) => {
    const place = await holdPlace(tx, name);
    if (!place) return false;
    const rows = await readAllChanges(tx, place, PAGE);
    const last = rows.at(-1);
    if (last) {
      await see(tx, rows, place);
      await movePlace(tx, name, last.place);
    }
    return true;
  });
}
