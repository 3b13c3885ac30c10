import { startDueBlock } from '../../src/plans/startDueBlock.ts';
import type { Task } from '../task.ts';

const task: Task<'start_plan_block'> = (payload, { db }) => startDueBlock(db, payload);

export default task;
