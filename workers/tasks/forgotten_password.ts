import { sendForgottenLinks } from '../../src/accounts/forgotten.ts';
import type { Task } from '../task.ts';

const task: Task<'forgotten_password'> = ({ email, address }, { db }) => sendForgottenLinks(db, email, address);

export default task;
