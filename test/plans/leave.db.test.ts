/** Deactivating a user and removing a member end their timer and their plan blocks (behaviour §9.15). */
import type { ExecutionContext } from 'ava';
import { parseInput } from '../../src/operations/input.ts';
import { perform } from '../../src/operations/perform.ts';
import { startDueBlock } from '../../src/plans/dueBlocks.ts';
import { dropMember, setActive } from '../../src/plans/leave.ts';
import { stopMembersTimer } from '../../src/time/timer.ts';
import { trackTime } from '../../src/time/trackTime.ts';
import { AppError } from '../../src/values/errors.ts';
import { stintHere } from '../support/cli.ts';
import { suite } from '../support/suite.ts';
import { type Team, timeWorld } from '../support/timeWorld.ts';
import { blockRow, jobs, plan } from './plans.ts';

const test = suite(import.meta.url);

const world = timeWorld();
const far = { startLocal: '2090-03-02T09:00', endLocal: '2090-03-02T11:00' };

interface Place extends Team {
  elsewhere: number;
  itemElsewhere: number;
}

/** Bo owns the account and both workspaces, Ana is a member of both. */
async function place(): Promise<Place> {
  const team = await world.team();
  const elsewhere = await team.workspace();
  await world.rows(`update users set account_role = 'owner' where id = $1`, [team.colleagueId]);
  await world.rows(`update memberships set role = 'owner' where user_id = $1`, [team.colleagueId]);
  return { ...team, elsewhere, itemElsewhere: await team.item('Elsewhere', elsewhere) };
}

const start = ({ person }: Team, itemId: number) =>
  perform(world.db, person, trackTime, parseInput(trackTime.input, { action: 'start', itemId })) as Promise<{ entry: { id: number } }>;
const create = (team: Team, itemId: number, more: object = {}) => plan(world, team.person, { action: 'create', itemId, ...far, ...more });
const deactivate = (team: Team) => perform(world.db, team.colleague, setActive, { userId: team.userId, active: false });
const remove = (team: Team, workspaceId = team.workspaceId) =>
  perform(world.db, team.colleague, dropMember, { workspaceId, userId: team.userId });
const entryOf = async (id: number) => (await world.rows('select * from time_entries where id = $1', [id]))[0];
const stateOf = async (id: number) => (await blockRow(world, id)).state;
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

/** Checks that the entry ended between two readings of the database's clock. */
async function endsDuring(t: ExecutionContext, entryId: number, work: () => Promise<unknown>): Promise<void> {
  const now = () => world.value(`select date_trunc('milliseconds', clock_timestamp())`);
  const before = await now();
  await work();
  const { ended_at: end, user_id, item_id, minutes } = await entryOf(entryId);
  t.true(end >= before && end <= (await now()), String(end));
  t.is(minutes, 0);
  t.truthy(user_id);
  t.truthy(item_id);
  t.is(await world.value('select count(*) from graphile_worker._private_jobs where key = $1', [`long_timer:${entryId}`]), 0);
}

test('deactivating a user stops their timer at that time and keeps the entry', async (t) => {
  const team = await place();
  const { entry } = await start(team, team.itemElsewhere);
  await endsDuring(t, entry.id, () => deactivate(team));
});

test('removing a member stops their timer in that workspace only', async (t) => {
  const team = await place();
  const { entry } = await start(team, team.itemElsewhere);
  await remove(team);
  t.is((await entryOf(entry.id)).ended_at, null);
  await endsDuring(t, entry.id, () => remove(team, team.elsewhere));
});

test('removing a member cancels their scheduled and running blocks there with all jobs, and no others', async (t) => {
  const team = await place();
  const flags = { autoStart: true, autoStop: true, remindStart: true, remindEnd: true };
  const { block: far } = await create(team, team.itemId, flags);
  const { block: kept } = await create(team, team.itemElsewhere);
  const { block: running } = await create(team, team.itemId);
  await plan(world, team.person, { action: 'start', blockId: running.id });
  await remove(team);
  t.deepEqual([await stateOf(far.id), await stateOf(running.id), await stateOf(kept.id)], ['cancelled', 'cancelled', 'scheduled']);
  t.deepEqual([await jobs(world, far.id), await jobs(world, running.id)], [{}, {}]);
  t.deepEqual(Object.keys(await jobs(world, kept.id)), ['end']);
  t.is((await blockRow(world, far.id)).revision, far.revision + 1);
  // A job that was fetched before changes nothing.
  await startDueBlock(world.db, { blockId: far.id, revision: far.revision });
  t.is(await stateOf(far.id), 'cancelled');
});

test('deactivating a user cancels their blocks everywhere, and activating restores neither blocks nor timer', async (t) => {
  const team = await place();
  const blocks = [await create(team, team.itemId), await create(team, team.itemElsewhere)].map(({ block }) => block.id);
  await deactivate(team);
  await perform(world.db, team.colleague, setActive, { userId: team.userId, active: true });
  t.deepEqual(await Promise.all(blocks.map(stateOf)), ['cancelled', 'cancelled']);
});

test('blocks and timers that had ended stay unchanged', async (t) => {
  const team = await place();
  const { block } = await create(team, team.itemId);
  await plan(world, team.person, { action: 'cancel', blockId: block.id });
  const revision = (await blockRow(world, block.id)).revision;
  await world.rows(`update plan_blocks set state = 'finished' where id = $1`, [block.id]);
  await deactivate(team);
  t.like(await blockRow(world, block.id), { state: 'finished', revision });
});

for (const [what, leave] of [
  ['deactivated', deactivate],
  ['removed', remove],
] as const)
  test(`a timer and a block that start while a person is ${what} do not run afterwards`, async (t) => {
    for (let round = 0; round < 10; round++) {
      const team = await place();
      const begun = Promise.allSettled([start(team, team.itemId), create(team, team.itemId)]);
      const [left] = await Promise.all([codeOf(leave(team)), begun]);
      t.is(left, 'ok');
      t.is(await world.value('select count(*) from time_entries where user_id = $1 and minutes is null', [team.userId]), 0);
      const open = `select count(*) from plan_blocks where user_id = $1 and state in ('scheduled', 'running')`;
      t.is(await world.value(open, [team.userId]), 0);
    }
  });

test('the command line stops the timer and cancels the blocks as well, and says so', async (t) => {
  const team = await place();
  await world.rows('update items set assignee_id = $2 where id = $1', [team.itemId, team.userId]);
  await start(team, team.itemId);
  await create(team, team.itemId);
  await create(team, team.itemElsewhere);
  const cli = async (words: string) => JSON.parse((await stintHere(world.url, [...words.split(' '), '--json'])).stdout);
  t.like(await cli(`member remove --workspace ${team.workspaceId} --user ${team.userId}`), {
    ...{ removed: true, stoppedTimers: 1, cancelledBlocks: 1, openTasks: 1 },
  });
  t.like(await cli(`user deactivate --user ${team.userId}`), { active: false, stoppedTimers: 0, cancelledBlocks: 1, openTasks: 1 });
});

test("an owner of the workspace stops a member’s timer; the entry stays the member's, and the audit names both", async (t) => {
  const team = await place();
  const { entry } = await start(team, team.itemId);
  const stop = () =>
    perform(world.db, team.colleague, stopMembersTimer, { workspaceId: team.workspaceId, id: team.itemId, userId: team.userId });
  await endsDuring(t, entry.id, stop);
  t.is((await entryOf(entry.id)).user_id, team.userId);
  t.is(await codeOf(stop()), 'conflict');
  const lines = await world.rows(`select actor_id, user_id from audit where kind = 'timer.stopped' and account_id = $1`, [team.accountId]);
  t.deepEqual(lines, [{ actor_id: team.colleagueId, user_id: team.userId }]);
});

test("only owners stop another user's timer, only where they see its item, and only on the item they name", async (t) => {
  const team = await place();
  const { entry } = await start(team, team.itemId);
  const stop = (caller = team.colleague, change: object = {}) =>
    codeOf(perform(world.db, caller, stopMembersTimer, { workspaceId: team.workspaceId, id: team.itemId, userId: team.userId, ...change }));
  t.is(await stop(team.colleague, { id: await team.item('Another') }), 'conflict');
  t.is(await stop(team.colleague, { workspaceId: team.elsewhere }), 'forbidden');
  t.is(await stop((await place()).colleague), 'forbidden');
  t.is(await stop(await team.agent()), 'forbidden');
  await world.rows(`update memberships set role = 'manager' where user_id = $1`, [team.colleagueId]);
  t.is(await stop(), 'forbidden');
  await world.rows(`update memberships set role = 'owner', overrides = '{"tasks": "none"}' where user_id = $1`, [team.colleagueId]);
  t.is(await stop(), 'forbidden');
  t.is((await entryOf(entry.id)).ended_at, null);
});
