import type { Task } from 'graphile-worker';
import { payloads } from '../../src/jobs.ts';
import { remindOfBlock } from '../../src/plans/remindOfBlock.ts';
import { context } from '../context.ts';

const task: Task = (payload) => remindOfBlock(context().db, payloads.remind_plan_block.parse(payload));

export default task;
