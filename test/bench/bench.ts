/** What a benchmark works with: databases and processes of its own. `end` stops and drops them. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import { buildInto } from '../../src/build/index.ts';
import { migrate } from '../../src/database/migrate.ts';
import type { Embedded } from '../../src/embedded/startEmbedded.ts';
import { freePort } from '../../src/start/options.ts';
import { mallocEnv, memoryOf } from '../../src/start/services.ts';
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
  ...mallocEnv,
});

export async function stop(spawned: Spawned, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  spawned.kill(signal);
  await spawned.exit();
}

export type Bench = ReturnType<typeof makeBench>;

/** `quick`: few rows and short rounds, which show that the benchmark works, not what things cost. */
export function makeBench(benchName: string, { url: adminUrl, pid: postmaster }: Embedded, quick = false) {
  const endings: (() => unknown)[] = [];
  let databases = 0;
  /** Runs at the end, the latest first. */
  const later = (work: () => unknown) => void endings.push(work);

  function start(args: string[], settings: SpawnSettings): Spawned {
    const spawned = spawnNode(args, settings);
    later(() => stop(spawned));
    return spawned;
  }

  return {
    quick,
    /** Process id of PostgreSQL. */
    postmaster,
    sizes: [1_000, quick ? 5_000 : 200_000] as [small: number, large: number],
    later,
    start,

    async end(): Promise<void> {
      for (const work of endings.splice(0).reverse()) await (async () => work())().catch(console.error);
    },

    async database({ migrated = true } = {}): Promise<string> {
      const name = `bench_${benchName.replace(/\W/g, '_')}_${++databases}`;
      await rowsAt(adminUrl, `create database ${name}`);
      later(() => rowsAt(adminUrl, `drop database ${name} with (force)`));
      const url = Object.assign(new URL(adminUrl), { pathname: name }).href;
      if (migrated) await migrate(url);
      return url;
    },

    async client(url: string): Promise<pg.Client> {
      const client = new pg.Client(url);
      client.on('error', () => {});
      await client.connect();
      later(() => client.end());
      return client;
    },

    /** One web process as deployed, with limits that are never reached. Its log is written to nowhere, because reading it would cost CPU. */
    async web(url: string, { env = {}, ...settings }: SpawnSettings = {}): Promise<Spawned & Server> {
      const port = await freePort(0, '127.0.0.1');
      const all = { ...settingsOf(url), PORT: String(port), ...env };
      const spawned = start([...memoryOf.web, 'src/web.ts'], { ...settings, env: all, unheard: true });
      await answered(`http://127.0.0.1:${port}/readyz`);
      return { ...spawned, port };
    },

    /** A worker that takes jobs; if its output is not read, one that will. */
    async worker(url: string, { env = {}, ...settings }: SpawnSettings = {}): Promise<Spawned> {
      const spawned = start([...memoryOf.worker, 'workers/index.ts'], { ...settings, env: { ...settingsOf(url), ...env } });
      if (!settings.unheard) await spawned.log({ msg: 'listening' });
      return spawned;
    },

    /** A server without any rule of ours. */
    async floor(kind: 'bare' | 'tools', url: string, statements: Record<string, Statement>): Promise<Server> {
      const env = { DATABASE_URL: url, STATEMENTS: JSON.stringify(statements), NODE_ENV: 'production' };
      const { pid, line } = start(['test/bench/floors.ts', kind], { env });
      return { pid, port: JSON.parse(await line(/"port"/)).port };
    },
  };
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
    const spawned = spawnNode([...args], { env: { ...settingsOf('postgres://127.0.0.1:1/none'), PORT: '0' } });
    await spawned.log({ msg });
    await sleep(COMPILED_AFTER_MS);
    await stop(spawned, 'SIGTERM');
  }
  return () => rmSync(folder, { recursive: true, force: true });
}
