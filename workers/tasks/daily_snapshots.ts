import { renewDaily } from '../../src/capacity/snapshots/renew.ts';
import type { Task } from '../task.ts';

const task: Task<'daily_snapshots'> = (_tick, { db, signal }) => renewDaily(db, signal);

export default task;
