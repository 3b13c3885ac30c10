/** Debian's PgBouncer in transaction mode on a free loopback port, if the program is installed. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import pg from 'pg';
import { guard, runAs } from '../../src/embedded/life.ts';
import { temporaryFolder } from './disposable.ts';
import { eventually } from './eventually.ts';

const programs = ['pgbouncer', '/usr/sbin/pgbouncer', '/opt/homebrew/bin/pgbouncer'];
const START_MS = 20_000;

export interface Installed {
  program: string;
  /** Such as 1.18. */
  version: number;
  /** From 1.21 on it tracks prepared statements by client. */
  preparedStatements: boolean;
}

/** Undefined if this machine has none. */
export function findPgbouncer(): Installed | undefined {
  for (const program of programs) {
    try {
      const said = execFileSync(program, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 10_000 });
      const [major, minor] = /(\d+)\.(\d+)/.exec(said)!.slice(1).map(Number) as [number, number];
      return { program, version: Number(`${major}.${minor}`), preparedStatements: major > 1 || minor >= 21 };
    } catch {}
  }
  return undefined;
}

/** The settings of docs/operations.md. The time zone can't be set this way: PgBouncer passes each client the one of the database's first
 *  greeting. */
const settings = [`set lock_timeout = ''5s''`, `set statement_timeout = ''10s''`, `set idle_in_transaction_session_timeout = ''15s''`].join(
  '; ',
);

export interface Pooler {
  /** For each database. */
  sessions?: number;
  /** Run once on every session. */
  connectQuery?: string;
}

function configuration(
  database: URL,
  port: number,
  preparedStatements: boolean,
  { sessions = 3, connectQuery = settings }: Pooler,
): string {
  const login = `user=${database.username} password=${database.password}`;
  return `[databases]
* = host=${database.hostname} port=${database.port} ${login} connect_query='${connectQuery}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${sessions}
ignore_startup_parameters = options,statement_timeout,idle_in_transaction_session_timeout
${preparedStatements ? 'max_prepared_statements = 200' : ''}
`;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}

async function answers(url: string, output: () => string, ended: () => boolean): Promise<void> {
  const reached = async () => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 2_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('select 1');
      return true;
    } catch (error) {
      return error as Error;
    } finally {
      await client.end().catch(() => {});
    }
  };
  const last = await eventually(reached, (found) => found === true || ended(), START_MS);
  if (last !== true) throw new Error(`PgBouncer does not answer: ${last.message}\n${output()}`);
}

/** Starts it for the database at `databaseUrl`, and stops it after the test. Resolves to the database's address through it. */
export async function startPgbouncer(
  t: ExecutionContext,
  { program, preparedStatements }: Installed,
  databaseUrl: string,
  pooler: Pooler = {},
) {
  const folder = temporaryFolder();
  // It refuses root, and its account must read this.
  chmodSync(folder, 0o755);
  const file = join(folder, 'pgbouncer.ini');
  const port = await freePort();
  const database = new URL(databaseUrl);
  writeFileSync(file, configuration(database, port, preparedStatements, pooler), { mode: 0o644 });
  const child = spawn(program, [file], { ...runAs(folder), stdio: ['ignore', 'pipe', 'pipe'] });
  const dismissGuard = child.pid ? guard(child.pid, 'KILL', folder) : () => {};
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()));
  let ended = false;
  void exited.then(() => (ended = true));
  t.teardown(async () => {
    child.kill('SIGKILL');
    await exited;
    dismissGuard();
    await rm(folder, { recursive: true, force: true });
  });
  const pooled = new URL(databaseUrl);
  pooled.port = String(port);
  await answers(
    pooled.href,
    () => output,
    () => ended,
  );
  return pooled.href;
}
