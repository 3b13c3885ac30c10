/** Applies sql/*.sql in order, each in a transaction of its own, under one advisory lock: safe when many processes start at once. */
import { readFile } from 'node:fs/promises';
import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import { dbConfig } from './config.ts';
import { folder, knownMigrations, type Migration } from './migrations.ts';

const LOCK = 0x57_49_4e_54;

/** Brings the database up to this code's schema, the job queue's included. Throws when the database is newer than the code. */
export async function migrate(databaseUrl: string): Promise<void> {
  const client = new pg.Client(dbConfig(databaseUrl));
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await client.query(
      'create table if not exists migrations (number integer primary key, name text not null, applied_at timestamptz not null default now())',
    );
    const applied = await appliedMigrations(client);
    const known = await knownMigrations();
    refuseNewer(applied, known);
    for (const migration of known.slice(applied.length)) await apply(client, migration);
    await migrateQueue(databaseUrl);
  } finally {
    await client.end();
  }
}

/** The queue's schema comes from graphile-worker; it is brought up under the same lock. */
async function migrateQueue(databaseUrl: string) {
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

async function apply(client: pg.Client, { number, name }: Migration) {
  const text = await readFile(new URL(name, folder), 'utf8');
  await client.query('begin');
  try {
    await client.query(text);
    await client.query('insert into migrations (number, name) values ($1, $2)', [number, name]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}
