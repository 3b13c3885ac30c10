import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server as NetServer, Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Binaries } from './binaries.ts';
import { dataPath, environment } from './cluster.ts';
import type { RunAs } from './life.ts';

export interface Server {
  pid: number;
  port: number;
  /** Resolves to the last log lines when the server has ended. */
  exited: Promise<string>;
  /** False if it has ended: another process may have the pid. */
  kill(signal: NodeJS.Signals): boolean;
}

export interface Launch {
  binaries: Binaries;
  as: RunAs;
  data: string;
  disposable: boolean;
  settings?: readonly string[];
  onLog(line: string): void;
}

const common = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'TimeZone=UTC', 'log_timezone=UTC', 'shared_buffers=128MB'];
/** Loses data in a power cut: only for disposable tests. */
const careless = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_connections=200',
  'autovacuum_naptime=10min',
];

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const port = portOf(probe);
  probe.close();
  await once(probe, 'close');
  return port;
}

/** The port of a listening server. */
export function portOf(server: NetServer): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port. Call listen() first.');
  return address.port;
}

function run({ binaries, as, data, disposable, settings = [] }: Launch, port: number) {
  const options = [...common, ...(disposable ? careless : []), ...settings, `port=${port}`].flatMap((option) => ['-c', option]);
  // Its own session, so that Ctrl-C does not reach it: we stop it last.
  const how = { ...as, cwd: data, env: environment, detached: true } as const;
  return spawn(binaries.postgres, ['-D', dataPath(data, as), ...options], { ...how, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Always reads the log: a full pipe would block the server. */
function follow(child: ReturnType<typeof run>, onLog: (line: string) => void): { ready: Promise<boolean>; exited: Promise<string> } {
  const tail: string[] = [];
  const lines = createInterface({ input: child.stderr });
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', () => resolve(tail.join('\n')));
  });
  const ready = new Promise<boolean>((resolve) => {
    lines.on('line', (line) => {
      tail.push(line);
      if (tail.length > 20) tail.shift();
      onLog(line);
      if (/database system is ready to accept (read-only )?connections/.test(line)) resolve(true);
    });
    exited.then(() => resolve(false));
  });
  return { ready, exited };
}

/** Starts PostgreSQL on `data` and resolves when it accepts connections. Recovery after a crash has no time limit. */
export async function launch(options: Launch): Promise<Server> {
  for (let tries = 1; ; tries++) {
    const port = await freePort();
    const child = run(options, port);
    const { ready, exited } = follow(child, options.onLog);
    if ((await ready) && child.pid !== undefined) {
      child.unref();
      if (child.stderr instanceof Socket) child.stderr.unref();
      return { pid: child.pid, port, exited, kill: (signal) => child.exitCode === null && child.kill(signal) };
    }
    const log = await exited;
    if (tries === 5 || !/could not (bind|create any TCP)/.test(log))
      throw new Error(`PostgreSQL did not start. Fix the cause in its log, then start again:\n${log}`);
  }
}

/** Fast shutdown; after 15 s immediate shutdown, from which the next start recovers. */
export async function shutDown(server: Server, disposable: boolean): Promise<void> {
  for (const signal of disposable ? (['SIGQUIT'] as const) : (['SIGINT', 'SIGQUIT'] as const)) {
    if (!server.kill(signal)) return;
    const timer = Promise.withResolvers<false>();
    // Also keeps this process alive, because the server is unreferenced.
    const clock = setTimeout(() => timer.resolve(false), 15_000);
    const done = await Promise.race([server.exited, timer.promise]);
    clearTimeout(clock);
    if (done !== false) return;
  }
}
