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

export const processIds = (): number[] =>
  proc
    ? readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
    : [];

/** Fields of /proc/<pid>/stat after the name, which may contain spaces. Empty if the process has ended. */
export function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return [];
  }
}

/** Start time, empty if the process has ended. A pid alone is not unique: containers reuse pids after a restart. */
export function startTimeOf(pid: number): string {
  if (!proc) return ps(pid, 'lstart');
  const fields = statOf(pid);
  // Without an init process, an ended orphan stays a zombie.
  return fields[0] === 'Z' || fields[0] === 'X' ? '' : (fields[19] ?? '');
}

function worksIn(pid: number, folder: string, suspect: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder;
  } catch (error) {
    // Another user's process hides its directory. Then the pid file decides, if the process is a PostgreSQL.
    const hidden = pid === suspect && (error as NodeJS.ErrnoException).code !== 'ENOENT';
    return hidden && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres';
  }
}

/** Pids of PostgreSQL processes that use `data`. `suspect`: the pid in its postmaster.pid. */
export function serversOf(data: string, suspect: number): number[] {
  if (!proc) return ps(suspect, 'comm').endsWith('postgres') ? [suspect] : [];
  return processIds().filter((pid) => startTimeOf(pid) && worksIn(pid, data, suspect));
}

export async function waitFor(done: () => boolean, limitMs: number): Promise<boolean> {
  for (const end = Date.now() + limitMs; Date.now() < end; await sleep(20)) if (done()) return true;
  return done();
}
