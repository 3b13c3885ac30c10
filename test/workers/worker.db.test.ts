/** The deployed worker process: crashing, draining, losing its database, and the schedule. */
import type { ExecutionContext } from 'ava';
import pg from 'pg';
import { freshDatabase } from '../support/database.ts';
import { startProxy } from '../support/proxy.ts';
import { suite } from '../support/suite.ts';
import { runs } from '../support/thorough.ts';
import { type Queue, queueOf, runningWorker, startWorkerFor } from '../support/workers.ts';

const test = suite(import.meta.url);

/** Beats every 200 ms, dead after a second. */
const QUICK = '200,1000';

/** Jobs that end at once, because their timer does not exist. */
const addJobs = (queue: Queue, count: number) =>
  queue.rows(
    `select count(*) from graphile_worker.add_jobs(array(
       select ('remind_long_timer', json_build_object('entryId', n), null, null, null, null, null, null)::graphile_worker.job_spec
       from generate_series(1, $1::int) n))`,
    [count],
  );

/** Makes every timer job wait, until released or for the jobs' own limit of 5 s. */
async function blockTimers(t: ExecutionContext, databaseUrl: string): Promise<() => Promise<void>> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  let held = true;
  const release = async () => {
    if (held) await client.end();
    held = false;
  };
  t.teardown(release);
  await client.query('begin; lock table time_entries in access exclusive mode');
  return release;
}

/** Only the tests' jobs: the schedule has its own. */
const timerJobs = `graphile_worker.jobs where task_identifier = 'remind_long_timer'`;
const left = `select count(*) = 0 as done from ${timerJobs}`;

test("a killed worker's jobs run elsewhere, and its row is deleted", async (t) => {
  const url = await freshDatabase(t);
  const queue = await queueOf(t, url);
  const first = await runningWorker(t, url, { pace: QUICK });
  const release = await blockTimers(t, url);
  await addJobs(queue, 30);
  // Ten run and up to eleven more are fetched ahead.
  await queue.until(`select count(*) > 10 as held from ${timerJobs} and locked_at is not null`);
  first.kill('SIGKILL');
  await first.exit();
  t.true((await queue.locked()) > 10);
  await release();
  await runningWorker(t, url, { pace: QUICK });
  await queue.until(left);
  await queue.until('select count(distinct pid) = 1 as alone from workers');
});

test.long('at the usual pace a killed worker is found, too', async (t) => {
  t.timeout(150_000);
  const url = await freshDatabase(t);
  const queue = await queueOf(t, url);
  const first = await runningWorker(t, url);
  await runningWorker(t, url);
  const release = await blockTimers(t, url);
  await addJobs(queue, 40);
  await queue.until(`select count(distinct locked_by) = 2 as both from ${timerJobs} and locked_at is not null`);
  first.kill('SIGKILL');
  await first.exit();
  t.true((await queue.locked()) > 0);
  await release();
  // Due jobs run within 90 s of a kill (behaviour §10.13).
  await queue.until(left, 90_000);
});

test('repeated SIGTERM under load leaves no locked job and exits with 0', async (t) => {
  const url = await freshDatabase(t);
  const queue = await queueOf(t, url);
  for (let round = 0; round < runs(20); round++) {
    await addJobs(queue, 500);
    const [{ count }] = await queue.rows(`select count(*)::int from ${timerJobs}`);
    const worker = await runningWorker(t, url);
    await queue.until(`select count(*) <= ${count - 20 * round} as done from ${timerJobs}`);
    worker.kill();
    if (round % 2) worker.kill();
    t.deepEqual(await worker.exit(), { code: 0, signal: null });
    t.is(await queue.locked(), 0);
    t.deepEqual(await queue.rows('select id from workers'), []);
  }
  t.true((await queue.rows(`select attempts from ${timerJobs} and attempts > 0`)).length === 0);
});

test.long('SIGTERM with hanging jobs releases them in time', async (t) => {
  const url = await freshDatabase(t);
  const queue = await queueOf(t, url);
  const worker = await runningWorker(t, url);
  await blockTimers(t, url);
  await addJobs(queue, 25);
  await queue.until(`select count(*) > 10 as held from ${timerJobs} and locked_at is not null`);
  worker.kill();
  t.deepEqual(await worker.exit(), { code: 0, signal: null });
  t.is(await queue.locked(), 0);
  t.is((await queue.rows(`select 1 from ${timerJobs}`)).length, 25);
});

test.long('a worker survives its database: started before it and disconnected, it continues', async (t) => {
  const url = await freshDatabase(t);
  const queue = await queueOf(t, url);
  const proxy = await startProxy(url);
  t.teardown(proxy.close);
  proxy.refuse();
  const worker = startWorkerFor(t, proxy.url, { pace: QUICK });
  await worker.log({ msg: 'waiting for the database' });
  proxy.heal();
  await worker.log({ msg: 'listening' });
  await addJobs(queue, 500);
  await queue.until(`select count(*) < 480 as begun from ${timerJobs}`);
  proxy.refuse();
  await addJobs(queue, 100);
  for (let n = 0; n < 10; n++) await proxy.connected();
  proxy.heal();
  await queue.until(left);
  // Delayed jobs, notifications and heartbeats work on the new connections.
  await queue.rows(`select graphile_worker.add_job('remind_long_timer', '{"entryId": 1}', run_at => now() + interval '300 milliseconds')`);
  await queue.until(left);
  await queue.until(`select count(*) >= 3 as beating from workers where seen_at > now() - interval '1 second'`);
  worker.kill();
  t.deepEqual(await worker.exit(), { code: 0, signal: null });
});

test('a worker started before the migrations waits for them', async (t) => {
  const url = await freshDatabase(t, { migrated: false });
  const worker = startWorkerFor(t, url);
  await worker.log({ msg: 'waiting for the database', database: 'unmigrated' });
  worker.kill();
  t.deepEqual(await worker.exit(), { code: 0, signal: null });
});

test('three workers run a missed tick once, at the start', async (t) => {
  const url = await freshDatabase(t);
  const queue = await queueOf(t, url);
  await queue.rows(`create table job_log (task_id integer);
    create function log_job() returns trigger language plpgsql as $$ begin insert into job_log values (new.task_id); return null; end $$;
    create trigger log_job after insert on graphile_worker._private_jobs for each row execute function log_job()`);
  // The tick of the day before yesterday has run, so today's is missing.
  await queue.rows(`insert into schedule_ticks values ('daily_snapshots', current_date - 2)`);
  const workers = await Promise.all([1, 2, 3].map(() => runningWorker(t, url)));
  await queue.until(
    `select count(distinct task) = 7 and count(*) filter (where task not in ('begin_days', 'due_recurrences')) = 6 as ticked from schedule_ticks`,
  );
  await queue.until('select count(*) = 0 as done from graphile_worker._private_jobs');
  const ticks = await queue.rows(
    `select task, due = date_trunc('day', now() + interval '1 minute', 'UTC') as today from schedule_ticks order by task, due`,
  );
  t.deepEqual(
    ticks.filter(({ task }) => task === 'daily_snapshots').map(({ today }) => today),
    [false, true],
  );
  t.deepEqual(
    [...new Set(ticks.map(({ task }) => task))],
    ['begin_days', 'daily_snapshots', 'due_recurrences', 'erase', 'prune', 'renew_holidays', 'weekly_trend_points'],
  );
  const enqueued = await queue.rows(
    `select identifier as task, count(*)::int as times from job_log j join graphile_worker._private_tasks t on t.id = j.task_id
     where identifier in ('daily_snapshots', 'erase', 'prune', 'weekly_trend_points') group by 1 order by 1`,
  );
  t.deepEqual(
    enqueued,
    ['daily_snapshots', 'erase', 'prune', 'weekly_trend_points'].map((task) => ({ task, times: 1 })),
  );
  for (const worker of workers) worker.kill();
  for (const worker of workers) t.is((await worker.exit()).code, 0);
});
