/** SQL about jobs that need somebody's hand: failed for good, or held by a worker that is gone. Never their payloads. */
import { z } from 'zod';
import type { Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { LATE_SECONDS } from './queueQueries.ts';

export interface JobFilter {
  /** One that failed for good, is stuck, or has failed and waits for its next attempt. */
  job?: number | undefined;
  task?: string | undefined;
}

const Job = z.object({
  id: z.number(),
  task: z.string(),
  state: z.enum(['failed', 'stuck']),
  attempts: z.number(),
  createdAt: z.string(),
  runAt: z.string(),
  error: z.string().nullable(),
});

const failed = sql.fragment`j.locked_at is null and j.attempts >= j.max_attempts`;
const silence = sql.fragment`now() - ${LATE_SECONDS} * interval '1 second'`;
/** As `doctor` counts them. */
const stuck = sql.fragment`j.locked_at < ${silence} and not exists (select from workers w where w.id = j.locked_by and w.seen_at > ${silence})`;

const condition = ({ job, task }: JobFilter): Fragment => sql.fragment`
  ${job === undefined ? sql.fragment`(${failed} or ${stuck})` : sql.fragment`j.id = ${job} and (j.locked_at is null and j.attempts > 0 or ${stuck})`}
  and ${task === undefined ? sql.fragment`true` : sql.fragment`j.task_identifier = ${task}`}`;

/** Those that failed for good and those that are stuck, `limit` at most. */
export function listJobs(tx: Tx, { task, after, limit }: { task?: string | undefined; after: number; limit: number }) {
  return tx.any(sql.type(Job)`
    select j.id, j.task_identifier as task, case when ${failed} then 'failed' else 'stuck' end as state, j.attempts,
      j.created_at as "createdAt", j.run_at as "runAt", left(split_part(j.last_error, E'\n', 1), 200) as error
    from graphile_worker.jobs j where j.id > ${after} and ${condition({ task })} order by j.id limit ${limit}`);
}

const Found = z.object({ id: z.number(), holder: z.string().nullable() });

/** The ids of the jobs that the filter names, which no dead worker holds any longer. A worker that is gone but has a row yet may hold more:
 *  they all are put back, as the sweep of another worker would do. */
async function freed(tx: Tx, filter: JobFilter): Promise<number[]> {
  const jobs = await tx.any(sql.type(Found)`
    select j.id, j.locked_by as holder from graphile_worker.jobs j where ${condition(filter)} order by j.id`);
  const holders = [...new Set(jobs.flatMap(({ holder }) => holder ?? []))];
  if (holders.length) await tx.query(sql.unsafe`select graphile_worker.force_unlock_workers(${sql.array(holders, 'text')})`);
  return jobs.map(({ id }) => id);
}

const Id = z.object({ id: z.number() });

/** Lets them run again at once, with all of their attempts. Returns their ids; a worker may have taken one meanwhile. */
export async function retryJobs(tx: Tx, filter: JobFilter): Promise<readonly number[]> {
  const ids = await freed(tx, filter);
  return tx.anyFirst(sql.type(Id)`
    select id from graphile_worker.reschedule_jobs(${sql.array(ids, 'int8')}, run_at => now(), attempts => 0) order by id`);
}

/** Takes them out of the queue: they never happen. Returns their ids. */
export async function dropJobs(tx: Tx, filter: JobFilter): Promise<readonly number[]> {
  const ids = await freed(tx, filter);
  return tx.anyFirst(sql.type(Id)`select id from graphile_worker.complete_jobs(${sql.array(ids, 'int8')}) order by id`);
}
