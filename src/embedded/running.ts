import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPassword, superuser } from './cluster.ts';
import { codeOf } from './life.ts';
import { addressOfHolder, isHeld } from './lock.ts';

/** URL of the database of a running `npm start` in `folder`, else undefined. Throws if another user runs it. */
export function runningDatabase(folder: string): string | undefined {
  refuseForeign(folder);
  const pidFile = join(folder, 'data/postmaster.pid');
  if (!isHeld(join(folder, 'lock')) || !existsSync(pidFile)) return undefined;
  // The fourth line of PostgreSQL's pid file is the port.
  const port = Number(readFileSync(pidFile, 'utf8').split('\n')[3]);
  return port > 0 ? `postgres://${superuser}:${readPassword(folder)}@127.0.0.1:${port}/postgres` : undefined;
}

export const runningAddress = (folder: string): string | undefined => addressOfHolder(join(folder, 'lock'));

/** Only the owner can read the files: for other users nothing would seem to run. */
function refuseForeign(folder: string): void {
  try {
    closeSync(openSync(join(folder, 'lock'), 'r'));
  } catch (error) {
    if (codeOf(error) !== 'EACCES') return;
    throw new Error("Another user runs 'npm start' in this folder. Run the command as that user, or set DATABASE_URL.");
  }
}
