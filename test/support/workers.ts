/** Real worker processes for tests, and queries of the queue. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import pg from 'pg';
import { eventually } from './eventually.ts';
import { type Spawned, type SpawnSettings, spawnFor } from './processes.ts';

/** Node caches compiled code, so that each further worker starts in half the time. */
const compiled = process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'node-compile-cache');
const usual = {
  NODE_COMPILE_CACHE: compiled,
  SECRET_KEY: 'a secret of thirty-two characters',
  BASE_URL: 'http://localhost',
  LOG_LEVEL: 'info',
};

/** `npm run worker` on a database, killed after the test. With `pace` its heart beats that much faster. */
export function startWorkerFor(t: ExecutionContext, databaseUrl: string, { pace, env }: { pace?: string } & SpawnSettings = {}): Spawned {
  const script = pace ? ['test/support/pacedWorker.ts', pace] : ['workers/index.ts'];
  return spawnFor(t, script, { env: { ...usual, DATABASE_URL: databaseUrl, ...env } });
}

/** Like startWorkerFor, once it takes jobs. */
export async function runningWorker(
  t: ExecutionContext,
  databaseUrl: string,
  settings: Parameters<typeof startWorkerFor>[2] = {},
): Promise<Spawned> {
  const worker = startWorkerFor(t, databaseUrl, settings);
  await worker.log({ msg: 'listening' });
  return worker;
}

export interface Queue {
  // biome-ignore lint/suspicious/noExplicitAny: rows, looked into freely
  rows(text: string, values?: unknown[]): Promise<any[]>;
  /** Jobs that workers have locked. */
  locked(): Promise<number>;
  /** Resolves when the statement's first column is true. Throws after `limitMs`. */
  until(text: string, limitMs?: number): Promise<void>;
}

/** A connection for queries, closed after the test. */
export async function queueOf(t: ExecutionContext, databaseUrl: string): Promise<Queue> {
  const client = new pg.Client(databaseUrl);
  client.on('error', () => {});
  await client.connect();
  t.teardown(() => client.end().catch(() => {}));
  const rows = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows;
  return {
    rows,
    locked: async () => Number((await rows('select count(*) from graphile_worker._private_jobs where locked_at is not null'))[0].count),
    async until(text, limitMs = 60_000) {
      const isTrue = async () => Object.values((await rows(text))[0] ?? {})[0] === true;
      if (!(await eventually(isTrue, Boolean, limitMs))) throw new Error(`It took over ${limitMs} ms until ${text}`);
    },
  };
}
