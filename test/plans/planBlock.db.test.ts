import { randomUUID } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import type { Caller } from '../../src/access/caller.ts';
import { parseInput } from '../../src/operations/input.ts';
import { perform, performOnce } from '../../src/operations/perform.ts';
import { fingerprint } from '../../src/operations/request.ts';
import { startDueBlock } from '../../src/plans/dueBlocks.ts';
import { type ManyBlocks, planBlock } from '../../src/plans/planBlock.ts';
import { trackTime } from '../../src/time/trackTime.ts';
import { AppError, type Code } from '../../src/values/errors.ts';
import { suite } from '../support/suite.ts';
import { type Team, timeWorld } from '../support/timeWorld.ts';
import { blockRow, insertBlock, jobs, plan, timers } from './plans.ts';

const test = suite(import.meta.url);

const world = timeWorld();
const far = { startLocal: '2090-03-02T09:00', endLocal: '2090-03-02T11:00' };
const create = (team: Team, more: object = {}) => plan(world, team.person, { action: 'create', itemId: team.itemId, ...far, ...more });
const refused = async (t: ExecutionContext, code: Code, work: Promise<unknown>, message = /./) => {
  const error = await t.throwsAsync<AppError>(work, { instanceOf: AppError, message });
  t.is(error?.code, code, error?.message);
  return error!;
};
const startTimer = (team: Team, itemId = team.itemId) =>
  perform(world.db, team.person, trackTime, parseInput(trackTime.input, { action: 'start', itemId }));

test("a block is in the connection's zone by default, and starts nothing by itself by default", async (t) => {
  const team = await world.team('Asia/Tokyo');
  const agent = await team.agent(undefined, 'Europe/Berlin');
  const given = { action: 'create', itemId: team.itemId, ...far, note: 'draft' };
  const { block, overlaps } = await plan(world, agent, given);
  t.like(block, {
    revision: 1,
    workspaceId: team.workspaceId,
    itemId: team.itemId,
    title: 'Write the report',
    state: 'scheduled',
    ...far,
    timezone: 'Europe/Berlin',
    startsAt: '2090-03-02T08:00:00.000Z',
    endsAt: '2090-03-02T10:00:00.000Z',
    note: 'draft',
    autoStart: false,
    autoStop: false,
    remindStart: false,
    remindMinutes: null,
    remindEnd: false,
    reason: null,
  });
  t.deepEqual(overlaps, []);
  t.is((await plan(world, team.person, given)).block.timezone, 'Asia/Tokyo');
  t.is((await plan(world, agent, { ...given, timezone: 'america/new_york' })).block.startsAt, '2090-03-02T14:00:00.000Z');
});

const planMany = (caller: Caller, given: object) =>
  perform(world.db, caller, planBlock, parseInput(planBlock.input, { action: 'create', ...given })) as Promise<ManyBlocks>;

test('several blocks are created in one call, in several workspaces, with their jobs, overlaps and warnings', async (t) => {
  const team = await world.team();
  const elsewhere = await team.workspace();
  const later = await team.item('Later', elsewhere);
  await world.rows(`update items set start_date = '2090-04-01' where id = $1`, [later]);
  const agent = await team.agent(undefined, 'Europe/Berlin');
  const { block: other } = await create(team, { timezone: 'Europe/Berlin' });
  const result = await planMany(agent, {
    blocks: [
      { itemId: team.itemId, ...far, note: 'first', remindStart: true },
      { itemId: later, startLocal: '2090-03-02T10:30', endLocal: '2090-03-02T12:00' },
      { itemId: team.itemId, startLocal: '2090-03-03T09:00', endLocal: '2090-03-03T10:00' },
    ],
  });
  const [first, second, third] = result.blocks;
  t.like(first, {
    itemId: team.itemId,
    workspaceId: team.workspaceId,
    note: 'first',
    remindStart: true,
    startsAt: '2090-03-02T08:00:00.000Z',
  });
  t.like(second, { itemId: later, workspaceId: elsewhere, remindStart: false, timezone: 'Europe/Berlin' });
  t.deepEqual(
    result.overlaps.map(({ id }) => id),
    [other.id, first!.id, second!.id],
    'and none of the third',
  );
  t.like(result.warnings, [{ code: 'block_before_start', index: 1 }]);
  t.deepEqual(Object.keys(await jobs(world, first!.id)), ['end', 'remind_start']);
  t.deepEqual(Object.keys(await jobs(world, third!.id)), ['end']);
  const marks = await world.value('select count(*)::int from capacity_marks where workspace_id = any($1)', [[team.workspaceId, elsewhere]]);
  t.is(marks, 2, 'the forecasts of both workspaces are outdated');
});

test('a person has at most 2,000 scheduled blocks, also with two at once; cancelling one makes room', async (t) => {
  const team = await world.team();
  const rows = await world.rows(
    `with uncounted as (select set_config('stint.restoring', 'on', true))
     insert into plan_blocks (account_id, workspace_id, user_id, item_id, start_local, end_local, timezone, starts_at, ends_at)
     select account_id, workspace_id, $2, id, '2090-01-01T10:00', '2090-01-01T11:00', 'UTC', '2090-01-01T10:00Z', '2090-01-01T11:00Z'
     from uncounted, items, generate_series(1, 1999) where id = $1 returning id`,
    [team.itemId, team.userId],
  );
  const both = await Promise.allSettled([create(team), create(team)]);
  t.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  const refused = await t.throwsAsync<AppError>(create(team));
  t.is(refused.code, 'conflict');
  t.is(refused.message, 'A person can have at most 2,000 scheduled blocks. Cancel some first.');
  await plan(world, team.person, { action: 'cancel', blockId: Number(rows[0].id), revision: 1 });
  await t.notThrowsAsync(create(team));
});

test("an agent's call leaves activity of its workspace, and of none if its blocks are in several", async (t) => {
  const team = await world.team();
  const later = await team.item('Later', await team.workspace());
  const { accountId, userId, itemId, workspaceId } = team;
  const agent = await team.agent();
  const workspaceOf = async (...items: number[]) => {
    const input = parseInput(planBlock.input, { action: 'create', blocks: items.map((id) => ({ itemId: id, ...far })) });
    const { connectionId } = agent;
    const call = { accountId, userId, connectionId, requestId: randomUUID(), tool: 'svc_plan_block', startedAt: performance.now() };
    const fingerprintOf = (of: unknown) => fingerprint('key', call.tool, of);
    await performOnce(world.db, agent, planBlock, input, { call, fingerprintOf, isFingerprintOf: () => true });
    return world.value('select workspace_id from activity where connection_id = $1 order by id desc limit 1', [connectionId]);
  };
  t.is(await workspaceOf(itemId, itemId), workspaceId);
  t.is(await workspaceOf(itemId, later), null);
});

test('one faulty block of several rolls all back, and the error names its place', async (t) => {
  const team = await world.team();
  const good = { itemId: team.itemId, ...far };
  const faults: [object, Code, RegExp][] = [
    [{ ...good, itemId: 999_999 }, 'forbidden', /./],
    [{ ...good, endLocal: far.startLocal }, 'invalid_request', /^blocks\[1\]\.endLocal/],
    [{ ...good, startLocal: '9:00' }, 'invalid_request', /^blocks\[1\]\.startLocal/],
    [{ ...good, timezone: 'UTC' }, 'invalid_request', /^blocks\[1\]\.timezone/],
  ];
  for (const [block, code, message] of faults) {
    const error = await refused(t, code, (async () => planMany(team.person, { blocks: [good, block] }))(), message);
    t.is(error.details.index, 1, JSON.stringify(block));
  }
  await refused(t, 'invalid_request', (async () => planMany(team.person, { blocks: [good], ...good }))(), /itemId: does not belong/);
  await refused(t, 'invalid_request', (async () => planMany(team.person, { blocks: [] }))(), /^blocks: give 1 to 10/);
  await refused(t, 'invalid_request', (async () => planMany(team.person, { blocks: Array(11).fill(good) }))(), /^blocks: give at most 10/);
  t.is(await world.value('select count(*)::integer from plan_blocks where user_id = $1', [team.userId]), 0);
});

test("a block's jobs are enqueued with it", async (t) => {
  const team = await world.team();
  const { block } = await create(team, { autoStart: true, autoStop: true, remindStart: true, remindEnd: true });
  const queued = await jobs(world, block.id);
  t.deepEqual(Object.fromEntries(Object.entries(queued).map(([name, { run_at }]) => [name, run_at.toISOString()])), {
    start: '2090-03-02T09:00:00.000Z',
    end: '2090-03-02T11:00:00.000Z',
    remind_start: '2090-03-02T08:50:00.000Z',
    remind_end: '2090-03-02T10:55:00.000Z',
  });
  const { accountId: account, userId: user, workspaceId: workspace, itemId: item } = team;
  t.deepEqual(queued.start!.payload, { blockId: block.id, revision: 1, about: { account, user, workspace, item } });
  t.deepEqual(Object.keys(await jobs(world, (await create(team)).block.id)), ['end']);
});

test('the reminder of the start comes remindMinutes before it, also after a move', async (t) => {
  const team = await world.team();
  const remindedAt = async (id: number) => (await jobs(world, id)).remind_start!.run_at.toISOString();
  for (const [remindMinutes, at] of [
    [0, '2090-03-02T09:00:00.000Z'],
    [120, '2090-03-02T07:00:00.000Z'],
  ] as const) {
    const { block } = await create(team, { remindStart: true, remindMinutes });
    t.is(block.remindMinutes, remindMinutes);
    t.is(await remindedAt(block.id), at);
  }
  const { block } = await create(team, { remindStart: true, remindMinutes: 45 });
  const later = { startLocal: '2090-03-03T09:00', endLocal: '2090-03-03T11:00' };
  t.is((await plan(world, team.person, { action: 'move', blockId: block.id, revision: 1, ...later })).block.remindMinutes, 45);
  t.is(await remindedAt(block.id), '2090-03-03T08:15:00.000Z');
  t.is((await create(team, { remindStart: true })).block.remindMinutes, 10);
});

test("overlapping blocks are allowed and reported; adjacent ones don't overlap", async (t) => {
  const team = await world.team();
  const first = (await create(team)).block;
  const second = await create(team, { startLocal: '2090-03-02T10:00', endLocal: '2090-03-02T12:00' });
  t.deepEqual(second.overlaps, [{ id: first.id, title: 'Write the report', ...far, timezone: null }]);
  t.deepEqual((await create(team, { startLocal: '2090-03-02T12:00', endLocal: '2090-03-02T13:00' })).overlaps, []);
  t.deepEqual((await plan(world, team.person, { action: 'cancel', blockId: first.id })).overlaps, []);
  t.like((await create(team)).overlaps, [{ id: second.block.id, startLocal: '2090-03-02T10:00', endLocal: '2090-03-02T12:00' }]);
  const abroad = { timezone: 'Asia/Tokyo', startLocal: '2090-03-02T20:00', endLocal: '2090-03-02T20:30' };
  t.like((await create(team, abroad)).overlaps, [{ id: second.block.id, timezone: 'UTC' }]);
});

test('an overlap is reported only from workspaces where the caller may read plans, also in a replay', async (t) => {
  const team = await world.team();
  const elsewhere = await team.workspace();
  const hidden = await create(team, { itemId: await team.item('Elsewhere', elsewhere) });
  const shown = await create(team);
  const idsOf = ({ overlaps }: { overlaps: readonly { id: number }[] }) => overlaps.map(({ id }) => id);
  t.deepEqual(idsOf(shown), [hidden.block.id]);
  await world.rows(`update memberships set overrides = '{"plans": "none"}' where workspace_id = $1`, [elsewhere]);
  const { block, overlaps } = await create(team);
  t.deepEqual(idsOf({ overlaps }), [shown.block.id]);
  const receipt = { block, overlaps: [hidden.block.id, shown.block.id] };
  const permit = await planBlock.authorize(world.db.pool(), team.person, { action: 'cancel', blockId: block.id }, { replay: true });
  t.deepEqual(idsOf(await planBlock.replay!(world.db.pool(), permit, receipt)), [shown.block.id]);
});

test('starting by hand starts the timer, also early, and keeps only the jobs of the end', async (t) => {
  const team = await world.team();
  const { block } = await create(team, { autoStart: true, remindStart: true, remindEnd: true });
  const started = (await plan(world, team.person, { action: 'start', blockId: block.id, revision: 1 })).block;
  t.like(started, { state: 'running', revision: 2 });
  const [timer] = await timers(world, team);
  t.like(timer, { item_id: team.itemId, ended_at: null });
  t.is((await blockRow(world, block.id)).entry_id, timer.id);
  const queued = await jobs(world, block.id);
  t.deepEqual(Object.keys(queued), ['end', 'remind_end']);
  const { accountId: account, userId: user, workspaceId: workspace, itemId: item } = team;
  t.deepEqual(queued.end!.payload, { blockId: block.id, revision: 2, about: { account, user, workspace, item } });
});

test('starting by hand is a conflict while a timer runs, and changes nothing', async (t) => {
  const team = await world.team();
  const { block } = await create(team);
  await startTimer(team);
  await refused(t, 'conflict', plan(world, team.person, { action: 'start', blockId: block.id }), /Timer \d+/);
  t.like(await blockRow(world, block.id), { state: 'scheduled', revision: 1 });
});

test("an ended block can't be started or cancelled", async (t) => {
  const team = await world.team();
  const { block } = await create(team);
  const cancelled = (await plan(world, team.person, { action: 'cancel', blockId: block.id })).block;
  t.like(cancelled, { state: 'cancelled', revision: 2 });
  t.deepEqual(await jobs(world, block.id), {});
  for (const action of ['start', 'cancel']) {
    const error = await refused(t, 'conflict', plan(world, team.person, { action, blockId: block.id }), /is cancelled/);
    t.is(error.details.currentRevision, 2);
  }
  const ended = await insertBlock(world, team, { starts: '-2 hours', ends: '-1 hour' });
  await refused(t, 'conflict', plan(world, team.person, { action: 'start', blockId: ended }), /ended at/);
});

test('a moved block keeps its zone, and its jobs move with it, exactly once', async (t) => {
  const team = await world.team('Europe/Berlin');
  const { block } = await create(team, { autoStart: true, remindStart: true, remindEnd: true });
  const to = { startLocal: '2090-07-02T14:00', endLocal: '2090-07-02T15:30' };
  const { block: moved, overlaps } = await plan(world, team.person, { action: 'move', blockId: block.id, revision: 1, ...to });
  const times = { ...to, timezone: 'Europe/Berlin', startsAt: '2090-07-02T12:00:00.000Z', endsAt: '2090-07-02T13:30:00.000Z' };
  t.deepEqual(moved, { ...block, ...times, revision: 2 });
  t.deepEqual(overlaps, []);
  t.like(await blockRow(world, block.id), { state: 'scheduled', revision: 2, starts_at: new Date(times.startsAt) });
  const queued = await jobs(world, block.id);
  t.deepEqual(Object.fromEntries(Object.entries(queued).map(([name, { run_at }]) => [name, run_at.toISOString()])), {
    start: '2090-07-02T12:00:00.000Z',
    end: '2090-07-02T13:30:00.000Z',
    remind_start: '2090-07-02T11:50:00.000Z',
    remind_end: '2090-07-02T13:25:00.000Z',
  });
  t.like(queued.start!.payload as object, { revision: 2 });
  await refused(t, 'conflict', plan(world, team.person, { action: 'move', blockId: block.id, revision: 1, ...to }));
});

test('a job that was running when its block moved does nothing, also when repeated', async (t) => {
  const team = await world.team();
  const id = await insertBlock(world, team, { starts: '-1 minute', ends: '1 hour', autoStart: true });
  await plan(world, team.person, { action: 'move', blockId: id, revision: 1, ...far });
  for (let run = 0; run < 2; run++) await startDueBlock(world.db, { blockId: id, revision: 1 });
  t.deepEqual(await timers(world, team), []);
  t.like(await blockRow(world, id), { state: 'scheduled', revision: 2 });
  t.is((await jobs(world, id)).start!.run_at.toISOString(), '2090-03-02T09:00:00.000Z');
});

test('of a concurrent move and start one runs first, and the other sees its result', async (t) => {
  for (let round = 0; round < 6; round++) {
    const team = await world.team();
    const id = await insertBlock(world, team, { starts: '-1 minute', ends: '1 hour', autoStart: true });
    const [moved] = await Promise.allSettled([
      plan(world, team.person, { action: 'move', blockId: id, revision: 1, ...far }),
      startDueBlock(world.db, { blockId: id, revision: 1 }),
    ]);
    const block = await blockRow(world, id);
    t.is(block.revision, 2);
    t.is(block.state, moved.status === 'fulfilled' ? 'scheduled' : 'running');
    t.is((await timers(world, team)).length, moved.status === 'fulfilled' ? 0 : 1);
  }
});

test("running and ended blocks, skipped times and a wrong order can't be moved, and nothing changes", async (t) => {
  const team = await world.team('Europe/Berlin');
  const { block } = await create(team);
  const move = (more: object) => plan(world, team.person, { action: 'move', blockId: block.id, revision: 1, ...far, ...more });
  await refused(t, 'invalid_request', move({ startLocal: '2026-03-29T02:30', endLocal: '2026-03-29T04:00' }), /skip/);
  await refused(t, 'invalid_request', move({ endLocal: '2090-03-02T08:00' }), /after/);
  t.like(await blockRow(world, block.id), { revision: 1, start_local: far.startLocal });
  await plan(world, team.person, { action: 'start', blockId: block.id });
  await refused(t, 'conflict', move({ revision: 2 }), /is running and can't be moved/);
});

test('a stale revision is a conflict', async (t) => {
  const team = await world.team();
  const { block } = await create(team);
  await plan(world, team.person, { action: 'start', blockId: block.id });
  const error = await refused(t, 'conflict', plan(world, team.person, { action: 'cancel', blockId: block.id, revision: 1 }));
  t.is(error.details.currentRevision, 2);
});

test('cancelling a running block keeps its timer', async (t) => {
  const team = await world.team();
  const { block } = await create(team, { autoStop: true });
  await plan(world, team.person, { action: 'start', blockId: block.id });
  t.is((await plan(world, team.person, { action: 'cancel', blockId: block.id })).block.state, 'cancelled');
  t.deepEqual(await jobs(world, block.id), {});
  t.is((await timers(world, team))[0].ended_at, null);
});

test('of a concurrent cancel and start one runs first, and the other sees its result', async (t) => {
  for (let round = 0; round < 10; round++) {
    const team = await world.team();
    const id = await insertBlock(world, team, { starts: '-1 minute', ends: '1 hour', autoStart: true });
    const [cancelled] = await Promise.allSettled([
      plan(world, team.person, { action: 'cancel', blockId: id }),
      startDueBlock(world.db, { blockId: id, revision: 1 }),
    ]);
    t.is(cancelled.status, 'fulfilled');
    const block = await blockRow(world, id);
    t.is(block.state, 'cancelled');
    t.is((await timers(world, team)).length, block.entry_id === null ? 0 : 1);
    t.is(block.revision, block.entry_id === null ? 2 : 3);
    t.deepEqual(await jobs(world, id), {});
  }
});

test("other users' blocks, unknown ones and hidden items get the same forbidden", async (t) => {
  const team = await world.team();
  const stranger = await world.team();
  const { block } = await create(team);
  const hidden = await team.item('Hidden');
  await world.rows('update items set archived_at = now() where id = $1', [hidden]);
  const messages = await Promise.all(
    [
      plan(world, team.colleague, { action: 'cancel', blockId: block.id }),
      plan(world, stranger.person, { action: 'start', blockId: block.id }),
      plan(world, team.person, { action: 'cancel', blockId: 2 ** 40 }),
      create(team, { itemId: hidden }),
      create(team, { itemId: stranger.itemId }),
    ].map(async (work) => (await refused(t, 'forbidden', work)).message),
  );
  t.is(new Set(messages).size, 1);
});

test('planning needs the plans level, and the time level if it affects a timer', async (t) => {
  const team = await world.team();
  const given = { action: 'create', itemId: team.itemId, ...far };
  await refused(t, 'forbidden', plan(world, await team.agent({ tasks: 'write', time: 'write', plans: 'read' }), given));
  const planner = await team.agent({ tasks: 'write', plans: 'write', time: 'read' });
  const { block } = await plan(world, planner, { ...given, remindStart: true });
  await refused(t, 'forbidden', plan(world, planner, { ...given, autoStart: true }));
  await refused(t, 'forbidden', plan(world, planner, { ...given, autoStop: true }));
  await refused(t, 'forbidden', plan(world, planner, { action: 'start', blockId: block.id }));
  const later = { startLocal: '2090-03-03T09:00', endLocal: '2090-03-03T11:00' };
  t.is((await plan(world, planner, { action: 'move', blockId: block.id, revision: 1, ...later })).block.revision, 2);
  const { block: automatic } = await plan(world, team.person, { ...given, autoStart: true });
  await refused(t, 'forbidden', plan(world, planner, { action: 'move', blockId: automatic.id, revision: 1, ...later }));
  t.is((await plan(world, planner, { action: 'cancel', blockId: block.id })).block.state, 'cancelled');
});

test('planned time marks the forecast', async (t) => {
  const team = await world.team();
  const marks = () => world.value('select count(*)::int from capacity_marks where workspace_id = $1', [team.workspaceId]);
  const { block } = await create(team);
  t.is(await marks(), 1);
  await world.rows('delete from capacity_marks where workspace_id = $1', [team.workspaceId]);
  await plan(world, team.person, { action: 'cancel', blockId: block.id });
  t.is(await marks(), 1);
});
