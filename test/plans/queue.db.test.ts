/** From the tool's call through the queue to the effect, with the worker's own tasks. */
import { parseInput } from '../../src/operations/input.ts';
import { perform } from '../../src/operations/perform.ts';
import { trackTime } from '../../src/time/trackTime.ts';
import { instantToLocal } from '../../src/values/dates.ts';
import { suite } from '../support/suite.ts';
import { runDueJobs } from '../support/tasks.ts';
import { type Team, timeWorld } from '../support/timeWorld.ts';
import { blockRow, notifications, plan, timers } from './plans.ts';

const test = suite(import.meta.url);

const world = timeWorld();

/** Local times so many minutes from now, by the database's clock. */
const around = async (from: number, to: number) => {
  const now = (await world.value('select now()')).getTime();
  const at = (minutes: number) => instantToLocal(now + minutes * 60_000, 'UTC');
  return { startLocal: at(from), endLocal: at(to), timezone: 'UTC' };
};
const create = async (team: Team, from: number, to: number, more: object) =>
  (await plan(world, team.person, { action: 'create', itemId: team.itemId, ...(await around(from, to)), ...more })).block;

test('a block is started at its start by its job, with its reminders', async (t) => {
  const team = await world.team();
  const block = await create(team, -2, 4, { autoStart: true, remindStart: true, remindEnd: true });
  await runDueJobs(world);
  t.is((await blockRow(world, block.id)).state, 'running');
  t.is((await timers(world, team)).length, 1);
  t.deepEqual((await notifications(world, team)).map(({ kind }) => kind).sort(), ['block_ends', 'block_starts']);
  await runDueJobs(world);
  t.is((await notifications(world, team)).length, 2);
});

test('a block is missed after its end by its job', async (t) => {
  const team = await world.team();
  const block = await create(team, -60, -30, { autoStart: true });
  await runDueJobs(world);
  t.is((await blockRow(world, block.id)).state, 'missed');
  t.deepEqual(
    (await notifications(world, team)).map(({ kind }) => kind),
    ['block_missed'],
  );
  t.is(await world.value(`select count(*)::int from graphile_worker._private_jobs where key like $1`, [`plan_block:${block.id}:%`]), 0);
});

test('a timer whose start was corrected to long ago causes its reminder', async (t) => {
  const team = await world.team();
  const time = (given: object) =>
    perform(world.db, team.person, trackTime, parseInput(trackTime.input, given)) as Promise<{ entry: { id: number } }>;
  const { entry } = await time({ action: 'start', itemId: team.itemId });
  await runDueJobs(world);
  t.deepEqual(await notifications(world, team), []);
  const startedAt = new Date((await world.value('select now()')).getTime() - 9 * 3_600_000).toISOString();
  await time({ action: 'correct', entryId: entry.id, revision: 1, reason: 'forgot to start it', startedAt });
  await runDueJobs(world);
  t.deepEqual(
    (await notifications(world, team)).map(({ kind, entry_id }) => [kind, entry_id]),
    [['timer_long', entry.id]],
  );
});
