/** User input is escaped on every page, checked with the parser that browsers follow. */
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { pageRoutes } from '../../src/pages/routes.ts';
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { Fixtures } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { type Shown, signedIn, type Visitor } from '../support/visitor.ts';
import { oneWorkspace, startWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const HOSTILE = `'"><script>x()</script><img src=x onerror=x()></textarea></title><u>&amp;`;
/** Elements that unescaped input would create. */
const forbidden = new Set(['img', 'u', 'iframe', 'object']);
const database = fileDatabase();
let web: Web;
let refs: WorldRefs;
let ids: Record<string, number | string>;
let ana: Visitor;

const types = ['task', 'requirement', 'goal', 'release', 'milestone'] as const;
const texts: Record<(typeof types)[number], string[]> = {
  task: ['acceptance', 'blockedReason'],
  requirement: ['acceptance', 'blockedReason'],
  goal: ['unit', 'level', 'blockedReason'],
  release: ['versionLabel', 'blockedReason'],
  milestone: ['blockedReason'],
};

test.before('a world with markup in every text', async () => {
  const file = oneWorkspace(
    {
      name: HOSTILE,
      members: [{ user: 'bo', role: 'member' }],
      statuses: [{ key: 'odd', label: HOSTILE, types: [...types], status: 'blocked' }],
      priorities: [{ key: 'odd', label: HOSTILE, rank: 9, default: true }],
      items: types.map((type) => ({
        ref: type,
        type,
        title: HOSTILE,
        description: HOSTILE,
        status: 'blocked' as const,
        fields: {
          statusKey: 'odd',
          assigneeId: { ref: 'ana' },
          ...(type !== 'task' && { targetDate: new Date().toISOString().slice(0, 10) }),
          ...Object.fromEntries(texts[type].map((name) => [name, HOSTILE])),
        },
      })),
      comments: types.map((item) => ({ item, author: 'bo', body: HOSTILE })),
      timeEntries: [{ user: 'ana', item: 'task', date: new Date().toISOString().slice(0, 10), minutes: 5, note: HOSTILE }],
    },
    {
      name: HOSTILE,
      users: [{ ref: 'bo', email: 'bo@acme.example', name: HOSTILE }],
      workspaces: [
        { ref: 'old', name: HOSTILE, archived: true, members: [{ user: 'ana', role: 'owner' }] },
        { ref: 'other', name: HOSTILE, members: [{ user: 'ana', role: 'owner' }] },
      ],
      personalNotes: [
        {
          ref: 'n1',
          user: 'ana',
          folder: HOSTILE,
          html: `<p>${HOSTILE.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`)}</p>`,
          attachments: [{ name: HOSTILE, text: '' }],
        },
      ],
      restKeys: [{ ref: 'k2', user: 'bo', name: HOSTILE, grants: ['tasks:read'] }],
      connections: [{ ref: 'c2', user: 'ana', name: HOSTILE, workspaces: ['apollo'] }],
    },
  );
  Object.assign(file.accounts[0]!.users![0]!, { email: 'ana@acme.example', password: PASSWORD, name: HOSTILE });
  refs = await world(database.url, file);
  web = await startWeb(database.url);
  const fixtures = new Fixtures(database.url);
  await fixtures.sql(
    `insert into activity (account_id, user_id, connection_id, workspace_id, tool, outcome, elapsed_ms)
     select account_id, user_id, id, $2, 'svc_context', 'ok', 1 from connections where id = $1`,
    [refs.id('c2'), refs.id('apollo')],
  );
  const [changed] = await fixtures.sql(
    `with changed as (
       insert into changes (account_id, workspace_id, item_id, actor_id, via, credential_id, credential_name, kind, version, fields)
       select account_id, workspace_id, id, $2, 'agent', 1, $3, 'item.updated', 1, jsonb_build_object('title', array[$3, $3], 'description', true)
       from items where id = $1 returning account_id, id)
     insert into change_texts select account_id, id, 'description', $3 from changed returning change_id::int`,
    [refs.id('requirement'), refs.id('bo'), HOSTILE],
  );
  const [hook] = await fixtures.sql(
    `with hook as (
       insert into webhooks (account_id, workspace_id, user_id, url, secret, era, xact, change_id)
       select account_id, id, $2, 'https://example.org/' || $3, '', 0, '0', 0 from workspaces where id = $1 returning id, account_id)
     insert into webhook_deliveries (account_id, webhook_id, state, answer) select account_id, id, 'failed', $3 from hook
     returning webhook_id::int as id`,
    [refs.id('apollo'), refs.id('bo'), HOSTILE],
  );
  await fixtures.close();
  const [id, noteId, connectionId, userId] = ['apollo', 'n1', 'c2', 'bo'].map((ref) => refs.id(ref));
  ids = {
    id: id!,
    itemId: refs.id('requirement'),
    noteId: noteId!,
    connectionId: connectionId!,
    userId: userId!,
    fileId: 1,
    changeId: changed.change_id,
    field: 'assignee',
    webhookId: hook.id,
  };
  ana = await signedIn(web.baseUrl, 'ana@acme.example');
});
test.after('stop', () => web?.stop());

type Element = DefaultTreeAdapterMap['element'];

function elementsOf(html: string): Element[] {
  const found: Element[] = [];
  const visit = (node: DefaultTreeAdapterMap['node']) => {
    if ('tagName' in node) found.push(node);
    if ('childNodes' in node) node.childNodes.forEach(visit);
  };
  visit(parse(html));
  return found;
}

/** Markup of the page that our templates never write. */
function faults({ html }: Shown): string[] {
  return elementsOf(html).flatMap(({ tagName, attrs }) => {
    const src = attrs.find(({ name }) => name === 'src')?.value;
    const odd = forbidden.has(tagName) || (tagName === 'script' && !src?.startsWith('/stint/static/'));
    const handlers = attrs.filter(({ name }) => name.startsWith('on') || name.includes('<') || name.includes('"'));
    return odd || handlers.length ? [`<${tagName} ${attrs.map(({ name, value }) => `${name}="${value}"`).join(' ')}>`] : [];
  });
}

// Without user input, for scripts, or waiting for a worker.
const bare =
  /^\/(welcome|sign-in|email|invitation|unsubscribe|capacity|calendar|offline|share|first-run)|(file|export|import)Id|new-encrypted$|\.csv$|\/(find|fit|candidates|repeat)$/;

test('every page and every confirmation escapes user input', async (t) => {
  const chosen = `?change=assignee&ids=${ids.itemId}`;
  const shown = pageRoutes.filter(({ method, path }) => method === 'GET' && !bare.test(path));
  const paths = shown.map(
    ({ path }) => path.replace(/:(\w+)/g, (_, name: string) => String(ids[name])) + (/\/(bulk|dependents|move)$/.test(path) ? chosen : ''),
  );
  const more = types.flatMap((type) => [
    `/workspaces/${ids.id}?type=${type}&search=${encodeURIComponent(HOSTILE)}`,
    `/workspaces/${ids.id}/items/${refs.id(type)}`,
    `/workspaces/${ids.id}/items/${refs.id(type)}/edit`,
  ]);
  const inTime = `/workspaces/${ids.id}?view=timeline&status=all&tasks=${ids.itemId}`;
  for (const path of [
    ...paths,
    ...more,
    inTime,
    `/workspaces/${ids.id}/move?ids=${ids.itemId}&to=${refs.id('other')}`,
    `/workspaces/${refs.id('old')}/settings`,
    `/my/notes?search=${encodeURIComponent(HOSTILE)}`,
  ]) {
    const page = await ana.go(path);
    t.is(page.status, 200, path);
    t.deepEqual(faults(page), [], path);
    t.true(page.html.includes('&lt;script&gt;'), `${path} shows no text of ours`);
    const questions = elementsOf(page.html).filter(
      ({ tagName, attrs }) => tagName === 'form' && attrs.some(({ name }) => name === 'data-confirm'),
    );
    for (const { attrs } of questions) {
      const action = attrs.find(({ name }) => name === 'action')!.value;
      ana.at = page;
      const asked = await ana.send(action);
      t.true(asked.text.startsWith('Are you sure?'), `${action} asks`);
      t.deepEqual(faults(asked), [], action);
    }
  }
});

const textOf = (node: DefaultTreeAdapterMap['node']): string =>
  'value' in node ? String(node.value) : 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';

test('a title and a comment are shown as typed', async (t) => {
  const { html } = await ana.go(`/workspaces/${ids.id}/items/${ids.itemId}`);
  const all = elementsOf(html);
  t.true(all.filter(({ tagName }) => tagName === 'h1').some((element) => textOf(element) === HOSTILE));
  const comment = all.find(({ attrs }) => attrs.some(({ name, value }) => name === 'class' && /(^| )say( |$)/.test(value)))!;
  // Markdown decodes entities.
  t.true(textOf(comment).includes(HOSTILE.replace('&amp;', '&')));
});

test('refused forms escape their typed values', async (t) => {
  const refused: [string, string, Record<string, string>][] = [
    ['/settings/people', '/add', { name: HOSTILE, email: HOSTILE }],
    ['/settings/keys', '/create', { name: '', userId: HOSTILE }],
    ['/mcp-access', '/create', { name: HOSTILE.repeat(9), timezone: HOSTILE }],
    [
      `/workspaces/${ids.id}/new?type=task`,
      '/items',
      { title: HOSTILE, startDate: HOSTILE, estimatedHours: HOSTILE, parentItemId: HOSTILE },
    ],
    [`/workspaces/${ids.id}/items/${ids.itemId}/edit`, '/edit', { title: HOSTILE.repeat(20), marks: HOSTILE, dueDate: HOSTILE }],
    [`/workspaces/${ids.id}/items/${ids.itemId}`, '/comments', { body: HOSTILE.repeat(999) }],
    [`/workspaces/${ids.id}/settings/statuses`, '/statuses/add', { label: HOSTILE, status: HOSTILE }],
    ['/my', '/entries/log', { note: HOSTILE, minutes: HOSTILE, date: HOSTILE }],
    ['/my', '/blocks/create', { note: HOSTILE, startLocal: HOSTILE, timezone: HOSTILE }],
    ['/my/notes', '/folders/create', { name: HOSTILE.repeat(9) }],
    ['/my/notes/new', '/new', { html: HOSTILE }],
    [`/my/notes/${ids.noteId}`, `/${ids.noteId}`, { html: HOSTILE }],
  ];
  for (const [path, action, values] of refused) {
    await ana.go(path);
    const page = await ana.send(action, values);
    t.true(page.status >= 400 && page.status < 500, `${path} ${page.status} ${page.text}`);
    t.deepEqual(faults(page), [], path);
  }
  for (const path of [
    `/${HOSTILE}`,
    `/workspaces/${HOSTILE}`,
    `/?notice=${HOSTILE}`,
    `/sign-in?next=${HOSTILE}`,
    `/my?week=${HOSTILE}`,
    `/capacity?from=${HOSTILE}`,
  ]) {
    t.deepEqual(faults(await ana.go(encodeURI(path))), [], path);
  }
});
