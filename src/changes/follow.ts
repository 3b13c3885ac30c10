/** Following all changes as they appear, once each (behaviour §16.9). What a follower writes is committed with its place, so that no kill makes
 *  it miss a row or see one twice. Writers know nothing of it and pay nothing: whoever follows looks for rows behind its place, which is there
 *  for as long as they are not seen, so that no wake-up can be lost, however late a row becomes readable. */
import type { Db, Tx } from '../database/db.ts';
import type { Cursor } from './cursor.ts';
import { type FollowerName, followersBehind, holdPlace, movePlace } from './followQueries.ts';
import { type ChangeRow, readAllChanges } from './readQueries.ts';

export interface Follower {
  name: FollowerName;
  /** Short, and in our own database alone: others wait. `after`: the place that the rows come behind. */
  see(tx: Tx, rows: readonly ChangeRow[], after: Cursor): Promise<void>;
}

const PAGE = 500;

/** Sees what is new, page by page, up to `pages`. Resolves to whether there may be more. */
export async function follow(db: Db, follower: Follower, pages = 20): Promise<boolean> {
  for (let page = 0; page < pages; page++) {
    const [behind] = await followersBehind(db.pool(), [follower.name]);
    if (!behind || !(await seePage(db, follower))) return false;
  }
  return true;
}

/** False when another process is at it. */
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
