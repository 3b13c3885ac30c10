import type { Task } from 'graphile-worker';
import { payloads } from '../../src/jobs.ts';
import { endDueBlock } from '../../src/plans/endDueBlock.ts';
import { context } from '../context.ts';

const task: Task = (payload) => endDueBlock(context().db, payloads.end_plan_block.parse(payload));

export default task;
