/** Lists of work without a script: columns by type, filters in the address, quick add, saved views (behaviour §19). */
import { shapes } from '../../src/pages/frame/components/icon.ts';
import { fileDatabase } from '../support/database.ts';
import { type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import type { Visitor } from '../support/visitor.ts';
import { world as imported, oneWorkspace } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
let ana: Visitor;
let member: Visitor;
let viewer: Visitor;
let memberId: number;
const at = () => `/workspaces/${world.workspaceId}`;

const make: RestWorld['make'] = (...made) => world.make(...made);

test.before('an owner, a member and a viewer', async () => {
  world = await restWorld(database.url, { BASE_URL: 'http://localhost/stint' });
  ana = await world.visitor(world.ownerId);
  memberId = (await world.join('member')).userId;
  member = await world.visitor(memberId);
  viewer = await world.visitor((await world.join('viewer')).userId);
});
test.after('stop', () => world?.end());

/** The numbers of the rows, in their order. */
const rows = ({ html }: { html: string }) => [...html.matchAll(/<li class="row[^"]*" data-item="(\d+)"/g)].map(([, id]) => Number(id));
/** Target of the link with this text. */
const linkOf = ({ html }: { html: string }, said: string) =>
  [...html.matchAll(/<a [^>]*?href="\/stint([^"]*)"[^>]*>(.*?)<\/a>/gs)].find(([all]) => all.includes(said))![1]!.replaceAll('&amp;', '&');

test('each type has its own columns', async (t) => {
  const release = await make('release', { targetDate: '2030-01-31', versionLabel: '1.4' }, { title: 'Spring' });
  const goal = await make('goal', { target: 60, current: 34, unit: 'percent' }, { title: 'Tickets' });
  const requirement = await make(
    'requirement',
    { releaseId: release.id, goalId: goal.id, reach: 5200, impact: 2, confidence: 80, effort: 6 },
    { title: 'Cars', ownerId: world.ownerId },
  );
  const task = await make(
    'task',
    { requirementId: requirement.id, estimatedHours: 4, progressPercent: 25, dueDate: '2020-02-29' },
    { title: 'Length' },
  );
  await make('task', { requirementId: requirement.id }, { title: 'Height', status: 'done' });
  t.like(await ana.go(at()), { status: 200 });
  t.regex(ana.at.text, /Tasks1 · 4 h.*Planned14 h · 3 h left.*LengthCars.*25 % done.*4 h.*days late/);
  t.deepEqual(rows(ana.at), [task.id]);
  t.regex((await ana.go(`${at()}?type=requirement`)).text, /CarsSpring1,387 no\. 1.*1 of 2/);
  t.regex((await ana.go(`${at()}?type=goal`)).text, /Tickets.*34 of 60 percent/);
  t.regex((await ana.go(`${at()}?type=release`)).text, /Spring.*1\.4.*0 of 1.*31 Jan 2030/);
  t.regex((await ana.go(`${at()}?status=all`)).text, /Done.*HeightCars.*100 % done/);
});

/** The cells of a file, row by row. */
const cellsOf = (csv: string) =>
  csv
    .trimEnd()
    .split('\r\n')
    .map((line) => [...line.matchAll(/"((?:[^"]|"")*)"/g)].map(([, cell]) => cell!.replaceAll('""', '"')));

test('an exported list has all filtered items in its order, regardless of the page, and runs nothing in a spreadsheet', async (t) => {
  const evil = '=HYPERLINK("http://evil.example")';
  const up = await make('requirement', { reach: 9, impact: 1, confidence: 100, effort: 1 }, { title: 'Filed' });
  const all = [];
  for (const [title, dueDate] of [
    ['Last', '2031-01-03'],
    [evil, '2031-01-01'],
    ['Middle', '2031-01-02'],
  ])
    all.push((await make('task', { requirementId: up.id, dueDate, estimatedHours: 1.5, assigneeId: memberId }, { title: title! })).id);
  const query = `?within=${up.id}&group=status`;
  await ana.go(at() + query);
  const file = await ana.go(linkOf(ana.at, 'Download as CSV'));
  t.is(file.headers.get('content-type'), 'text/csv; charset=utf-8');
  t.regex(file.headers.get('content-disposition')!, /^attachment; filename\*=UTF-8''[a-z0-9-]+-tasks-\d{4}-\d\d-\d\d\.csv$/);
  const [head, ...lines] = cellsOf(file.html);
  const cell = (line: string[], name: string) => line[head!.indexOf(name)];
  t.deepEqual(
    lines.map((line) => Number(cell(line, 'Number'))),
    [all[1], all[2], all[0]],
  );
  t.is(cell(lines[0]!, 'Title'), `'${evil}`);
  t.deepEqual(
    ['Due date', 'Estimate (h)', 'Part of', 'Status'].map((name) => cell(lines[0]!, name)),
    ['2031-01-01', '1.5', 'Filed', 'Planned'],
  );
  t.is(cell(lines[0]!, 'Link'), `http://localhost/stint${at()}/items/${all[1]}`);
  const backwards = cellsOf((await ana.go(`${at()}/list.csv${query}&sort=-due`)).html).slice(1);
  t.deepEqual(
    backwards.map(([id]) => Number(id)),
    [all[0], all[2], all[1]],
  );
  t.is(cellsOf((await ana.go(`${at()}/list.csv${query}&archived=1`)).html).length, 1, 'nothing of it is archived');
  for (const [type, name] of [
    ['requirement', 'Score'],
    ['goal', 'Current'],
    ['release', 'Version'],
    ['milestone', 'Forecast'],
  ])
    t.true(cellsOf((await ana.go(`${at()}/list.csv?type=${type}`)).html)[0]!.includes(name!), type);
  t.is((await ana.go('/workspaces/987654321/list.csv')).status, 403);
});

test('column headers sort by their column, and the current one reverses the order', async (t) => {
  const [few, many] = [
    await make('task', { estimatedHours: 1 }, { title: 'Sort me: A' }),
    await make('task', { estimatedHours: 9 }, { title: 'Sort me: B' }),
  ];
  await ana.go(`${at()}?search=sort+me&group=none`);
  t.deepEqual(rows(ana.at), [few.id, many.id]);
  await ana.go(linkOf(ana.at, 'title="Sort by estimate"'));
  t.deepEqual(rows(ana.at), [many.id, few.id]);
  await ana.go(linkOf(ana.at, 'title="Sort by estimate"'));
  t.deepEqual(rows(ana.at), [few.id, many.id]);
  t.regex(ana.at.path, /search=sort\+me&group=none&sort=-estimate$/);
});

test('filters are one form, each has a button to clear it, and they stay from type to type', async (t) => {
  const mine = await make('task', { assigneeId: world.ownerId, priorityKey: 'urgent' }, { title: 'Filter me: urgent' });
  await make('task', { assigneeId: memberId, priorityKey: 'urgent' }, { title: 'Filter me: other' });
  await ana.go(at());
  const { fields } = ana.form(at());
  fields.append('assignee', 'me');
  fields.append('priority', 'urgent');
  fields.append('priority', 'high');
  fields.set('search', 'filter me');
  await ana.go(`${at()}?${fields}`);
  t.deepEqual(rows(ana.at), [mine.id]);
  t.regex(ana.at.text, /Assignee me.*Priority Urgent, High/);
  t.is(ana.form(at()).fields.get('search'), 'filter me');
  t.regex(ana.at.html, /<button[^>]*>(?:<svg.*?<\/svg>)?Show/);
  const requirements = linkOf(ana.at, '</svg>Requirements');
  t.regex(requirements, /type=requirement&assignee=me&priority=urgent&priority=high&search=filter\+me/);
  await ana.go(linkOf(ana.at, 'Remove the filter Assignee'));
  t.is(rows(ana.at).length, 2);
  await ana.go(`${at()}?search=filter+me&status=key:nothing&assignee=999999&within=999999&due=2020-99-99..&priority=gone&sort=odd`);
  t.is(ana.at.status, 200);
  t.regex(ana.at.text, /No tasks match these filters/);
});

test('without script the filters of a phone are a page with a form', async (t) => {
  await ana.go(`${at()}/filters?group=none`);
  t.regex(ana.at.html, /<input[^>]* type="radio"[^>]* name="due"[^>]* value="overdue"/);
  const { fields } = ana.form(at());
  fields.set('due', 'overdue');
  t.regex((await ana.go(`${at()}?${fields}`)).html, /Remove the filter Due/);
  t.is(fields.get('group'), 'none');
});

test('an empty list says what to do, and with filters which to change', async (t) => {
  t.regex((await ana.go(`${at()}?type=milestone`)).text, /No open milestones yet ?Add the first one below/);
  const seen = await viewer.go(`${at()}?type=milestone`);
  t.regex(seen.text, /No open milestones yet ?Members with write access can add the first one/);
  t.false(seen.html.includes('name="line"'));
});

test('users who may not change items see their values without controls', async (t) => {
  const seen = await viewer.go(at());
  t.true(rows(seen).length > 0);
  for (const control of ['name="line"', 'name="ids"', '/change/', 'New task', 'data-rename', 'Start timer'])
    t.false(seen.html.includes(control), control);
  t.is((await viewer.go(`${at()}/quick?line=x`)).status, 403);
});

test("quick add uses the line's and the group's values, once, and the list shows how the line was understood", async (t) => {
  const requirement = await make('requirement', {}, { title: 'Deck' });
  await member.go(`${at()}?group=priority`);
  const line = `Paint "4h" #${requirement.id} 2.5h 2031-05-01 @me`;
  const urgent = (fields: URLSearchParams) => fields.get('priorityKey') === 'urgent';
  const { path, fields } = member.form('/quick', urgent);
  fields.set('line', line);
  await member.post(path, fields);
  t.regex(member.at.path, /\?group=priority&undo=1\.\d+\.1&notice=created$/);
  const id = Number(/undo=1\.(\d+)/.exec(member.at.path)![1]);
  t.true(member.at.text.includes(`${id} Paint 4h created`));
  const first = member.at.path;
  await member.post(path, fields);
  t.is(member.at.path, first);
  const { body } = await world.owner.get('/item', { id });
  t.like(body, {
    title: 'Paint 4h',
    status: 'planned',
    fields: { priorityKey: 'urgent', estimatedHours: 2.5, dueDate: '2031-05-01', assigneeId: memberId, requirementId: requirement.id },
  });
});

test('words that are not understood are reported with the line kept, and the rest is shown before it is saved', async (t) => {
  await ana.go(`${at()}/quick?line=${encodeURIComponent('Paint tomorrow 1h')}`);
  t.regex(ana.at.text, /Adds ?Paint ?due ?tomorrow ?1 h/);
  for (const [line, said] of [
    ['Paint #999999', /No item #999999 found in this workspace/],
    ['Paint #0', /No item #0 found in this workspace/],
    ['Paint @nobody tomorrow', /@nobody matches no assignable user\. Correct it, or put it in double quotes to keep it in the title\./],
    ['4h tomorrow', /Add a title/],
    [`${'x'.repeat(301)}`, /at most 300 characters/],
  ] as const) {
    await ana.go(at());
    await ana.send('/quick', { line });
    t.is(ana.at.status, 400);
    t.regex(ana.at.text, said);
    t.is(ana.form('/quick').fields.get('line'), line);
  }
  const unmatched = await ana.go(`${at()}/quick?line=${encodeURIComponent('Paint "the @deck" @nobody #999999')}`);
  t.regex(unmatched.html, /Paint &quot;the @deck&quot; <u>@nobody<\/u> <u>#999999<\/u>/);
  const parent = await make('requirement', {}, { title: 'Deck' });
  const second = await ana.go(`${at()}/quick?line=${encodeURIComponent(`Paint #${parent.id} #999999`)}`);
  t.regex(second.html, new RegExp(`Paint #${parent.id} <u>#999999</u>`), 'a second number, too');
  await ana.go(at());
  await ana.send('/quick', { line: 'Paint "@nobody"' });
  t.regex(ana.at.text, /\d+ Paint @nobody created/);
  const task = await make('task', {}, { title: 'Part' });
  t.regex((await ana.go(`${at()}/quick?type=requirement&line=${encodeURIComponent(`x #${task.id}`)}`)).text, /cannot be part of/);
});

test("quick add uses the user's rights, and can't name hidden items", async (t) => {
  const { userId } = await world.join('member');
  await world.fixtures.sql(`update memberships set overrides = '{"requirements": "none"}' where user_id = $1`, [userId]);
  const limited = await world.visitor(userId);
  const requirement = await make('requirement', {}, { title: 'Unseen' });
  t.regex(
    (await limited.go(`${at()}/quick?line=${encodeURIComponent(`x #${requirement.id}`)}`)).text,
    /No item #\d+ found in this workspace/,
  );
  t.is((await limited.go(`${at()}/quick?type=requirement&line=x`)).status, 403);
});

test('a view is saved for oneself or for all; its creator can change it, and workspace managers a shared one', async (t) => {
  await member.go(`${at()}?priority=urgent&group=assignee`);
  await member.send('/views', { name: 'Hot', shared: '1' });
  t.regex(member.at.path, /\?priority=urgent&group=assignee&saved=\d+&notice=saved$/);
  const id = /saved=(\d+)/.exec(member.at.path)![1]!;
  await member.go(`${at()}?priority=urgent`);
  await member.send('/views', { name: 'hot' });
  t.is(member.at.status, 400);
  t.regex(member.at.text, /you already have a view with this name/);
  await member.go(at());
  await member.send('/views', { name: 'Own' });
  const own = /saved=(\d+)/.exec(member.at.path)![1]!;

  const seen = await viewer.go(at());
  t.regex(seen.text, /Hot/);
  t.false(seen.text.includes('Own'));
  const beside = ({ html }: { html: string }) =>
    [
      ...html
        .replaceAll(shapes.bookmark.text, '#bookmark')
        .matchAll(/<a href="([^"]*saved=\d+)"( aria-current="page")?>(?:(?!<\/a>).)*?#bookmark(?:(?!<\/a>).)*?<\/svg>(\w+)<\/a>/g),
    ].map(([, , here, name]) => [name, here !== undefined]);
  t.deepEqual(beside(seen), [['Hot', false]], 'under the workspace, to those who may see it');
  t.deepEqual(beside(await member.go(`${at()}?priority=urgent&group=assignee&saved=${id}`)), [
    ['Hot', true],
    ['Own', false],
  ]);
  t.deepEqual(beside(await member.go('/workspaces')), [], 'where one works alone');
  t.regex((await viewer.go(linkOf(seen, '>Hot<'))).path, new RegExp(`priority=urgent&group=assignee&saved=${id}`));
  await viewer.go(`${at()}/views`);
  t.throws(() => viewer.form(`/views/${id}`));
  await ana.go(`${at()}/views`);
  await ana.send(`/views/${id}`, { name: 'Hottest', shared: '1' });
  t.regex((await member.go(`${at()}/views`)).text, /Hottest ?Yours, shared/);
  t.throws(() => ana.form(`/views/${own}`));
  await ana.send(`/views/${id}`, { name: 'OWN', shared: '1' });
  t.regex(ana.at.text, /OWN ?By [^,]+, shared/, 'as if the creator had no private view of this name');
  t.regex((await member.go(`${at()}/views`)).text, new RegExp(`Own \\(${own}\\) ?Yours`));
  const { path, fields } = member.form(`/views/${own}`);
  for (const stranger of [viewer, ana]) {
    await stranger.go(`${at()}/views`);
    const csrf = stranger.form('/sign-out').fields.get('_csrf')!;
    fields.set('_csrf', csrf);
    t.is((await stranger.post(path, fields)).status, 403);
  }
  await member.go(`${at()}/views`);
  await member.sendSurely(`/views/${own}/delete`);
  t.false(member.at.text.includes('Own '));
});

test("a saved view with deleted values still opens, and is deleted with its creator's membership", async (t) => {
  const { userId } = await world.join('member');
  const going = await world.visitor(userId);
  await going.go(`${at()}?status=key:gone&within=999999&assignee=999999`);
  await going.send('/views', { name: 'Passing', shared: '1' });
  t.is(going.at.status, 200);
  t.regex((await ana.go(at())).text, /Passing/);
  await world.fixtures.sql('delete from memberships where user_id = $1', [userId]);
  t.false((await ana.go(at())).text.includes('Passing'));
});

test('a person can save fifty views in a workspace', async (t) => {
  await world.fixtures.sql(
    `insert into views (account_id, workspace_id, user_id, name, query) select account_id, $1, id, 'v' || n, '' from users, generate_series(1, 50) n where id = $2`,
    [world.workspaceId, world.ownerId],
  );
  await ana.go(at());
  await ana.send('/views', { name: 'One more' });
  t.is(ana.at.status, 409);
  t.regex(ana.at.text, /A person can have at most 50 views in a workspace/);
});

/** An account with a long list, a workspace with only its owner, and a user without workspaces. */
async function yard() {
  const file = oneWorkspace(
    {
      items: [
        { ref: 'closed', type: 'task', title: 'Long done', status: 'done' },
        { ref: 'late', type: 'requirement', title: 'Forgotten', fields: { dueDate: '2020-02-29' } },
        { type: 'requirement', title: 'Too late but done', status: 'done', fields: { dueDate: '2020-02-29' } },
        { type: 'requirement', title: 'In time', fields: { dueDate: '2999-01-31' } },
        ...Array.from({ length: 53 }, (_, n) => ({ type: 'task' as const, title: `Rivet ${n + 1}` })),
      ],
      members: [
        { user: 'mia', role: 'member' },
        { user: 'vic', role: 'viewer' },
      ],
    },
    {
      users: ['mia', 'vic', 'eve'].map((ref) => ({ ref, email: `${ref}@yard.example`, name: ref })),
      workspaces: [{ ref: 'hidden', name: 'Hidden', items: [{ ref: 'secret', type: 'task', title: 'Secret' }] }],
    },
  );
  const refs = await imported(database.url, file);
  return { refs, at: `/workspaces/${refs.id('apollo')}`, as: (ref: string) => world.visitor(refs.id(ref)) };
}
let made: ReturnType<typeof yard>;
const theYard = () => (made ??= yard());
const titlesOf = ({ html }: { html: string }) => [...html.matchAll(/<div class="t"><a [^>]*>([^<]*)<\/a>/g)].map(([, title]) => title);

test('an administrator creates a workspace and becomes its owner', async (t) => {
  const owner = await (await theYard()).as('ana');
  await owner.go('/workspaces');
  const settings = await owner.send('/workspaces', { name: 'Gemini <b>2</b>' });
  t.regex(settings.html, /<h1[^>]*>Settings of <bdi>Gemini &lt;b&gt;2&lt;\/b&gt;/);
  t.is([...settings.html.matchAll(/<tr(?:(?!<\/tr>).)*Ana(?:(?!<\/tr>).)*owner/gs)].length, 1);
  await owner.go('/workspaces');
  t.regex((await owner.go(linkOf(owner.at, 'Gemini &lt;b&gt;2&lt;/b&gt;'))).text, /No open tasks yet/);
});

test('open work is listed in pages of fifty, closed work on request', async (t) => {
  const { at: list, as } = await theYard();
  const mia = await as('mia');
  const first = titlesOf(await mia.go(list));
  t.is(first.length, 50);
  t.false(first.includes('Long done'));
  t.true(titlesOf(await mia.go(linkOf(mia.at, 'Next 50'))).includes('Rivet 52'));
  t.true(titlesOf(await mia.go(linkOf(mia.at, 'First page'))).includes('Rivet 1'));
  t.deepEqual(titlesOf(await mia.go(`${list}?status=closed`)), ['Long done']);
});

test('overdue open work is marked as late, in the list and on its page; other work is not', async (t) => {
  const { at: list, as } = await theYard();
  const vic = await as('vic');
  t.is(rows(await vic.go(`${list}?type=requirement&status=all&sort=id`)).length, 3);
  t.notRegex(vic.at.text, /days late/);
  t.deepEqual(titlesOf(await vic.go(`${list}?type=requirement&status=all&group=due`)), ['Forgotten', 'Too late but done', 'In time']);
  await vic.go(linkOf(vic.at, '>Forgotten<'));
  t.regex(vic.at.html.split('<aside class="panel"')[1]!, /days late/);
});

test('hidden, archived, foreign and absent workspaces give the same page', async (t) => {
  const { at: list, as, refs } = await theYard();
  const mia = await as('mia');
  const hidden = `/workspaces/${refs.id('hidden')}`;
  const secret = refs.id('secret');
  const samePages = [
    [
      hidden,
      '/workspaces/999999',
      '/workspaces/999999/settings/general',
      `${list}/settings/members`,
      `${list}/settings/members/${refs.id('vic')}`,
    ],
    [`${list}/items/${secret}`, `${list}/items/999999`, `${list}/items/${secret}/edit`],
    [`${hidden}/items/${secret}`, '/workspaces/999999/items/999999'],
  ];
  for (const addresses of samePages) {
    const pages: string[] = [];
    for (const address of addresses) {
      const { status, html } = await mia.go(address);
      t.is(status, 403, address);
      const main = html.split('<main')[1]!.split('</main>')[0]!;
      // The number comes from the address.
      pages.push(main.replaceAll(/\s+/g, ' ').replaceAll(/item \d+|value="\d+"/g, 'N'));
    }
    t.is(new Set(pages).size, 1, pages.join('\n'));
  }
});

test('a user who is not in the workspace does not see it in their list', async (t) => {
  const { at: list, as } = await theYard();
  const eve = await as('eve');
  t.notRegex((await eve.go('/workspaces')).text, /Apollo/);
  t.is((await eve.go(list)).status, 403);
});

/** The links of the sidebar, and the marked one. */
function places({ html }: { html: string }) {
  const side = html.split('<aside class="side"')[1]!.split('</aside>')[0]!;
  const links = [...side.matchAll(/<a ([^>]*)>(.*?)<\/a>/gs)].map(([, attributes, inside]) => ({
    marked: attributes!.includes('aria-current="page"'),
    text: inside!
      .replace(/<span [^>]*hidden>.*$/s, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  }));
  return { all: links.map(({ text }) => text), marked: links.filter(({ marked }) => marked).map(({ text }) => text) };
}

test('the sidebar has the places that the user may open, and marks the current one', async (t) => {
  const { at: list, as } = await theYard();
  const { all, marked } = places(await (await as('ana')).go(`${list}?type=requirement`));
  for (const name of ['My day', 'Inbox', 'Notes', 'Capacity', 'Agents', 'People', 'API keys', 'Audit']) t.true(all.includes(name), name);
  t.regex(marked.join(), /^Requirements\s+2\s+open$/);
  t.deepEqual(
    places(await (await as('eve')).go('/')).all.filter((text) => /Capacity|People|keys|Audit|Tasks/.test(text)),
    [],
  );
});

test('lists, boards, files and items show the largest and the smallest amounts', async (t) => {
  const most = { reach: 1e12, impact: 1e12, confidence: 100, estimatedHours: 1e6 };
  const least = { reach: 1e-6, impact: 1e-6, confidence: 1e-6, effort: 1e12, estimatedHours: 1e-6, progressPercent: 1e-6 };
  const items = [
    await make('requirement', { ...most, effort: 1e-6, progressPercent: 1e-6 }),
    await make('requirement', { ...most, effort: 1e-6, progressPercent: 100 }),
    await make('requirement', least),
    await make('goal', { target: 1e12, current: -1e12 }),
    await make('goal', { target: -1e-6, current: 1e-6 }),
  ];
  for (const type of ['requirement', 'goal']) {
    for (const sort of ['score', 'estimate', 'progress', 'current']) {
      for (const view of ['?', '?view=board&', '/list.csv?'])
        t.is((await ana.go(`${at()}${view}type=${type}&sort=${sort}&group=status`)).status, 200);
    }
  }
  for (const { id } of items) t.is((await ana.go(`${at()}/items/${id}`)).status, 200);
  t.like((await world.owner.get('/item', { id: items[0]!.id })).body.fields, most);
});
