import { beginDays } from '../../src/notifications/beginDays.ts';
import type { Task } from '../task.ts';

const task: Task<'begin_days'> = (_tick, { db, signal }) => beginDays(db, signal);

export default task;
