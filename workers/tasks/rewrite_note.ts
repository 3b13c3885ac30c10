import { rewritePending } from '../../src/comments/rewrite/rewritePending.ts';
import type { Task } from '../task.ts';

const task: Task<'rewrite_note'> = async ({ rewriteId }, { db, config, log, signal }) => {
  const fault = await rewritePending(db, { ...config.rewrite, signal }, rewriteId);
  if (fault) log.warn({ rewriteId, fault }, 'a note could not be rewritten');
};

export default task;
