import { enqueueDailySnapshots, enqueueSharedSnapshots } from '../../src/capacity/snapshots/renewQueries.ts';
import type { Task } from '../task.ts';

const PAGE = 500;

/** Only enqueues: each workspace is computed by a job of its own. */
const task: Task<'daily_snapshots'> = async (_tick, { db, signal }) => {
  await enqueueSharedSnapshots(db.pool());
  for (let after: number | null = 0; after !== null; ) {
    signal.throwIfAborted();
    after = await enqueueDailySnapshots(db.pool(), after, PAGE);
  }
};

export default task;
