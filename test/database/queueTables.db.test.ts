/** The queue's table keeps the statistics of a full one, whenever it was analysed (src/database/queueTables.ts). */
import { Logger, runOnce } from 'graphile-worker';
import pg from 'pg';
import { migrate } from '../../src/database/migrate.ts';
import { capture } from '../bench/capture.ts';
import { fileDatabase } from '../support/database.ts';
import { addJobs, fetchAmong, JOBS, mostRows, planOf } from '../support/queueTable.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let client: pg.Client;

test.before('connect', async () => {
  client = new pg.Client(database.url);
  await client.connect();
});
test.after('disconnect', () => client?.end());

const rows = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows;
const believed = () =>
  rows(`select attname, n_distinct, most_common_vals::text as common from pg_stats where tablename = '_private_jobs' order by attname`);

test('a migrated queue has its settings and statistics, and no job', async (t) => {
  const [{ reloptions, jobs }] = await rows(
    `select reloptions, (select count(*)::int from ${JOBS}) as jobs from pg_class where oid = '${JOBS}'::regclass`,
  );
  t.is(jobs, 0);
  for (const option of [
    'autovacuum_analyze_threshold=2147483647',
    'autovacuum_analyze_scale_factor=0',
    'autovacuum_vacuum_threshold=200',
    'autovacuum_vacuum_scale_factor=0.05',
  ])
    t.true(reloptions.includes(option), option);
  t.like(
    (await believed()).find(({ attname }) => attname === 'task_id'),
    { n_distinct: 5, common: null },
  );
});

test('migrating again changes nothing, and repairs what a dump of a restored queue lacks', async (t) => {
  const before = await believed();
  await migrate(database.url);
  t.deepEqual(await believed(), before);
  await client.query(`alter table ${JOBS} alter task_id set statistics -1`);
  await migrate(database.url);
  const [{ attstattarget }] = await rows(
    `select attstattarget from pg_attribute where attrelid = '${JOBS}'::regclass and attname = 'task_id'`,
  );
  t.is(attstattarget, 0);
});

test('fetching from a long queue reads only the fetched jobs, even if it was analysed when empty', async (t) => {
  const pgPool = new pg.Pool({ connectionString: database.url, max: 2 });
  pgPool.on('error', () => {});
  pgPool.on('connect', (one) => one.on('error', () => {}));
  await addJobs(client, 1);
  const sent = await capture(() => runOnce({ pgPool, taskList: { any: () => {} }, logger: new Logger(() => () => {}) }));
  await pgPool.end();
  const fetch = fetchAmong(sent);
  t.truthy(fetch);
  await addJobs(client, 3_000);
  await client.query(`delete from ${JOBS}`);
  await client.query(`analyze ${JOBS}`);
  await addJobs(client, 3_000);
  const plan = await planOf(client, fetch);
  t.true(mostRows(plan) < 100, JSON.stringify(plan));
});
