/** Checks of `doctor` in a reachable database (behaviour §2.4). */

import type { Config } from '../config.ts';
import { connectDb, type Db } from '../database/db.ts';
import { databaseState, INCOMPATIBLE, knownMigrations } from '../database/migrations.ts';
import { explainTrouble } from '../database/trouble.ts';
import { LATE_SECONDS, readHold, readQueue, readWorkers } from '../queue/queueQueries.ts';
import { Conflict, messageOf } from '../values/errors.ts';
import { redact } from '../values/secretKeys.ts';
import { countWebhooks } from '../webhooks/queries.ts';
import { readForbiddenTables, readMigrations, readServerVersion, readSettings, writeProbe } from './doctorQueries.ts';

export interface Check {
  name:
    | 'configuration'
    | 'mail sender'
    | 'proxy'
    | 'database'
    | 'pooler'
    | 'migrations'
    | 'permissions'
    | 'writing'
    | 'workers'
    | 'queue'
    | 'oldest job'
    | 'locks'
    | 'failed jobs'
    | 'outbound'
    | 'webhooks';
  ok: boolean;
  warning?: true;
  message: string;
  /** Number of jobs, processes or tables, or age of the oldest in seconds. */
  value?: number;
}

export async function checkDatabase(db: Db, outboundOff = false): Promise<Check[]> {
  const database = await runCheck('database', async () => [
    { name: 'database', ok: true, message: `PostgreSQL ${await readServerVersion(db.pool())} answers` },
  ]);
  const migrations = await runCheck('migrations', async () => [await checkMigrations(db)]);
  const known = [...database, ...migrations];
  if (known.some(({ ok }) => !ok)) return known;
  return [
    ...known,
    ...(await runCheck('permissions', async () => [await checkPermissions(db)])),
    ...(await runCheck('writing', async () => [await checkWriting(db)])),
    ...(await runCheck('workers', async () => [await checkWorkers(db)])),
    ...(await runCheck('queue', () => checkQueue(db, outboundOff))),
    ...(await runCheck('outbound', async () => checkHold(await readHold(db.pool())))),
    ...(await runCheck('webhooks', async () => [await checkWebhooks(db)])),
  ];
}

/** A query that the database refuses is a failed check. */
async function runCheck(name: Check['name'], look: () => Promise<Check[]>): Promise<Check[]> {
  try {
    return await look();
  } catch (error) {
    return [{ name, ok: false, message: explainTrouble(error) }];
  }
}

async function checkMigrations(db: Db): Promise<Check> {
  const name = 'migrations';
  const applied = await readMigrations(db.pool());
  const known = (await knownMigrations()).map((migration) => migration.name);
  if ((await databaseState(db)) === 'incompatible') return { name, ok: false, message: INCOMPATIBLE };
  const missing = known.filter((one) => !applied.includes(one)).length;
  if (missing) {
    const what = applied.length ? `${missing} of ${known.length} are missing` : 'the database is not migrated';
    return { name, ok: false, message: `${what}; run npm run stint -- migrate`, value: missing };
  }
  const newer = applied.length - known.length;
  return {
    name,
    ok: true,
    message: `all ${known.length} are applied${newer ? `, and ${newer} newer ones that are compatible` : ''}`,
    value: 0,
  };
}

async function checkPermissions(db: Db): Promise<Check> {
  const name = 'permissions';
  const tables = await readForbiddenTables(db.pool());
  const [first] = tables;
  if (first === undefined) return { name, ok: true, message: 'the role can read and change all tables', value: 0 };
  const message = `the role cannot read and change ${tables.length} tables, such as ${first}; make it their owner`;
  return { name, ok: false, message, value: tables.length };
}

/** A full disk or a standby answers reads, but fails here. */
async function checkWriting(db: Db): Promise<Check> {
  const undo = new Conflict('Rolled back.');
  const write = db.transaction(async (tx) => {
    await writeProbe(tx);
    throw undo;
  });
  await write.catch((error) => {
    if (error !== undo) throw error;
  });
  return { name: 'writing', ok: true, message: 'writing works' };
}

async function checkWorkers(db: Db): Promise<Check> {
  const { alive, silent_seconds: silent } = await readWorkers(db.pool());
  const name = 'workers';
  if (alive) return { name, ok: true, message: `processes alive: ${alive}`, value: alive };
  const trace = silent === null ? '' : `; the last heartbeat was ${silent} s ago`;
  return { name, ok: false, message: `no worker process is alive${trace}; start one with npm run worker`, value: 0 };
}

async function checkWebhooks(db: Db): Promise<Check> {
  const { resting, others } = await countWebhooks(db.pool());
  const name = 'webhooks';
  if (!resting) return { name, ok: true, message: others ? `${others} active` : 'there are none', value: 0 };
  return {
    name,
    ok: true,
    warning: true,
    message: `${resting} paused; see npm run stint -- webhook list`,
    value: resting,
  };
}

const checkHold = (held: boolean): Check[] =>
  held
    ? [
        {
          ...{ name: 'outbound', ok: true, warning: true },
          message: 'emails, webhooks and reminders are on hold since restore prepare; npm run stint -- restore finish sends them',
        },
      ]
    : [];

async function checkQueue(db: Db, outboundOff: boolean): Promise<Check[]> {
  const jobs = await readQueue(db.pool(), outboundOff);
  const age = jobs.oldest_seconds ?? 0;
  const mend = 'see npm run stint -- jobs list, then jobs retry --all or jobs drop --all';
  return [
    {
      name: 'queue',
      ok: true,
      message: `${jobs.runnable} runnable, ${jobs.running} running, ${jobs.scheduled} scheduled${jobs.held ? `, ${jobs.held} on hold` : ''}`,
      value: jobs.runnable,
    },
    {
      name: 'oldest job',
      ok: age <= LATE_SECONDS,
      message: jobs.runnable ? `waits for ${age} s${age > LATE_SECONDS ? '; check that a worker is running' : ''}` : 'no jobs are waiting',
      value: age,
    },
    {
      name: 'locks',
      ok: jobs.stuck === 0,
      message: jobs.stuck ? `${jobs.stuck} are locked by a dead worker; start a worker to release them, or ${mend}` : 'no jobs are stuck',
      value: jobs.stuck,
    },
    {
      name: 'failed jobs',
      ok: jobs.failed === 0,
      message: jobs.failed
        ? `${jobs.failed} failed for good, one of them ${redact(jobs.last_error ?? '')}; ${mend}`
        : 'no jobs failed permanently',
      value: jobs.failed,
    },
  ];
}

/** `doctor` behind a pooler: compares the settings of its sessions with ours, because a pooler drops startup parameters. */
const timeouts = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'];

export async function poolerFaults({ databaseUrl, directUrl, preparedStatements }: Config): Promise<string[]> {
  let db: Db;
  try {
    db = await connectDb(databaseUrl, 1, { directUrl, preparedStatements });
  } catch (error) {
    return [`DATABASE_URL can't be reached: ${messageOf(error)}`];
  }
  try {
    const settings = await readSettings(db.pool(), ['TimeZone', ...timeouts]);
    const zone =
      settings.get('TimeZone') === 'UTC'
        ? []
        : ['its sessions are not in UTC, so days start at the wrong hour; use alter database … set timezone'];
    const endless = timeouts.filter((name) => settings.get(name) === '0');
    return [...zone, ...endless.map((name) => `its sessions have no ${name}`)];
  } finally {
    await db.close();
  }
}
