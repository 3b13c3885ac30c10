import { mailEmailChange } from '../../src/accounts/emailChange.ts';
import type { Task } from '../task.ts';

const task: Task<'mail_email_change'> = ({ changeId }, { db, config }) => mailEmailChange(db, config, changeId);

export default task;
