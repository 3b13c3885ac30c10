import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.ts';
import { codeOf, guard, type RunAs, serversOf, waitFor } from './life.ts';

export const superuser = 'stint';

/** Environment of all PostgreSQL processes, without PG* variables and locale of the caller. */
export const environment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Path for a process that runs in the data folder. Under root its account may have no access to the full path (`/root/…`). */
export const dataPath = (data: string, as: RunAs): string => ('uid' in as && process.platform === 'linux' ? '/proc/self/cwd' : data);

function own(path: string, as: RunAs): void {
  if (as.uid !== undefined) chownSync(path, as.uid, as.gid);
}

export function makeFolder(folder: string, as: RunAs): void {
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined || 'uid' in as) own(folder, as);
}

const settings = [
  '--encoding=UTF8',
  // Sorts by code point, handles upper and lower case of all of Unicode, and is equal on every machine.
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  '--auth=scram-sha-256',
  `--username=${superuser}`,
  '--no-instructions',
];

/** Creates `folder/data` and `folder/password` if absent. The next start deletes `making` after a crash. */
export async function initialise(folder: string, binaries: Binaries, as: RunAs, disposable: boolean): Promise<void> {
  if (existsSync(join(folder, 'data'))) return;
  const making = join(folder, 'making');
  const password = join(folder, 'password');
  rmSync(making, { recursive: true, force: true });
  makeFolder(making, as);
  writeFileSync(password, randomBytes(24).toString('base64url'), { mode: 0o600 });
  own(password, as);
  const args = [`--pgdata=${dataPath(making, as)}`, '--pwfile=../password', ...settings];
  if (disposable) args.push('--no-sync');
  const running = promisify(execFile)(binaries.initdb, args, { ...as, cwd: making, env: environment, timeout: 120_000 });
  const dismissGuard = running.child.pid ? guard(running.child.pid, 'TERM', disposable ? folder : '') : () => {};
  await running
    .catch((error) => {
      throw new Error(
        `PostgreSQL could not create its files in ${folder}. Check free space and permissions: ${error.stderr || error.message}`,
      );
    })
    .finally(dismissGuard);
  renameSync(making, join(folder, 'data'));
}

export const readPassword = (folder: string): string => readFileSync(join(folder, 'password'), 'utf8').trim();

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (codeOf(error) === 'EPERM')
      throw new Error(`PostgreSQL process ${pid} still uses this folder and belongs to another user: stop it, then start again.`);
  }
}

/** Stops a server left by a crash, and deletes a pid file of another process. Needs the folder's lock. */
export async function freeFromCrash(data: string): Promise<void> {
  const pidFile = join(data, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  const gone = () => serversOf(data, pid).length === 0;
  for (const name of ['SIGINT', 'SIGQUIT'] as const) {
    if (gone()) break;
    if (serversOf(data, pid).includes(pid)) signal(pid, name);
    await waitFor(gone, 15_000);
  }
  if (!gone()) throw new Error(`PostgreSQL processes ${serversOf(data, pid).join(', ')} still use ${data}: stop them, then start again.`);
  rmSync(pidFile, { force: true });
}
