/** `jobs`: lists the queue, and retries or drops failed jobs (behaviour §2.14). */
import { z } from 'zod';
import type { Tx } from '../database/db.ts';
import { dropJobs, type JobFilter, type JobState, jobStates, listJobs, retryJobs } from '../queue/jobQueries.ts';
import { payloads } from '../queue/jobs.ts';
import { InvalidRequest } from '../values/errors.ts';
import { redact } from '../values/secretKeys.ts';
import { command, option } from './command.ts';
import { PAGE } from './listQueries.ts';
import { flag, optionalId } from './options.ts';
import { pageOf, printPage } from './paging.ts';

const oneOf = <const Word extends string>(words: readonly Word[]) => z.enum(words, { error: `give one of ${words.join(', ')}` }).optional();
const task = option(oneOf(Object.keys(payloads)), 'NAME', 'only jobs with this task');

export const list = command({
  summary: 'list jobs with state and last error, without their content',
  options: {
    state: option(oneOf(jobStates), jobStates.join('|'), 'only jobs in this state'),
    task,
    after: optionalId('the `next` of the previous page'),
  },
  note: 'retrying: failed and waiting for the next attempt; failed: no attempts left; stuck: locked by a dead worker.',
  async run(context, { state, task: ofTask, after = 0 }) {
    const db = await context.db();
    const states = state === undefined ? jobStates : [state];
    const rows = await listJobs(db.pool(), { task: ofTask, states }, { after, limit: PAGE + 1 });
    const shown = rows.map((job) => ({ ...job, error: job.error && redact(job.error) }));
    return pageOf('jobs', shown, (job) => job.id);
  },
  print: printPage('jobs'),
});

interface Change {
  summary: string;
  done: 'retried' | 'dropped';
  act(tx: Tx, filter: JobFilter): Promise<readonly number[]>;
  all: readonly JobState[];
}

const change = ({ summary, done, act, all: ofAll }: Change) =>
  command({
    summary,
    options: { job: optionalId('this job'), all: flag(`all jobs that are ${ofAll.join(', ')}`), task },
    async run(context, { job, all, task: ofTask }) {
      if ((job === undefined) === (all === undefined)) throw new InvalidRequest(['job'], 'give --job or --all.');
      const db = await context.db();
      const states: JobState[] = ['retrying', 'failed', 'stuck'];
      const ids = await db.transaction((tx) => act(tx, { job, task: ofTask, states: job === undefined ? ofAll : states }));
      if (job !== undefined && ids.length === 0)
        throw new InvalidRequest(
          ['job'],
          `there is no job ${job}${ofTask ? ` of ${ofTask}` : ''} that is retrying, failed or stuck; see jobs list.`,
        );
      return { [done]: ids };
    },
  });

export const retry = change({
  summary: 'run jobs again now, with all attempts',
  done: 'retried',
  act: retryJobs,
  all: ['retrying', 'failed', 'stuck'],
});
export const drop = change({
  summary: 'delete jobs from the queue without running them',
  done: 'dropped',
  act: dropJobs,
  all: ['failed', 'stuck'],
});
