import { mailDigest } from '../../src/notifications/mailDigest.ts';
import type { Task } from '../task.ts';

const task: Task<'mail_digest'> = (digest, { db, config }) => mailDigest(db, config, digest);

export default task;
