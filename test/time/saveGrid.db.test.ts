/** Saving the week grid: all or nothing, based on the displayed values (behaviour §28.3 to §28.6). */
import type { ExecutionContext } from 'ava';
import type { Caller } from '../../src/access/caller.ts';
import { readTimeEntries } from '../../src/import/exportQueries.ts';
import { parseInput } from '../../src/operations/input.ts';
import { perform } from '../../src/operations/perform.ts';
import { myMonth } from '../../src/overviews/myMonth.ts';
import { myTimesheet, type Timesheet } from '../../src/overviews/myTimesheet.ts';
import { myWeek } from '../../src/overviews/myWeek.ts';
import { saveGrid } from '../../src/time/saveGrid.ts';
import { type TimeResult, trackTime } from '../../src/time/trackTime.ts';
import { addDays, mondayOf } from '../../src/values/dates.ts';
import { AppError, type Code, type InvalidRequest } from '../../src/values/errors.ts';
import { suite } from '../support/suite.ts';
import { type Team, timeWorld } from '../support/timeWorld.ts';

const test = suite(import.meta.url);

const world = timeWorld();
const MONDAY = '2026-03-02';
const TUESDAY = '2026-03-03';
type Cell = { itemId: number; date: string; minutes: number; was: number | null };
const save = async (caller: Caller, ...cells: Cell[]) =>
  (await perform(world.db, caller, saveGrid, parseInput(saveGrid.input, { cells }))) as { changed: number };
const sheet = (caller: Caller, date = MONDAY) => perform(world.db, caller, myTimesheet, { date }) as Promise<Timesheet>;
const log = async ({ person, itemId }: Team, minutes: number, more: object = {}) =>
  (
    (await perform(
      world.db,
      person,
      trackTime,
      parseInput(trackTime.input, { action: 'log', itemId, date: MONDAY, minutes, ...more }),
    )) as TimeResult
  ).entry;
const entries = ({ userId }: Team) =>
  world.rows('select item_id, day, minutes, note, corrected from time_entries where user_id = $1 order by id', [userId]);
const refused = async (t: ExecutionContext, code: Code, work: Promise<unknown>, message = /./) => {
  const error = await t.throwsAsync<AppError>(work, { instanceOf: AppError, message });
  t.is(error?.code, code, error?.message);
  return error!;
};
const minutesIn = ({ rows }: Timesheet, itemId: number, date = MONDAY) =>
  rows.find((row) => row.itemId === itemId)?.cells.get(date)?.minutes;

test('cells of several days and workspaces are saved at once, and the grid shows them', async (t) => {
  const team = await world.team();
  const other = await team.item('Elsewhere', await team.workspace());
  const { itemId } = team;
  t.deepEqual(
    await save(
      team.person,
      { itemId, date: MONDAY, minutes: 90, was: 0 },
      { itemId, date: TUESDAY, minutes: 30, was: null },
      { itemId: other, date: MONDAY, minutes: 15, was: 0 },
      { itemId: other, date: TUESDAY, minutes: 0, was: 0 },
    ),
    { changed: 3 },
  );
  const shown = await sheet(team.person);
  t.deepEqual([minutesIn(shown, itemId), minutesIn(shown, itemId, TUESDAY), minutesIn(shown, other)], [90, 30, 15]);
  t.true(shown.rows.every(({ may, before }) => may && !before));
  const next = await sheet(team.person, addDays(MONDAY, 7));
  t.deepEqual(
    next.rows.map(({ before, cells }) => [before, cells.size]),
    [
      [true, 0],
      [true, 0],
    ],
    'the week after may take over the rows, without their hours',
  );
});

test('a manual entry gets the typed value and keeps its earlier one; an emptied cell deletes it', async (t) => {
  const team = await world.team();
  const { itemId, person } = team;
  const { id } = await log(team, 60, { note: 'words' });
  await save(person, { itemId, date: MONDAY, minutes: 75, was: 60 });
  t.like((await entries(team))[0], { minutes: 75, note: 'words', corrected: true });
  await save(person, { itemId, date: MONDAY, minutes: 0, was: 75 });
  t.is((await entries(team))[0].minutes, 0);
  t.deepEqual(await readTimeEntries(world.db.pool(), team.workspaceId, { item: 0, id: 0 }, null, true), [], 'no file has it');
  await save(person, { itemId, date: MONDAY, minutes: 20, was: 0 });
  t.deepEqual(
    (await entries(team)).map(({ minutes }) => minutes),
    [0, 20],
  );
  const week = await perform(world.db, person, myWeek, { date: MONDAY, zone: 'UTC', itemId: null });
  const { earlier } = week as Awaited<ReturnType<typeof myWeek.run>> & {
    earlier: Map<number, { minutes: number; reason: string; itemTitle: string }[]>;
  };
  t.deepEqual(
    earlier.get(id)?.map(({ minutes, itemTitle }) => [minutes, itemTitle]),
    [
      [75, 'Write the report'],
      [60, 'Write the report'],
    ],
  );
});

test('a cell changed meanwhile no longer matches its displayed value, and nothing is saved', async (t) => {
  const team = await world.team();
  const { itemId, person } = team;
  await log(team, 60);
  const error = await refused(
    t,
    'conflict',
    save(person, { itemId, date: TUESDAY, minutes: 30, was: 0 }, { itemId, date: MONDAY, minutes: 90, was: 45 }),
  );
  t.regex(error.message, /1 cell has changed since you opened the page, so nothing was saved/);
  t.is((await entries(team)).length, 1);
  const twice = await Promise.allSettled([1, 2].map((n) => save(person, { itemId, date: MONDAY, minutes: 60 + n, was: 60 })));
  t.deepEqual(twice.map(({ status }) => status).sort(), ['fulfilled', 'rejected'], 'of two at once one comes too late');
});

test('all faults are reported at their cells: a full day, the future, a running timer, less than several entries', async (t) => {
  const team = await world.team();
  const { itemId, person } = team;
  const other = await team.item('Other');
  await log(team, 60);
  await log(team, 30);
  await perform(world.db, person, trackTime, parseInput(trackTime.input, { action: 'start', itemId: other }));
  const today = await world.value(`select ((now() at time zone 'UTC')::date)::text`);
  const error = (await refused(
    t,
    'invalid_request',
    save(
      person,
      { itemId, date: MONDAY, minutes: 20, was: 90 },
      { itemId: other, date: MONDAY, minutes: 1_400, was: 0 },
      { itemId, date: addDays(today, 2), minutes: 20, was: 0 },
      { itemId: other, date: today, minutes: 20, was: 0 },
      { itemId, date: TUESDAY, minutes: 20, was: 0 },
    ),
  )) as InvalidRequest;
  t.deepEqual(
    error.faults.map(({ path }) => path[1]),
    [0, 1, 2, 3],
  );
  t.is((await entries(team)).length, 3);
  const shown = await sheet(person, mondayOf(today));
  t.true(shown.rows.find((row) => row.itemId === other)?.cells.get(today)?.runs);
  await refused(t, 'invalid_request', save(person, { itemId, date: MONDAY, minutes: Number.NaN, was: 0 }), /1:30, 1h30, 45m or 1.5/);
});

test("the grid needs access to the item and the right to record there; agents have no grid, and other users' time is not in it", async (t) => {
  const team = await world.team();
  const stranger = await world.team();
  const cell = { date: MONDAY, minutes: 30, was: 0 };
  await refused(t, 'forbidden', save(team.person, { itemId: stranger.itemId, ...cell }));
  await refused(t, 'forbidden', save(await team.agent(), { itemId: team.itemId, ...cell }));
  await log(team, 60);
  t.deepEqual((await sheet(team.colleague)).rows, []);
  await world.rows(`update memberships set overrides = '{"time": "read"}' where user_id = $1`, [team.userId]);
  await refused(t, 'forbidden', save(team.person, { itemId: team.itemId, ...cell, was: 60 }));
  t.false((await sheet(team.person)).rows[0]!.may);
  await world.rows(`update memberships set overrides = '{"tasks": "none"}' where user_id = $1`, [team.userId]);
  await refused(t, 'forbidden', save(team.person, { itemId: team.itemId, ...cell, was: 60 }));
  const [hidden] = (await sheet(team.person)).rows;
  t.like(hidden, { itemId: null, title: null, workspace: '', may: false });
  t.is(hidden!.cells.get(MONDAY)?.minutes, 60, 'it counts, and has no name');
});

test('a replaced note is kept in the history', async (t) => {
  const team = await world.team();
  const { id, revision } = await log(team, 60, { note: 'first' });
  await perform(world.db, team.person, trackTime, { action: 'annotate', entryId: id, revision, note: 'second' });
  t.deepEqual(await world.rows('select note, reason from time_entry_versions where entry_id = $1', [id]), [
    { note: 'first', reason: 'Another note.' },
  ]);
  t.is((await world.value('select corrected from time_entries where id = $1', [id])) as boolean, false);
});

test("a month is whole weeks of recorded UTC days and of planned days in the person's zone", async (t) => {
  const team = await world.team('America/New_York');
  const { accountId, workspaceId, userId, itemId } = team;
  await log(team, 60);
  // 23:00 to 01:00 in New York: an hour of each day.
  await world.rows(
    `insert into plan_blocks (account_id, workspace_id, user_id, item_id, start_local, end_local, timezone, starts_at, ends_at, state)
     values ($1, $2, $3, $4, '2026-03-10T23:00', '2026-03-11T01:00', 'America/New_York', '2026-03-11T03:00Z', '2026-03-11T05:00Z', 'finished')`,
    [accountId, workspaceId, userId, itemId],
  );
  const month = (await perform(world.db, team.person, myMonth, { date: '2026-03-15', zone: 'America/New_York' })) as Awaited<
    ReturnType<typeof myMonth.run>
  > & { weeks: { date: string; recorded: number; planned: number }[][] };
  const days = month.weeks.flat();
  t.deepEqual([days[0]!.date, days.at(-1)!.date, month.weeks.length], ['2026-02-23', '2026-04-05', 6]);
  t.deepEqual(
    days.filter(({ recorded, planned }) => recorded + planned > 0),
    [
      { date: MONDAY, recorded: 60, planned: 0 },
      { date: '2026-03-10', recorded: 0, planned: 60 },
      { date: '2026-03-11', recorded: 0, planned: 60 },
    ],
  );
});
