/** Tells those who asked for work that its assignee is away when it is due (behaviour §38.8). Reads the work in pages. */
import type { Db, Tx } from '../database/db.ts';
import { enqueueAbsence } from '../queue/jobs.ts';
import { type DueItem, notifyOfAbsence, readDueItems, readRoom } from './awayQueries.ts';

/** Items that a job reads, those due first, and of them in one transaction. */
const MOST_ITEMS = 1_000;
const PAGE = 50;

/** For a job. Does nothing if the absence was removed. */
export async function tellAbsence(db: Db, absenceId: number): Promise<void> {
  let after: DueItem | null = null;
  for (let read = 0; read < MOST_ITEMS; read += PAGE) {
    const last: DueItem | null = await db.transaction((tx) => tellPage(tx, absenceId, after));
    if (!last) return;
    after = last;
  }
}

/** Returns the last item of the page; null at the end. */
async function tellPage(tx: Tx, absenceId: number, after: DueItem | null): Promise<DueItem | null> {
  const room = await readRoom(tx, absenceId);
  if (!room || room.ofAbsence <= 0) return null;
  if (room.ofHour <= 0) {
    await enqueueAbsence(tx, absenceId, { account: room.accountId, user: room.personId }, room.nextHour);
    return null;
  }
  const items = await readDueItems(tx, absenceId, after, PAGE);
  const ids = items.map(({ id }) => id);
  if (ids.length > 0) await notifyOfAbsence(tx, absenceId, ids);
  return items.at(-1) ?? null;
}
