/** SQL of jobs for operators: waiting and failed jobs, and those locked by a dead worker. Never their payloads. */
import { z } from 'zod';
import type { Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { isStuck } from './queueQueries.ts';

/** `retrying`: failed, and waiting for the next attempt. `failed`: no attempts left. `stuck`: locked by a dead worker. */
export const jobStates = ['waiting', 'retrying', 'running', 'failed', 'stuck'] as const;
export type JobState = (typeof jobStates)[number];

export interface JobFilter {
  job?: number | undefined;
  task?: string | undefined;
  states: readonly JobState[];
}

const Job = z.object({
  id: z.number(),
  task: z.string(),
  state: z.enum(jobStates),
  attempts: z.number(),
  createdAt: z.string(),
  runAt: z.string(),
  error: z.string().nullable(),
});
export type Job = z.infer<typeof Job>;

const state = sql.fragment`case
  when j.locked_at is null then case when j.attempts >= j.max_attempts then 'failed' when j.attempts > 0 then 'retrying' else 'waiting' end
  when ${isStuck} then 'stuck'
  else 'running' end`;

const condition = ({ job, task, states }: JobFilter): Fragment => sql.fragment`${state} = any(${sql.array([...states], 'text')})
  and ${job === undefined ? sql.fragment`true` : sql.fragment`j.id = ${job}`}
  and ${task === undefined ? sql.fragment`true` : sql.fragment`j.task_identifier = ${task}`}`;

export function listJobs(tx: Tx, filter: JobFilter, { after, limit }: { after: number; limit: number }): Promise<readonly Job[]> {
  return tx.any(sql.type(Job)`
    select j.id, j.task_identifier as task, ${state} as state, j.attempts, j.created_at as "createdAt", j.run_at as "runAt", j.last_error as error
    from graphile_worker.jobs j where j.id > ${after} and ${condition(filter)} order by j.id limit ${limit}`);
}

const Found = z.object({ id: z.number(), holder: z.string().nullable() });

/** Ids of matching jobs after unlocking those of dead workers. If a dead worker still has a row, all of its jobs are unlocked. */
async function freed(tx: Tx, filter: JobFilter): Promise<number[]> {
  const jobs = await tx.any(sql.type(Found)`
    select j.id, j.locked_by as holder from graphile_worker.jobs j where ${condition(filter)} order by j.id`);
  const holders = [...new Set(jobs.flatMap(({ holder }) => holder ?? []))];
  if (holders.length) await tx.query(sql.unsafe`select graphile_worker.force_unlock_workers(${sql.array(holders, 'text')})`);
  return jobs.map(({ id }) => id);
}

const Id = z.object({ id: z.number() });

/** Runs the jobs again now with all attempts. Returns their ids; a worker may have started one already. */
export async function retryJobs(tx: Tx, filter: JobFilter): Promise<readonly number[]> {
  const ids = await freed(tx, filter);
  return tx.anyFirst(sql.type(Id)`
    select id from graphile_worker.reschedule_jobs(${sql.array(ids, 'int8')}, run_at => now(), attempts => 0) order by id`);
}

export async function dropJobs(tx: Tx, filter: JobFilter): Promise<readonly number[]> {
  const ids = await freed(tx, filter);
  return tx.anyFirst(sql.type(Id)`select id from graphile_worker.complete_jobs(${sql.array(ids, 'int8')}) order by id`);
}
