/** Jobs that a living worker has locked without knowing it, because the answer to its fetch was lost. */
import { freshDatabase } from '../support/database.ts';
import { startProxy } from '../support/proxy.ts';
import { suite } from '../support/suite.ts';
import { queueOf, runningWorker } from '../support/workers.ts';

const test = suite(import.meta.url);

/** Beats every 200 ms, dead after a second. */
const QUICK = '200,1000';

/** Only the tests' jobs: the schedule has its own. */
const timerJobs = `graphile_worker.jobs where task_identifier = 'remind_long_timer'`;

test('a job that a living lane has locked without knowing it is released', async (t) => {
  const url = await freshDatabase(t);
  const queue = await queueOf(t, url);
  await runningWorker(t, url, { pace: QUICK });
  await queue.until(`select count(*) > 0 as beating from workers where lane = 'prompt'`);
  await queue.rows(`select graphile_worker.add_job('remind_long_timer', '{"entryId": 1}', run_at => now() + interval '1 hour')`);
  await queue.rows(
    `update graphile_worker._private_jobs set locked_at = now() - interval '1 minute', attempts = 1,
       locked_by = (select id from workers where lane = 'prompt')
     where id = (select id from ${timerJobs})`,
  );
  await queue.until(`select locked_by is null and attempts = 0 as free from ${timerJobs}`);
  t.pass();
});

test('lost answers end no worker and leave no job locked', async (t) => {
  t.timeout(240_000);
  const url = await freshDatabase(t);
  const queue = await queueOf(t, url);
  const proxy = await startProxy(url);
  t.teardown(proxy.close);
  const worker = await runningWorker(t, proxy.url, { pace: QUICK });
  for (let round = 0; round < 5; round++) {
    const dropped = proxy.dropAnswers(5);
    await queue.rows(
      `select count(*) from graphile_worker.add_jobs(array(
         select ('remind_long_timer', json_build_object('entryId', n), null, null, null, null, null, null)::graphile_worker.job_spec
         from generate_series(1, 200) n))`,
    );
    await dropped;
  }
  // Failed jobs wait unlocked for their next attempt, and all others are done. A lane that lost the answer to its first question is
  // replaced after ten seconds, and the next one may lose it again.
  await queue.until(
    `select count(*) = 0 as done from graphile_worker.jobs where locked_at is not null or attempts = 0 and run_at <= now()`,
    120_000,
  );
  worker.kill();
  t.deepEqual(await worker.exit(), { code: 0, signal: null });
});
