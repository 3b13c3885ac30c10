/** `npm run bench -- queue`: PostgreSQL's cost of fetching a job from a long queue, for each state of the table's statistics, with
 *  src/database/queueTables.ts and with graphile-worker's defaults. CPU of the connection's own process. */
import { Logger, run } from 'graphile-worker';
import pg from 'pg';
import { addJobs, fetchAmong, JOBS, mostRows, planOf } from '../support/queueTable.ts';
import { capture, type Statement } from './capture.ts';
import { cpuSeconds } from './measure.ts';
import { benchDatabase } from './servers.ts';

const BACKLOG = 5_000;
/** Each fetches eleven jobs. */
const FETCHES = 300;

const states: Record<string, string[]> = {
  'never analysed': [`truncate ${JOBS}`],
  'analysed empty, dead rows still there': [`analyze ${JOBS}`],
  'vacuumed and analysed empty': [`vacuum analyze ${JOBS}`],
  'vacuumed empty, not made shorter': [`vacuum (truncate off) ${JOBS}`],
};

export async function queue(adminUrl: string): Promise<void> {
  const url = await benchDatabase(adminUrl, 'bench_queue');
  const client = new pg.Client(url);
  await client.connect();
  const fetch = await fetchOf(client, url);
  const rows: Record<string, object> = {};
  for (const [state, statements] of Object.entries(states)) rows[state] = { settled: await measure(client, url, fetch, statements) };
  await unsettle(client);
  for (const [state, statements] of Object.entries(states)) {
    await forget(client);
    const left = await measure(client, url, fetch, statements);
    const { settled } = rows[state] as { settled: Figures };
    rows[state] = { 'rows read, before': left.read, 'µs, before': left.micros, 'rows read': settled.read, µs: settled.micros };
  }
  console.log(`\nOne fetch of 11 jobs with their completion, ${BACKLOG} waiting`);
  console.table(rows);
  await client.end();
}

/** The exact statement that graphile-worker sends for a lane that fetches ahead. */
export async function fetchOf(client: pg.Client, url: string): Promise<Statement> {
  const pgPool = new pg.Pool({ connectionString: url, max: 4 });
  pgPool.on('error', () => {});
  pgPool.on('connect', (one) => one.on('error', () => {}));
  await addJobs(client, 1);
  const sent = await capture(async () => {
    const done = Promise.withResolvers<void>();
    const runner = await run({
      pgPool,
      taskList: { any: () => done.resolve() },
      logger: new Logger(() => () => {}),
      noHandleSignals: true,
      concurrency: 10,
      preset: { worker: { localQueue: { size: 11 } } },
    });
    await done.promise;
    await runner.stop();
  });
  await pgPool.end();
  return fetchAmong(sent);
}

const unsettle = (client: pg.Client) =>
  client.query(`alter table ${JOBS} alter id set statistics -1, alter job_queue_id set statistics -1, alter task_id set statistics -1,
    alter task_id reset (n_distinct), alter priority set statistics -1, alter run_at set statistics -1, alter is_available set statistics -1`);

/** Resets the statistics of the previous state. */
const forget = (client: pg.Client) =>
  client.query(`select pg_clear_attribute_stats('graphile_worker', '_private_jobs', a.attname::text, false)
    from pg_attribute a where a.attrelid = '${JOBS}'::regclass and a.attnum > 0 and not a.attisdropped`);

interface Figures {
  read: number;
  micros: number;
}

async function measure(admin: pg.Client, url: string, fetch: Statement, statements: string[]): Promise<Figures> {
  await addJobs(admin, BACKLOG);
  await admin.query(`delete from ${JOBS}`);
  for (const statement of statements) await admin.query(statement);
  await addJobs(admin, BACKLOG);
  const client = new pg.Client({ connectionString: url, options: '-c timezone=UTC' });
  await client.connect();
  try {
    await client.query('begin');
    const plan = await planOf(client, fetch);
    await client.query('rollback');
    const { pid } = (await client.query('select pg_backend_pid() as pid')).rows[0];
    const before = cpuSeconds(pid);
    for (let n = 0; n < FETCHES; n++) {
      const { rows } = await client.query({ name: 'fetch', text: fetch.text, values: fetch.values });
      await client.query({ name: 'done', text: `delete from ${JOBS} where id = any($1::bigint[])`, values: [rows.map(({ id }) => id)] });
    }
    return { read: mostRows(plan), micros: Math.round(((cpuSeconds(pid) - before) * 1e6) / FETCHES) };
  } finally {
    await client.end();
  }
}
