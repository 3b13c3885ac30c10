/** Reminders while their workers are killed repeatedly. */
import type { Spawned } from '../support/processes.ts';
import { suite } from '../support/suite.ts';
import { runs } from '../support/thorough.ts';
import { timeWorld } from '../support/timeWorld.ts';
import { type Queue, queueOf, startWorkerFor } from '../support/workers.ts';

const test = suite(import.meta.url);

const world = timeWorld();
/** Beats every 200 ms, dead after a second. */
const QUICK = '200,1000';
const KILLS = runs(20);
const PER_KILL = 50;

/** Blocks that start in five minutes, and their reminders, due within half a second. */
const planBlocks = (queue: Queue, itemId: number) =>
  queue.rows(
    `with block as (
       insert into plan_blocks (account_id, workspace_id, user_id, item_id, start_local, end_local, timezone, starts_at, ends_at, remind_start)
       select i.account_id, i.workspace_id, (select min(user_id) from memberships m where m.workspace_id = i.workspace_id), i.id,
              to_char(s, 'YYYY-MM-DD"T"HH24:MI'), to_char(s + interval '1 hour', 'YYYY-MM-DD"T"HH24:MI'), 'UTC', s, s + interval '1 hour', true
       from items i, generate_series(1, $2::int) n, lateral (select now() + interval '5 minutes' + n * interval '1 second' as s) at
       where i.id = $1 returning id
     )
     select count(*) from graphile_worker.add_jobs(array(
       select ('remind_plan_block', json_build_object('blockId', id, 'edge', 'start'), null, now() + random() * interval '0.5 seconds',
               null, 'plan_block:' || id || ':remind_start', null, null)::graphile_worker.job_spec from block))`,
    [itemId, PER_KILL],
  );

/** Reminders that a process has fetched and not finished. */
const heldBy = (pid: number) => `
  select count(*)::int as held from graphile_worker.jobs j join workers w on w.id = j.locked_by
  where w.pid = ${pid} and j.task_identifier = 'remind_plan_block'`;

test('reminders arrive exactly once while their workers are killed repeatedly', async (t) => {
  t.timeout(240_000);
  const { itemId, userId } = await world.team();
  const queue = await queueOf(t, world.url);
  const start = () => startWorkerFor(t, world.url, { pace: QUICK, env: { WORKER_CONCURRENCY: '4' } });
  let [victim, other]: [Spawned, Spawned] = [start(), start()];
  let orphans = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    await victim.log({ msg: 'listening' });
    await planBlocks(queue, itemId);
    await queue.until(`select held > 0 from (${heldBy(victim.pid)}) h`);
    victim.kill('SIGKILL');
    await victim.exit();
    orphans += (await queue.rows(heldBy(victim.pid)))[0].held;
    [victim, other] = [other, start()];
  }
  await queue.until(`select count(*) = 0 as done from graphile_worker.jobs where task_identifier = 'remind_plan_block'`, 90_000);
  const told = await queue.rows(
    `select times, count(*)::int as blocks from (
       select b.id, count(n.id)::int as times from plan_blocks b left join notifications n on n.block_id = b.id and n.user_id = $1 group by b.id
     ) b group by times`,
    [userId],
  );
  t.deepEqual(told, [{ times: 1, blocks: KILLS * PER_KILL }]);
  t.true(orphans > KILLS, 'too few jobs were hit by the kills');
  t.log(`${orphans} reminders were taken by a worker that was killed`);
});
