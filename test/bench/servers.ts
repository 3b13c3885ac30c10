/** The measured processes: ours as deployed, and the floors. */
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import { buildInto } from '../../src/build/index.ts';
import { migrate } from '../../src/database/migrate.ts';
import { memoryOf } from '../../src/start/services.ts';
import { redirect } from '../support/bundle.ts';
import { temporaryFolder } from '../support/disposable.ts';
import { answered, type Spawned, spawnNode } from '../support/processes.ts';
import type { Statement } from './capture.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Time to load and compress files after the process listens. */
const COMPILED_AFTER_MS = 5_000;

export interface Server {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

export interface WebProcess extends Server {
  /** Lines on stderr. */
  line: Spawned['line'];
  lines: string[];
}

const stopped = (spawned: Spawned) => async () => {
  spawned.kill('SIGKILL');
  await spawned.exit();
};

export const settingsOf = (databaseUrl: string) => ({
  DATABASE_URL: databaseUrl,
  SECRET_KEY: 'bench'.repeat(8),
  RATE_LIMIT_REST: '1000000000',
  RATE_LIMIT_MCP: '1000000000',
  RATE_LIMIT_PAGES: '1000000000',
  LOG_LEVEL: 'info',
  NODE_ENV: 'production',
});

/** One web process as deployed, with limits that are never reached. Its log is written to nowhere, because reading it would cost CPU. */
export async function startWebProcess(databaseUrl: string, env: Record<string, string> = {}, cwd = root): Promise<WebProcess> {
  const port = await freePort();
  const spawned = spawnNode([...memoryOf.web, 'src/web.ts'], {
    cwd,
    env: { ...settingsOf(databaseUrl), PORT: String(port), ...env },
    unheard: true,
  });
  await answered(`http://127.0.0.1:${port}/readyz`);
  return { port, pid: spawned.pid, line: spawned.line, lines: spawned.lines, stop: stopped(spawned) };
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
    spawned.kill('SIGTERM');
    await spawned.exit();
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

/** The floors: `bare` on node:http, `koa` on Koa, in one process. */
export async function startFloors(databaseUrl: string, statements: Record<string, Statement>): Promise<{ bare: Server; koa: Server }> {
  const spawned = spawnNode(['test/bench/floors.ts'], {
    env: { DATABASE_URL: databaseUrl, STATEMENTS: JSON.stringify(statements, encodeBuffer), NODE_ENV: 'production' },
  });
  const ports = JSON.parse(await spawned.line(/"bare"/));
  const server = (port: number): Server => ({ port, pid: spawned.pid, stop: stopped(spawned) });
  return { bare: server(ports.bare), koa: server(ports.koa) };
}

/** Writes a Buffer as PostgreSQL's hex text: floors get their values as JSON. */
export function encodeBuffer(_key: string, value: unknown): unknown {
  const buffer = value as { type?: string; data?: number[] } | null;
  return buffer?.type === 'Buffer' && buffer.data ? `\\x${Buffer.from(buffer.data).toString('hex')}` : value;
}

/** A migrated database on the server at `adminUrl`. */
export async function benchDatabase(adminUrl: string, name: string): Promise<string> {
  const url = await emptyDatabase(adminUrl, name);
  await migrate(url);
  return url;
}

export async function emptyDatabase(adminUrl: string, name: string): Promise<string> {
  const client = new pg.Client(adminUrl);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(adminUrl);
  url.pathname = name;
  return url.href;
}
