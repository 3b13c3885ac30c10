import { sendForgottenLinks } from '../../src/accounts/forgotten.ts';
import type { Task } from '../task.ts';

const task: Task<'forgotten_password'> = ({ email }, { db }) => sendForgottenLinks(db, email);

export default task;
