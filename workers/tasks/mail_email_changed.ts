import { mailEmailChanged } from '../../src/accounts/emailChange.ts';
import type { Task } from '../task.ts';

const task: Task<'mail_email_changed'> = ({ changeId }, { db, config }) => mailEmailChanged(db, config, changeId);

export default task;
