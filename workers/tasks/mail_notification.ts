import { mailNotification } from '../../src/notifications/mailNotification.ts';
import type { Task } from '../task.ts';

const task: Task<'mail_notification'> = ({ notificationId }, { db, config }) => mailNotification(db, config, notificationId);

export default task;
