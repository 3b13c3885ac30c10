/** PostgreSQL stops under a running worker, cleanly and by a crash, and returns. */
import { migrate } from '../../src/database/migrate.ts';
import { Postgres } from '../chaos/postgres.ts';
import { eventually } from '../support/eventually.ts';
import { startProxy } from '../support/proxy.ts';
import { suite } from '../support/suite.ts';
import { runningWorker } from '../support/workers.ts';

const test = suite(import.meta.url);

const addJobs = (postgres: Postgres, count: number) =>
  postgres.rows(
    `select count(*) from graphile_worker.add_jobs(array(
       select ('remind_long_timer', json_build_object('entryId', n), null, null, null, null, null, null)::graphile_worker.job_spec
       from generate_series(1, $1::int) n))`,
    [count],
  );

/** Resolves when all jobs are done. */
async function done(postgres: Postgres): Promise<void> {
  const count = async () =>
    (await postgres.rows(`select count(*)::int as left from graphile_worker.jobs where task_identifier = 'remind_long_timer'`))[0]!.left;
  if ((await eventually(count, (left) => left === 0, 90_000)) > 0) throw new Error('Jobs are left');
}

test('after PostgreSQL is restarted and killed under a running worker, the same process runs later jobs', async (t) => {
  t.timeout(240_000);
  const postgres = await Postgres.start();
  t.teardown(() => postgres.end());
  await migrate(postgres.url);
  const proxy = await startProxy(postgres.url);
  t.teardown(() => proxy.close());
  const worker = await runningWorker(t, proxy.url, { pace: '200,1000' });
  for (const how of ['stop', 'crash'] as const) {
    await addJobs(postgres, 1_000);
    await postgres.restart(how);
    proxy.retarget(postgres.url);
    // No job is lost: earlier, current and later ones.
    await addJobs(postgres, 100);
    await postgres.rows(
      `select graphile_worker.add_job('remind_long_timer', '{"entryId": 1}', run_at => now() + interval '500 milliseconds')`,
    );
    await done(postgres);
  }
  t.deepEqual(await postgres.rows(`select id, last_error from graphile_worker.jobs where attempts >= max_attempts`), []);
  worker.kill();
  t.deepEqual(await worker.exit(), { code: 0, signal: null });
  t.deepEqual(await postgres.rows('select id from graphile_worker.jobs where locked_at is not null'), []);
});
