/** My day, the quick line, and the week, over HTTP without script (behaviour §20). */
import { todayIn } from '../../src/values/dates.ts';
import { fileDatabase } from '../support/database.ts';
import { assignedTask, workspaceOfPeople } from '../support/people.ts';
import { rowsAt } from '../support/rowsAt.ts';
import { suite } from '../support/suite.ts';
import { signedIn, type Visitor } from '../support/visitor.ts';
import { startWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const hostile = `<script>document.title='broken'</script>`;
const database = fileDatabase();
let web: Web;
let refs: WorldRefs;

const people = ['ana', 'bo', 'cleo', 'dan', 'eve', 'fay', 'gus', 'kai', 'lea', 'max', 'ned', 'oda', 'pia', 'quin', 'rae'];

test.before('an account with a task for each person', async () => {
  const viewers = ['hal', 'ivy'];
  const file = workspaceOfPeople(
    [...people, ...viewers],
    {
      members: [
        ...people.slice(1).map((user) => ({ user, role: 'member' as const })),
        ...viewers.map((user) => ({ user, role: 'viewer' as const })),
      ],
      items: people.map((user) => assignedTask(user, `task-${user}`, `Write ${hostile} for ${user}`)),
    },
    {
      workspaces: [
        {
          ref: 'boats',
          name: 'Boats',
          members: [
            { user: 'ana', role: 'owner' },
            { user: 'hal', role: 'member' },
          ],
          items: [{ ref: 'row', type: 'task', title: 'Write to the boatyard' }],
        },
      ],
    },
    { timezone: 'Europe/Berlin' },
  );
  refs = await world(database.url, file);
  web = await startWeb(database.url);
});
test.after('stop', () => web?.stop());

/** A separate person for each test. */
const as = (person: string): Promise<Visitor> => signedIn(web.baseUrl, `${person}@acme.example`);
const task = (person: string) => `#${refs.id(`task-${person}`)}`;
const rows = (text: string, ...values: unknown[]) => rowsAt(database.url, text, values);
/** A second task of the person. */
const another = (person: string, title: string) =>
  rows(
    `insert into items (account_id, workspace_id, type, title, status, status_key, assignee_id)
     select account_id, workspace_id, type, $1, status, status_key, assignee_id from items where id = $2`,
    title,
    refs.id(`task-${person}`),
  );
const entriesOf = (person: string) =>
  rows(
    `select kind, note, minutes, started_at, ended_at, to_char(day, 'YYYY-MM-DD') as day from time_entries where user_id = $1 order by id`,
    refs.id(person),
  );
const day = (days: number, zone = 'Europe/Berlin') => todayIn(zone, Date.now() + days * 86_400_000);

test('My day is the landing page: groups with counts and hours left, the week and the day in the sidebar', async (t) => {
  const ana = await as('ana');
  t.is(ana.at.path, '/');
  await rows(`update items set due_date = current_date - 5, estimated_hours = 8, progress_percent = 50 where id = $1`, refs.id('task-ana'));
  const { text, html } = await ana.go('/');
  t.regex(text, /Overdue1 ?4 h left/);
  t.regex(text, /5 days late/);
  t.true(text.includes(`Write ${hostile} for ana`), 'a title is shown as it was typed');
  t.regex(text, /This week.*Today, hour by hour/);
  t.regex(html, /aria-current="date"/);
  t.regex((await ana.go('/?day=2026-11-25')).text, /My day ?Wednesday 25 November/);
  t.is((await ana.go('/?day=not-a-day')).status, 200, 'a day that is none is today');
});

test('a timer starts, switches and stops from a row, if the displayed state is current', async (t) => {
  const bo = await as('bo');
  const id = refs.id('task-bo');
  await rows('update items set assignee_id = $1 where id = $2', refs.id('bo'), refs.id('task-max'));
  await bo.go('/');
  t.regex((await bo.send('/my/act', { start: String(id) })).text, /Timer started/);
  const before = bo.form('/my/act');
  const switched = await bo.send('/my/act', { start: String(refs.id('task-max')) });
  t.regex(switched.text, /Timer switched/);
  before.fields.set('start', String(id));
  const late = await bo.post(before.path, before.fields);
  t.is(late.status, 409);
  t.regex(late.text, /nothing was switched/);
  await bo.go('/');
  t.regex((await bo.send('/my/act', { stop: String(refs.id('task-max')) })).text, /Timer stopped/);
  t.deepEqual(
    (await entriesOf('bo')).map(({ ended_at }) => ended_at !== null),
    [true, true],
  );
});

test('an item is finished in one step, which can be undone; an outdated version shows both values', async (t) => {
  const kai = await as('kai');
  await kai.go('/');
  const done = await kai.send('/change/status');
  t.regex(done.text, /for kai marked done/);
  t.false(done.html.includes(`data-item="${refs.id('task-kai')}"`), 'it is no open work any more');
  t.regex((await kai.send('/undo')).text, /for kai/);
  const { path, fields } = kai.form('/change/status');
  await rows(`update items set version = version + 1, status = 'in_review', status_key = 'in_review' where id = $1`, refs.id('task-kai'));
  const late = await kai.post(path, fields);
  t.is(late.status, 409);
  t.regex(late.text, /In review.*Done/);
});

test('a line of a time and a number is logged at once, counts once, and stays on My day; a meaning that changed since it was shown asks', async (t) => {
  const cleo = await as('cleo');
  await cleo.go('/');
  const { path, fields } = cleo.form('/my/line');
  fields.set('text', `1:30 ${task('cleo')} yesterday`);
  const [once, twice] = [await cleo.post(path, fields), await cleo.post(path, fields)];
  t.regex(once.path, /^\/\?undo=time\.\d+\.1&notice=logged$/);
  t.is(twice.path, once.path);
  t.regex(once.text, /Logged 1 h 30 min on \d+ Write/);
  t.is((await entriesOf('cleo')).length, 1);
  t.like((await entriesOf('cleo'))[0], { kind: 'manual', minutes: 90, day: day(-1) });
  const shown = await cleo.go(`/my/line?text=${encodeURIComponent('20m on for cleo')}`);
  t.regex(shown.text, /Logs 20 min .* on \d+ Write .* for cleo/);
  await another('cleo', 'Write back for cleo');
  const changed = await cleo.send('/my/line');
  t.is(changed.status, 400);
  t.regex(changed.text, /Which item\?/);
  await rows(`update items set title = 'Gone' where title = 'Write back for cleo'`);
  const old = cleo.form('/my/line');
  old.fields.set('understood', '[1]');
  t.is((await cleo.post(old.path, old.fields)).status, 409);
  t.is((await entriesOf('cleo')).length, 1);
});

test('a line with a title makes a task of the reader, with its parent and workspace; Undo archives it', async (t) => {
  const hal = await as('hal');
  const [{ id: parent }] = await rows(`select id::int from items where title = 'Write to the boatyard'`);
  await hal.go('/');
  const made = await hal.send('/my/line', { text: `Order "4h" paper 2031-05-01 4h #${parent}` });
  t.regex(made.text, /\d+ Order 4h paper created/);
  const [task] = await rows(
    `select i.parent_item_id::int as parent, w.name, i.assignee_id::int as assignee, estimated_hours::float as hours, to_char(due_date, 'YYYY-MM-DD') as due
     from items i join workspaces w on w.id = i.workspace_id where title = 'Order 4h paper'`,
  );
  t.deepEqual(task, { parent, name: 'Boats', assignee: refs.id('hal'), hours: 4, due: '2031-05-01' });
  await hal.send('/undo');
  t.deepEqual(await rows(`select archived_at is not null as archived from items where title = 'Order 4h paper'`), [{ archived: true }]);
  const wrong = await hal.send('/my/line', { text: 'Order @unknown' });
  t.is(wrong.status, 400);
  t.regex(wrong.text, /@unknown matches no assignable user/);
  t.is(hal.form('/my/line').fields.get('text'), 'Order @unknown');
  t.is((await hal.send('/my/line', { text: '' })).status, 400);
  t.is((await hal.send('/my/line', { text: 'Row', in: '999999' })).status, 400, 'a workspace that the reader does not reach');
});

test("a past range is recorded with its times in the user's zone, and a future one is planned", async (t) => {
  const dan = await as('dan');
  await dan.go('/');
  t.regex((await dan.send('/my/line', { text: `9:15-10:30 ${task('dan')} yesterday` })).text, /Logged 1 h 15 min/);
  const [entry] = await entriesOf('dan');
  const local = new Date(entry.started_at).toLocaleString('sv', { timeZone: 'Europe/Berlin' });
  t.deepEqual([entry.kind, local.slice(0, 16)], ['timer', `${day(-1)} 09:15`]);
  await dan.go('/');
  const planned = await dan.send('/my/line', { text: `22-1 tomorrow on ${task('dan')}` });
  t.regex(planned.text, /Planned 22:00–01:00 \w+ on \d+ Write .* for dan/);
  t.regex(planned.path, /^\/\?undo=plan\./);
  const [block] = await rows('select start_local, end_local, timezone from plan_blocks where user_id = $1', refs.id('dan'));
  t.deepEqual(block, { start_local: `${day(1)}T22:00`, end_local: `${day(2)}T01:00`, timezone: 'Europe/Berlin' });
});

test('a line that can mean several things asks in place, and a refused line stays as typed', async (t) => {
  // In Berlin another day has begun for an hour or two before 00:00 UTC, which is shown next to the note.
  await rows('update users set timezone = $2 where id = $1', refs.id('eve'), 'UTC');
  const eve = await as('eve');
  await eve.go('/');
  await rows(
    `insert into items (account_id, workspace_id, type, title, status, status_key, assignee_id)
     select account_id, workspace_id, 'task', t, 'planned', 'planned', $1 from items, unnest(array['Words for mails', 'Words for posters']) t where id = $2`,
    refs.id('eve'),
    refs.id('task-eve'),
  );
  const asked = await eve.send('/my/line', { text: '45m on words' });
  t.is(asked.status, 400);
  t.regex(asked.text, /Choose an item.*Which item\?.*Words for .*Words for/);
  const [{ id }] = await rows(`select id::int from items where title = 'Words for mails'`);
  t.regex((await eve.send('/my/line', { itemId: String(id) })).text, /Logged 45 min on \d+ Words for mails, today/);
  await eve.go('/');
  t.regex((await eve.send('/my/line', { text: '45m words' })).text, /several things.*Log 45 min on \d+ Words for.*Add task words/);
  t.regex((await eve.send('/my/line', { as: 'task' })).text, /\d+ words created/);
  await eve.go('/');
  t.regex((await eve.send('/my/line', { text: '30m on standup' })).text, /with the note standup\s*No matching item/);
  await eve.send('/my/line', { itemId: String(id) });
  t.deepEqual(
    (await entriesOf('eve')).map(({ note }) => note),
    ['', 'standup'],
  );
  await eve.go('/');
  const wrong = await eve.send('/my/line', { text: '45m on #999999' });
  t.is(wrong.status, 400);
  t.regex(wrong.text, /You cannot log time on #999999/);
  t.is(eve.form('/my/line').fields.get('text'), '45m on #999999');
  await eve.go('/');
  await eve.send('/my/line', { text: `24h ${task('eve')} yesterday` });
  await eve.go('/');
  const full = await eve.send('/my/line', { text: `10m ${task('eve')} yesterday` });
  t.is(full.status, 400);
  t.regex(full.text, /already holds 1440 minutes/);
});

test('on My day of another day a line that names no day means the day shown, before and when it is sent', async (t) => {
  const ned = await as('ned');
  const [past, future] = [day(-3), day(4)];
  // In Berlin a day begins before it does in UTC.
  const now = day(0, 'UTC');
  await ned.go(`/?day=${past}`);
  t.regex(ned.at.text, /unless it names another day/);
  const back = encodeURIComponent(`/?day=${past}`);
  await ned.go(`/my/line?back=${back}&text=${encodeURIComponent(`9-11 ${task('ned')}`)}`);
  t.regex(ned.at.text, new RegExp(`Logs 09:00–11:00 ?\\w+ ${Number(past.slice(8))} `));
  await ned.send('/my/line');
  t.regex(ned.at.path, new RegExp(`^/\\?day=${past}&`));
  await ned.go(`/?day=${past}`);
  await ned.send('/my/line', { text: `25m ${task('ned')}` });
  await ned.send('/my/line', { text: `35m today ${task('ned')}` });
  t.deepEqual(
    (await entriesOf('ned')).map(({ kind, minutes, day: on }) => [kind, minutes, on]),
    [
      ['timer', 120, past],
      ['manual', 25, past],
      ['manual', 35, now],
    ],
  );
  await ned.go(`/?day=${future}`);
  await ned.send('/my/line', { text: `9-11 ${task('ned')}` });
  const planned = await rows(
    `select to_char(starts_at at time zone 'Europe/Berlin', 'YYYY-MM-DD HH24:MI') as at from plan_blocks where user_id = $1`,
    refs.id('ned'),
  );
  t.deepEqual(planned, [{ at: `${future} 09:00` }]);
  await ned.go(`/?day=${future}`);
  t.regex((await ned.send('/my/line', { text: `20m ${task('ned')}` })).text, /This day is in the future/);
  await ned.go('/my');
  await ned.send('/my/line', { text: `15m ${task('ned')}` });
  t.is((await entriesOf('ned')).at(-1)!.day, now, 'elsewhere it is today');
});

test('the groups of another day are named after it, with its planned work', async (t) => {
  const quin = await as('quin');
  const shown = day(4);
  await rows(`update items set due_date = $2::date - 1 where id = $1`, refs.id('task-quin'), shown);
  await quin.go(`/?day=${shown}`);
  t.regex(quin.at.text, new RegExp(`Before \\w+ ${Number(shown.slice(8))} `));
  t.notRegex(quin.at.html, /<h2[^>]*>(?:Today|Overdue|This week)</);
  await rows(`update items set due_date = $2::date where id = $1`, refs.id('task-quin'), shown);
  await quin.go(`/?day=${shown}`);
  t.regex(quin.at.html, new RegExp(`id="group-today"[^]*\\w+ ${Number(shown.slice(8))} [^]*for quin`));
});

test('the UTC day is explained where the local day differs', async (t) => {
  const oda = await as('oda');
  // Some zone has tomorrow already, except for an hour a day.
  const ahead = ['Pacific/Kiritimati', 'Pacific/Auckland', 'Asia/Tokyo'].find((zone) => day(0, zone) > day(0, 'UTC'));
  await rows('update users set timezone = $2 where id = $1', refs.id('oda'), ahead ?? 'Pacific/Kiritimati');
  await oda.go('/');
  const shown = await oda.go(`/my/line?text=${encodeURIComponent(`30m ${task('oda')}`)}`);
  if (ahead) t.regex(shown.text, /This counts on .*Days of recorded time start at 00:00 UTC/);
  t.regex((await oda.send('/my/line')).text, /Logged 30 min/);
  t.is((await entriesOf('oda'))[0].day, day(0, 'UTC'));
});

test('time is recorded by its fields and corrected with a reason, in common formats of lengths and times', async (t) => {
  const fay = await as('fay');
  await fay.go('/my');
  const logged = await fay.send('/entries/log', { work: task('fay'), minutes: '1h30', note: hostile });
  t.true(logged.text.includes(hostile), 'the note is shown as it was typed');
  t.regex(logged.text, /Logged 1 h 30 min on \d+ Write/);
  t.regex((await fay.send('/entries/correct', { minutes: '45m', reason: 'half of it was lunch' })).text, /Saved\..*45 min.*/);
  t.regex(fay.at.text, /corrected/);
  t.deepEqual(
    await rows(
      'select v.minutes, v.reason from time_entry_versions v join time_entries e on e.id = v.entry_id where e.user_id = $1',
      refs.id('fay'),
    ),
    [{ minutes: 90, reason: 'half of it was lunch' }],
  );
  await fay.go('/');
  await fay.send('/my/line', { text: `9-10 yesterday ${task('fay')}`, back: '/my' });
  const from = (await entriesOf('fay'))[1].started_at;
  const which = (fields: URLSearchParams) => fields.has('startedAt');
  t.is(fay.form('/entries/correct', which).fields.get('startedAt'), `${day(-1)}T09:00`, 'as clocks show it where the person is');
  await fay.send('/entries/correct', { startedAt: `${day(-1)}T09:20`, reason: 'late' }, which);
  t.is(new Date((await entriesOf('fay'))[1].started_at).getTime() - new Date(from).getTime(), 20 * 60_000);
  await fay.go('/my?week=2020-01-06');
  t.regex(fay.at.text, /No time recorded or planned this week/);
});

test('the item field accepts a number, an offered value or words, and offers choices in the same form', async (t) => {
  const gus = await as('gus');
  await another('gus', 'Write more');
  await gus.go('/my');
  const several = await gus.send('/timer/start', { work: 'Write', note: 'kept words' });
  t.is(several.status, 400);
  t.regex(several.text, /Item: several items match. Choose one/);
  t.deepEqual([gus.form('/timer/start').fields.get('work'), gus.form('/timer/start').fields.get('note')], ['Write', 'kept words']);
  t.regex((await gus.send('/timer/start', { itemId: String(refs.id('task-gus')) })).text, /Timer started/);
  const { text } = await gus.go('/my/timer?back=/my');
  t.regex(text, /Switch timer.*The timer is running on Write/);
  await gus.send('/timer/switch', { work: `${refs.id('task-ned')} Write ${hostile} for ned` });
  t.is(gus.at.path, '/my?notice=switched');
  t.regex(gus.at.text, /for ned/);
  const csrf = gus.form('/sign-out').fields.get('_csrf')!;
  const second = await gus.post('/my/timer/start', new URLSearchParams({ _csrf: csrf, itemId: String(refs.id('task-gus')) }));
  t.is(second.status, 409, 'another tab, in which nothing ran yet');
  t.regex(second.text, /nothing was switched/);
});

test('a block is planned by its fields, moved, started and cancelled', async (t) => {
  const lea = await as('lea');
  for (const [start, end] of [
    ['2199-01-07T09:00', '2199-01-07T11:00'],
    ['2199-01-08T22:00', '2199-01-09T01:00'],
  ] as const) {
    await lea.go('/my');
    await lea.send('/blocks/create', { work: task('lea'), startLocal: start, endLocal: end, remindStart: 'on', remindMinutes: '90' });
    t.regex(lea.at.path, /^\/my\?week=2199-01-07&landed=block-\d+&undo=plan\.\d+\.1&notice=planned$/, 'to its week');
  }
  const wrong = await lea.send('/blocks/create', { work: task('lea'), remindStart: 'on', remindMinutes: '121' });
  t.is(wrong.status, 400);
  t.regex(wrong.text, /Reminder, minutes before the start: give whole minutes from 0 to 120/);
  await lea.go('/my?week=2199-01-07');
  t.regex(lea.at.text, /Monday 7 January.*09:00–11:00.*planned reminder 1 h 30 min before the start.*Tuesday 8 January.*22:00–/);
  t.regex((await lea.send('/blocks/move', { startLocal: '2199-01-07T10:00', endLocal: '2199-01-07T12:00' })).text, /10:00–12:00/);
  t.is((await lea.send('/blocks/move', { startLocal: '2199-01-07T10:00', endLocal: '2199-01-07T09:00' })).status, 400);
  await lea.go('/my?week=2199-01-07');
  t.regex((await lea.send('/blocks/start')).text, /Timer started/);
  const which = (fields: URLSearchParams) => fields.get('revision') === '1';
  t.regex((await lea.send('/blocks/cancel', {}, which)).text, /Cancelled 22:00–01:00/);
  const states = await rows('select state from plan_blocks where user_id = $1 order by id', refs.id('lea'));
  t.deepEqual(
    states.map(({ state }) => state),
    ['running', 'cancelled'],
  );
});

test("other users' entries can't be changed, and a form without its CSRF value is refused", async (t) => {
  const max = await as('max');
  await max.go('/my');
  const csrf = max.form('/sign-out').fields.get('_csrf')!;
  const [{ id }] = await rows(
    `insert into time_entries (account_id, workspace_id, user_id, item_id, kind, day, minutes)
     select account_id, workspace_id, $1, id, 'manual', current_date - 20, 5 from items where id = $2 returning id`,
    refs.id('ned'),
    refs.id('task-ned'),
  );
  const post = async (path: string, form: Record<string, string>) => (await max.post(path, new URLSearchParams(form))).status;
  const theirs = { entryId: String(id), revision: '1' };
  t.is(await post('/my/entries/annotate', { _csrf: csrf, ...theirs, note: 'mine now' }), 403);
  t.is(await post('/my/timer/switch', { _csrf: csrf, ...theirs, itemId: String(refs.id('task-max')) }), 403);
  t.is(await post('/my/act', { _csrf: csrf, ...theirs, start: String(refs.id('task-max')) }), 403);
  t.is(await post('/my/entries/annotate', { ...theirs, note: 'no value' }), 403);
});

test('items are offered where time may be recorded, and a user without any gets a message', async (t) => {
  const hal = await as('hal');
  await hal.go('/');
  const found = await hal.go('/my/line?text=45m+on+write+to');
  t.regex(found.text, /on \d+ Write to the boatyard/, 'of all that is called so, the one where it may be recorded');
  const ivy = await as('ivy');
  const { text, html } = await ivy.go('/my');
  t.regex(text, /You cannot record time in any workspace/);
  t.notRegex(html, /action="[^"]*\/my\/(line|entries|blocks)/);
  t.notRegex((await ivy.go('/')).html, /\/my\/line|Plan time/);
});

/** A long past week, in which every day is editable. */
const WEEK = '2026-03-02';

test('the week grid: cells and rows with new items are saved in one form, once, and every view links to the others', async (t) => {
  const pia = await as('pia');
  await another('pia', 'Write it all');
  await pia.go('/my/timesheet?week=2026-W10');
  t.regex(pia.at.text, /My week ?Mon 2 Mar to Sun 8 Mar/);
  t.regex(
    pia.at.text,
    /Mon 2 Mar in UTC is Mon 2 Mar 01:00 to Tue 3 Mar 01:00 in Europe\/Berlin/,
    'where days are not those of UTC, it is said',
  );
  for (const to of ['/my?week=2026-03-02', '/my/month?month=2026-03', '/reports/time', '/my/calendar'])
    t.true(pia.at.html.includes(`${to}"`), to);
  const own = refs.id('task-pia');
  const typed = { 'work-0': `#${own}`, [`n-0-${WEEK}`]: '1.5', 'n-0-2026-03-04': '45m', 'work-1': 'Write', [`n-1-${WEEK}`]: '2x' };
  const unsure = await pia.send('/my/timesheet', typed);
  t.is(unsure.status, 400);
  t.regex(unsure.text, /Choose an item for each new row.*Several items match. Choose one.*Mon 2: give a length/);
  t.deepEqual(await entriesOf('pia'), []);
  t.is(pia.form('/my/timesheet').fields.get(`n-1-${WEEK}`), '2x', 'the typed text stays');
  const unread = await pia.send('/my/timesheet', { 'item-1': String(refs.id('task-quin')) });
  t.regex(unread.text, /Mon 2: ?Give a length|Mon 2: ?give a length/);
  const form = pia.form('/my/timesheet');
  form.fields.set('item-1', String(refs.id('task-quin')));
  form.fields.set(`n-1-${WEEK}`, '2');
  const [once, twice] = [await pia.post(form.path, form.fields), await pia.post(form.path, form.fields)];
  t.is(once.path, '/my/timesheet?week=2026-03-02&notice=saved');
  t.is(twice.path, once.path);
  t.deepEqual(
    (await entriesOf('pia')).map(({ minutes, day: on }) => [minutes, on]),
    [
      [90, WEEK],
      [45, '2026-03-04'],
      [120, WEEK],
    ],
  );
  t.is(pia.form('/my/timesheet').fields.get(`m-${own}-${WEEK}`), '1:30');
  t.regex(pia.at.text, /Total3:300:454:15/);
  t.is((await pia.send('/my/timesheet')).path, '/my/timesheet?week=2026-03-02&notice=nothing');
  await pia.go('/my/timesheet?week=2026-03-09');
  t.regex(pia.at.text, /Copy last week’s rows \(2\)/);
  await pia.go('/my/timesheet?week=2026-03-09&rows=last');
  t.is(pia.form('/my/timesheet').fields.get(`m-${own}-2026-03-09`), '');
  t.regex((await pia.go('/my/month?month=2026-03')).text, /My month ?March 2026 · 4 h 15 min/);
  t.regex(pia.at.text, /Monday 2 March 2026: 3 h 30 min recorded/);
});

test("a cell changed meanwhile shows both values and keeps the typed one, with the entry's earlier value below", async (t) => {
  const quin = await as('quin');
  const own = refs.id('task-quin');
  await rows(
    `insert into time_entries (account_id, workspace_id, user_id, item_id, kind, day, minutes, note)
     select account_id, workspace_id, $1, id, 'manual', $3, 60, 'my words' from items where id = $2`,
    refs.id('quin'),
    own,
    WEEK,
  );
  const cell = `m-${own}-${WEEK}`;
  await quin.go(`/my/timesheet?week=${WEEK}`);
  await rows('update time_entries set minutes = 75 where user_id = $1', refs.id('quin'));
  const late = await quin.send('/my/timesheet', { [cell]: '2h', [`m-${own}-2026-03-03`]: '1:00' });
  t.is(late.status, 409);
  t.regex(late.text, /Mon 2: this cell changed from 1 h to 1 h 15 min since you opened the page\. Your value \(2h\) is not saved/);
  t.deepEqual([quin.form('/my/timesheet').fields.get(cell), (await entriesOf('quin')).length], ['2h', 1]);
  t.regex((await quin.send('/my/timesheet')).text, /Saved/, 'sent again it is based on the last displayed values');
  const [entry] = await entriesOf('quin');
  t.deepEqual([entry.minutes, entry.note], [120, 'my words']);
  t.regex(
    (await quin.go(`/my?week=${WEEK}`)).text,
    /2 h.*my words.*was 1 h 15 min, (?:Mon 2 Mar|2 Mar 2026), changed today .*Entered in the timesheet/,
  );
  await quin.go(`/my/timesheet?week=${WEEK}`);
  await quin.send('/my/timesheet', { [cell]: '' });
  t.regex((await quin.go(`/my?week=${WEEK}`)).text, /removed.*0 min/);
  const stolen = new URLSearchParams({
    _csrf: quin.form('/sign-out').fields.get('_csrf')!,
    week: WEEK,
    [`m-${refs.id('row')}-${WEEK}`]: '1h',
  });
  t.is((await quin.post('/my/timesheet', stolen)).status, 403, 'work of a workspace that one does not belong to');
});

test('a week with more entries or blocks than it shows says so', async (t) => {
  await rows(
    `insert into plan_blocks (account_id, workspace_id, user_id, item_id, state, start_local, end_local, timezone, starts_at, ends_at)
     select u.account_id, i.workspace_id, u.id, i.id, 'scheduled', '2026-03-04T10:00', '2026-03-04T10:30', 'UTC', '2026-03-04T10:00Z', '2026-03-04T10:30Z'
     from users u, items i, generate_series(1, 301) where u.id = $1 and i.id = $2`,
    refs.id('rae'),
    refs.id('task-rae'),
  );
  const rae = await as('rae');
  const { html, text } = await rae.go('/my?week=2026-03-04');
  t.is(html.match(/id="block-\d+"/g)?.length, 300);
  t.regex(text, /more than 300 entries or blocks; the first 300 of each are here/);
});
