/** A workspace's timeline without a script: visibility, filters, tasks on demand, changing dates (behaviour §26). */
import { addDays } from '../../src/values/dates.ts';
import { fileDatabase } from '../support/database.ts';
import { type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import type { Shown, Visitor } from '../support/visitor.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
let ana: Visitor;
let member: Visitor;
let viewer: Visitor;
let narrow: Visitor;

const today = new Date().toISOString().slice(0, 10);
const later = (days: number) => addDays(today, days);
const at = () => `/workspaces/${world.workspaceId}`;
const timeline = (more = '') => `${at()}?view=timeline${more}`;

type Item = Awaited<ReturnType<RestWorld['make']>>;
const make = (type: string, title: string, fields = {}, more = {}): Promise<Item> => world.make(type, fields, { title, ...more });
const read = ({ id }: Item): Promise<Item> => world.read(id);
/** The item numbers of the lines, in order. */
const lines = ({ html }: Shown) => [...html.matchAll(/<tr id="tl-(\d+)"/g)].map(([, id]) => Number(id));
const lineOf = ({ html }: Shown, { id }: Item) => new RegExp(`<tr id="tl-${id}".*?</tr>`, 's').exec(html)?.[0] ?? '';
const undated = ({ html }: Shown) => [...html.matchAll(/<li class="row[^"]*" data-item="(\d+)"/g)].map(([, id]) => Number(id));

let goal: Item;
let release: Item;
let car: Item;
let deck: Item;
let milestone: Item;
let idea: Item;
let task: Item;
let subtask: Item;

test.before('a plan, and people who see all or part of it', async () => {
  world = await restWorld(database.url, { BASE_URL: 'http://localhost/stint' });
  ana = await world.visitor(world.ownerId);
  member = await world.visitor((await world.join('member')).userId);
  viewer = await world.visitor((await world.join('viewer')).userId);
  const narrowId = await world.fixtures.user(world.accountId);
  await world.fixtures.member(world.workspaceId, narrowId, 'member', { releases: 'none', goals: 'none' });
  narrow = await world.visitor(narrowId);
  goal = await make('goal', 'Full ships');
  release = await make('release', 'Spring voyage', { goalId: goal.id, startDate: later(-3), targetDate: later(20) });
  car = await make('requirement', 'Take a car', { releaseId: release.id, targetDate: later(10) });
  deck = await make('requirement', 'Know the deck', { parentId: car.id, goalId: goal.id, startDate: later(2), targetDate: later(30) });
  milestone = await make('milestone', 'Open day', { targetDate: later(5) });
  idea = await make('requirement', 'Some day', { goalId: goal.id });
  task = await make('task', 'Paint', { requirementId: car.id, dueDate: later(4) });
  subtask = await make('task', 'Buy paint', { requirementId: car.id, parentItemId: task.id });
  await make('task', 'Sand', { requirementId: car.id }, { status: 'done' });
});
test.after('stop', () => world?.end());

test('items are below what they are part of, through any link; goals appear with their contributions', async (t) => {
  t.is((await ana.go(timeline())).status, 200);
  t.deepEqual(lines(ana.at), [milestone.id, goal.id, release.id, car.id, deck.id]);
  t.deepEqual(undated(ana.at), [idea.id]);
  t.regex(ana.at.text, /Timeline5.*Without dates 1.*Some day/);
  t.regex(ana.at.html, /href="[^"]*view=timeline"[^>]*aria-current="page"/);
  t.regex(lineOf(ana.at, deck), /20 days after requirement/, 'it ends later than what it is part of');
  t.regex(ana.at.html, /class="dep late"/);
  await ana.go(`${timeline()}&scale=quarters&start=2031-05-05`);
  t.regex(ana.at.text, /Q2 2031.*Q3 2032/);
  t.regex(lineOf(ana.at, milestone), /← /);
});

test('hidden items are not shown or named, and read-only items have no handle', async (t) => {
  await narrow.go(timeline());
  t.deepEqual(lines(narrow.at), [milestone.id], 'whatever hangs below a release needs the right to read releases');
  t.deepEqual(undated(narrow.at), [idea.id]);
  for (const hidden of ['Full ships', 'Spring voyage', 'Take a car', 'Know the deck']) t.false(narrow.at.html.includes(hidden), hidden);
  t.regex(narrow.at.html, new RegExp(`items/${idea.id}/change/dates`));
  await narrow.go(`${timeline()}&tasks=${car.id}&tasks=${release.id}&within=${release.id}`);
  t.false(narrow.at.html.includes('Paint'), 'nor by asking for it');
  await viewer.go(timeline());
  t.deepEqual(lines(viewer.at), lines(await ana.go(timeline())));
  await member.go(timeline());
  t.regex(lineOf(member.at, car), /class="tbar" href/);
  t.notRegex(lineOf(member.at, release), /class="tbar"|\/change\//, 'releases are for managers to change');
  t.notRegex(viewer.at.html, /class="tbar"|data-drop|\/change\/|timeline\.[0-9a-f]+\.js|Add dates/);
  t.is((await viewer.go(`${at()}/items/${car.id}/change/dates`)).status, 403);
  const stranger = await world.visitor(await world.fixtures.user(await world.fixtures.account()));
  t.is((await stranger.go(timeline())).status, 403);
});

test("a row's address opens its tasks, a task its descendants, with the filters for people and status", async (t) => {
  await ana.go(timeline());
  t.regex(lineOf(ana.at, car), new RegExp(`tasks=${car.id}" aria-expanded="false"`));
  t.notRegex(lineOf(ana.at, milestone), /aria-expanded/);
  t.notRegex(lineOf(ana.at, release), /aria-expanded/, 'its tasks are those of its requirements');
  await ana.go(timeline(`&tasks=${car.id}`));
  t.deepEqual(lines(ana.at), [milestone.id, goal.id, release.id, car.id, deck.id, task.id]);
  t.regex(lineOf(ana.at, car), /aria-expanded="true"/);
  await ana.go(timeline(`&tasks=${car.id}&tasks=${task.id}`));
  t.deepEqual(lines(ana.at).slice(-2), [task.id, subtask.id]);
  await ana.go(timeline(`&tasks=${car.id}&status=all`));
  t.regex(ana.at.text, /Sand/);
});

test('filters keep matching items and their parents, and stay from list to board to timeline', async (t) => {
  await ana.go(timeline('&search=deck'));
  t.deepEqual(lines(ana.at), [goal.id, release.id, car.id, deck.id]);
  t.regex(lineOf(ana.at, car), /class="off"/, 'shown because of its descendants');
  t.notRegex(lineOf(ana.at, deck), /class="off"/);
  t.deepEqual(lines(await ana.go(timeline(`&within=${car.id}`))), [goal.id, release.id, car.id, deck.id]);
  t.deepEqual(lines(await ana.go(timeline(`&due=${later(5)}..${later(5)}`))), [milestone.id]);
  t.deepEqual(lines(await ana.go(timeline('&status=planned'))), lines(await ana.go(timeline())), 'gathered or streamed, the same');
  await ana.go(timeline('&assignee=unassigned&status=closed'));
  t.regex(ana.at.text, /No requirements, releases or milestones match these filters/);
  await ana.go(`${at()}?assignee=me&search=deck&type=requirement`);
  t.regex(ana.at.html, /href="[^"]*type=requirement&amp;assignee=me&amp;search=deck&amp;view=timeline"/);
  await ana.go(timeline('&assignee=me&search=deck&type=requirement&scale=months&tasks=5'));
  t.regex(ana.at.html, /href="[^"?]*\?type=requirement&amp;assignee=me&amp;search=deck"/, 'and back, without the timeline’s parameters');
});

test("a bar's page changes start and end together, with an undo; a start after the end is refused", async (t) => {
  await ana.go(timeline());
  const href = /class="tbar" href="\/stint([^"]*)"/.exec(lineOf(ana.at, release))![1]!.replaceAll('&amp;', '&');
  await ana.follow(href);
  t.regex(ana.at.text, /Start and target.*A week later/);
  await ana.send('/change/dates', { start: later(1), end: later(8), value: null });
  t.regex(ana.at.path, /view=timeline&undo=.*notice=changed/);
  t.like((await read(release)).fields, { startDate: later(1), targetDate: later(8) });
  await ana.send('/undo');
  t.like((await read(release)).fields, { startDate: later(-3), targetDate: later(20) });
  await ana.go(href);
  await ana.send('/change/dates', { start: later(9), end: later(8), value: null });
  t.is(ana.at.status, 400);
  t.regex(ana.at.text, /must not be after/i);
  t.true(ana.at.html.includes(`value="${later(9)}"`), 'as it was typed');
});

test("a task's end is its due date, and items without dates can get some", async (t) => {
  await member.go(timeline(`&tasks=${car.id}`));
  t.regex(lineOf(member.at, task), /change\/due-dates/);
  await member.go(`${at()}/items/${task.id}/change/due-dates?back=${at()}`);
  await member.send('/change/due-dates', { value: `${later(3)}..${later(6)}` });
  t.like((await read(task)).fields, { startDate: later(3), dueDate: later(6) });
  await member.go(`${at()}/items/${idea.id}/change/dates?back=${at()}`);
  t.regex(member.at.text, /Next week/);
  await member.send('/change/dates', { value: `..${later(40)}` });
  t.like((await read(idea)).fields, { startDate: null, targetDate: later(40) });
  t.is((await member.go(`${at()}/items/${task.id}/change/dates`)).status, 403, 'a task has no target');
  t.deepEqual(undated(await member.go(timeline())), []);
});

test('an edit conflict shows both date ranges, and nothing is saved until the user chooses', async (t) => {
  const change = `${at()}/items/${car.id}/change/dates?back=${timeline()}`;
  await ana.go(change);
  await member.go(change);
  await member.send('/change/dates', { value: `..${later(12)}` });
  await ana.send('/change/dates', { value: `${today}..${later(14)}` });
  t.is(ana.at.status, 409);
  t.regex(ana.at.text, /Saved value.*until .*Today to /);
  t.is((await read(car)).fields.targetDate, later(12));
  await ana.send('/change/dates', {}, (fields) => fields.get('value') === `${today}..${later(14)}`);
  t.like((await read(car)).fields, { startDate: today, targetDate: later(14) });
});

test('only those who see forecasts see them on the timeline', async (t) => {
  await world.fixtures.sql(
    `with f as (insert into capacity_forecasts (account_id, scope_key, workspace_id, workspace_ids, week)
         select $1, account_scope_key(ids), $2, ids, date_trunc('week', current_date)
         from (select array_agg(id order by id) as ids from workspaces where account_id = $1) w
         on conflict (scope_key, week) do update set read_at = now() returning id),
       s as (insert into capacity_snapshots (account_id, forecast_id, day) select $1, id, current_date from f returning id)
     insert into capacity_projects (account_id, snapshot_id, project_id, forecast_date, buffered_date, outlook)
     select $1, id, $3, $4, $5, 'overcommitted' from s`,
    [world.accountId, world.workspaceId, release.id, later(25), later(32)],
  );
  await ana.go(timeline());
  t.regex(lineOf(ana.at, release), /class="fore red".*class="whisk".*Ready .*5 days late.*overcommitted/s);
  for (const other of [member, viewer]) {
    t.regex(lineOf(await other.go(timeline()), release), /class="fore red".*Ready/s);
    await world.fixtures.sql(`update workspaces set forecasts = 'oversight' where id = $1`, [world.workspaceId]);
    t.notRegex(lineOf(await other.go(timeline()), release), /fore|whisk|Ready/);
    await world.fixtures.sql(`update workspaces set forecasts = 'members' where id = $1`, [world.workspaceId]);
  }
});

test('days away are hatched and dependencies drawn as arrows, both also in words', async (t) => {
  const place = await world.fixtures.workspace(world.accountId);
  await world.fixtures.member(place, world.ownerId);
  const added = async (title: string, start: number, end: number) => {
    const [row] = await world.fixtures.sql(
      `insert into items (account_id, workspace_id, type, title, description, status, status_key, owner_id, start_date, target_date)
       values ($1, $2, 'milestone', $3, '', 'planned', 'planned', $4, $5, $6) returning id`,
      [world.accountId, place, title, world.ownerId, later(start), later(end)],
    );
    return { id: Number(row!.id) } as Item;
  };
  const [first, second, early] = [await added('First', 1, 5), await added('Second', 9, 12), await added('Early', 2, 13)];
  for (const { id } of [second, early])
    await world.fixtures.sql(
      `insert into item_dependencies (account_id, workspace_id, item_id, blocker_id, lag_days) values ($1, $2, $3, $4, 0)`,
      [world.accountId, place, id, first.id],
    );
  await world.fixtures.sql(
    `insert into absences (account_id, user_id, first_day, last_day, half, reason, shared) values ($1, $2, $3, $4, false, 'Surgery', false), ($1, $2, $5, $5, true, '', false)`,
    [world.accountId, world.ownerId, later(3), later(4), later(9)],
  );
  const shown = await ana.go(`/workspaces/${place}?view=timeline`);
  const row = lineOf(shown, second);
  t.is(row.match(/<rect class="away"/g)?.length, 1, 'half days are not hatched');
  t.true(row.includes(`blocked by #${first.id}`));
  t.regex(row, /class="vh"> · away /);
  t.notRegex(lineOf(shown, first), /blocked by/);
  t.is(shown.html.match(/<path class="arrow" d="M-5/g)?.length, 1);
  t.is(shown.html.match(/<path class="arrow late" d="M5/g)?.length, 1, 'starts before its blocker ends');
  t.false(shown.html.includes('Surgery'));
  t.false(/<(?:svg|rect|line|path)[^>]* style=/.test(shown.html));
  await world.fixtures.sql(`delete from absences where user_id = $1`, [world.ownerId]);
});

test('public holidays are hatched: those of the person, without one of the account; half days and other regions are not', async (t) => {
  const { fixtures } = world;
  const place = await fixtures.workspace(world.accountId);
  await fixtures.member(place, world.ownerId);
  const { userId: abroad } = await world.join('member');
  await fixtures.sql(
    `insert into holidays (region, day, half, name) values ('XA', $1, false, 'Account day'), ('XA', $2, true, 'Half day'),
    ('XB', $3, false, 'Day abroad')`,
    [later(4), later(5), later(6)],
  );
  await fixtures.sql(`update accounts set holiday_region = 'XA' where id = $1`, [world.accountId]);
  await fixtures.sql(`update users set holiday_region = 'XB' where id = $1`, [abroad]);
  const added = async (title: string, owner: number | null, end: number) => {
    const [row] = await fixtures.sql(
      `insert into items (account_id, workspace_id, type, title, description, status, status_key, owner_id, start_date, target_date)
       values ($1, $2, 'milestone', $3, '', 'planned', 'planned', $4, $5, $6) returning id`,
      [world.accountId, place, title, owner, later(1), later(end)],
    );
    return { id: Number(row!.id) } as Item;
  };
  const rows = [
    await added('Own', world.ownerId, 9),
    await added('Free', null, 10),
    await added('Abroad', abroad, 11),
    await added('Short', null, 12),
  ];
  await fixtures.sql(`update items set target_date = start_date, due_date = $2 where id = $1`, [rows[3]!.id, later(12)]);
  const shown = await ana.go(`/workspaces/${place}?view=timeline`);
  const ground = /<tr class="ground".*?<\/tr>/s.exec(shown.html)![0];
  const hatched = [...ground.matchAll(/<rect class="away"[^>]* y="(\d+)"[^>]* height="(\d+)"/g)].map(([, y, height]) => [
    Number(y),
    Number(height),
  ]);
  t.deepEqual(hatched, [
    [0, 131],
    [132, 43],
  ]);
  t.regex(lineOf(shown, rows[0]!), /public holidays Account day/);
  t.regex(lineOf(shown, rows[1]!), /public holidays Account day/);
  t.regex(lineOf(shown, rows[2]!), /public holidays Day abroad/);
  t.notRegex(lineOf(shown, rows[3]!), /public holidays/, 'only within its dates');
  t.notRegex(shown.html, /Half day/);
  await fixtures.sql(`update accounts set holiday_region = null where id = $1`, [world.accountId]);
});

test('above 500 bars only the nearest are shown, with a message', async (t) => {
  const place = await world.fixtures.workspace(world.accountId);
  await world.fixtures.member(place, world.ownerId);
  await world.fixtures.sql(
    `insert into items (account_id, workspace_id, type, title, description, status, status_key, target_date)
     select $1::bigint, $2::bigint, 'milestone', 'M' || n, '', 'planned', 'planned', current_date - 300 + n from generate_series(1, 620) n
     union all select $1::bigint, $2::bigint, 'milestone', 'U' || n, '', 'planned', 'planned', null from generate_series(1, 105) n`,
    [world.accountId, place],
  );
  const shown = await ana.go(`/workspaces/${place}?view=timeline`);
  t.regex(shown.text, /Timeline600\+.*Over 500 items have dates/);
  t.is(lines(shown).length, 500);
  t.is(undated(shown).length, 100);
  t.false(shown.html.includes('>M1<'));
  t.true(shown.html.includes('>M620<') || shown.html.includes('>M300<'));
  const before = await ana.go(`/workspaces/${place}?view=timeline&start=${later(-300)}`);
  t.true(before.html.includes('>M1<'));
  t.false(before.html.includes('>M620<'));
  const some = await ana.go(`/workspaces/${place}?view=timeline&search=M6`);
  t.is(lines(some).length, 32, 'M6, M60 to M69, and M600 to M620');
});
