import { tellFailedSignIns } from '../../src/accounts/signIn.ts';
import type { Task } from '../task.ts';

const task: Task<'failed_sign_in'> = ({ userIds, address }, { db }) => tellFailedSignIns(db, userIds, address);

export default task;
