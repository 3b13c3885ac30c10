/** What a task is: a shell around an operation. It gets a payload that has been checked and what the process works with. */
import type pg from 'pg';
import type { Config } from '../src/config.ts';
import type { Db } from '../src/database/db.ts';
import type { Logger } from '../src/log.ts';
import type { JobName, Payload } from '../src/queue/jobs.ts';

export interface TaskContext {
  db: Db;
  config: Config;
  log: Logger;
  /** For reading many rows through a cursor: connections without the short timeouts of `db`, two at most. */
  streams: pg.Pool;
  /** Aborted when the process is to stop and has waited long enough: give up by throwing, the job will run again. */
  signal: AbortSignal;
}

/** May be called again with the same payload, even while a twin runs: state in our tables makes a thing happen once, never the queue.
 *  What it throws puts the job back with a growing delay. */
export type Task<Name extends JobName> = (payload: Payload<Name>, context: TaskContext) => Promise<unknown>;
