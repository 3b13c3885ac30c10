/** Changes of one value and of many in place, without a script: choices, conflicts, undo (behaviour §23). */
import { fileDatabase } from '../support/database.ts';
import { type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import type { Visitor } from '../support/visitor.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
let ana: Visitor;
let member: Visitor;
let viewer: Visitor;
let stranger: Visitor;
let memberId: number;

test.before('a workspace with an owner, a member and a viewer, and a user of another account', async () => {
  world = await restWorld(database.url, { BASE_URL: 'http://localhost/stint' });
  const { fixtures } = world;
  ana = await world.visitor(world.ownerId);
  memberId = (await world.join('member')).userId;
  member = await world.visitor(memberId);
  viewer = await world.visitor((await world.join('viewer')).userId);
  stranger = await world.visitor(await fixtures.user(await fixtures.account()));
});
test.after('stop', () => world?.end());

const make: RestWorld['make'] = (...made) => world.make(...made);
const read: RestWorld['read'] = (id) => world.read(id);
const at = () => `/workspaces/${world.workspaceId}`;
const change = (id: number, field: string, more = '') => `${at()}/items/${id}/change/${field}?back=${at()}${more}`;
const bulk = (field: string, items: { id: number; version: number }[]) =>
  `${at()}/bulk?change=${field}&back=${at()}&${items.map(({ id, version }) => `ids=${id}.${version}`).join('&')}`;
const optionsOf = (html: string) => [...html.matchAll(/name="value" value="([^"]*)"/g)].map(([, value]) => value);

test('a value is changed on a small page that returns to the previous one, with an undo', async (t) => {
  const task = await make('task', {}, { title: 'Hull' });
  await ana.go(change(task.id, 'status'));
  t.deepEqual(optionsOf(ana.at.html), ['planned', 'in_progress', 'in_review', 'done', 'cancelled']);
  await ana.send('/change/status', { value: 'done' });
  t.regex(ana.at.path, new RegExp(`^${at()}\\?undo=${world.workspaceId}\\.${task.id}\\.2&notice=changed$`));
  t.like(await read(task.id), { status: 'done', fields: { progressPercent: 100 } });
  await ana.go(ana.at.path);
  await ana.send('/undo');
  t.is(ana.at.path, `${at()}?notice=undone`);
  t.like(await read(task.id), { status: 'planned', version: 3, fields: { progressPercent: null } });
});

test('a value opened from a list returns to it, as the browser or the script reports', async (t) => {
  const { id } = await make('task', {}, { title: 'Keel' });
  const menu = `${at()}/items/${id}/change/priority`;
  const list = `${at()}?sort=priority&status=all`;
  const backFrom = async (path: string, referer?: string) => {
    const headers: Record<string, string> = referer === undefined ? {} : { Referer: referer };
    await ana.go(path, { headers });
    return ana.form('/change/priority').fields.get('back');
  };
  await ana.go(list);
  await ana.follow(/href="\/stint([^"]*\/change\/priority)"/.exec(ana.at.html)![1]!);
  t.is(ana.form('/change/priority').fields.get('back'), list);
  const { baseUrl } = ana;
  t.is(await backFrom(`${menu}?opened=${encodeURIComponent(`/stint${list}`)}`), list);
  t.notRegex(ana.at.html, /id="n-\d+-task"/, 'and nothing is counted that a script does not show');
  t.is(await backFrom(menu, `${baseUrl}${list}&notice=saved&undo=1.2.3&again=x`), list);
  const nowhere = [undefined, `${baseUrl}/sign-in?next=${menu}`, baseUrl + menu, 'https://evil.example/stint/workspaces', 'nonsense'];
  for (const referer of nowhere) t.is(await backFrom(menu, referer), `${at()}/items/${id}`, referer);
  t.is(await backFrom(`${menu}?opened=${encodeURIComponent('//evil.example/stint/')}`), `${at()}/items/${id}`);
  t.is(await backFrom(`${menu}?opened=${encodeURIComponent('/stint//evil.example/')}`), `${at()}/items/${id}`);
});

test('every field in rows can be changed and explains invalid values', async (t) => {
  const task = await make('task');
  const release = await make('release', {}, { title: 'Autumn' });
  const all: [string, string, string, unknown][] = [
    ['assignee', String(memberId), 'assigneeId', memberId],
    ['owner', String(world.ownerId), 'ownerId', world.ownerId],
    ['priority', 'urgent', 'priorityKey', 'urgent'],
    ['due', '2026-12-24', 'dueDate', '2026-12-24'],
    ['estimate', '1,5 h', 'estimatedHours', 1.5],
    ['progress', '40', 'progressPercent', 40],
    ['release', String(release.id), 'releaseId', release.id],
    ['assignee', '', 'assigneeId', null],
  ];
  for (const [field, value, name, stored] of all) {
    await ana.go(change(task.id, field));
    t.is(ana.at.status, 200, field);
    await ana.send(`/change/${field}`, { value });
    t.regex(ana.at.path, /notice=changed/, field);
    const now = await read(task.id);
    t.is(name === 'ownerId' ? now.ownerId : now.fields[name], stored, field);
  }
  await ana.go(change(task.id, 'progress'));
  await ana.send('/change/progress', { value: '400' });
  t.is(ana.at.status, 400);
  t.regex(ana.at.text, /give a number from 0 to 100/);
  t.is((await ana.go(change(release.id, 'due'))).status, 403);
  t.is((await ana.go(change(task.id, 'version'))).status, 403);
  await ana.go(change((await make('goal', { target: 10 })).id, 'current'));
  await ana.send('/change/current', { value: '4' });
  t.regex(ana.at.path, /notice=changed/);
});

test('blocked asks for the reason before saving', async (t) => {
  const task = await make('task');
  await ana.go(change(task.id, 'status'));
  t.regex(ana.at.html, /href="[^"]*change\/status\?back=[^"]*to=blocked"/);
  await ana.go(change(task.id, 'status', '&to=blocked'));
  t.regex(ana.at.text, /What blocks this item\?/);
  await ana.send('/change/status', { reason: ' ' });
  t.is(ana.at.status, 400);
  t.regex(ana.at.text, /What blocks this item\?/);
  await ana.send('/change/status', { reason: 'No parts' });
  t.like(await read(task.id), { status: 'blocked', fields: { blockedReason: 'No parts' } });
});

test('approval is not among the choices, and a text says where it is given', async (t) => {
  const requirement = await make('requirement');
  await ana.go(change(requirement.id, 'status'));
  t.false(optionsOf(ana.at.html).some((key) => key === 'approved' || key === 'pending_approval'));
  t.regex(ana.at.text, /To request or give approval, open the item/);
  await world.fixtures.sql(`update items set status = 'pending_approval', status_key = 'pending_approval' where id = $1`, [requirement.id]);
  await ana.go(change(requirement.id, 'status'));
  t.deepEqual(optionsOf(ana.at.html), []);
  t.regex(ana.at.text, /waiting for approval. An owner or manager decides/);
});

test('an edit conflict shows both values, and nothing is saved until the user chooses', async (t) => {
  const task = await make('task', { dueDate: '2044-12-01' });
  await ana.go(change(task.id, 'due'));
  await member.go(change(task.id, 'due'));
  await member.send('/change/due', { value: '2044-12-03' });
  await ana.send('/change/due', { value: '2044-12-09' });
  t.is(ana.at.status, 409);
  t.regex(ana.at.text, /has changed since you opened it.*Person \d+.*3 Dec 2044.*9 Dec 2044/);
  t.is((await read(task.id)).version, 2);
  await ana.send('/change/due');
  t.like(await read(task.id), { version: 3, fields: { dueDate: '2044-12-09' } });
  // The same form again, as by a double click.
  await member.go(change(task.id, 'due'));
  const { path, fields } = member.form('/change/due');
  fields.set('value', '2044-12-10');
  for (const notice of ['changed', 'saved']) t.regex((await member.post(path, fields)).path, new RegExp(`notice=${notice}`));
});

test("viewers and users who don't see an item change nothing; forms redirect only to our own pages", async (t) => {
  const task = await make('task');
  const goal = await make('goal');
  for (const [who, id] of [
    [viewer, task.id],
    [stranger, task.id],
    [member, goal.id],
    [ana, 999_999],
  ] as const)
    t.is((await who.go(change(id, 'status'))).status, 403);
  await ana.go(change(task.id, 'status'));
  const { path, fields } = ana.form('/change/status');
  for (const who of [viewer, stranger]) {
    await who.go('/');
    const own = who.form('/sign-out').fields.get('_csrf')!;
    const sent = new URLSearchParams(fields);
    sent.set('_csrf', own);
    sent.set('value', 'done');
    t.is((await who.post(path, sent)).status, 403);
  }
  t.is((await read(task.id)).version, 1);
  await ana.go(`${at()}/items/${task.id}/change/status?back=//evil.example/`);
  t.is(ana.form('/change/status').fields.get('back'), `${at()}/items/${task.id}`);
});

test('many are changed at once at the displayed versions, and one undo restores them after a reload', async (t) => {
  const tasks = await Promise.all([make('task', { estimatedHours: 1 }), make('task'), make('task')]);
  await ana.go(bulk('priority', tasks));
  t.regex(ana.at.text, /Priority of 3/);
  await ana.send('/bulk', { value: 'urgent' });
  t.regex(ana.at.path, /notice=changed/);
  for (const { id } of tasks) t.like(await read(id), { version: 2, fields: { priorityKey: 'urgent' } });
  const again = await world.visitor(world.ownerId);
  await again.go(ana.at.path);
  await again.send('/undo');
  for (const { id } of tasks) t.like(await read(id), { version: 3, fields: { priorityKey: 'normal' } });
  await again.go(ana.at.path);
  await again.send('/undo');
  t.is(again.at.status, 409);
  t.regex(again.at.text, /changed again since, so nothing was undone/);
});

test('if some versions have changed nothing is saved, each shows both values, and the user chooses', async (t) => {
  const tasks = await Promise.all([make('task', {}, { title: 'Keel' }), make('task'), make('task')]);
  await ana.go(bulk('estimate', tasks));
  await member.go(change(tasks[0].id, 'estimate'));
  await member.send('/change/estimate', { value: '2' });
  await ana.send('/bulk', { value: '8' });
  t.is(ana.at.status, 409);
  t.regex(ana.at.text, /3 items selected, 1 changed since you opened the page/);
  t.regex(ana.at.text, /Keel.*Person \d+.*2 h.*8 h/);
  t.deepEqual(await Promise.all(tasks.map(async ({ id }) => (await read(id)).version)), [2, 1, 1]);
  const forms = ana.at.html.split('<form').length;
  t.true(forms > 3);
  await ana.send('/bulk', {}, (fields) => fields.getAll('ids').length === 2);
  t.deepEqual(await Promise.all(tasks.map(async ({ id }) => (await read(id)).fields.estimatedHours)), [2, 8, 8]);
});

test('many are archived after a confirmation, with an undo; obstacles are named and nothing is archived', async (t) => {
  const [release, task] = [await make('release'), await make('task', {}, { title: 'Rudder' })];
  const below = await make('task', { releaseId: release.id }, { title: 'Below' });
  await ana.go(bulk('archive', [release, task]));
  t.regex(ana.at.text, /Archive 2 items.*Rudder/);
  await ana.send('/bulk');
  t.is(ana.at.status, 400);
  t.regex(ana.at.text, new RegExp(`has open work below it: task ${below.id} "Below"`));
  await ana.go(bulk('archive', [release, task, below]));
  await ana.send('/bulk');
  t.regex(ana.at.path, /notice=archived/);
  t.is((await world.owner.get('/item', { id: task.id })).status, 403);
  await ana.send('/undo');
  t.is((await read(below.id)).version, 3);
});

test('an empty selection, more than 100, and values that not all types have are refused with a message', async (t) => {
  t.is((await ana.go(bulk('status', []))).status, 400);
  t.regex(ana.at.text, /No items are selected/);
  const many = Array.from({ length: 101 }, (_, i) => ({ id: i + 1, version: 1 }));
  t.is((await ana.go(bulk('status', many))).status, 400);
  t.regex(ana.at.text, /101 items are selected. Select at most 100/);
  await ana.go(bulk('due', [await make('task'), await make('release')]));
  t.regex(ana.at.text, /Some of the selected items do not have this field. Select items of one type/);
  t.is((await member.go(bulk('archive', [await make('goal')]))).status, 403);
  t.is((await viewer.go(bulk('status', [await make('task')]))).status, 403);
});

/** Some pages ask for confirmation. */
async function archiveHere() {
  await ana.send('/archive');
  if (ana.at.text.startsWith('Are you sure?')) await ana.send('/archive');
}

test("an archived item's page says who archived it and when to users who could see it, and can restore it", async (t) => {
  const requirement = await make('requirement', {}, { title: 'Harbour', description: 'The *old* one' });
  const task = await make('task', { requirementId: requirement.id }, { title: 'Pier', status: 'done' });
  await world.owner.post('/comments', { id: requirement.id, body: 'Seen by all' });
  const page = `${at()}/items/${requirement.id}`;
  await ana.go(page);
  await archiveHere();
  t.regex(ana.at.path, /undo=\d+\.\d+\.2&notice=archived/);
  await ana.go(page);
  t.is(ana.at.status, 200);
  t.regex(ana.at.text, /This requirement was archived by Ana, Today \d\d:\d\d.*Restore.*The old one.*Seen by all/);
  t.false(/comments"|\/edit|\/watch|\/approval/.test(ana.at.html));
  await member.go(page);
  t.regex(member.at.text, /was archived by Ana/);
  t.false(member.at.html.includes('/restore'));
  const { path, fields } = ana.form('/restore');
  fields.set('_csrf', member.form('/sign-out').fields.get('_csrf')!);
  t.is((await member.post(path, fields)).status, 403);
  t.is((await stranger.go(page)).status, 403);
  t.is((await ana.go(`${at()}/items/${task.id}`)).status, 403);
  await ana.go(page);
  await ana.send('/restore');
  t.is(ana.at.path, `${page}?notice=unarchived`);
  t.is((await read(task.id)).version, 1);
});

test("an archived item's page has dates in words, like every page", async (t) => {
  const dates = { startDate: '2031-12-01', dueDate: '2031-12-18' };
  const task = await make('task', dates, { title: 'Dated' });
  await ana.go(`${at()}/items/${task.id}`);
  await archiveHere();
  await ana.go(`${at()}/items/${task.id}`);
  t.regex(ana.at.text, /Start date ?1 Dec 2031 ?Due date ?18 Dec 2031/);
  t.false(ana.at.text.includes('2031-12'));
});

test('an item below an archived one links to the item that must be restored first', async (t) => {
  const release = await make('release', {}, { title: 'Autumn' });
  const task = await make('task', { releaseId: release.id });
  for (const { id } of [task, release]) {
    await ana.go(`${at()}/items/${id}`);
    await archiveHere();
  }
  await ana.go(`${at()}/items/${task.id}`);
  t.regex(ana.at.text, new RegExp(`Restore release ${release.id} first`));
});

test('a board has a column for each status, closed ones collapsed to their count, and a menu on each card without script', async (t) => {
  const [open, done] = [
    await make('milestone', { estimatedHours: 3 }, { title: 'Harbour trial' }),
    await make('milestone', {}, { title: 'Launch', status: 'done' }),
  ];
  const board = `${at()}?type=milestone&view=board`;
  await ana.go(board);
  t.regex(ana.at.text, /Planned ?1 ?3 h.*Harbour trial/);
  t.false(ana.at.html.includes('Launch'));
  t.regex(ana.at.html, /name="open" value="done".*?<button class="col shut" title="Expand Done"/s);
  const menu = new RegExp(`href="/stint(${at()}/items/${open.id}/change/status[^"]*)"[^>]*aria-label="Move Harbour trial"`).exec(
    ana.at.html,
  );
  await ana.follow(menu![1]!);
  await ana.send('/change/status', { value: 'in_review' });
  t.true(ana.at.path.startsWith(`${board}&undo=`));
  t.is((await read(open.id)).status, 'in_review');
  await ana.go(`${board}&open=done`);
  t.true(ana.at.html.includes('Launch'));
  for (const group of ['assignee', 'priority']) {
    await ana.go(`${board}&group=${group}&status=all`);
    t.regex(ana.at.text, /Harbour trial.*Launch|Launch.*Harbour trial/);
  }
  await viewer.go(board);
  t.is(viewer.at.status, 200);
  t.false(/class="chg|data-drop|class="adding"|data-board/.test(viewer.at.html));
  t.is((await stranger.go(board)).status, 403);
  t.is((await read(done.id)).version, 1);
});

test('rows refer to the bulk form with the displayed version; viewers have neither', async (t) => {
  const task = await make('task', {}, { title: 'Bollard' });
  await ana.go(`${at()}?status=all`);
  t.true(ana.at.html.includes(`name="ids" value="${task.id}.1" form="bulk"`));
  t.regex(ana.at.html, /<form id="bulk" method="get" action="[^"]*\/bulk".*name="change" value="archive"/s);
  await viewer.go(`${at()}?status=all`);
  t.false(/form="bulk"|id="bulk"/.test(viewer.at.html));
});
