/** Storage settings of the queue's table, and how workers fetch from a long queue (src/database/queueTables.ts, workers/pools.ts). */
import test from 'ava';
import { Logger, runOnce } from 'graphile-worker';
import pg from 'pg';
import { migrate } from '../../src/database/migrate.ts';
import { queuePool } from '../../workers/pools.ts';
import { capture } from '../bench/capture.ts';
import { fileDatabase } from '../support/database.ts';
import { addJobs, fetchAmong, JOBS, mostRows, planOf } from '../support/queueTable.ts';

const database = fileDatabase();
let client: pg.Client;

test.serial.before('connect', async () => {
  client = new pg.Client(database.url);
  await client.connect();
});
test.after.always('disconnect', () => client?.end());

const rows = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows;
const ANALYZE = 'autovacuum_analyze_threshold';

test.serial('a migrated queue is vacuumed early, and analysed like any table', async (t) => {
  await migrate(database.url);
  const [{ reloptions }] = await rows(`select reloptions from pg_class where oid = '${JOBS}'::regclass`);
  t.deepEqual(reloptions, ['autovacuum_vacuum_threshold=200', 'autovacuum_vacuum_scale_factor=0.05', 'autovacuum_vacuum_cost_delay=0']);
});

test.serial('migrating removes the made-up statistics of earlier versions', async (t) => {
  await client.query(
    `alter table ${JOBS} set (${ANALYZE} = 2147483647), alter task_id set statistics 0, alter task_id set (n_distinct = 5)`,
  );
  await migrate(database.url);
  const [found] = await rows(
    `select coalesce(attstattarget, -1) as target, attoptions, c.reloptions::text ~ '${ANALYZE}' as off
     from pg_attribute a join pg_class c on c.oid = a.attrelid where c.oid = '${JOBS}'::regclass and attname = 'task_id'`,
  );
  t.deepEqual(found, { target: -1, attoptions: null, off: false });
});

test.serial('fetching from a long queue reads what it fetches, though it was analysed when it was empty', async (t) => {
  const pgPool = queuePool(database.url, 2);
  await addJobs(client, 1);
  const sent = await capture(() => runOnce({ pgPool, taskList: { any: () => {} }, logger: new Logger(() => () => {}) }));
  const fetch = fetchAmong(sent);
  t.truthy(fetch);
  await addJobs(client, 3_000);
  await client.query(`delete from ${JOBS}`);
  await client.query(`analyze ${JOBS}`);
  await addJobs(client, 3_000);
  const worker = await pgPool.connect();
  const plan = await planOf(worker, fetch);
  worker.release();
  await pgPool.end();
  t.true(mostRows(plan) < 100, JSON.stringify(plan));
});
