/** Which processes live: told by /proc where there is one, by `ps` elsewhere. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const proc = existsSync('/proc/self/stat');

function ps(pid: number, column: 'lstart' | 'comm'): string {
  try {
    return execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}

/** Pids of all processes, where there is a /proc. */
export const processIds = (): number[] =>
  proc
    ? readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
    : [];

/** The fields of /proc/<pid>/stat after the name, which may hold spaces: state first, then the parent. None when the process is gone. */
export function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return [];
  }
}

/** When the process began, as a text to compare with an earlier one; empty when it is gone.
 *  A pid alone proves nothing: containers hand out the same ones after every restart. */
export function bornAt(pid: number): string {
  if (!proc) return ps(pid, 'lstart');
  const fields = statOf(pid);
  // Without an init that reaps, a dead orphan stays as a zombie for good.
  return fields[0] === 'Z' || fields[0] === 'X' ? '' : (fields[19] ?? '');
}

function worksIn(pid: number, folder: string, suspect: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder;
  } catch (error) {
    // Another user's process hides its directory: then only the pid file speaks, and a PostgreSQL gets the benefit of the doubt.
    const hidden = pid === suspect && (error as NodeJS.ErrnoException).code !== 'ENOENT';
    return hidden && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres';
  }
}

/** Pids of the PostgreSQL processes that have `data` open; `suspect` is the pid its postmaster.pid names. */
export function serversOf(data: string, suspect: number): number[] {
  if (!proc) return ps(suspect, 'comm').endsWith('postgres') ? [suspect] : [];
  return processIds().filter((pid) => bornAt(pid) && worksIn(pid, data, suspect));
}

/** Resolves to whether `done` became true within `limitMs`. */
export async function waitFor(done: () => boolean, limitMs: number): Promise<boolean> {
  for (const end = Date.now() + limitMs; Date.now() < end; await sleep(20)) if (done()) return true;
  return done();
}
