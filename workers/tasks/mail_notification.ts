import type { Task } from 'graphile-worker';
import { payloads } from '../../src/jobs.ts';
import { mailNotification } from '../../src/notifications/mailNotification.ts';
import { context } from '../context.ts';

const task: Task = (payload) => {
  const { db, config } = context();
  return mailNotification(db, config, payloads.mail_notification.parse(payload).notificationId);
};

export default task;
