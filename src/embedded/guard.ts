/** A guard process that survives this one. When its pipe closes, it signals another process. */
import { spawn } from 'node:child_process';

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
  (watcher.stdin as unknown as { unref?(): void }).unref?.();
  return () => void watcher.kill('SIGKILL');
}
