/** The database's clock decides, and dead workers' clocks count nothing. */
import pg from 'pg';
import { suite } from '../support/suite.ts';
import { timeWorld } from '../support/timeWorld.ts';
import { queueOf, runningWorker } from '../support/workers.ts';

const test = suite(import.meta.url);

const world = timeWorld();
/** Beats every second, dead after ten: late beats on a busy machine must not count as death. */
const BRISK = '1000,10000';

/** A worker on a machine whose clock is wrong by so many hours. */
const withClock = (hours: number) => ({
  env: {
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=./test/support/wrongClock.ts`,
    CLOCK_OFFSET_MS: String(hours * 3_600_000),
  },
});

test("workers whose clocks are hours off start a block once, at its minute by the database's clock", async (t) => {
  const teams = await Promise.all([1, 2, 3, 4].map(() => world.team()));
  const queue = await queueOf(t, world.url);
  await runningWorker(t, world.url, withClock(26));
  await runningWorker(t, world.url, withClock(-26));
  for (const { itemId, userId } of teams) {
    await queue.rows(
      `with block as (
         insert into plan_blocks (account_id, workspace_id, user_id, item_id, start_local, end_local, timezone, starts_at, ends_at, auto_start)
         select account_id, workspace_id, $2, id, '2026-03-02T09:00', '2026-03-02T10:00', 'UTC', now() + interval '2 seconds',
                now() + interval '1 hour', true
         from items where id = $1 returning *
       )
       select graphile_worker.add_job('start_plan_block', json_build_object('blockId', id, 'revision', revision), run_at => starts_at) from block`,
      [itemId, userId],
    );
  }
  await queue.until(`select count(*) = 4 as begun from plan_blocks where state <> 'scheduled'`);
  const begun = await queue.rows(
    `select b.state, count(e.id)::int as timers, bool_and(e.started_at >= b.starts_at and e.started_at <= now()) as "atItsMinute"
     from plan_blocks b left join time_entries e on e.user_id = b.user_id group by b.id, b.state`,
  );
  t.deepEqual(begun, Array(4).fill({ state: 'running', timers: 1, atItsMinute: true }));
  // Killed with a job, these workers would be found dead in the next test.
  await queue.until(
    `select count(*) = 0 as done from graphile_worker.jobs where task_identifier = 'start_plan_block' or locked_at is not null`,
  );
});

test("no living worker is taken for dead when the database's clock jumps", async (t) => {
  const queue = await queueOf(t, world.url);
  const workers = [await runningWorker(t, world.url, { pace: BRISK }), await runningWorker(t, world.url, { pace: BRISK })];
  const blocker = new pg.Client(world.url);
  await blocker.connect();
  t.teardown(() => blocker.end());
  await blocker.query('begin; lock table time_entries in access exclusive mode');
  await queue.rows(
    `select count(*) from graphile_worker.add_jobs(array(
       select ('remind_long_timer', json_build_object('entryId', n), null, null, null, null, null, null)::graphile_worker.job_spec
       from generate_series(1, 40) n))`,
  );
  await queue.until(
    `select count(distinct locked_by) = 2 as both from graphile_worker.jobs where task_identifier = 'remind_long_timer' and locked_at is not null`,
  );
  // Each has seen several heartbeats of the other, so two silent beats are not enough to count as dead.
  await queue.until(`select bool_and(seen_at > started_at + interval '5 seconds') as heard from workers`);
  // Every stamp is now an hour old.
  await queue.rows(`update workers set seen_at = seen_at - interval '1 hour'`);
  await queue.until(`select count(*) >= 6 as beating from workers where seen_at > now() - interval '2 seconds'`);
  t.deepEqual(await queue.rows(`select id from graphile_worker.jobs where last_error ~ 'ended without an answer'`), []);
  for (const { lines } of workers) t.false(lines.some((line) => line.includes('unlocked jobs of a dead worker')));
});
