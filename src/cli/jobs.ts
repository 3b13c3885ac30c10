/** `jobs`: what the queue could not do, and what becomes of it (behaviour §2.14). */
import { z } from 'zod';
import type { Tx } from '../database/db.ts';
import { dropJobs, type JobFilter, listJobs, retryJobs } from '../queue/jobQueries.ts';
import { payloads } from '../queue/jobs.ts';
import { InvalidRequest } from '../values/errors.ts';
import { command, option } from './command.ts';
import { PAGE } from './listQueries.ts';
import { flag, optionalId } from './options.ts';
import { pageOf, printPage } from './paging.ts';

const names = Object.keys(payloads);
const task = option(z.enum(names, { error: `give one of ${names.join(', ')}` }).optional(), 'NAME', 'only jobs of this task');
const after = optionalId('the `next` of the page before');

export const list = command({
  summary: 'jobs that failed for good, and those held by a worker that is gone; what they are about is never shown',
  options: { task, after },
  async run(context, values) {
    const db = await context.db();
    const rows = await listJobs(db.pool(), { task: values.task, after: values.after ?? 0, limit: PAGE + 1 });
    return pageOf('jobs', rows, (job) => job.id);
  },
  print: printPage('jobs'),
});

const chosen = {
  job: optionalId('this job'),
  all: flag('all that `jobs list` shows'),
  task,
};

/** Both do something to jobs that are named one by one, or to all that are listed. */
const change = (summary: string, done: 'retried' | 'dropped', act: (tx: Tx, filter: JobFilter) => Promise<readonly number[]>) =>
  command({
    summary,
    options: chosen,
    async run(context, { job, all, task: ofTask }) {
      if ((job === undefined) === (all === undefined)) throw new InvalidRequest(['job'], 'give --job or --all.');
      const db = await context.db();
      const ids = await db.transaction((tx) => act(tx, { job, task: ofTask }));
      if (job !== undefined && ids.length === 0)
        throw new InvalidRequest(['job'], `there is no job ${job}${ofTask ? ` of ${ofTask}` : ''} that failed or is stuck; see jobs list.`);
      return { [done]: ids };
    },
  });

export const retry = change('let jobs run again at once, with all of their attempts', 'retried', retryJobs);
export const drop = change('take jobs out of the queue: what they were to do never happens', 'dropped', dropJobs);
