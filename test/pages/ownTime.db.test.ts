/** A person's own time on the pages: it never disappears (behaviour §9.11), and a running timer counts where it lies (§20.10). */

import { connectDb, type Db } from '../../src/database/db.ts';
import { rowsOfWorkspace } from '../../src/erasure/rowQueries.ts';
import { moveItems, previewMove } from '../../src/moves/moveItems.ts';
import { perform } from '../../src/operations/perform.ts';
import { myDay } from '../../src/overviews/myDay.ts';
import { myMonth } from '../../src/overviews/myMonth.ts';
import { myTimesheet } from '../../src/overviews/myTimesheet.ts';
import { myWeek } from '../../src/overviews/myWeek.ts';
import { trackTime } from '../../src/time/trackTime.ts';
import { addDays, mondayOf } from '../../src/values/dates.ts';
import { fileDatabase } from '../support/database.ts';
import { ask, type McpWorld, mcpWorld, openToAgents } from '../support/mcpWorld.ts';
import { suite } from '../support/suite.ts';
import type { Visitor } from '../support/visitor.ts';

const test = suite(import.meta.url);

// biome-ignore lint/suspicious/noExplicitAny: inputs and answers of any operation
type Any = any;

const database = fileDatabase();
const today = new Date().toISOString().slice(0, 10);
const week = { from: mondayOf(today), to: addDays(mondayOf(today), 6) };
let world: McpWorld;
let db: Db;

test.before('an endpoint', async () => {
  [world, db] = await Promise.all([mcpWorld(database.url, { BASE_URL: 'http://localhost/stint' }), connectDb(database.url, 4)]);
  // Numbers that nothing else on a page has.
  await sql(`select setval(pg_get_serial_sequence('items', 'id'), 700000)`);
});
test.after('stop', async () => {
  await db?.close();
  await world?.end();
});

const sql = (text: string, ...values: unknown[]): Promise<Any[]> => world.fixtures.sql(text, values);
const act = (userId: number, operation: Any, input: object): Promise<Any> =>
  perform(db, { kind: 'user', userId }, operation, operation.input.parse(input));

/** A workspace that a person can lose, with an item on which they, and a colleague, recorded time, and one that they keep. */
async function place() {
  const { fixtures, accountId } = world;
  const [lost, kept] = [await fixtures.workspace(accountId, 'Submarine'), await fixtures.workspace(accountId, 'Harbour')];
  const [personId, colleagueId] = [await fixtures.user(accountId), await fixtures.user(accountId)];
  for (const userId of [personId, colleagueId]) await fixtures.member(lost, userId, 'member');
  await fixtures.member(kept, personId, 'member');
  const item = async (workspaceId: number, title: string, above: number | null = null) =>
    Number(
      (
        await sql(
          `insert into items (account_id, workspace_id, type, title, status, status_key, requirement_id)
           values ($1, $2, $3, $4, 'planned', 'planned', $5) returning id`,
          ...[accountId, workspaceId, above === null && title === 'Hatches' ? 'requirement' : 'task', title, above],
        )
      )[0].id,
    );
  const above = await item(lost, 'Hatches');
  const [itemId, keptId] = [await item(lost, 'Torpedo', above), await item(kept, 'Bollards')];
  const log = (userId: number, on: number, minutes: number, note: string) =>
    sql(
      `insert into time_entries (account_id, workspace_id, user_id, item_id, kind, day, minutes, note)
       select account_id, workspace_id, $1, id, 'manual', $3, $4, $5 from items where id = $2`,
      ...[userId, on, today, minutes, note],
    );
  await log(personId, itemId, 37, 'My own note');
  await log(colleagueId, itemId, 53, 'Colleague wrote');
  await log(personId, keptId, 60, '');
  const { id: connectionId, ...agent } = await world.agentOf(personId, { workspaces: [lost, kept] });
  for (const workspaceId of [lost, kept]) await openToAgents(fixtures, workspaceId);
  return { lost, kept, personId, colleagueId, itemId, above, agent, visitor: await world.visitor(personId) };
}
type Place = Awaited<ReturnType<typeof place>>;

const groupings = ['item', 'requirement', 'goal', 'release', 'type', 'day', 'week', 'month'];
const paths = [
  '/',
  '/my',
  '/my/timesheet',
  '/my/month',
  ...groupings.map((by) => `/reports/time?workspaceId=0&from=${week.from}&to=${week.to}&by=${by}`),
];

async function pagesOf(visitor: Visitor): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const path of paths) found.set(path, (await visitor.go(path)).html);
  const csv = await visitor.request(`/reports/time.csv?workspaceId=0&from=${week.from}&to=${week.to}`);
  return found.set('csv', await csv.text());
}

const ways: Record<string, (place: Place) => Promise<unknown>> = {
  'the item is archived': ({ itemId }) => sql('update items set archived_at = now(), version = version + 1 where id = $1', itemId),
  'an item above it is archived': ({ above }) => sql('update items set archived_at = now(), version = version + 1 where id = $1', above),
  'the membership has ended': ({ lost, personId }) =>
    sql('delete from memberships where workspace_id = $1 and user_id = $2', lost, personId),
  'the workspace is archived': ({ lost }) => sql('update workspaces set archived_at = now() where id = $1', lost),
  'tasks may no longer be read': ({ lost, personId }) =>
    sql(`update memberships set overrides = '{"tasks": "none"}' where workspace_id = $1 and user_id = $2`, lost, personId),
  'the item has moved to a workspace of others': async ({ lost, itemId }) => {
    const { fixtures, accountId, ownerId } = world;
    const elsewhere = await fixtures.workspace(accountId, 'Trench');
    await fixtures.member(elsewhere, ownerId);
    await fixtures.member(lost, ownerId);
    await sql('update items set requirement_id = null where id = $1', itemId);
    const asked = { workspaceId: lost, ids: [itemId], targetId: elsewhere, below: true };
    const { seen } = await act(ownerId, previewMove, asked);
    await act(ownerId, moveItems, { ...asked, seen });
  },
  'the item has moved, and the membership where it was recorded has ended': async (here) => {
    await ways['the item has moved to a workspace of others']!(here);
    await ways['the membership has ended']!(here);
  },
};

/** What a page must not show; the workspace's name where its member is none any more. */
const secrets = ['Torpedo', 'Hatches', 'Colleague wrote', 'Trench'];

for (const [way, lose] of Object.entries(ways))
  test(`own time stays in every sum of the pages, without title and workspace, when ${way}`, async (t) => {
    const here = await place();
    const { visitor, itemId, lost, personId } = here;
    const before = await pagesOf(visitor);
    for (const path of paths) t.true(/1 h 37|1:37/.test(before.get(path)!), `${path} before`);
    await lose(here);
    const [member] = await sql(
      `select from memberships m join workspaces w on w.id = m.workspace_id and w.archived_at is null where m.workspace_id = $1 and m.user_id = $2`,
      ...[lost, personId],
    );
    for (const [path, page] of await pagesOf(visitor)) {
      if (path !== 'csv') t.true(/1 h 37|1:37/.test(page), path);
      for (const secret of [...secrets, ...(member ? [] : ['Submarine'])]) t.false(page.includes(secret), `${path} shows ${secret}`);
      t.false(page.includes(String(itemId)), `${path} shows the number`);
    }
    await visitor.go('/my');
    t.regex(visitor.at.text, /An item you can no longer see/);
    t.regex(visitor.at.text, /My own note/);
    t.regex((await visitor.go('/')).text, /An item you can no longer see 37 min/);
    t.regex((await visitor.go('/my/timesheet')).text, /An item you can no longer see.*0:37/);
    const csv = (await pagesOf(visitor)).get('csv')!;
    t.regex(csv, /"","","","","","37",/);
    t.regex(csv, /Harbour.*Bollards.*"60",/);
  });

test('svc_my_time stays within the memberships and the workspaces of the connection', async (t) => {
  const here = await place();
  const read = () => ask(here.agent, 'svc_my_time', { period: 'week' });
  t.is((await read()).totalMinutes, 97);
  await ways['the membership has ended']!(here);
  const after = await read();
  t.is(after.totalMinutes, 60);
  t.false(JSON.stringify(after).includes('My own note'));
});

test('entries out of reach offer no change, and those of an archived item in reach do', async (t) => {
  const [archived, left] = [await place(), await place()];
  await ways['the item is archived']!(archived);
  await ways['the membership has ended']!(left);
  const forms = async ({ visitor }: Place) => (await visitor.go('/my')).html.match(/action="[^"]*\/entries\/correct"/g)?.length ?? 0;
  t.deepEqual([await forms(archived), await forms(left)], [2, 1]);
});

test('own time ends with its workspace', async (t) => {
  const here = await place();
  await ways['the workspace is archived']!(here);
  for (const step of rowsOfWorkspace(world.accountId, here.lost))
    for (let from: number | null = 0; from !== null; ) {
      const at: number = from;
      from = await db.transaction((tx) => step(tx, at));
    }
  for (const [path, page] of await pagesOf(here.visitor)) if (path !== 'csv') t.true(/1 h\b|1:00/.test(page), path);
  t.false((await here.visitor.go('/my')).text.includes('no longer see'));
});

/** Minutes of a UTC day, by view, and the sum of the rows of that day on My week. */
async function minutesOn(personId: number, visitor: Visitor, date: string) {
  const zone = 'UTC';
  const [day, ofWeek, sheet, month] = [
    await act(personId, myDay, { day: date, zone }),
    await act(personId, myWeek, { date, zone, itemId: null }),
    await act(personId, myTimesheet, { date }),
    await act(personId, myMonth, { date, zone }),
  ];
  const cells = sheet.rows.map((row: Any) => row.cells.get(date)?.minutes ?? 0);
  const { html } = await visitor.go(`/my?week=${date}`);
  const group = html.split(`id="day-${date}"`)[1]?.split('id="day-')[0] ?? '';
  const lengths = [...group.matchAll(/<b class="length">(?:(\d+) h ?)?(?:(\d+)(?: min)?)?</g)];
  return [
    day.days.get(date) ?? 0,
    ofWeek.days.get(date) ?? 0,
    cells.reduce((all: number, minutes: number) => all + minutes, 0),
    month.weeks.flat().find((one: Any) => one.date === date).recorded,
    lengths.reduce((all, [, h, m]) => all + Number(h ?? 0) * 60 + Number(m ?? 0), 0),
  ];
}

test('a running timer counts on each UTC day on which it lies, in My day, My week, the grid and the month, before and after the stop', async (t) => {
  const here = await place();
  const { personId, visitor, itemId } = here;
  await sql('delete from time_entries where user_id = $1', personId);
  await act(personId, trackTime, { action: 'start', itemId });
  // Since 23:30:40 the day before yesterday.
  const days = [addDays(today, -2), addDays(today, -1), today];
  const startedAt = `${days[0]}T23:30:40.000Z`;
  await sql('update time_entries set started_at = $2, day = $3 where user_id = $1', personId, startedAt, days[0]);
  const least = Math.floor((Date.now() - Date.parse(startedAt)) / 60_000);
  const running = [];
  for (const date of days) running.push(await minutesOn(personId, visitor, date));
  const most = Math.floor((Date.now() - Date.parse(startedAt)) / 60_000);
  t.deepEqual([...new Set(running[0])], [29]);
  t.deepEqual([...new Set(running[1])], [1440]);
  for (const minutes of running[2]!) t.true(minutes >= least - 1469 && minutes <= most - 1469, `${minutes} of ${least - 1469}`);
  await visitor.go(`/my?week=${today}`);
  t.regex(visitor.at.text, /–now ?Torpedo/);
  const [{ id, revision }] = await sql('select id, revision from time_entries where user_id = $1', personId);
  const { entry } = await act(personId, trackTime, { action: 'stop', entryId: Number(id), revision });
  for (const date of days) {
    const [{ minutes }] = await sql('select minutes from time_parts where entry_id = $1 and day = $2', id, date);
    t.deepEqual([...new Set(await minutesOn(personId, visitor, date))], [minutes], date);
  }
  const parts = await sql('select sum(minutes)::integer as all from time_parts where entry_id = $1', id);
  t.is(parts[0].all, entry.minutes);
});

test('the hours of the week in the sidebar are those of My day while a timer runs', async (t) => {
  const { personId, visitor, itemId } = await place();
  await act(personId, trackTime, { action: 'start', itemId });
  await sql(`update time_entries set started_at = $2 where user_id = $1 and minutes is null`, personId, `${today}T00:00:00.000Z`);
  const { html } = await visitor.go('/');
  const [, inSidebar] = /<span>([^<]*)<span class="vh"> this week/.exec(html) ?? [];
  t.true(html.includes(`<span class="big">${inSidebar}</span>`), inSidebar);
});

test('a correction to the minute counts whole minutes, whatever seconds the other end had', async (t) => {
  const { personId, itemId } = await place();
  const yesterday = addDays(today, -1);
  const recorded = async (started: string, ended: string, minutes: number) => {
    const [{ id }] = await sql(
      `insert into time_entries (account_id, workspace_id, user_id, item_id, kind, started_at, ended_at, day, minutes)
       select account_id, workspace_id, $1, id, 'timer', $3, $4, ($3::timestamptz at time zone 'UTC')::date, $5 from items where id = $2 returning id`,
      ...[personId, itemId, started, ended, minutes],
    );
    return Number(id);
  };
  const at = (time: string, day = yesterday) => `${day}T${time}Z`;
  const corrected = async (entryId: number, change: object) =>
    (await act(personId, trackTime, { action: 'correct', entryId, revision: 1, reason: 'Wrong.', ...change })).entry;
  const first = await recorded(at('22:50:37', addDays(yesterday, -1)), at('00:05:50'), 75);
  t.like(await corrected(first, { endedAt: at('00:20:00') }), { minutes: 90, startedAt: at('22:50:00.000', addDays(yesterday, -1)) });
  const second = await recorded(at('10:00:00'), at('10:20:10'), 20);
  t.like(await corrected(second, { startedAt: at('09:50:00') }), { minutes: 30, endedAt: at('10:20:00.000') });
  const exact = await recorded(at('12:00:37'), at('12:30:00'), 29);
  t.like(
    await corrected(exact, { endedAt: at('12:40:20') }),
    { minutes: 39, startedAt: at('12:00:37.000') },
    'a moment with seconds is exact',
  );
});
