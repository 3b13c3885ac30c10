/** Refused forms mark every faulty field and use the form's own labels (behaviour §12.21). */
import type { ExecutionContext } from 'ava';
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { suite } from '../support/suite.ts';
import { signedIn, Visitor } from '../support/visitor.ts';
import { oneWorkspace, startWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const LONG = 'x'.repeat(2_001);
const today = new Date().toISOString().slice(0, 10);
const database = fileDatabase();
let web: Web;
let refs: WorldRefs;
let ana: Visitor;
test.before('a world with objects of every kind', async () => {
  const file = oneWorkspace(
    {
      members: [{ user: 'bo', role: 'member' }],
      items: [
        { ref: 'task', type: 'task', title: 'Write', status: 'planned' },
        { ref: 'waiting', type: 'requirement', title: 'Asked', status: 'pending_approval' },
      ],
      timeEntries: [{ user: 'ana', item: 'task', date: today, minutes: 5 }],
    },
    {
      users: ['bo', 'cleo'].map((ref) => ({ ref, email: `${ref}@acme.example`, name: ref })),
      personalNotes: [{ ref: 'n1', user: 'ana', folder: 'Ideas', html: '<p>One</p>' }],
    },
  );
  Object.assign(file.accounts[0]!.users![0]!, { email: 'ana@acme.example', password: PASSWORD });
  refs = await world(database.url, file);
  web = await startWeb(database.url);
  ana = await signedIn(web.baseUrl, 'ana@acme.example');
});
test.after('stop', () => web?.stop());

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];

function elements(node: Node): Element[] {
  const inside = 'childNodes' in node ? node.childNodes.flatMap(elements) : [];
  return 'tagName' in node ? [node, ...inside] : inside;
}
const of = (element: Element, name: string) => element.attrs.find((one) => one.name === name)?.value;
const textOf = (node: Node): string =>
  'value' in node ? String(node.value) : 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';

/** Names of the marked controls, each described by one element of the page, and the text of the error summary. */
function shown(html: string): { marked: string[]; told: string } {
  const all = elements(parse(html));
  const invalid = all.filter((element) => of(element, 'aria-invalid') === 'true');
  for (const control of invalid) {
    const ids = of(control, 'aria-describedby')!.split(' ');
    const described = ids.map((id) => all.filter((element) => of(element, 'id') === id));
    if (!described.every((found) => found.length === 1 && textOf(found[0]!).trim())) throw new Error(`${of(control, 'name')}: ${ids}`);
  }
  const box = all.find((element) => of(element, 'role') === 'alert' && of(element, 'hidden') === undefined);
  return { marked: [...new Set(invalid.map((control) => of(control, 'name')!))].sort(), told: box ? textOf(box) : '' };
}

type Values = Record<string, string | string[] | null>;
/** A page, its form, the typed values, and the faulty fields with their labels. */
type Case = [page: string, action: string, values: Values, faults: Record<string, string>];

const settings = (part: string) => `/workspaces/${refs.id('apollo')}/settings/${part}`;
const item = (ref: string) => `/workspaces/${refs.id('apollo')}/items/${refs.id(ref)}`;

async function refusesAll(t: ExecutionContext, cases: Case[]): Promise<void> {
  for (const [page, action, values, faults] of cases) {
    await ana.go(page);
    const answer = await ana.send(action, values);
    const { marked, told } = shown(answer.html);
    t.is(answer.status, 400, `${action}: ${answer.text}`);
    t.deepEqual(marked, Object.keys(faults).sort(), `${action}: ${told}`);
    for (const label of Object.values(faults)) t.true(label === '' ? told !== '' : told.includes(`${label}: `), `${action}: ${told}`);
  }
}

test('the settings of a workspace', (t) =>
  refusesAll(t, [
    ['/workspaces', '/workspaces', { name: LONG }, { name: 'Name of a new workspace' }],
    [settings('general'), '/name', { name: LONG }, { name: 'Name of the workspace' }],
    [settings('members'), '/settings/members', { userId: 'nobody', role: 'king' }, { userId: 'Person', role: 'Role' }],
    [
      settings(`members/${refs.id('bo')}`),
      '/settings/members',
      { role: 'king', 'access-tasks': 'all' },
      { role: 'Role', 'access-tasks': 'tasks' },
    ],
    [settings('agents'), '/mcp', { 'limit-tasks': 'all', 'limit-time': 'all' }, { 'limit-tasks': 'tasks', 'limit-time': 'time' }],
    [
      settings('statuses'),
      '/statuses/add',
      { label: LONG, key: 'In Test', types: [], status: 'done' },
      { label: 'Name', key: 'Key', types: 'For' },
    ],
    [
      settings('statuses'),
      '/statuses/add',
      { label: 'Passed', key: 'In Test', types: ['task'], status: 'approved' },
      { key: 'Key', types: 'For' },
    ],
    [settings('statuses'), '/statuses/rename', { label: LONG }, { label: 'Name' }],
    [settings('statuses'), '/priorities/add', { label: LONG, key: '!', rank: 'high' }, { label: 'Name', key: 'Key', rank: 'Rank' }],
    [settings('statuses'), '/priorities/change', { label: LONG, rank: '1.5' }, { label: 'Name', rank: 'Rank' }],
    [settings('statuses'), '/priorities/default', { key: 'gone' }, { key: 'Key' }],
  ]));

test('my work', async (t) => {
  await refusesAll(t, [
    ['/my', '/timer/start', { work: '', note: LONG }, { work: 'Item', note: 'Note' }],
    [
      '/my',
      '/entries/log',
      { work: '', date: 'today', minutes: 'many', note: LONG },
      { work: 'Item', date: 'Day', minutes: 'Duration', note: 'Note' },
    ],
    ['/my', '/entries/annotate', { note: LONG }, { note: 'Note' }],
    ['/my', '/entries/correct', { date: '2999-01-01', minutes: '0', reason: '' }, { minutes: 'Duration', reason: 'Reason' }],
    [
      '/my',
      '/blocks/create',
      { work: '', startLocal: 'soon', endLocal: 'later', timezone: 'Here' },
      { work: 'Item', startLocal: 'Start', endLocal: 'End', timezone: 'Time zone' },
    ],
    [
      '/my',
      '/blocks/create',
      { work: `#${refs.id('task')}`, startLocal: '2026-03-29T02:10', endLocal: '2026-03-29T02:50', timezone: 'Europe/Berlin' },
      { startLocal: 'Start', endLocal: 'End' },
    ],
    [
      '/my',
      '/blocks/create',
      { work: `#${refs.id('task')}`, startLocal: '2026-03-02T11:00', endLocal: '2026-03-02T10:00' },
      { endLocal: 'End' },
    ],
  ]);
  t.true(ana.at.text.includes('End: must be after Start.'), 'another field, too, is called as on the page');
});

test('personal notes', async (t) => {
  const note = `/my/notes/${refs.id('n1')}`;
  await refusesAll(t, [
    ['/my/notes/new', '/my/notes/new', { html: '<img>' }, { html: '' }],
    ['/my/notes/new', '/my/notes/new', { folderId: 'x' }, { folderId: 'Folder' }],
    ['/my/notes/new', '/my/notes/new', { html: '<p>One</p>', folderId: '999999' }, { folderId: 'Folder' }],
    [note, note, { html: '<img>' }, { html: '' }],
    [note, note, { html: '<p>Two</p>', folderId: '999999' }, { folderId: 'Folder' }],
    [note, '/files', { file: null }, { file: 'File' }],
    ['/my/notes/new-encrypted', '/new-encrypted', { cipher: 'x', folderId: 'x' }, { folderId: 'Folder' }],
    ['/my/notes', '/folders/create', { name: LONG }, { name: 'Folder name' }],
  ]);
  await ana.go('/my/notes');
  const folder = /\?folder=([1-9]\d*)/.exec(ana.at.html)![1];
  await refusesAll(t, [[`/my/notes?folder=${folder}`, '/folders/rename', { name: LONG }, { name: 'Folder name' }]]);
});

test('agents, keys and people', (t) =>
  refusesAll(t, [
    [
      '/mcp-access',
      '/create',
      { name: LONG, timezone: 'Here', workspaces: ['x', 'y'], notes: 'all', 'level-tasks': 'all', 'level-time': 'all' },
      {
        name: 'Name',
        timezone: 'Time zone',
        workspaces: 'Workspaces',
        notes: 'Your personal notes',
        'level-tasks': 'tasks',
        'level-time': 'time',
      },
    ],
    [`/mcp-access/${refs.id('c1')}`, `/${refs.id('c1')}`, { name: LONG, timezone: 'Here' }, { name: 'Name', timezone: 'Time zone' }],
    ['/settings/keys', '/create', { name: LONG, userId: 'x' }, { name: 'Name', userId: 'Acts for', grants: 'Grants' }],
    [
      '/settings/people',
      '/add',
      { name: LONG, email: 'nowhere', timezone: 'Here', weeklyHours: 'many' },
      { name: 'Name', email: 'Email', timezone: 'Time zone', weeklyHours: 'Hours a week' },
    ],
    ['/settings/people', '/invitations', { addresses: 'nobody' }, { addresses: 'Addresses' }],
    [`/settings/people/${refs.id('bo')}`, '/role', { accountRole: 'king' }, { accountRole: 'Role' }],
    [`/settings/people/${refs.id('bo')}`, '/hours', { weeklyHours: '169' }, { weeklyHours: 'Hours a week' }],
  ]));

test('items, comments and decisions', (t) =>
  refusesAll(t, [
    [
      `/workspaces/${refs.id('apollo')}/new?type=task`,
      '/items',
      { title: LONG, dueDate: 'soon', estimatedHours: 'many' },
      { title: 'Title', dueDate: 'Due date', estimatedHours: 'Estimate (hours)' },
    ],
    [`${item('task')}/edit`, '/edit', { title: '', dueDate: 'soon' }, { title: 'Title', dueDate: 'Due date' }],
    [item('task'), '/comments', { body: '' }, { body: '' }],
    [item('waiting'), '/approval', { decision: 'reject', comment: '' }, { comment: '' }],
  ]));

test('passwords', async (t) => {
  await refusesAll(t, [
    ['/settings/password', '/settings/password', { current: PASSWORD, password: 'short' }, { password: 'New password' }],
    ['/settings/password', '/settings/password', { current: 'wrong', password: 'another horse entirely' }, { current: '' }],
  ]);
  await ana.go(`/settings/people/${refs.id('bo')}`);
  await ana.send('/invite');
  const [invitation] = /\/invitation\?i=\d+&t=[\w-]+/.exec(ana.at.text)!;
  await refusesAll(t, [[invitation, '/invitation', { password: 'short' }, { password: 'Password' }]]);
});

test('sign-in marks both fields, and does not reveal which one is wrong', async (t) => {
  const stranger = new Visitor(web.baseUrl);
  await stranger.go('/sign-in');
  for (const email of ['ana@acme.example', 'nobody@acme.example']) {
    const answer = await stranger.send('/sign-in', { email, password: 'wrong' });
    t.is(answer.status, 401);
    t.deepEqual(shown(answer.html).marked, ['email', 'password']);
    t.deepEqual([stranger.form('/sign-in').fields.get('email'), stranger.form('/sign-in').fields.get('password')], [email, '']);
  }
  const mailing = await startWeb(database.url, { SMTP_URL: 'smtp://localhost' });
  t.teardown(mailing.stop);
  const forgetful = new Visitor(mailing.baseUrl);
  await forgetful.go('/forgotten');
  const refused = await forgetful.send('/forgotten', { email: 'nowhere' });
  t.deepEqual(shown(refused.html).marked, ['email']);
  t.is(forgetful.form('/forgotten').fields.get('email'), 'nowhere');
});

test('the refused form keeps the typed values, and other forms of the page are unchanged', async (t) => {
  await ana.go(settings('statuses'));
  await ana.send('/priorities/add', { label: 'Soon', key: 'Not A Key', rank: 'high' });
  const { fields } = ana.form('/priorities/add');
  t.deepEqual(
    ['label', 'key', 'rank'].map((name) => fields.get(name)),
    ['Soon', 'Not A Key', 'high'],
  );
  t.is(ana.form('/statuses/add').fields.get('label'), '');
  await ana.go('/my');
  await ana.send('/entries/correct', { minutes: '7', reason: '' });
  t.is(ana.form('/entries/correct').fields.get('minutes'), '7');
  t.is(ana.form('/entries/log').fields.get('minutes'), '');
});
