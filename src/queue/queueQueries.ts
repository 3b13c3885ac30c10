/** State of the job queue for `doctor` and metrics. Reads the whole queue, so don't use it in requests. */
import { z } from 'zod';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { outbound, outboundTasks } from './jobs.ts';

/** SQL that holds outbound jobs: a row in the database applies to all processes (behaviour §2.30). Held jobs stay in the queue. */
export const isHeldByDatabase = sql.fragment`exists (select from outbound_hold where one)`;

const Held = z.object({ held: z.boolean() });

export const readHold = (tx: Tx): Promise<boolean> => tx.oneFirst(sql.type(Held)`select ${isHeldByDatabase} as held`);

export async function holdOutbound(tx: Tx): Promise<void> {
  await tx.query(sql.unsafe`insert into outbound_hold default values on conflict do nothing`);
}

/** Returns true if they were held. */
export async function releaseOutbound(tx: Tx): Promise<boolean> {
  return (await tx.maybeOneFirst(sql.type(Held)`delete from outbound_hold returning true as held`)) !== null;
}

const Waiting = z.object({ mails: z.number(), reminders: z.number() });
export type Waiting = z.infer<typeof Waiting>;

export const countWaiting = (tx: Tx): Promise<Waiting> =>
  tx.one(sql.type(Waiting)`
    select count(*) filter (where task_identifier = any(${sql.array([...outbound.mails], 'text')})) as mails,
      count(*) filter (where task_identifier = any(${sql.array([...outbound.reminders], 'text')})) as reminders
    from graphile_worker.jobs where attempts < max_attempts`);

/** A worker starts a job within seconds, and another worker's within 90 s of its death (behaviour §10.13). */
export const LATE_SECONDS = 90;

const late = sql.fragment`now() - ${LATE_SECONDS} * interval '1 second'`;

/** SQL condition: a worker without a heartbeat has locked job `j`. */
export const isStuck = sql.fragment`j.locked_at < ${late} and not exists (select from workers w where w.id = j.locked_by and w.seen_at > ${late})`;

const Queue = z.object({
  runnable: z.number(),
  held: z.number(),
  scheduled: z.number(),
  running: z.number(),
  retrying: z.number(),
  failed: z.number(),
  stuck: z.number(),
  oldest_seconds: z.number().nullable(),
  last_error: z.string().nullable(),
});

/** Counts of jobs. `retrying`: failed before. `held`: due but held. `stuck`: locked by a worker without a heartbeat
 *  for LATE_SECONDS. `failed`: no attempts left. `outboundOff`: all processes hold outbound jobs. */
export async function readQueue(tx: Tx, outboundOff: boolean): Promise<z.infer<typeof Queue>> {
  return tx.one(sql.type(Queue)`
    select count(*) filter (where due and not held) as runnable,
      count(*) filter (where due and held) as held,
      count(*) filter (where locked_at is null and attempts < max_attempts and not due) as scheduled,
      count(*) filter (where last_error is not null and not held and (attempts < max_attempts or locked_at is not null)) as retrying,
      count(*) filter (where locked_at is not null) as running,
      count(*) filter (where locked_at is null and attempts >= max_attempts) as failed,
      count(*) filter (where ${isStuck}) as stuck,
      floor(extract(epoch from now() - min(run_at) filter (where due and not held)))::integer as oldest_seconds,
      (array_agg(task_identifier || ': ' || split_part(last_error, E'\n', 1)) filter (where locked_at is null and attempts >= max_attempts))[1] as last_error
    from (
      select *, locked_at is null and attempts < max_attempts and run_at <= now() as due,
        (${outboundOff} or ${isHeldByDatabase}) and task_identifier = any(${sql.array([...outboundTasks], 'text')}) as held
      from graphile_worker.jobs
    ) j`);
}

const Workers = z.object({ alive: z.number(), silent_seconds: z.number().nullable() });

/** Workers with a heartbeat within `deadAfterSeconds`, and the age of the last heartbeat in seconds. Rows from a restored dump don't
 *  count. */
export async function readWorkers(tx: Tx, deadAfterSeconds = LATE_SECONDS): Promise<z.infer<typeof Workers>> {
  return tx.one(sql.type(Workers)`
    select count(distinct (host, pid)) filter (where seen_at > now() - ${deadAfterSeconds} * interval '1 second') as alive,
      floor(extract(epoch from now() - max(seen_at)))::integer as silent_seconds
    from workers where life = database_life()`);
}
