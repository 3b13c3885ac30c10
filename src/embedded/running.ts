/** The PostgreSQL of an `npm start` that is running now, for commands given beside it. */
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPassword, superuser } from './cluster.ts';
import { addressOfHolder, isHeld } from './lock.ts';

/** URL of the database in `folder`, or undefined when nobody runs it. Throws when it is another user's. */
export function runningDatabase(folder: string): string | undefined {
  refuseForeign(folder);
  const pidFile = join(folder, 'data/postmaster.pid');
  if (!isHeld(join(folder, 'lock')) || !existsSync(pidFile)) return undefined;
  // The fourth line of PostgreSQL's pid file is its port.
  const port = Number(readFileSync(pidFile, 'utf8').split('\n')[3]);
  return port > 0 ? `postgres://${superuser}:${readPassword(folder)}@127.0.0.1:${port}/postgres` : undefined;
}

/** Where the service that has this database answers, if it does. */
export const runningAddress = (folder: string): string | undefined => addressOfHolder(join(folder, 'lock'));

/** Its files are readable by their owner alone: to anybody else it would seem that nothing runs. */
function refuseForeign(folder: string): void {
  try {
    closeSync(openSync(join(folder, 'lock'), 'r'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return;
    throw new Error(
      "There is an 'npm start' of another user in this folder, and its database is open to that user alone: run the command as that user, or set DATABASE_URL.",
    );
  }
}
