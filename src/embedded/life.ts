import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** This folder imports nothing of ours, so it has its own. */
export const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

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
    const hidden = pid === suspect && codeOf(error) !== 'ENOENT';
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

/** The user that PostgreSQL runs as. It refuses root, so root uses an account without rights. */
export type RunAs = { uid: number; gid: number } | { uid?: undefined };

function idOf(name: string): RunAs | undefined {
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

/** The owner of an existing `folder`, else `postgres`, else `nobody`. Never creates accounts on the machine. */
export function runAs(folder: string): RunAs {
  if (process.getuid?.() !== 0) return {};
  const owner = statSync(folder, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = idOf('postgres') ?? idOf('nobody');
  if (account) return account;
  throw new Error('PostgreSQL refuses to run as root. Start as an ordinary user.');
}

// A guard process that survives this one. When its pipe closes, it signals another process.

// The loop waits until the server has ended before the folder is deleted.
const script = `read -r _
kill -s "$1" "$2" 2>/dev/null
[ -n "$3" ] || exit 0
n=0
while kill -0 "$2" 2>/dev/null && [ "$n" -lt 100 ]; do sleep 0.1; n=$((n + 1)); done
rm -rf -- "$3"`;

/** Signals `pid` after this process ends, even by SIGKILL or Ctrl-C, then deletes `folder`. Returns a function that cancels it. */
export function guard(pid: number, signal: 'INT' | 'TERM' | 'QUIT' | 'KILL', folder = ''): () => void {
  const watcher = spawn('/bin/sh', ['-c', script, 'guard', signal, String(pid), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  });
  watcher.on('error', () => {});
  watcher.stdin.on('error', () => {});
  watcher.unref();
  if (watcher.stdin instanceof Socket) watcher.stdin.unref();
  return () => void watcher.kill('SIGKILL');
}
