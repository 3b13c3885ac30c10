/** A guard outlives us, however we die: when our end of its pipe closes it signals the process it was set on. */
import { spawn } from 'node:child_process';

// `kill -0` in the loop: a folder must not be pulled from under a server that is still shutting down.
const script = `read -r _
kill -s "$1" "$2" 2>/dev/null
[ -n "$3" ] || exit 0
n=0
while kill -0 "$2" 2>/dev/null && [ "$n" -lt 100 ]; do sleep 0.1; n=$((n + 1)); done
rm -rf -- "$3"`;

/** Sends `signal` to `pid` once this process is gone, even by SIGKILL, then removes `folder` if one is given.
 *  Returns what calls the guard off. The guard has a session of its own, so that Ctrl-C in a terminal leaves it alone. */
export function guard(pid: number, signal: 'INT' | 'TERM' | 'QUIT' | 'KILL', folder = ''): () => void {
  const watcher = spawn('/bin/sh', ['-c', script, 'guard', signal, String(pid), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  });
  watcher.on('error', () => {});
  watcher.stdin.on('error', () => {});
  watcher.unref();
  (watcher.stdin as unknown as { unref?(): void }).unref?.();
  return () => void watcher.kill('SIGKILL');
}
