/** Databases for tests: clones of one migrated template, which the first process creates. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { type ExecutionContext, registerCompletionHandler } from 'ava';
import pg from 'pg';
import { migrate } from '../../src/database/migrate.ts';
import type { Embedded } from '../../src/embedded/startEmbedded.ts';
import { startDisposable } from './disposable.ts';
import { currentSuite } from './suite.ts';

const TEMPLATE_LOCK = 0x5465_6d70;

/** This process's own server, when a file runs alone and not through test/run.ts. */
let own: Promise<Embedded> | undefined;

registerCompletionHandler(async () => {
  if (own) await (await own).stop();
});

/** URL of a superuser's connection to the database `postgres`. */
export async function adminUrl(): Promise<string> {
  const shared = process.env.STINT_TEST_DATABASE;
  if (shared) return shared;
  own ??= startDisposable();
  return (await own).url;
}

async function asAdmin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(await adminUrl());
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(admin: string, database: string): string {
  const url = new URL(admin);
  url.pathname = database;
  return url.href;
}

/** Changes whenever the content of a migrated database may change. */
function schemaKey(): string {
  const folder = new URL('../../sql/', import.meta.url);
  const files = readdirSync(folder).sort();
  const sources = [...files.map((name) => new URL(name, folder)), new URL('../../package-lock.json', import.meta.url)];
  const hash = createHash('sha256').update(files.join('\n'));
  for (const source of sources) hash.update(readFileSync(source));
  return hash.digest('hex').slice(0, 12);
}

const exists = async (client: pg.Client, name: string) =>
  (await client.query('select 1 from pg_database where datname = $1', [name])).rowCount === 1;

async function makeTemplate(client: pg.Client, name: string): Promise<void> {
  const making = `${name}_making`;
  await client.query(`drop database if exists ${making} with (force)`);
  await client.query(`create database ${making}`);
  await migrate(urlOf(await adminUrl(), making));
  // The name marks it as complete, so it is set last.
  await client.query(`alter database ${making} rename to ${name}`);
}

let template: Promise<string> | undefined;

/** Name of the migrated template. Concurrent processes wait on a lock while one creates it. */
function templateName(): Promise<string> {
  template ??= asAdmin(async (client) => {
    const name = `stint_template_${schemaKey()}`;
    if (await exists(client, name)) return name;
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    if (!(await exists(client, name))) await makeTemplate(client, name);
    return name;
  });
  return template;
}

let counter = 0;

/** Above the number of users that a test makes. */
const USERS_APART = 10_000;

/** A process counts what its users compute by their ids (behaviour §13.15): users of its databases must not have the same. */
async function startUsersAt(url: string, id: number): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`alter table users alter column id restart with ${id}`).finally(() => client.end());
}

/** Options of a test database: migrated and empty, not migrated, or a copy of a database without connections. */
export interface DatabaseOptions {
  migrated?: boolean;
  copyOf?: string;
}

/** Creates a database. The caller drops it. */
async function createDatabase({ migrated = true, copyOf }: DatabaseOptions): Promise<{ url: string; drop(): Promise<void> }> {
  const source = copyOf ? new URL(copyOf).pathname.slice(1) : migrated ? await templateName() : 'template1';
  const name = `stint_test_${process.pid}_${Date.now().toString(36)}_${counter++}`;
  // Copying files takes half the CPU of writing every page to the log, and test databases are never recovered.
  await asAdmin((client) => client.query(`create database ${name} template ${source} strategy file_copy`));
  const url = urlOf(await adminUrl(), name);
  if (migrated && !copyOf) await startUsersAt(url, counter * USERS_APART);
  return {
    url,
    drop: () => asAdmin(async (client) => void (await client.query(`drop database if exists ${name} with (force)`))),
  };
}

/** A database for one test, dropped after it. Resolves to its URL. */
export async function freshDatabase(t: ExecutionContext, options: DatabaseOptions = {}): Promise<string> {
  const database = await createDatabase(options);
  t.teardown(database.drop);
  return database.url;
}

/** A database for all tests of a file: call it at the top level of the file, read `url` in hooks and tests. */
export function fileDatabase(options: DatabaseOptions = {}): { readonly url: string } {
  let database: Awaited<ReturnType<typeof createDatabase>> | undefined;
  const suite = currentSuite();
  suite.before('a database for this file', async () => {
    database = await createDatabase(options);
  });
  // After all hooks: users of a database stop before it is dropped.
  suite.cleanup(() => database?.drop());
  return {
    get url() {
      if (!database) throw new Error('fileDatabase: read its url in hooks and tests only.');
      return database.url;
    },
  };
}
