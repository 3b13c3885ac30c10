/** Jobs of plan blocks: their functions run directly, on rows around the database's now. */
import { parseInput } from '../../src/operations/input.ts';
import { perform } from '../../src/operations/perform.ts';
import { endDueBlock, startDueBlock } from '../../src/plans/dueBlocks.ts';
import { remindOfBlock, scheduleImportedBlocks } from '../../src/plans/schedule.ts';
import { trackTime } from '../../src/time/trackTime.ts';
import { suite } from '../support/suite.ts';
import { type Team, timeWorld } from '../support/timeWorld.ts';
import { blockRow, insertBlock, jobs, notifications, plan, timers } from './plans.ts';

const test = suite(import.meta.url);

const world = timeWorld();
const start = (blockId: number, revision = 1) => startDueBlock(world.db, { blockId, revision });
const end = (blockId: number, revision = 1) => endDueBlock(world.db, { blockId, revision });
const due = { starts: '-1 minute', ends: '1 hour', autoStart: true };
const over = { starts: '-2 hours', ends: '-1 minute' };
const startTimer = (team: Team, itemId = team.itemId) =>
  perform(world.db, team.person, trackTime, parseInput(trackTime.input, { action: 'start', itemId }));
const move = (id: number, minutes: number) =>
  world.rows(
    'update plan_blocks set starts_at = starts_at + make_interval(mins => $2), ends_at = ends_at + make_interval(mins => $2) where id = $1',
    [id, minutes],
  );

test("autoStart starts the owner's timer at the actual time, and marks the block running", async (t) => {
  const team = await world.team();
  const id = await insertBlock(world, team, due);
  await start(id);
  const block = await blockRow(world, id);
  t.like(block, { state: 'running', revision: 2 });
  const [timer] = await timers(world, team);
  t.like(timer, { id: block.entry_id, item_id: team.itemId, ended_at: null });
  t.true(timer.started_at > block.starts_at);
  t.like((await jobs(world, id)).end!.payload as object, { blockId: id, revision: 2 });
});

test('a job that runs twice, also concurrently, starts one timer', async (t) => {
  const team = await world.team();
  const id = await insertBlock(world, team, due);
  await Promise.all(Array.from({ length: 6 }, () => start(id)));
  await start(id);
  t.is((await timers(world, team)).length, 1);
  t.like(await blockRow(world, id), { state: 'running', revision: 2 });
  t.deepEqual(await notifications(world, team), []);
});

test('a job that runs before its minute is rescheduled to it', async (t) => {
  const team = await world.team();
  const id = await insertBlock(world, team, { starts: '10 minutes', ends: '1 hour', autoStart: true });
  await start(id);
  await end(id);
  const block = await blockRow(world, id);
  t.like(block, { state: 'scheduled', revision: 1 });
  const queued = await jobs(world, id);
  t.deepEqual([queued.start!.run_at, queued.end!.run_at], [block.starts_at, block.ends_at]);
});

test('a block whose owner has a running timer is missed with the reason, and no timer switches', async (t) => {
  const team = await world.team();
  const other = await team.item('Something else');
  await startTimer(team, other);
  const id = await insertBlock(world, team, due);
  await start(id);
  const block = await blockRow(world, id);
  t.like(block, { state: 'missed', revision: 2, entry_id: null });
  t.regex(block.reason, /another timer/i);
  t.deepEqual(
    (await timers(world, team)).map(({ item_id, ended_at }) => [item_id, ended_at]),
    [[other, null]],
  );
  t.like((await notifications(world, team))[0], { kind: 'block_missed', block_id: id });
  t.deepEqual(await jobs(world, id), {});
});

for (const [what, change] of [
  ['membership was revoked', 'delete from memberships where user_id = $1'],
  ['role no longer lets them record time', `update memberships set role = 'viewer' where user_id = $1`],
  ['item can no longer be seen', `update memberships set overrides = '{"tasks": "none"}' where user_id = $1`],
  ['account was deactivated', 'update users set active = false where id = $1'],
  [
    'workspace was archived',
    'update workspaces set archived_at = now() where id in (select workspace_id from memberships where user_id = $1)',
  ],
] as const) {
  test(`a block whose owner's ${what} is missed with the reason`, async (t) => {
    const team = await world.team();
    const id = await insertBlock(world, team, due);
    await world.rows(change, [team.userId]);
    await start(id);
    const block = await blockRow(world, id);
    t.is(block.state, 'missed');
    t.regex(block.reason, /could no longer/);
    t.deepEqual(await timers(world, team), []);
    t.is((await notifications(world, team)).length, 1);
  });
}

test('a late autoStart still starts before the end, and misses after it', async (t) => {
  const team = await world.team();
  const late = await insertBlock(world, team, { starts: '-2 hours', ends: '1 minute', autoStart: true });
  await start(late);
  t.is((await blockRow(world, late)).state, 'running');
  const tooLate = await insertBlock(world, team, { ...over, autoStart: true });
  await start(tooLate);
  t.like(await blockRow(world, tooLate), { state: 'missed' });
  await end(tooLate);
  t.is((await notifications(world, team)).length, 1);
});

test('a block that was not started is missed at its end, once', async (t) => {
  const team = await world.team();
  const id = await insertBlock(world, team, over);
  await Promise.all([end(id), end(id), end(id)]);
  const block = await blockRow(world, id);
  t.like(block, { state: 'missed', revision: 2 });
  t.regex(block.reason, /was not started/i);
  t.is((await notifications(world, team)).length, 1);
});

test('a running block is finished at its end, and without autoStop its timer continues', async (t) => {
  const team = await world.team();
  const id = await insertBlock(world, team, due);
  await start(id);
  await move(id, -90);
  await end(id, 1);
  t.is((await blockRow(world, id)).state, 'running');
  await end(id, 2);
  await end(id, 2);
  t.like(await blockRow(world, id), { state: 'finished', revision: 3 });
  t.is((await timers(world, team))[0].ended_at, null);
});

test("autoStop stops the block's own timer, at the actual time", async (t) => {
  const team = await world.team();
  const id = await insertBlock(world, team, { ...due, autoStop: true });
  await start(id);
  await move(id, -90);
  await end(id, 2);
  const block = await blockRow(world, id);
  t.is(block.state, 'finished');
  t.true((await timers(world, team))[0].ended_at > block.ends_at);
  t.is(await world.value('select count(*)::int from time_parts where user_id = $1', [team.userId]), 1);
});

test('autoStop stops no other timer', async (t) => {
  const team = await world.team();
  const id = await insertBlock(world, team, { ...due, autoStop: true });
  await start(id);
  const [own] = await timers(world, team);
  await perform(world.db, team.person, trackTime, { action: 'stop', entryId: own.id, revision: 1 });
  await startTimer(team);
  await move(id, -90);
  await end(id, 2);
  t.is((await blockRow(world, id)).state, 'finished');
  t.is((await timers(world, team))[1].ended_at, null);
});

test('autoStop stops the timer even if the owner has lost access meanwhile', async (t) => {
  const team = await world.team();
  const id = await insertBlock(world, team, { ...due, autoStop: true });
  await start(id);
  await world.rows('delete from memberships where user_id = $1', [team.userId]);
  await move(id, -90);
  await end(id, 2);
  t.not((await timers(world, team))[0].ended_at, null);
});

test('jobs leave a cancelled block unchanged', async (t) => {
  const team = await world.team();
  const id = await insertBlock(world, team, { ...due, autoStop: true });
  await plan(world, team.person, { action: 'cancel', blockId: id });
  await start(id);
  await start(id, 2);
  await move(id, -90);
  await end(id, 2);
  await remindOfBlock(world.db, { blockId: id, edge: 'start' });
  t.like(await blockRow(world, id), { state: 'cancelled', revision: 2 });
  t.deepEqual(await timers(world, team), []);
  t.deepEqual(await notifications(world, team), []);
});

test('a reminder is one notification, however often its job runs, and is mailed by its own job', async (t) => {
  const team = await world.team();
  const id = await insertBlock(world, team, { starts: '8 minutes', ends: '1 hour' });
  await Promise.all(Array.from({ length: 5 }, () => remindOfBlock(world.db, { blockId: id, edge: 'start' })));
  await remindOfBlock(world.db, { blockId: id, edge: 'start' });
  const block = await blockRow(world, id);
  t.deepEqual(await notifications(world, team), [
    { kind: 'block_starts', block_id: id, entry_id: null, due_at: new Date(block.starts_at - 10 * 60_000) },
  ]);
  const row = await world.value('select id from notifications where block_id = $1', [id]);
  t.is(
    await world.value(
      `select count(*)::int from graphile_worker._private_jobs j join graphile_worker._private_tasks k on k.id = j.task_id
       where k.identifier = 'mail_notification' and (j.payload->>'notificationId')::bigint = $1`,
      [row],
    ),
    1,
  );
});

test('a reminder whose job runs too early waits for its time', async (t) => {
  const team = await world.team();
  const id = await insertBlock(world, team, { starts: '30 minutes', ends: '1 hour' });
  await remindOfBlock(world.db, { blockId: id, edge: 'start' });
  t.deepEqual(await notifications(world, team), []);
  const queued = (await jobs(world, id)).remind_start!;
  t.is(queued.run_at.getTime(), (await blockRow(world, id)).starts_at.getTime() - 10 * 60_000);
});

test('a reminder with a longer time before the start is sent earlier', async (t) => {
  const team = await world.team();
  const id = await insertBlock(world, team, { starts: '30 minutes', ends: '1 hour' });
  await world.rows('update plan_blocks set remind_minutes = 40 where id = $1', [id]);
  await remindOfBlock(world.db, { blockId: id, edge: 'start' });
  const [told] = await notifications(world, team);
  t.like(told, { kind: 'block_starts', block_id: id });
  t.is(told.due_at.getTime(), (await blockRow(world, id)).starts_at.getTime() - 40 * 60_000);
});

test('the end reminder is sent while the block may still continue, not when it was missed', async (t) => {
  const team = await world.team();
  const ending = await insertBlock(world, team, { starts: '-1 hour', ends: '3 minutes' });
  await remindOfBlock(world.db, { blockId: ending, edge: 'end' });
  t.like((await notifications(world, team))[0], { kind: 'block_ends', block_id: ending });
  const missed = await insertBlock(world, team, over);
  await end(missed);
  await remindOfBlock(world.db, { blockId: missed, edge: 'end' });
  t.deepEqual(
    (await notifications(world, team)).map(({ kind }) => kind),
    ['block_ends', 'block_missed'],
  );
});

test('a user who lost the right to plans there gets no reminders', async (t) => {
  const team = await world.team();
  const id = await insertBlock(world, team, { starts: '8 minutes', ends: '1 hour' });
  await world.rows('delete from memberships where user_id = $1', [team.userId]);
  await remindOfBlock(world.db, { blockId: id, edge: 'start' });
  t.deepEqual(await notifications(world, team), []);
});

test('imported blocks get their jobs, and ended ones are missed without notifications', async (t) => {
  const team = await world.team();
  const past = await insertBlock(world, team, over);
  const coming = await insertBlock(world, team, { starts: '1 hour', ends: '2 hours', autoStart: true });
  await world.db.transaction((tx) => scheduleImportedBlocks(tx, [past, coming]));
  t.is((await blockRow(world, past)).state, 'missed');
  t.deepEqual(await jobs(world, past), {});
  t.deepEqual(Object.keys(await jobs(world, coming)), ['end', 'start']);
  t.deepEqual(await notifications(world, team), []);
});
