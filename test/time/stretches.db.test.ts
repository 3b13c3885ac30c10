/** Time on the pages beyond svc_time: ranges with start and end, and switching the timer (behaviour §20.6, §20.8). */
import type { Caller } from '../../src/access/caller.ts';
import { outputOf } from '../../src/operations/json.ts';
import { perform } from '../../src/operations/perform.ts';
import { workForTime } from '../../src/overviews/workForTime.ts';
import { logStretch } from '../../src/time/stretch.ts';
import { switchTimer } from '../../src/time/timer.ts';
import { trackTime } from '../../src/time/trackTime.ts';
import { suite } from '../support/suite.ts';
import { timeWorld } from '../support/timeWorld.ts';

const test = suite(import.meta.url);

const world = timeWorld();

const record = async (caller: Caller, itemId: number, startedAt: string, endedAt: string) =>
  outputOf(await perform(world.db, caller, logStretch, { itemId, startedAt, endedAt, note: '' })).entry;
const start = async (caller: Caller, itemId: number) =>
  outputOf(await perform(world.db, caller, trackTime, { action: 'start', itemId, note: '' })).entry;
const find = async (caller: Caller, words: string, id: number | null = null, kind: 'time' | 'plans' = 'time') =>
  outputOf(await perform(world.db, caller, workForTime, { words, id, kind, limit: 8 }));

test('a range is an entry with start and end, cut at 00:00 UTC like a timer’s', async (t) => {
  const { person, itemId } = await world.team();
  const entry = await record(person, itemId, '2026-03-01T22:30:00.000Z', '2026-03-02T00:45:30.000Z');
  t.like(entry, { kind: 'timer', date: '2026-03-01', minutes: 135, corrected: false });
  t.deepEqual(await world.rows('select day, minutes from time_parts where entry_id = $1 order by day', [entry.id]), [
    { day: '2026-03-01', minutes: 90 },
    { day: '2026-03-02', minutes: 45 },
  ]);
});

test('a range is in the past, ends after it starts, is at most a day, and leaves a day at most 24 hours', async (t) => {
  const { person, itemId } = await world.team();
  const refused = (from: string, to: string, message: RegExp) => t.throwsAsync(record(person, itemId, from, to), { message });
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  await refused('2026-03-01T10:00:00.000Z', soon, /^endedAt: .*(in the future|24 hours)/);
  await refused('2026-03-01T10:00:00.000Z', '2026-03-01T10:00:00.000Z', /must be after the start/);
  await refused('2026-03-01T10:00:00.000Z', '2026-03-02T10:01:00.000Z', /at most 24 hours/);
  await record(person, itemId, '2026-03-01T00:00:00.000Z', '2026-03-01T20:00:00.000Z');
  await refused('2026-03-01T19:00:00.000Z', '2026-03-01T23:30:00.000Z', /already holds 1200 minutes/);
});

test('a range needs the right to record time and access to the item', async (t) => {
  const { person, itemId, userId } = await world.team();
  const other = await world.team();
  const forbidden = { code: 'forbidden' };
  const one = (caller: Caller, item: number) =>
    t.throwsAsync(record(caller, item, '2026-03-01T10:00:00.000Z', '2026-03-01T11:00:00.000Z'), forbidden);
  await one(other.person, itemId);
  await world.rows(`update memberships set role = 'viewer' where user_id = $1`, [userId]);
  await one(person, itemId);
});

test('switching stops the named timer and starts the other at the same time, or changes nothing', async (t) => {
  const team = await world.team();
  const { person, itemId } = team;
  const next = await team.item('Next');
  const first = await start(person, itemId);
  const go = (given: object = {}) =>
    perform(world.db, person, switchTimer, { itemId: next, entryId: first.id, revision: first.revision, note: '', ...given });
  await t.throwsAsync(go({ revision: 7 }), { code: 'conflict' });
  await t.throwsAsync(go({ itemId }), { message: /already running on this/ });
  const { entry, stopped } = outputOf(await go());
  t.deepEqual([entry.itemId, stopped.id, stopped.endedAt], [next, first.id, entry.startedAt]);
  await t.throwsAsync(go(), { code: 'conflict' }, 'a second time it does not run any more');
  const rows = await world.rows('select item_id, minutes is null as runs from time_entries where user_id = $1 order by id', [team.userId]);
  t.deepEqual(rows, [
    { item_id: itemId, runs: false },
    { item_id: next, runs: true },
  ]);
  const agent = await team.agent();
  await t.throwsAsync(perform(world.db, agent, switchTimer, { itemId, entryId: entry.id, revision: 1, note: '' }), { code: 'forbidden' });
});

test('items are found by number or words of their title, own ones first, with a choice if several match', async (t) => {
  const team = await world.team();
  const { person, userId } = team;
  const own = await team.item('Words for every message');
  await world.rows('update items set assignee_id = $2 where id = $1', [own, userId]);
  const others = [await team.item('Words on the posters'), await team.item('Posters for the harbour')];
  t.like(await find(person, '', others[0]!), { work: { id: others[0], title: 'Words on the posters' } });
  t.like(await find(person, 'MESSAGE words'), { work: { id: own }, found: true }, 'of one’s own work one fits');
  t.like(await find(person, 'harbour'), { work: { id: others[1] }, found: true }, 'else it is looked for everywhere');
  const several = await find(person, 'posters');
  t.deepEqual([several.work, several.choices.map(({ id }) => id).sort(), several.found], [null, [...others].sort(), true]);
  const none = await find(person, 'standup');
  t.deepEqual([none.work, none.choices.map(({ id }) => id), none.found], [null, [own], false], 'nothing fits: one’s own work is offered');
  t.like(await find(person, '', 999_999_999), { work: null, found: false });
  t.deepEqual((await find(person, '100%_')).found, false, 'pattern characters are literal');
});

test('recently recorded items come first, and only items where time can be recorded are found', async (t) => {
  const team = await world.team();
  const { person, itemId } = team;
  const theirs = await team.item('Theirs');
  const now = Date.now();
  for (const [item, ago] of [
    [itemId, 5],
    [theirs, 3],
  ] as const)
    await record(person, item, new Date(now - ago * 3_600_000).toISOString(), new Date(now - ago * 3_600_000 + 60_000).toISOString());
  t.deepEqual(
    (await find(person, '')).choices.map(({ id }) => id),
    [theirs, itemId],
  );
  await world.rows(`update memberships set role = 'viewer' where user_id = $1`, [team.userId]);
  t.like(await find(person, 'Theirs'), { work: null, choices: [] });
  t.like(await find(person, '', theirs), { work: null });
});
