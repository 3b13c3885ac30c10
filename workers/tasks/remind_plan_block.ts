import { remindOfBlock } from '../../src/plans/remindOfBlock.ts';
import type { Task } from '../task.ts';

const task: Task<'remind_plan_block'> = (payload, { db }) => remindOfBlock(db, payload);

export default task;
