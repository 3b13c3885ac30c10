import { endDueBlock } from '../../src/plans/endDueBlock.ts';
import type { Task } from '../task.ts';

const task: Task<'end_plan_block'> = (payload, { db }) => endDueBlock(db, payload);

export default task;
