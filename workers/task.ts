/** What a task is: a shell around an operation. It gets a payload that has been checked and what the process works with. */
import type { Computations } from '../src/capacity/snapshots/computations.ts';
import type { Config } from '../src/config.ts';
import type { Db } from '../src/database/db.ts';
import type { Logger } from '../src/log.ts';
import type { JobName, Payload } from '../src/queue/jobs.ts';

export interface TaskContext {
  db: Db;
  config: Config;
  log: Logger;
  /** What takes long to compute is computed in threads, so that the event loop stays free for the jobs that are due. */
  computations: Computations;
  /** For the figures of the process. */
  observeDelivery(attempt: { ok: boolean; ms: number }): void;
  /** Aborted when the process is to stop and has waited long enough: give up by throwing, the job will run again. */
  signal: AbortSignal;
}

/** May be called again with the same payload, even while a twin runs: state in our tables makes a thing happen once, never the queue.
 *  What it throws puts the job back with a growing delay. */
export type Task<Name extends JobName> = (payload: Payload<Name>, context: TaskContext) => Promise<unknown>;
