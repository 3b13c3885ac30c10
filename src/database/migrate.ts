/** Applies sql/*.sql in order under an advisory lock: safe while other processes start or serve (behaviour §1.13). */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { codeOf, messageOf } from '../values/errors.ts';
import { Client, connectWithin, dbConfig } from './connections.ts';
import { folder, knownMigrations, type Migration } from './migrations.ts';
import { setQueueStatistics } from './queueTables.ts';
import { explainTrouble, troubleOf } from './trouble.ts';

const LOCK = 0x57_49_4e_54;
const LOOK_AGAIN_MS = 100;
const MOST_PAUSE_MS = 2_000;
/** A forecast of a million items may use a table for a minute. */
const TRIES = 60;
/** Requests wait behind a migration that waits for a lock. */
const LOCK_TIMEOUT_MS = 900;
/** PostgreSQL cancels an autovacuum after another session has waited 1 s for its lock. One try in ten waits that long. */
const AUTOVACUUM_TIMEOUT_MS = 1_500;
/** Processes that are being replaced close their connections within this time. */
export const CONNECT_WITHIN_MS = 120_000;
/** The file has one statement that can't run in a transaction, such as `create index concurrently`. It must be safe to repeat. */
const ALONE = '-- no transaction\n';

export interface MigrateSettings {
  from?: URL;
  lockTimeoutMs?: number;
  connectWithinMs?: number;
}

/** Returns a warning if the database has newer migrations that this code can run with, else null. Throws if not (behaviour §1.24). */
export async function migrate(
  databaseUrl: string,
  { from = folder, lockTimeoutMs = LOCK_TIMEOUT_MS, connectWithinMs = CONNECT_WITHIN_MS }: MigrateSettings = {},
): Promise<string | null> {
  const client = await whenFree(connectWithinMs, () => connected(databaseUrl));
  try {
    await lock(client);
    await client.query(`set lock_timeout = ${lockTimeoutMs}`);
    await client.query(
      `create table if not exists migrations (number integer primary key, name text not null, applied_at timestamptz not null default now(),
        oldest_code integer not null default 0)`,
    );
    const applied = await appliedMigrations(client);
    const known = await knownMigrations(from);
    const warning = checkNewer(applied, known);
    const done = new Set(applied.map(({ name }) => name));
    for (const migration of known.filter(({ name }) => !done.has(name))) await apply(client, migration, from, lockTimeoutMs);
    await beginEraAfterRestore(client);
    await whenFree(connectWithinMs, () => migrateQueue(databaseUrl));
    await setQueueStatistics(client);
    return warning;
  } finally {
    await client.end();
  }
}

async function whenFree<T>(ms: number, connect: () => Promise<T>): Promise<T> {
  try {
    return await connectWithin(ms, connect);
  } catch (error) {
    if (troubleOf(error) !== 'too many connections') throw error;
    throw new Error(`No connection was free for ${ms / 1_000} s: ${explainTrouble(error)}.`, { cause: error });
  }
}

async function connected(databaseUrl: string): Promise<pg.Client> {
  const client = new Client(dbConfig(databaseUrl));
  await client.connect();
  return client;
}

/** Polls: a statement that waits for the lock would hold a snapshot, and `create index concurrently` would wait for that. */
async function lock(client: pg.Client): Promise<void> {
  while (!(await client.query('select pg_try_advisory_lock($1) as locked', [LOCK])).rows[0].locked) await sleep(LOOK_AGAIN_MS);
}

/** A restored dump may have higher transaction numbers than the cluster. A new era makes new changes sort after them (behaviour §15.5). */
async function beginEraAfterRestore(client: pg.Client): Promise<void> {
  await client.query(`do $$ begin
    if to_regproc('begin_change_era') is not null
      and exists (select from changes where era = change_era() and xact >= pg_snapshot_xmax(pg_current_snapshot()))
    then perform begin_change_era(); end if;
  end $$`);
}

async function migrateQueue(databaseUrl: string) {
  const { runMigrations } = await import('graphile-worker');
  const pgPool = new pg.Pool({ ...dbConfig(databaseUrl), max: 1, Client });
  // Without a listener, a lost idle connection would end the process.
  pgPool.on('error', () => {});
  pgPool.on('connect', (client) => client.on('error', () => {}));
  try {
    await runMigrations({ pgPool });
  } finally {
    await pgPool.end();
  }
}

interface Applied extends Migration {
  /** The newest migration that code must know to run with this one. */
  oldestCode: number;
}

async function appliedMigrations(client: pg.Client): Promise<Applied[]> {
  const columns = await client.query(`select 1 from pg_attribute where attrelid = 'migrations'::regclass and attname = 'oldest_code'`);
  if (columns.rowCount === 0) await client.query('alter table migrations add column oldest_code integer not null default 0');
  return (await client.query('select number, name, oldest_code as "oldestCode" from migrations order by number')).rows;
}

/** A warning if the database has newer migrations that this code can run with. Throws if it can't. */
function checkNewer(applied: Applied[], known: Migration[]): string | null {
  const names = new Set(known.map(({ name }) => name));
  const newest = known.at(-1)?.number ?? 0;
  const newer = applied.filter(({ name }) => !names.has(name));
  const breaking = newer.find(({ number, oldestCode }) => number <= newest || oldestCode > newest);
  if (breaking)
    throw new Error(
      `The database has migration ${breaking.name}, which this version of Stint cannot use. Deploy the newer version, or restore a backup.`,
    );
  const last = newer.at(-1);
  return last ? `The database is newer than this version of Stint (${last.name}), and compatible with it.` : null;
}

async function apply(client: pg.Client, migration: Migration, from: URL, lockTimeoutMs: number) {
  const text = await readFile(new URL(migration.name, from), 'utf8');
  if (text.startsWith(ALONE)) return applyAlone(client, migration, text, lockTimeoutMs);
  for (let tries = 1; ; tries++) {
    try {
      const patient = tries % 10 === 0 && (await isVacuuming(client));
      return await applyWhole(client, migration, text, patient ? AUTOVACUUM_TIMEOUT_MS : lockTimeoutMs);
    } catch (error) {
      const lockTimedOut = codeOf(error) === '55P03';
      if (!lockTimedOut || tries === TRIES) throw failed(migration, error);
      await sleep(Math.min(LOOK_AGAIN_MS * tries, MOST_PAUSE_MS));
    }
  }
}

async function isVacuuming(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
     where l.locktype = 'relation' and l.mode = 'ShareUpdateExclusiveLock' and l.granted and l.pid <> pg_backend_pid() limit 1`,
  );
  return rowCount === 1;
}

async function applyWhole(client: pg.Client, migration: Migration, text: string, lockTimeoutMs: number) {
  await client.query(`begin; set local lock_timeout = ${lockTimeoutMs}`);
  try {
    await client.query(text);
    await record(client, migration, text);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** No lock timeout: no request waits behind it. Drops the invalid index of a failed try, which `if not exists` would keep. */
async function applyAlone(client: pg.Client, migration: Migration, text: string, lockTimeoutMs: number) {
  try {
    await client.query('set lock_timeout = 0');
    const { rows } = await client.query('select indexrelid::regclass::text as name from pg_index where not indisvalid');
    for (const { name } of rows) if (text.includes(name)) await client.query(`drop index concurrently ${name}`);
    await client.query(text);
    await record(client, migration, text);
    await client.query(`set lock_timeout = ${lockTimeoutMs}`);
  } catch (error) {
    throw failed(migration, error);
  }
}

const failed = ({ name }: Migration, cause: unknown) => new Error(`Migration ${name} failed: ${messageOf(cause)}`, { cause });

/** A migration that breaks older code has a line `-- oldest code: NNNN`, with the newest migration that code must know. */
const OLDEST_CODE = /^-- oldest code: (\d+)$/m;

const record = (client: pg.Client, { number, name }: Migration, text: string) =>
  client.query('insert into migrations (number, name, oldest_code) values ($1, $2, $3)', [number, name, OLDEST_CODE.exec(text)?.[1] ?? 0]);
