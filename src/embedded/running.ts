/** The PostgreSQL of an `npm start` that is running now, for commands given beside it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPassword, superuser } from './cluster.ts';
import { isHeld } from './lock.ts';

/** URL of the database in `folder`, or undefined when nobody runs it. */
export function runningDatabase(folder: string): string | undefined {
  const pidFile = join(folder, 'data/postmaster.pid');
  if (!isHeld(join(folder, 'lock')) || !existsSync(pidFile)) return undefined;
  // The fourth line of PostgreSQL's pid file is its port.
  const port = Number(readFileSync(pidFile, 'utf8').split('\n')[3]);
  return port > 0 ? `postgres://${superuser}:${readPassword(folder)}@127.0.0.1:${port}/postgres` : undefined;
}
