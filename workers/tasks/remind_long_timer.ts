import { remindLongTimer } from '../../src/time/remindLongTimer.ts';
import type { Task } from '../task.ts';

const task: Task<'remind_long_timer'> = (payload, { db }) => remindLongTimer(db, payload);

export default task;
