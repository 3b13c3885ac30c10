/** Users and workers act at the same moment. */
import { plan } from '../plans/plans.ts';
import { suite } from '../support/suite.ts';
import type { Team } from '../support/timeWorld.ts';
import { timeWorld } from '../support/timeWorld.ts';
import { type Queue, queueOf, runningWorker } from '../support/workers.ts';

const test = suite(import.meta.url);

const world = timeWorld();
const TEAMS = 24;

/** For each team a block that starts by itself now, for an hour, with its jobs. Workers start the first blocks first. */
async function planAll(teams: Team[]): Promise<number[]> {
  const rows = await world.rows(
    `with block as (
       insert into plan_blocks (account_id, workspace_id, user_id, item_id, start_local, end_local, timezone, starts_at, ends_at, auto_start)
       select i.account_id, i.workspace_id, p.person, i.id, '2026-03-02T09:00', '2026-03-02T10:00', 'UTC',
              now(), now() + interval '1 hour', true
       from unnest($1::bigint[], $2::bigint[]) as p (person, item) join items i on i.id = p.item returning *
     )
     select id, graphile_worker.add_job('start_plan_block', json_build_object('blockId', id, 'revision', revision), run_at => starts_at,
                                        job_key => 'plan_block:' || id || ':start')
     from block order by user_id`,
    [teams.map(({ userId }) => userId), teams.map(({ itemId }) => itemId)],
  );
  return rows.map(({ id }) => id);
}

async function scene(t: Parameters<typeof queueOf>[0]): Promise<{ teams: Team[]; queue: Queue; blocks: number[] }> {
  const teams = await Promise.all(Array.from({ length: TEAMS }, () => world.team()));
  teams.sort((a, b) => a.userId - b.userId);
  const queue = await queueOf(t, world.url);
  await Promise.all([runningWorker(t, world.url), runningWorker(t, world.url)]);
  const blocks = await planAll(teams);
  return { teams, queue, blocks };
}

const outcomes = (blocks: number[]) =>
  world.rows(
    `select b.state, b.reason, b.entry_id is null as unstarted, (select count(*)::int from time_entries e where e.user_id = b.user_id) as timers
     from plan_blocks b where id = any($1) order by id`,
    [blocks],
  );
const noStarts = (blocks: number[]) =>
  `select count(*) = 0 as done from graphile_worker.jobs where task_identifier = 'start_plan_block' and key in (${blocks.map((id) => `'plan_block:${id}:start'`)})`;

test('blocks cancelled while two workers start them: each is cancelled, with a timer only if it was started before', async (t) => {
  const { teams, queue, blocks } = await scene(t);
  for (const [at, team] of [...teams.entries()].reverse()) await plan(world, team.person, { action: 'cancel', blockId: blocks[at] });
  await queue.until(noStarts(blocks));
  for (const { state, unstarted, timers } of await outcomes(blocks)) {
    t.is(state, 'cancelled');
    t.is(timers, unstarted ? 0 : 1);
  }
});

test('memberships revoked while two workers start their blocks: each was started before, or is missed without access', async (t) => {
  const { teams, queue, blocks } = await scene(t);
  for (const { userId } of teams.toReversed()) await world.rows('delete from memberships where user_id = $1', [userId]);
  await queue.until(`select bool_and(state <> 'scheduled') as done from plan_blocks where id in (${blocks})`);
  for (const { state, reason, timers } of await outcomes(blocks)) {
    if (state === 'running') t.is(timers, 1);
    else {
      t.is(state, 'missed');
      t.regex(reason, /could no longer/);
      t.is(timers, 0);
    }
  }
});
