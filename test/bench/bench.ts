/** What a benchmark works with: databases and processes of its own. `end` stops and drops them. */
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import { buildInto } from '../../src/build/index.ts';
import { migrate } from '../../src/database/migrate.ts';
import type { Embedded } from '../../src/embedded/startEmbedded.ts';
import { memoryOf } from '../../src/start/services.ts';
import { redirect } from '../support/bundle.ts';
import { temporaryFolder } from '../support/disposable.ts';
import { answered, type Spawned, type SpawnSettings, spawnNode } from '../support/processes.ts';
import { rowsAt } from '../support/rowsAt.ts';
import type { Statement } from './capture.ts';

export const root = fileURLToPath(new URL('../../', import.meta.url));
/** Time to load and compress files after the process listens. */
const COMPILED_AFTER_MS = 5_000;

export interface Server {
  port: number;
  pid: number;
}

export const settingsOf = (databaseUrl: string) => ({
  DATABASE_URL: databaseUrl,
  SECRET_KEY: 'bench'.repeat(8),
  RATE_LIMIT_REST: '1000000000',
  RATE_LIMIT_MCP: '1000000000',
  RATE_LIMIT_PAGES: '1000000000',
  LOG_LEVEL: 'info',
  NODE_ENV: 'production',
});

export async function stop(spawned: Spawned, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  spawned.kill(signal);
  await spawned.exit();
}

export class Bench {
  /** Few rows and short rounds: shows that the benchmark works, not what things cost. */
  readonly quick: boolean;
  /** Process id of PostgreSQL. */
  readonly postmaster: number;
  readonly #name: string;
  readonly #adminUrl: string;
  readonly #endings: (() => unknown)[] = [];
  #databases = 0;

  constructor(name: string, { url, pid }: Embedded, quick = false) {
    this.#name = name.replace(/\W/g, '_');
    this.#adminUrl = url;
    this.postmaster = pid;
    this.quick = quick;
  }

  get sizes(): [small: number, large: number] {
    return this.quick ? [1_000, 5_000] : [1_000, 200_000];
  }

  /** Runs at the end, the latest first. */
  later(work: () => unknown): void {
    this.#endings.push(work);
  }

  async end(): Promise<void> {
    for (const work of this.#endings.splice(0).reverse()) await (async () => work())().catch(console.error);
  }

  async database({ migrated = true } = {}): Promise<string> {
    const name = `bench_${this.#name}_${++this.#databases}`;
    await rowsAt(this.#adminUrl, `create database ${name}`);
    this.later(() => rowsAt(this.#adminUrl, `drop database ${name} with (force)`));
    const url = Object.assign(new URL(this.#adminUrl), { pathname: name }).href;
    if (migrated) await migrate(url);
    return url;
  }

  async client(url: string): Promise<pg.Client> {
    const client = new pg.Client(url);
    client.on('error', () => {});
    await client.connect();
    this.later(() => client.end());
    return client;
  }

  start(args: string[], settings: SpawnSettings): Spawned {
    const spawned = spawnNode(args, settings);
    this.later(() => stop(spawned));
    return spawned;
  }

  /** One web process as deployed, with limits that are never reached. Its log is written to nowhere, because reading it would cost CPU. */
  async web(url: string, { env = {}, ...settings }: SpawnSettings = {}): Promise<Spawned & Server> {
    const port = await freePort();
    const all = { ...settingsOf(url), PORT: String(port), ...env };
    const spawned = this.start([...memoryOf.web, 'src/web.ts'], { ...settings, env: all, unheard: true });
    await answered(`http://127.0.0.1:${port}/readyz`);
    return { ...spawned, port };
  }

  /** A worker that takes jobs; if its output is not read, one that will. */
  async worker(url: string, { env = {}, ...settings }: SpawnSettings = {}): Promise<Spawned> {
    const spawned = this.start([...memoryOf.worker, 'workers/index.ts'], { ...settings, env: { ...settingsOf(url), ...env } });
    if (!settings.unheard) await spawned.log({ msg: 'listening' });
    return spawned;
  }

  /** A server without any rule of ours. */
  async floor(kind: 'bare' | 'tools', url: string, statements: Record<string, Statement>): Promise<Server> {
    const env = { DATABASE_URL: url, STATEMENTS: JSON.stringify(statements), NODE_ENV: 'production' };
    const { pid, line } = this.start(['test/bench/floors.ts', kind], { env });
    return { pid, port: JSON.parse(await line(/"port"/)).port };
  }
}

/** From now on, processes start as in the image (Dockerfile): built and compiled. Both kinds start once to fill the compile cache. Resolves
 *  to a function that deletes the files. */
export async function asDeployed(): Promise<() => void> {
  const folder = temporaryFolder();
  const built = join(folder, 'built');
  await buildInto(built, pathToFileURL(root).href);
  const option = await redirect(built, { 'src/web.ts': 'web.js', 'workers/index.ts': 'worker.js' });
  process.env.NODE_OPTIONS = [process.env.NODE_OPTIONS, option].filter(Boolean).join(' ');
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
  for (const [args, msg] of [
    [[...memoryOf.web, 'src/web.ts'], 'listening'],
    [[...memoryOf.worker, 'workers/index.ts'], 'waiting for the database'],
  ] as const) {
    const spawned = spawnNode([...args], { env: { ...settingsOf('postgres://127.0.0.1:1/none'), PORT: String(await freePort()) } });
    await spawned.log({ msg });
    await sleep(COMPILED_AFTER_MS);
    await stop(spawned, 'SIGTERM');
  }
  return () => rmSync(folder, { recursive: true, force: true });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
