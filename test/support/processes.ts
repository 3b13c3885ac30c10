/** Spawns our own processes for tests, waits for their output, and ends them with the test process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { guard, processIds, statOf } from '../../src/embedded/life.ts';
import { eventually } from './eventually.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const LIMIT_MS = 40_000;

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Spawned {
  pid: number;
  /** All output so far on stdout and stderr, line by line. */
  lines: string[];
  /** The first line that matches, waiting for it if needed. Throws with the output when the process ends or the time is up. */
  line(pattern: RegExp, limitMs?: number): Promise<string>;
  /** The first JSON line with these values, waiting for it if needed. */
  log(values: Record<string, unknown>, limitMs?: number): Promise<Record<string, unknown>>;
  exit(limitMs?: number): Promise<Exit>;
  kill(signal?: NodeJS.Signals): void;
}

export interface SpawnSettings {
  /** Added to this process's environment. Undefined removes a variable. */
  env?: Record<string, string | undefined>;
  cwd?: string;
  uid?: number;
  gid?: number;
  /** Don't read its stdout. */
  unheard?: boolean;
  /** Run in its own process group, as under a terminal. */
  detached?: boolean;
}

const living = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of living) child.kill('SIGKILL');
});

/** Runs `node ...args` in the project's folder, killed at the latest when this process ends. */
export function spawnNode(args: string[], settings: SpawnSettings = {}): Spawned {
  const { env, unheard = false, ...how } = settings;
  const child = spawn(process.execPath, args, {
    cwd: root,
    ...how,
    env: { ...process.env, ...env },
    stdio: ['ignore', unheard ? 'ignore' : 'pipe', 'pipe'],
  });
  const dismissGuard = child.pid ? guard(child.pid, 'KILL') : () => {};
  living.add(child);
  child.once('exit', () => {
    living.delete(child);
    dismissGuard();
  });
  return watch(child, args);
}

/** Like spawnNode, killed after the test. */
export function spawnFor(t: ExecutionContext, args: string[], settings: SpawnSettings = {}): Spawned {
  const spawned = spawnNode(args, settings);
  t.teardown(async () => {
    spawned.kill('SIGKILL');
    await spawned.exit();
  });
  return spawned;
}

function watch(child: ChildProcess, args: string[]): Spawned {
  const lines: string[] = [];
  let ended: Exit | undefined;
  const changed = new EventTarget();
  const tell = () => changed.dispatchEvent(new Event('change'));
  for (const input of [child.stdout, child.stderr].filter((each) => each !== null)) {
    createInterface({ input }).on('line', (line) => {
      lines.push(line);
      tell();
    });
  }
  const end = (code: number | null, signal: NodeJS.Signals | null) => {
    ended = { code, signal };
    tell();
  };
  // 'close' follows the last output, unless a grandchild keeps the pipe open: then use 'exit'.
  child.once('close', end);
  child.once('exit', (code, signal) => setTimeout(end, 500, code, signal).unref());
  child.once('error', () => end(null, null));

  const until = <T>(look: () => T | undefined, what: string, limitMs: number): Promise<T> =>
    new Promise((resolve, reject) => {
      const fail = (why: string) =>
        finish(() => reject(new Error(`node ${args.join(' ')} ${why} ${what}:\n${lines.slice(-40).join('\n')}`)));
      const clock = setTimeout(fail, limitMs, `took over ${limitMs} ms before`);
      const finish = (settle: () => void) => {
        clearTimeout(clock);
        changed.removeEventListener('change', check);
        settle();
      };
      const check = () => {
        const found = look();
        if (found !== undefined) finish(() => resolve(found));
        else if (ended) fail(`ended (${ended.signal ?? ended.code}) before`);
      };
      changed.addEventListener('change', check);
      check();
    });

  return {
    pid: child.pid!,
    lines,
    line: (pattern, limitMs = LIMIT_MS) => until(() => lines.find((line) => pattern.test(line)), `saying ${pattern}`, limitMs),
    log: (values, limitMs = LIMIT_MS) => until(() => findLog(lines, values), `logging ${JSON.stringify(values)}`, limitMs),
    exit: (limitMs = LIMIT_MS) => until(() => ended, 'its end', limitMs),
    kill: (signal = 'SIGTERM') => void child.kill(signal),
  };
}

function findLog(lines: string[], values: Record<string, unknown>): Record<string, unknown> | undefined {
  for (const line of lines) {
    if (!line.startsWith('{')) continue;
    try {
      const entry: Record<string, unknown> = JSON.parse(line);
      if (Object.entries(values).every(([key, value]) => entry[key] === value)) return entry;
    } catch {}
  }
  return undefined;
}

/** Waits until `url` answers with 2xx, and resolves to the answer. */
export async function answered(url: string, limitMs = LIMIT_MS): Promise<Response> {
  const ask = () => fetch(url, { signal: AbortSignal.timeout(2_000) }).catch((error: Error) => error.cause ?? error);
  const isOk = (answer: unknown): answer is Response => answer instanceof Response && answer.ok;
  const last = await eventually(ask, isOk, limitMs);
  if (isOk(last)) return last;
  throw new Error(`${url} did not answer within ${limitMs} ms: ${last instanceof Response ? last.status : last}`);
}

/** Pids of the children that the process has not waited for (Linux). */
export const childrenOf = (pid: number): number[] => processIds().filter((each) => statOf(each)[1] === String(pid));

/** True while there is such a process. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
