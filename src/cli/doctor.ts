/** `doctor`: whether this installation can work, and what to do where it can't (behaviour §2.4). */
import { type Config, checkConfig } from '../config.ts';
import { connectDb, type Db } from '../database/db.ts';
import { knownMigrations } from '../database/migrations.ts';
import { LATE_SECONDS, readQueue } from '../queue/queueQueries.ts';
import { type Context, command } from './command.ts';
import { poolerFaults } from './doctorPooler.ts';
import { readMigrations, readServerVersion } from './doctorQueries.ts';

interface Check {
  name: 'configuration' | 'database' | 'pooler' | 'migrations' | 'queue' | 'oldest job' | 'locks' | 'failed jobs';
  ok: boolean;
  /** What was found, and what to do when it is wrong. */
  message: string;
  /** Jobs, or seconds for the oldest. */
  value?: number;
}

export const doctor = command({
  summary: 'check configuration, database, migrations and the job queue; exit code 1 when something is wrong',
  options: {},
  async run(context) {
    const checks = await examine(context);
    return { ok: checks.every((check) => check.ok), checks };
  },
  print: (result) =>
    (result as { checks: Check[] }).checks.map(({ name, ok, message }) => `${ok ? 'ok   ' : 'WRONG'} ${name}: ${message}`).join('\n'),
});

async function examine(context: Context): Promise<Check[]> {
  let databaseUrl: string;
  try {
    databaseUrl = context.databaseUrl();
  } catch (error) {
    const database: Check = { name: 'database', ok: false, message: (error as Error).message };
    return [checkConfiguration('postgres://localhost', isEmbedded(context)).configuration, database];
  }
  const { configuration, config } = checkConfiguration(databaseUrl, context.embedded());
  let db: Db;
  try {
    db = await connectDb(databaseUrl, 1);
  } catch (error) {
    return [configuration, { name: 'database', ok: false, message: `can't be reached: ${(error as Error).message}` }];
  }
  try {
    return [configuration, ...(await checkPooler(config)), ...(await checkDatabase(db))];
  } finally {
    await db.close();
  }
}

/** An address that can't be used is one that was given. */
function isEmbedded(context: Context): boolean {
  try {
    return context.embedded();
  } catch {
    return false;
  }
}

/** `npm start` makes the secret and the database's address itself. */
function checkConfiguration(databaseUrl: string, embedded: boolean): { configuration: Check; config?: Config } {
  const name = 'configuration';
  try {
    const config = checkConfig(embedded ? { DATABASE_URL: databaseUrl, SECRET_KEY: '0'.repeat(64) } : {});
    return { configuration: { name, ok: true, message: 'complete' }, config };
  } catch (error) {
    return { configuration: { name, ok: false, message: (error as Error).message } };
  }
}

/** Nothing to say where web processes connect as everybody else does. */
async function checkPooler(config: Config | undefined): Promise<Check[]> {
  if (!config || config.directUrl === config.databaseUrl) return [];
  const faults = await poolerFaults(config);
  const todo = 'set timeouts for each connection that the pooler makes (PgBouncer: connect_query), see Scale in the README';
  return [
    { name: 'pooler', ok: faults.length === 0, message: faults.length ? `${faults.join('; ')}: ${todo}` : 'its sessions are set as ours' },
  ];
}

async function checkDatabase(db: Db): Promise<Check[]> {
  const version = await readServerVersion(db.pool());
  const database: Check = { name: 'database', ok: true, message: `PostgreSQL ${version} answers` };
  const migrations = judgeMigrations(
    await readMigrations(db.pool()),
    (await knownMigrations()).map(({ name }) => name),
  );
  return migrations.ok ? [database, migrations, ...(await checkQueue(db))] : [database, migrations];
}

function judgeMigrations(applied: readonly string[], known: readonly string[]): Check {
  const name = 'migrations';
  const stranger = applied.find((one) => !known.includes(one));
  if (stranger)
    return { name, ok: false, message: `the database has ${stranger}, which this version does not know; deploy the newer version` };
  const missing = known.length - applied.length;
  if (missing)
    return { name, ok: false, message: `${missing} of ${known.length} are missing; run npm run stint -- migrate`, value: missing };
  return { name, ok: true, message: `all ${known.length} are applied`, value: 0 };
}

async function checkQueue(db: Db): Promise<Check[]> {
  const jobs = await readQueue(db.pool());
  const age = jobs.oldest_seconds ?? 0;
  return [
    {
      name: 'queue',
      ok: true,
      message: `${jobs.runnable} to do, ${jobs.running} running, ${jobs.scheduled} for later`,
      value: jobs.runnable,
    },
    {
      name: 'oldest job',
      ok: age <= LATE_SECONDS,
      message: jobs.runnable ? `waits for ${age} s${age > LATE_SECONDS ? '; see that a worker runs' : ''}` : 'nothing waits',
      value: age,
    },
    {
      name: 'locks',
      ok: jobs.stuck === 0,
      message: jobs.stuck ? `${jobs.stuck} are held by a worker that is gone; start a worker, which puts them back` : 'none is stuck',
      value: jobs.stuck,
    },
    {
      name: 'failed jobs',
      ok: jobs.failed === 0,
      message: jobs.failed ? `${jobs.failed} failed for good, one of them ${jobs.last_error}` : 'none failed for good',
      value: jobs.failed,
    },
  ];
}
