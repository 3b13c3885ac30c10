import { enqueueTrends } from '../../src/capacity/snapshots/renewQueries.ts';
import type { Task } from '../task.ts';

const PAGE = 500;

/** Only enqueues. A tick that is caught up late still keeps the points of its Monday. */
const task: Task<'weekly_trend_points'> = async ({ due }, { db, signal }) => {
  for (let after: number | null = 0; after !== null; ) {
    signal.throwIfAborted();
    after = await enqueueTrends(db.pool(), due.slice(0, 10), after, PAGE);
  }
};

export default task;
