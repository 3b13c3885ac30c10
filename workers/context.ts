/** What the tasks of this process work with: graphile-worker loads the task files by itself and hands them nothing of ours. */
import type { Config } from '../src/config.ts';
import type { Db } from '../src/db.ts';

export interface WorkerContext {
  db: Db;
  config: Pick<Config, 'mail' | 'baseUrl' | 'rewrite'>;
}

let current: WorkerContext | undefined;

/** For the process, before it takes its first job. */
export function provideContext(context: WorkerContext): void {
  current = context;
}

export function context(): WorkerContext {
  if (!current) throw new Error('provideContext must be called before a task runs.');
  return current;
}
