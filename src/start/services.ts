/** Runs web and worker as child processes that end with this one, however it ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { guard } from '../embedded/life.ts';
import { keysOf } from '../values/records.ts';

/** Longer than the 25 s that a process may take to stop (behaviour §1.12). */
const PATIENCE_MS = 27_000;

const scripts = { web: '../web.ts', worker: '../../workers/index.ts' } as const;
/** By default V8's heap grows to many times the used memory. Forecasts run in threads with limits of their own. */
export const memoryOf = {
  web: ['--max-old-space-size=384', '--max-semi-space-size=8'],
  worker: ['--max-old-space-size=256', '--max-semi-space-size=4'],
} as const;
/** By default glibc keeps freed blocks of up to 32 MB, in each thread: those of password checks alone (19 MiB) take 100 MB. */
export const mallocEnv = { MALLOC_MMAP_THRESHOLD_: '1048576' };
type Name = keyof typeof scripts;

export interface Services {
  stop(): Promise<void>;
}

/** A worker that ends sooner is not restarted. */
const TOO_SOON_MS = 1_000;

/** Restarts a killed worker. Calls `onEnd` with one sentence if another process ends unexpectedly. */
export function startServices(environment: NodeJS.ProcessEnv, onEnd: (why: string) => void): Services {
  let stopping = false;
  const children = new Set<ChildProcess>();
  const run = (name: Name): void => {
    const child = start(name, environment);
    const born = performance.now();
    children.add(child);
    child.once('exit', (code, signal) => {
      children.delete(child);
      if (stopping) return;
      if (name === 'worker' && (signal || code === 0) && performance.now() - born >= TOO_SOON_MS) {
        process.stderr.write(`The worker process was ended (${signal ?? 'SIGTERM'}): a new one starts.\n`);
        return run(name);
      }
      onEnd(`The ${name} process ended by itself (${signal ?? `exit code ${code}`}); see its messages above.`);
    });
  };
  for (const name of keysOf(scripts)) run(name);
  return {
    async stop() {
      stopping = true;
      await Promise.all([...children].map(end));
    },
  };
}

function start(name: Name, environment: NodeJS.ProcessEnv): ChildProcess {
  const script = fileURLToPath(new URL(scripts[name], import.meta.url));
  // Its own session: Ctrl-C signals a terminal's whole process group, but we stop the processes in order.
  const child = spawn(process.execPath, [...memoryOf[name], script], {
    env: { ...mallocEnv, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  if (child.pid) {
    const dismissGuard = guard(child.pid, 'TERM');
    child.once('exit', dismissGuard);
  }
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const clock = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  child.kill('SIGTERM');
  await once(child, 'exit');
  clearTimeout(clock);
}
