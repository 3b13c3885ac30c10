/** /metrics and the state of the queue in it. */
import { fileDatabase } from '../support/database.ts';
import { restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();

test('with the token, /metrics counts waiting jobs, retried ones (also while they run), and permanently failed ones', async (t) => {
  const token = 'a token of the operator';
  const { api, fixtures, end } = await restWorld(database.url, { METRICS_TOKEN: token });
  t.teardown(end);
  await fixtures.sql(`select graphile_worker.add_job('prune', run_at => now() - interval '1 hour')`);
  await fixtures.sql(`select graphile_worker.add_job('prune', run_at => now() + interval '1 hour')`);
  await fixtures.sql(`select graphile_worker.add_job('prune', job_key => 'broken')`);
  await fixtures.sql(`update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'no' where key = 'broken'`);
  await fixtures.sql(`select graphile_worker.add_job('prune', job_key => 'tried again')`);
  await fixtures.sql(
    `update graphile_worker._private_jobs set attempts = 2, last_error = 'no', locked_at = now(), locked_by = 'w' where key = 'tried again'`,
  );
  const at = `${api.base.replace(/\/api\/v1$/, '')}/metrics`;
  t.is((await fetch(at)).status, 401);
  const text = await (await fetch(at, { headers: { Authorization: `Bearer ${token}` } })).text();
  const value = (name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')
        .at(-1),
    );
  t.is(value('stint_jobs{state="runnable"}'), 1);
  t.is(value('stint_jobs{state="scheduled"}'), 1);
  t.is(value('stint_jobs{state="failed"}'), 1);
  t.is(value('stint_jobs{state="retrying"}'), 1);
  t.is(value('stint_jobs{state="stuck"}'), 0);
  t.true(value('stint_oldest_runnable_job_seconds') >= 3600);
});
