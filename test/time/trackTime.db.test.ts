import { randomUUID } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import type { Caller } from '../../src/access/caller.ts';
import { parseInput } from '../../src/operations/input.ts';
import { perform, performOnce } from '../../src/operations/perform.ts';
import type { TimeEntry } from '../../src/time/schema.ts';
import { type TimeResult, trackTime } from '../../src/time/trackTime.ts';
import { AppError, type Code } from '../../src/values/errors.ts';
import { suite } from '../support/suite.ts';
import { type Team, timeWorld } from '../support/timeWorld.ts';

const test = suite(import.meta.url);

const world = timeWorld();
const time = (caller: Caller, given: object) =>
  perform(world.db, caller, trackTime, parseInput(trackTime.input, given)) as Promise<TimeResult>;
const start = async (team: Team) => (await time(team.person, { action: 'start', itemId: team.itemId })).entry;
const log = async (team: Team, more: object = {}) =>
  (await time(team.person, { action: 'log', itemId: team.itemId, date: '2026-03-02', minutes: 90, ...more })).entry;
const stop = ({ id, revision }: TimeEntry, more: object = {}) => ({ action: 'stop', entryId: id, revision, ...more });
const correct = ({ id, revision }: TimeEntry, more: object) => ({ action: 'correct', entryId: id, revision, reason: 'was wrong', ...more });
const refused = async (t: ExecutionContext, code: Code, work: Promise<unknown>, message = /./) => {
  const error = await t.throwsAsync<AppError>(work, { instanceOf: AppError, message });
  t.is(error?.code, code, error?.message);
  return error!;
};
const dayOfDatabase = (days = 0) => world.value(`select ((now() at time zone 'UTC')::date + $1::integer)::text`, [days]);
/** A timer running since `since`, an interval before now. */
const running = async (team: Team, since: string) => {
  const id = await world.value(
    `insert into time_entries (account_id, workspace_id, user_id, item_id, kind, started_at, day)
     select $1, $2, $3, $4, 'timer', s, (s at time zone 'UTC')::date from date_trunc('milliseconds', now() - $5::interval) s returning id`,
    [team.accountId, team.workspaceId, team.userId, team.itemId, since],
  );
  return { id, revision: 1 } as TimeEntry;
};
const parts = (id: number) => world.rows('select day, minutes from time_parts where entry_id = $1 order by day', [id]);

test('a timer starts and stops, and counts from then on', async (t) => {
  const team = await world.team();
  const started = await time(team.person, { action: 'start', itemId: team.itemId, note: 'first draft' });
  t.deepEqual(Object.keys(started), ['entry'], 'and is reported once');
  t.like(started.entry, {
    workspaceId: team.workspaceId,
    itemId: team.itemId,
    itemTitle: 'Write the report',
    kind: 'timer',
    endedAt: null,
    minutes: 0,
    note: 'first draft',
    revision: 1,
    corrected: false,
  });
  t.deepEqual(await parts(started.entry.id), []);
  const stopped = await time(team.person, stop(started.entry));
  t.deepEqual(Object.keys(stopped), ['entry']);
  t.like(stopped.entry, { id: started.entry.id, revision: 2, note: 'first draft', startedAt: started.entry.startedAt });
  t.true(stopped.entry.endedAt! >= stopped.entry.startedAt!);
  t.is((await parts(started.entry.id)).length, 1);
});

test('stopping can replace the note', async (t) => {
  const team = await world.team();
  const { entry } = await time(team.person, stop(await start(team), { note: 'done' }));
  t.is(entry.note, 'done');
});

test('a second start is a conflict that names the running timer, and switches nothing', async (t) => {
  const team = await world.team();
  const first = await start(team);
  const other = await team.item('Something else');
  await refused(
    t,
    'conflict',
    time(team.person, { action: 'start', itemId: other }),
    new RegExp(`Timer ${first.id} .*item ${team.itemId}`),
  );
  t.deepEqual(await world.rows('select id, revision from time_entries where user_id = $1', [team.userId]), [{ id: first.id, revision: 1 }]);
});

test('of twenty concurrent starts one succeeds', async (t) => {
  const team = await world.team();
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => start(team)));
  t.is(tries.filter(({ status }) => status === 'fulfilled').length, 1);
  for (const one of tries) if (one.status === 'rejected') t.is(one.reason.code, 'conflict');
});

test('the database itself allows only one running timer', async (t) => {
  const team = await world.team();
  await start(team);
  await t.throwsAsync(running(team, '1 hour'), { message: /time_entries_running/ });
});

test('each person has their own timer', async (t) => {
  const team = await world.team();
  await start(team);
  const other = await time(team.colleague, { action: 'start', itemId: team.itemId });
  t.is(other.entry.endedAt, null);
});

test('a timer over midnight UTC is split, and the parts sum to the whole', async (t) => {
  const team = await world.team();
  const { entry } = await time(team.person, stop(await running(team, '26 hours 30 minutes')));
  t.is(entry.minutes, 26 * 60 + 30);
  const days = await parts(entry.id);
  t.true(days.length >= 2);
  t.is(
    days.reduce((sum, { minutes }) => sum + minutes, 0),
    entry.minutes,
  );
  t.is(days[0].day, entry.date);
});

test('stopping needs the current revision', async (t) => {
  const team = await world.team();
  const entry = await start(team);
  await time(team.person, { action: 'annotate', entryId: entry.id, revision: 1, note: 'more' });
  const error = await refused(t, 'conflict', time(team.person, stop(entry)));
  t.is(error.details.currentRevision, 2);
  t.is((await time(team.person, stop({ ...entry, revision: 2 }))).entry.note, 'more');
});

test('only a running timer can be stopped', async (t) => {
  const team = await world.team();
  await refused(t, 'invalid_request', time(team.person, stop(await log(team))), /entryId/);
  const { entry } = await time(team.person, stop(await start(team)));
  await refused(t, 'invalid_request', time(team.person, stop(entry)), /not a running timer/);
});

test('annotate replaces a note without a correction', async (t) => {
  const team = await world.team();
  const entry = await log(team, { note: 'one' });
  const annotated = await time(team.person, { action: 'annotate', entryId: entry.id, revision: 1, note: '' });
  t.like(annotated.entry, { note: '', revision: 2, corrected: false, minutes: 90 });
  t.deepEqual(Object.keys(annotated), ['entry']);
  await refused(t, 'conflict', time(team.person, { action: 'annotate', entryId: entry.id, revision: 1, note: 'x' }));
});

test('minutes are recorded by hand', async (t) => {
  const team = await world.team();
  const entry = await log(team, { note: 'meeting' });
  t.like(entry, { kind: 'manual', date: '2026-03-02', minutes: 90, startedAt: null, endedAt: null, note: 'meeting' });
  t.deepEqual(await parts(entry.id), [{ day: '2026-03-02', minutes: 90 }]);
});

test('a future day is refused, today is accepted', async (t) => {
  const team = await world.team();
  await refused(t, 'invalid_request', log(team, { date: await dayOfDatabase(1) }), /^date: /);
  t.is((await log(team, { date: await dayOfDatabase() })).minutes, 90);
});

test('a day has at most 1,440 minutes, in all workspaces together', async (t) => {
  const team = await world.team();
  const elsewhere = await team.item('Elsewhere', await team.workspace());
  await log(team, { minutes: 1_000 });
  await log(team, { minutes: 400, itemId: elsewhere });
  await refused(t, 'invalid_request', log(team, { minutes: 41 }), /^minutes: .*1400/);
  await log(team, { minutes: 40 });
  await refused(t, 'invalid_request', log(team, { minutes: 1 }));
  t.is((await log(team, { minutes: 1, date: '2026-03-03' })).minutes, 1);
});

test('timers count towards the day, including the running one', async (t) => {
  const team = await world.team();
  await time(team.person, stop(await running(team, '72 hours')));
  const yesterday = await dayOfDatabase(-1);
  await refused(t, 'invalid_request', log(team, { date: yesterday, minutes: 1 }), /1440 minutes/);
  const other = await world.team();
  await running(other, '72 hours');
  await refused(t, 'invalid_request', log(other, { date: yesterday, minutes: 1 }), /1440 minutes/);
});

test("the day's limit holds under concurrency: of ten entries of 400 minutes three fit", async (t) => {
  const team = await world.team();
  const tries = await Promise.allSettled(Array.from({ length: 10 }, () => log(team, { minutes: 400 })));
  t.is(tries.filter(({ status }) => status === 'fulfilled').length, 3);
  t.is(await world.value('select sum(minutes)::int from time_parts where user_id = $1', [team.userId]), 1_200);
});

test('a correction keeps the earlier value, with its reason', async (t) => {
  const team = await world.team();
  const entry = await log(team, { note: 'one' });
  const second = (await time(team.person, correct(entry, { minutes: 30, note: 'two' }))).entry;
  t.like(second, { minutes: 30, note: 'two', revision: 2, corrected: true, date: '2026-03-02' });
  const third = (await time(team.person, correct(second, { date: '2026-03-01', reason: 'the day before' }))).entry;
  t.like(third, { minutes: 30, date: '2026-03-01', revision: 3 });
  t.deepEqual(
    await world.rows('select revision, day, minutes, note, reason from time_entry_versions where entry_id = $1 order by revision', [
      entry.id,
    ]),
    [
      { revision: 1, day: '2026-03-02', minutes: 90, note: 'one', reason: 'was wrong' },
      { revision: 2, day: '2026-03-02', minutes: 30, note: 'two', reason: 'the day before' },
    ],
  );
  t.deepEqual(await parts(entry.id), [{ day: '2026-03-01', minutes: 30 }]);
  const error = await refused(t, 'conflict', time(team.person, correct(entry, { minutes: 5 })));
  t.is(error.details.currentRevision, 3);
});

test('a correction must say what to correct', async (t) => {
  const team = await world.team();
  await refused(t, 'invalid_request', time(team.person, correct(await log(team), {})), /at least one/);
});

test('a correction does not exceed 24 hours a day, but may lower a full one', async (t) => {
  const team = await world.team();
  const entry = await log(team, { minutes: 1_000 });
  await log(team, { minutes: 400 });
  await refused(t, 'invalid_request', time(team.person, correct(entry, { minutes: 1_041 })), /^minutes: /);
  t.is((await time(team.person, correct(entry, { minutes: 1_040 }))).entry.minutes, 1_040);
  await world.rows(
    'insert into time_entries (account_id, workspace_id, user_id, item_id, kind, day, minutes) values ($1, $2, $3, $4, $5, $6, 300)',
    [team.accountId, team.workspaceId, team.userId, team.itemId, 'manual', '2026-03-02'],
  );
  t.is((await time(team.person, correct({ ...entry, revision: 2 }, { minutes: 900 }))).entry.minutes, 900);
});

test('start and end of a stopped timer can be corrected, and its days follow', async (t) => {
  const team = await world.team();
  const { entry } = await time(team.person, stop(await start(team)));
  const moved = { startedAt: '2026-03-02T22:30:00+01:00', endedAt: '2026-03-03T00:15:00Z' };
  const corrected = (await time(team.person, correct(entry, moved))).entry;
  t.like(corrected, {
    startedAt: '2026-03-02T21:30:00.000Z',
    endedAt: '2026-03-03T00:15:00.000Z',
    minutes: 165,
    date: '2026-03-02',
    kind: 'timer',
  });
  t.deepEqual(await parts(entry.id), [
    { day: '2026-03-02', minutes: 150 },
    { day: '2026-03-03', minutes: 15 },
  ]);
  await refused(
    t,
    'invalid_request',
    time(team.person, correct(corrected, { endedAt: '2026-03-02T21:00:00Z' })),
    /^endedAt: .*after the start/,
  );
  await refused(t, 'invalid_request', time(team.person, correct(corrected, { endedAt: '2100-01-01T00:00:00Z' })), /^endedAt: .*future/);
  await refused(t, 'invalid_request', time(team.person, correct(corrected, { startedAt: '2020-01-01T00:00:00Z' })), /366 days/);
  await refused(
    t,
    'invalid_request',
    time(team.person, correct(corrected, { startedAt: '2026-03-02T21:00:00Z', minutes: 5 })),
    /^minutes: give either/,
  );
});

test('a timer corrected by its minutes becomes a manual entry', async (t) => {
  const team = await world.team();
  const { entry } = await time(team.person, stop(await start(team)));
  const corrected = (await time(team.person, correct(entry, { minutes: 45 }))).entry;
  t.like(corrected, { kind: 'manual', minutes: 45, date: entry.date, startedAt: null, endedAt: null, corrected: true });
  t.like((await world.rows('select kind, started_at from time_entry_versions where entry_id = $1', [entry.id]))[0], { kind: 'timer' });
});

test("the start of a running timer can be corrected, its end and minutes can't", async (t) => {
  const team = await world.team();
  const entry = await start(team);
  for (const wrong of [{ endedAt: '2026-03-02T10:00:00Z' }, { minutes: 5 }, { date: '2026-03-02' }]) {
    await refused(t, 'invalid_request', time(team.person, correct(entry, wrong)), /still running/);
  }
  await refused(t, 'invalid_request', time(team.person, correct(entry, { startedAt: '2100-01-01T00:00:00Z' })), /^startedAt: .*future/);
  const earlier = new Date(Date.parse(entry.startedAt!) - 3_600_000).toISOString();
  const corrected = (await time(team.person, correct(entry, { startedAt: earlier }))).entry;
  t.like(corrected, { startedAt: earlier, endedAt: null, minutes: 60 });
  const runAt = await world.value(`select run_at from graphile_worker.jobs where key = $1`, [`long_timer:${entry.id}`]);
  t.is(runAt.toISOString(), new Date(Date.parse(earlier) + 8 * 3_600_000).toISOString());
});

test('a manual entry has no start and end to correct, and a future day stays refused', async (t) => {
  const team = await world.team();
  const entry = await log(team);
  await refused(t, 'invalid_request', time(team.person, correct(entry, { startedAt: '2026-03-02T10:00:00Z' })), /^startedAt: .*by hand/);
  await refused(t, 'invalid_request', time(team.person, correct(entry, { date: await dayOfDatabase(1) })), /^date: .*future/);
});

test('an entry moves to another item, also of another workspace, where the person may record time', async (t) => {
  const team = await world.team();
  const elsewhere = await team.workspace();
  const target = await team.item('Elsewhere', elsewhere);
  const entry = await log(team);
  const moved = (await time(team.person, correct(entry, { itemId: target }))).entry;
  t.like(moved, { itemId: target, itemTitle: 'Elsewhere', workspaceId: elsewhere });
  t.is(await world.value('select workspace_id from time_parts where entry_id = $1', [entry.id]), elsewhere);
  await world.rows(`update memberships set role = 'viewer' where workspace_id = $1`, [team.workspaceId]);
  await refused(t, 'forbidden', time(team.person, correct(moved, { itemId: team.itemId })));
});

test("other users' entries, unknown ones, and hidden and archived items get the same forbidden", async (t) => {
  const team = await world.team();
  const stranger = await world.team();
  const entry = await log(team);
  const hidden = await team.item('Hidden');
  await world.rows('update items set archived_at = now() where id = $1', [hidden]);
  const messages = await Promise.all(
    [
      time(team.colleague, correct(entry, { minutes: 1 })),
      time(stranger.person, correct(entry, { minutes: 1 })),
      time(team.person, correct({ ...entry, id: 2 ** 40 }, { minutes: 1 })),
      time(team.person, { action: 'start', itemId: hidden }),
      time(team.person, { action: 'start', itemId: stranger.itemId }),
      time(team.person, { action: 'log', itemId: 2 ** 40, date: '2026-03-02', minutes: 1 }),
      time(team.person, correct(entry, { itemId: hidden })),
    ].map(async (work) => (await refused(t, 'forbidden', work)).message),
  );
  t.is(new Set(messages).size, 1);
});

test("a viewer and an inactive user can't record time", async (t) => {
  const team = await world.team();
  await world.rows(`update memberships set role = 'viewer' where user_id = $1`, [team.userId]);
  await refused(t, 'forbidden', start(team));
  await world.rows('update users set active = false where id = $1', [team.userId]);
  await refused(t, 'unauthenticated', start(team));
});

test("an agent is limited by its connection's time level and the workspace's limit", async (t) => {
  const team = await world.team();
  const given = { action: 'start', itemId: team.itemId };
  await refused(t, 'forbidden', time(await team.agent({ tasks: 'write', time: 'read' }), given));
  await refused(t, 'forbidden', time(await team.agent({ time: 'write' }), given), /./);
  const agent = await team.agent();
  t.is((await time(agent, given)).entry.itemId, team.itemId);
  await world.rows('update workspaces set mcp_enabled = false where id = $1', [team.workspaceId]);
  await refused(t, 'forbidden', time(agent, { action: 'stop', entryId: 1, revision: 1 }));
});

test("a person can stop their timer after losing access; their agent can't", async (t) => {
  const team = await world.team();
  const agent = await team.agent();
  const entry = await start(team);
  await world.rows('delete from memberships where user_id = $1', [team.userId]);
  await refused(t, 'forbidden', time(agent, stop(entry)));
  await refused(t, 'forbidden', time(team.person, { action: 'annotate', entryId: entry.id, revision: 1, note: 'x' }));
  const stopped = await time(team.person, stop(entry));
  t.like(stopped.entry, { id: entry.id, itemId: null, itemTitle: null });
});

test('an argument of another action is refused by its name, and so is a missing one', async (t) => {
  const team = await world.team();
  const cases: [object, RegExp][] = [
    [{ action: 'start', itemId: team.itemId, minutes: 5 }, /^minutes: does not belong to action start/],
    [{ action: 'stop', entryId: 1, revision: 1, itemId: 1 }, /^itemId: does not belong/],
    [{ action: 'annotate', entryId: 1, revision: 1 }, /^note: is required/],
    [{ action: 'log', itemId: 1, date: '2026-03-02' }, /^minutes: is required/],
    [{ action: 'correct', entryId: 1, revision: 1, minutes: 3 }, /^reason: is required/],
    [{ action: 'correct', entryId: 1, revision: 1, reason: ' ', minutes: 3 }, /^reason: /],
    [{ action: 'log', itemId: 1, date: '2026-02-30', minutes: 5 }, /^date: /],
    [{ action: 'log', itemId: 1, date: '2026-02-03', minutes: 1_441 }, /^minutes: .*1440/],
    [{ action: 'log', itemId: 1, date: '2026-02-03', minutes: 1.5 }, /^minutes: /],
    [{ action: 'correct', entryId: 1, revision: 1, reason: 'x', startedAt: '2026-03-02T10:00' }, /^startedAt: /],
    [{ action: 'pause' }, /^action: /],
    [{ action: 'start', itemId: 1, surprise: 1 }, /^surprise: /],
  ];
  for (const [given, message] of cases) {
    t.throws(() => parseInput(trackTime.input, given), { instanceOf: AppError, message });
  }
});

test('an omitted note and an empty one are the same request', (t) => {
  const parsed = (given: object) => parseInput(trackTime.input, { action: 'start', itemId: 1, ...given });
  t.deepEqual(parsed({}), parsed({ note: '' }));
});

test('one request sent twenty times at once starts one timer, and every answer is the same', async (t) => {
  const team = await world.team();
  const agent = await team.agent();
  const input = parseInput(trackTime.input, { action: 'start', itemId: team.itemId });
  const { accountId, userId } = team;
  const { connectionId } = agent;
  const call = { accountId, userId, connectionId, requestId: randomUUID(), tool: 'svc_time', startedAt: performance.now() };
  const request = { call, fingerprintOf: () => Buffer.alloc(32), isFingerprintOf: () => true };
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => performOnce(world.db, agent, trackTime, input, request)));
  t.is(outcomes.filter(({ replayed }) => !replayed).length, 1);
  for (const { result } of outcomes) t.deepEqual(result, outcomes[0]!.result);
  t.is(await world.value('select count(*)::int from time_entries where user_id = $1', [team.userId]), 1);
  await world.rows('delete from memberships where user_id = $1', [team.userId]);
  await refused(t, 'forbidden', performOnce(world.db, agent, trackTime, input, request));
});

test('recorded time marks the forecast, a running timer does not', async (t) => {
  const team = await world.team();
  const marks = () => world.value('select count(*)::int from capacity_marks where workspace_id = $1', [team.workspaceId]);
  const entry = await start(team);
  t.is(await marks(), 0);
  await time(team.person, stop(entry));
  t.is(await marks(), 1);
  t.is(
    await world.value(
      `select count(*)::int from graphile_worker.jobs where task_identifier = 'snapshot_workspace' and (select payload->>'workspaceId' from graphile_worker._private_jobs p where p.id = jobs.id) = $1::text`,
      [String(team.workspaceId)],
    ),
    1,
  );
});
