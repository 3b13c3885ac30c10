import type { Task } from 'graphile-worker';
import { payloads } from '../../src/jobs.ts';
import { startDueBlock } from '../../src/plans/startDueBlock.ts';
import { context } from '../context.ts';

const task: Task = (payload) => startDueBlock(context().db, payloads.start_plan_block.parse(payload));

export default task;
