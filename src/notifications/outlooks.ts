/** Tells owners and watchers of releases and milestones when the daily renewal finds another outlook (behaviour §10.30). Reads the projects in
 *  pages. */
import type { Db, Tx } from '../database/db.ts';
import { enqueueOutlooks, type Later } from '../queue/jobs.ts';
import { readOutlookRoom, readRenewed, tellOfOutlooks } from './outlookQueries.ts';

/** Projects of one transaction. */
const PAGE = 100;

/** `renewed`: computes the forecast unless today's exists. Returns false if another worker is computing it. */
interface Renewing {
  renewed(forecastId: number): Promise<boolean>;
  signal: AbortSignal;
}

/** For a job. Continues later if the forecast is missing, or in the next hour if the account has no notifications left in this one. */
export async function tellOutlooks(db: Db, workspaceId: number, { renewed, signal }: Renewing): Promise<void> {
  const found = await readRenewed(db.pool(), workspaceId);
  if (found === null) return;
  const later = (delay: Delay) => enqueueOutlooks(db.pool(), workspaceId, found.accountId, delay);
  if (!(await renewed(found.forecastId))) return later({ delaySeconds: 1 });
  for (let after: number | null = 0; after !== null; ) {
    signal.throwIfAborted();
    const from: number = after;
    const page: Page = await db.transaction((tx) => tellPage(tx, workspaceId, from));
    if ('later' in page) return later(page.later);
    after = page.last;
  }
}

type Delay = Pick<Later, 'runAt' | 'delaySeconds'>;
/** `last`: null at the end, or if the workspace was archived. */
type Page = { later: Delay } | { last: number | null };

/** Later: a write has dropped the snapshot, or the account has no notifications left in this hour. */
async function tellPage(tx: Tx, workspaceId: number, after: number): Promise<Page> {
  const room = await readOutlookRoom(tx, workspaceId);
  if (room === null) return { last: null };
  if (room.snapshotId === null) return { later: { delaySeconds: 1 } };
  const { full, last } = await tellOfOutlooks(tx, { workspaceId, snapshotId: room.snapshotId, after, limit: PAGE, left: room.left });
  return full ? { later: { runAt: room.nextHour } } : { last };
}
