import type { Caller } from '../../src/access/caller.ts';
import { parseInput } from '../../src/operations/input.ts';
import { perform } from '../../src/operations/perform.ts';
import { type MyTime, myTime } from '../../src/plans/myTime.ts';
import { trackTime } from '../../src/time/trackTime.ts';
import { AppError } from '../../src/values/errors.ts';
import { suite } from '../support/suite.ts';
import { type Team, timeWorld } from '../support/timeWorld.ts';
import { insertBlock, plan } from './plans.ts';

const test = suite(import.meta.url);

const world = timeWorld();
const read = (caller: Caller, given: object = {}) => perform(world.db, caller, myTime, parseInput(myTime.input, given)) as Promise<MyTime>;
const time = (caller: Caller, given: object) => perform(world.db, caller, trackTime, parseInput(trackTime.input, given));
const log = (team: Team, date: string, minutes: number, itemId = team.itemId) =>
  time(team.person, { action: 'log', itemId, date, minutes });
const timer = (team: Team, startedAt: string, endedAt: string) =>
  world.value(
    `insert into time_entries (account_id, workspace_id, user_id, item_id, kind, started_at, ended_at, day, minutes)
     values ($1, $2, $3, $4, 'timer', $5, $6, ($5::timestamptz at time zone 'UTC')::date, whole_minutes($5, $6)) returning id`,
    [team.accountId, team.workspaceId, team.userId, team.itemId, startedAt, endedAt],
  );
const march = { from: '2026-03-02', to: '2026-03-04' };

test('recorded time is summed by UTC day, without empty days', async (t) => {
  const team = await world.team('Asia/Tokyo');
  await log(team, '2026-03-02', 30);
  await log(team, '2026-03-02', 15);
  await log(team, '2026-03-05', 99);
  await timer(team, '2026-03-03T23:50:00Z', '2026-03-04T00:20:00Z');
  const found = await read(team.person, march);
  t.deepEqual(found.range, { ...march, timezone: 'UTC' });
  t.is(found.totalMinutes, 75);
  t.deepEqual(found.days, [
    { date: '2026-03-02', minutes: 45 },
    { date: '2026-03-03', minutes: 10 },
    { date: '2026-03-04', minutes: 20 },
  ]);
  t.deepEqual(
    found.entries.map(({ minutes }) => minutes),
    [30, 15, 30],
  );
  t.is(found.timer, null);
});

test('a day whose entries are shorter than a minute is listed with 0', async (t) => {
  const team = await world.team();
  await timer(team, '2026-03-03T10:00:00Z', '2026-03-03T10:00:20Z');
  t.deepEqual((await read(team.person, march)).days, [{ date: '2026-03-03', minutes: 0 }]);
});

test('upcoming blocks are those from now up to 90 days', async (t) => {
  const team = await world.team();
  const block = (starts: string, ends: string) => insertBlock(world, team, { starts, ends });
  await block('-2 hours', '-1 hour');
  const ids = [await block('-1 hour', '1 hour'), await block('89 days', '89 days 1 hour')];
  await block('91 days', '91 days 1 hour');
  const found = await read(team.person, { period: 'upcoming' });
  t.deepEqual(
    found.planBlocks.map(({ id }) => id),
    ids,
  );
  const error = t.throws(() => parseInput(myTime.input, { period: 'upcoming', date: '2026-03-03' }));
  t.regex(error!.message, /date: upcoming begins now/);
});

test('a timer that overlaps the range is returned whole, and its day counts in part', async (t) => {
  const team = await world.team();
  const id = await timer(team, '2026-03-01T23:50:00Z', '2026-03-02T00:20:00Z');
  const found = await read(team.person, march);
  t.is(found.totalMinutes, 20);
  t.like(found.entries[0], {
    id,
    minutes: 30,
    date: '2026-03-01',
    startedAt: '2026-03-01T23:50:00.000Z',
    endedAt: '2026-03-02T00:20:00.000Z',
  });
});

test('an entry omits null values', async (t) => {
  const team = await world.team();
  await log(team, '2026-03-02', 30);
  const [entry] = (await read(team.person, march)).entries;
  t.deepEqual(Object.keys(entry!).sort(), [
    'corrected',
    'date',
    'id',
    'itemId',
    'itemTitle',
    'kind',
    'minutes',
    'note',
    'revision',
    'workspaceId',
  ]);
});

test('the running timer is always returned, and counts once stopped', async (t) => {
  const team = await world.team();
  await time(team.person, { action: 'start', itemId: team.itemId });
  const found = await read(team.person, march);
  t.like(found.timer, { itemId: team.itemId, endedAt: null, minutes: 0 });
  const now = await read(team.person);
  t.deepEqual([now.entries, now.days, now.totalMinutes], [[], [], 0]);
});

test("only the user's own time and blocks are returned", async (t) => {
  const team = await world.team();
  await log(team, '2026-03-02', 30);
  await insertBlock(world, team, { starts: '-1 minute', ends: '1 hour' });
  const found = await read(team.colleague, march);
  t.deepEqual([found.entries, found.days, found.timer, (await read(team.colleague)).planBlocks], [[], [], null, []]);
});

test('time in workspaces without the right is omitted', async (t) => {
  const team = await world.team();
  const elsewhere = await team.workspace();
  await log(team, '2026-03-02', 30);
  await log(team, '2026-03-02', 12, await team.item('Elsewhere', elsewhere));
  await time(team.person, { action: 'start', itemId: team.itemId });
  await world.rows('delete from memberships where workspace_id = $1 and user_id = $2', [team.workspaceId, team.userId]);
  const found = await read(team.person, march);
  t.is(found.totalMinutes, 12);
  t.deepEqual(
    found.entries.map(({ itemTitle }) => itemTitle),
    ['Elsewhere'],
  );
  t.is(found.timer, null);
});

test('time on a hidden item counts, without the item', async (t) => {
  const team = await world.team();
  await log(team, '2026-03-02', 30);
  await world.rows('update items set archived_at = now() where id = $1', [team.itemId]);
  const found = await read(team.person, march);
  t.is(found.totalMinutes, 30);
  t.false('itemId' in found.entries[0]! || 'itemTitle' in found.entries[0]!);
});

test("an agent's levels limit what it gets", async (t) => {
  const team = await world.team();
  await log(team, '2026-03-02', 30);
  const block = { action: 'create', itemId: team.itemId, startLocal: '2026-03-02T09:00', endLocal: '2026-03-02T10:00' };
  await plan(world, team.person, block);
  const timeOnly = await read(await team.agent({ tasks: 'read', time: 'read' }), march);
  t.deepEqual([timeOnly.entries.length, timeOnly.planBlocks.length], [1, 0]);
  const plansOnly = await read(await team.agent({ tasks: 'read', plans: 'read' }), march);
  t.deepEqual([plansOnly.entries.length, plansOnly.totalMinutes, plansOnly.planBlocks.length], [0, 0, 1]);
  const neither = await team.agent({ tasks: 'write' });
  t.is((await t.throwsAsync<AppError>(read(neither), { instanceOf: AppError }))?.code, 'forbidden');
  const both = await team.agent();
  await world.rows('update connections set revoked_at = now() where id = $1', [both.connectionId]);
  t.is((await t.throwsAsync<AppError>(read(both), { instanceOf: AppError }))?.code, 'unauthenticated');
});

test("blocks are filtered by days of the connection's zone", async (t) => {
  const team = await world.team();
  // 23:30 UTC on 1 March is 2 March in Tokyo, and still 1 March in New York.
  const given = { action: 'create', itemId: team.itemId, startLocal: '2026-03-01T23:30', endLocal: '2026-03-01T23:45', timezone: 'UTC' };
  const { block } = await plan(world, team.person, given);
  const blocks = async (zone: string, date: string) =>
    (await read(await team.agent(undefined, zone), { period: 'day', date })).planBlocks.map(({ id }) => id);
  t.deepEqual(await blocks('Asia/Tokyo', '2026-03-02'), [block.id]);
  t.deepEqual(await blocks('Asia/Tokyo', '2026-03-01'), []);
  t.deepEqual(await blocks('America/New_York', '2026-03-01'), [block.id]);
  t.deepEqual(await blocks('America/New_York', '2026-03-02'), []);
});

test('a block over midnight belongs to both days, and keeps its own local times', async (t) => {
  const team = await world.team('Europe/Berlin');
  const given = { action: 'create', itemId: team.itemId, startLocal: '2026-03-02T22:00', endLocal: '2026-03-03T01:00', autoStop: true };
  const { block } = await plan(world, team.person, given);
  for (const date of ['2026-03-02', '2026-03-03']) {
    const [found] = (await read(team.person, { period: 'day', date })).planBlocks;
    t.like(found, {
      id: block.id,
      title: 'Write the report',
      startLocal: '2026-03-02T22:00',
      endLocal: '2026-03-03T01:00',
      timezone: 'Europe/Berlin',
    });
    t.like(found, {
      startsAt: '2026-03-02T21:00:00.000Z',
      endsAt: '2026-03-03T00:00:00.000Z',
      autoStart: false,
      autoStop: true,
      state: 'scheduled',
    });
    t.false('reason' in found!);
  }
  t.deepEqual((await read(team.person, { period: 'day', date: '2026-03-04' })).planBlocks, []);
});

test('a day that begins after midnight, because clocks skip it, is complete', async (t) => {
  const team = await world.team('Africa/Cairo');
  const zone = { timezone: 'Africa/Cairo' };
  const given = { action: 'create', itemId: team.itemId, startLocal: '2026-04-24T01:00', endLocal: '2026-04-24T02:00', ...zone };
  const { block } = await plan(world, team.person, given);
  t.deepEqual(
    (await read(team.person, { period: 'day', date: '2026-04-24' })).planBlocks.map(({ id }) => id),
    [block.id],
  );
  t.deepEqual((await read(team.person, { period: 'day', date: '2026-04-23' })).planBlocks, []);
});

test('a person without any workspace gets empty lists', async (t) => {
  const team = await world.team();
  await world.rows('delete from memberships where user_id = $1', [team.userId]);
  t.like(await read(team.person), { totalMinutes: 0, timer: null });
});

test('entries and blocks come in pages of 500 together, each once; days, total and timer are complete in each', async (t) => {
  const team = await world.team();
  const { accountId, workspaceId, userId, itemId } = team;
  const given = [accountId, workspaceId, userId, itemId];
  for (const day of ['2026-03-02', '2026-03-03', '2026-03-04'])
    await world.rows(
      `insert into time_entries (account_id, workspace_id, user_id, item_id, kind, day, minutes)
       select $1, $2, $3, $4, 'manual', $5, 1 from generate_series(1, 190)`,
      [...given, day],
    );
  await world.rows(
    `insert into plan_blocks (account_id, workspace_id, user_id, item_id, start_local, end_local, timezone, starts_at, ends_at)
     select $1, $2, $3, $4, '2026-03-02T10:00', '2026-03-02T11:00', 'UTC', '2026-03-02T10:00Z', '2026-03-02T11:00Z' from generate_series(1, 700)`,
    given,
  );
  await time(team.person, { action: 'start', itemId });
  const seen = { entries: new Set<number>(), planBlocks: new Set<number>() };
  let pages = 0;
  for (let afterId = 0; ; pages++) {
    const page = await read(team.person, { ...march, afterId });
    t.is(page.totalMinutes, 570);
    t.is(page.days.length, 3);
    t.not(page.timer, null);
    t.true(page.entries.length + page.planBlocks.length <= 500);
    for (const list of ['entries', 'planBlocks'] as const)
      for (const { id } of page[list]) {
        t.false(seen[list].has(id));
        seen[list].add(id);
      }
    if (!page.hasMore) break;
    t.true(page.nextAfterId > afterId);
    afterId = page.nextAfterId;
  }
  t.deepEqual([pages, seen.entries.size, seen.planBlocks.size], [2, 570, 700]);
});
