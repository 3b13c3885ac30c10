import type { Task } from 'graphile-worker';
import { payloads } from '../../src/jobs.ts';
import { remindLongTimer } from '../../src/time/remindLongTimer.ts';
import { context } from '../context.ts';

const task: Task = (payload) => remindLongTimer(context().db, payloads.remind_long_timer.parse(payload));

export default task;
