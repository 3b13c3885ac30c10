/** Applies sql/*.sql in order, under one advisory lock: safe when many processes start at once, and beside processes that serve
 *  (behaviour §1.13). */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { dbConfig } from './connection.ts';
import { folder, knownMigrations, type Migration } from './migrations.ts';
import { settleQueueTables } from './queueTables.ts';

const LOCK = 0x57_49_4e_54;
const LOOK_AGAIN_MS = 100;
const TRIES = 20;
/** A file that begins so holds a single statement that no transaction may hold, like `create index concurrently if not exists`. Run
 *  again after a failure it must do no harm. */
const ALONE = '-- no transaction\n';

export interface MigrateSettings {
  from?: URL;
  /** For so long a migration waits for a table's lock, and everybody who needs the table behind it; then it tries again. */
  lockTimeoutMs?: number;
}

/** Brings the database up to this code's schema, the job queue's included. Throws when the database is newer than the code. */
export async function migrate(databaseUrl: string, { from = folder, lockTimeoutMs = 3_000 }: MigrateSettings = {}): Promise<void> {
  const client = new pg.Client(dbConfig(databaseUrl));
  await client.connect();
  try {
    await lock(client);
    await client.query(`set lock_timeout = ${lockTimeoutMs}`);
    await client.query(
      'create table if not exists migrations (number integer primary key, name text not null, applied_at timestamptz not null default now())',
    );
    const applied = await appliedMigrations(client);
    const known = await knownMigrations(from);
    refuseNewer(applied, known);
    for (const migration of known.slice(applied.length)) await apply(client, migration, from);
    await beginEraAfterRestore(client);
    await migrateQueue(databaseUrl);
    await settleQueueTables(client);
  } finally {
    await client.end();
  }
}

/** By looking again: a statement that waits for the lock would hold a snapshot, for which `create index concurrently` waits in turn. */
async function lock(client: pg.Client): Promise<void> {
  while (!(await client.query('select pg_try_advisory_lock($1) as locked', [LOCK])).rows[0].locked) await sleep(LOOK_AGAIN_MS);
}

/** After a dump was restored into a cluster whose transactions have lower numbers than those in it, what is written from now on is to
 *  come after what the dump holds (behaviour §15.5). */
async function beginEraAfterRestore(client: pg.Client): Promise<void> {
  await client.query(`do $$ begin
    if to_regproc('begin_change_era') is not null
      and exists (select from changes where era = change_era() and xact >= pg_snapshot_xmax(pg_current_snapshot()))
    then perform begin_change_era(); end if;
  end $$`);
}

/** The queue's schema comes from graphile-worker; it is brought up under the same lock. */
async function migrateQueue(databaseUrl: string) {
  // Most processes that load this module never migrate.
  const { runMigrations } = await import('graphile-worker');
  const pgPool = new pg.Pool({ ...dbConfig(databaseUrl), max: 1 });
  // A dropped idle connection must not end the process; the next statement fails by itself.
  pgPool.on('error', () => {});
  pgPool.on('connect', (client) => client.on('error', () => {}));
  try {
    await runMigrations({ pgPool });
  } finally {
    await pgPool.end();
  }
}

async function appliedMigrations(client: pg.Client): Promise<Migration[]> {
  return (await client.query('select number, name from migrations order by number')).rows;
}

function refuseNewer(applied: Migration[], known: Migration[]) {
  const stranger = applied.find((done, at) => known[at]?.name !== done.name);
  if (stranger) {
    throw new Error(
      `The database has migration ${stranger.name}, which this version of Stint does not know: deploy the newer version, or restore a backup.`,
    );
  }
}

async function apply(client: pg.Client, migration: Migration, from: URL) {
  const text = await readFile(new URL(migration.name, from), 'utf8');
  for (let tries = 1; ; tries++) {
    try {
      return await (text.startsWith(ALONE) ? applyAlone(client, migration, text) : applyWhole(client, migration, text));
    } catch (error) {
      const lockTimedOut = (error as pg.DatabaseError).code === '55P03';
      if (!lockTimedOut || tries === TRIES)
        throw new Error(`Migration ${migration.name} failed: ${(error as Error).message}`, { cause: error });
      await sleep(LOOK_AGAIN_MS * tries);
    }
  }
}

/** All of it or nothing. */
async function applyWhole(client: pg.Client, migration: Migration, text: string) {
  await client.query('begin');
  try {
    await client.query(text);
    await record(client, migration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function applyAlone(client: pg.Client, migration: Migration, text: string) {
  await client.query(text);
  await record(client, migration);
}

const record = (client: pg.Client, { number, name }: Migration) =>
  client.query('insert into migrations (number, name) values ($1, $2)', [number, name]);
