/** Headers, https cookies and logs of every page in the table of routes. */
import { globSync, readFileSync } from 'node:fs';
import type { ExecutionContext } from 'ava';
import { pageRoutes } from '../../src/pages/routes.ts';
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { Fixtures } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { signedIn, Visitor } from '../support/visitor.ts';
import { oneWorkspace, spawnWeb, startWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let web: Web;
let refs: WorldRefs;
/** Values for the parameters of the table's paths. */
let ids: Record<string, number | string>;
test.before('one object of every kind', async () => {
  const file = oneWorkspace(
    { items: [{ ref: 'r1', type: 'requirement', title: 'Approve me' }] },
    { personalNotes: [{ ref: 'n1', user: 'ana', html: '<p>Note</p>', attachments: [{ name: 'a.html', text: '<script>x()</script>' }] }] },
  );
  Object.assign(file.accounts[0]!.users![0]!, { email: 'ana@acme.example', password: PASSWORD });
  refs = await world(database.url, file);
  web = await startWeb(database.url);
  const [id, itemId, noteId, connectionId, userId] = ['apollo', 'r1', 'n1', 'c1', 'ana'].map((ref) => refs.id(ref));
  ids = {
    id: id!,
    itemId: itemId!,
    noteId: noteId!,
    connectionId: connectionId!,
    userId: userId!,
    fileId: 1,
    exportId: 1,
    importId: await upload(),
    changeId: await change(),
    field: 'status',
    token: 'nothing',
    viewId: 1,
    projectId: 1,
    personId: userId!,
    webhookId: await webhook(),
    commentId: await comment(),
  };
});
async function change(): Promise<number> {
  const fixtures = new Fixtures(database.url);
  const [{ id }] = await fixtures.sql(
    `with changed as (
       insert into changes (account_id, workspace_id, item_id, actor_id, via, kind, version, fields)
       select account_id, workspace_id, id, $2, 'page', 'item.updated', 1, '{"description": true}' from items where id = $1
       returning account_id, id)
     insert into change_texts select account_id, id, 'description', 'Before' from changed returning change_id::int as id`,
    [refs.id('r1'), refs.id('ana')],
  );
  await fixtures.close();
  return id;
}
async function webhook(): Promise<number> {
  const ana = await signedIn(web.baseUrl, 'ana@acme.example');
  await ana.go(`/workspaces/${refs.id('apollo')}/settings/webhooks`);
  const { html } = await ana.send('/webhooks/create', { url: 'https://example.org/hook' });
  return Number(/webhooks\/(\d+)"/.exec(html)![1]);
}
async function comment(): Promise<number> {
  const ana = await signedIn(web.baseUrl, 'ana@acme.example');
  await ana.go(`/workspaces/${refs.id('apollo')}/items/${refs.id('r1')}`);
  const { html } = await ana.send('/comments', { body: 'A comment' });
  return Number(/comments\/(\d+)\/delete"/.exec(html)![1]);
}
async function upload(): Promise<number> {
  const ana = await signedIn(web.baseUrl, 'ana@acme.example');
  const path = `/workspaces/${refs.id('apollo')}/settings/import`;
  await ana.go(path);
  const body = new FormData();
  for (const [name, value] of ana.form('/import/upload').fields) if (name !== 'file') body.append(name, value);
  body.append('file', new Blob(['Issue key,Summary\nSHOP-1,Sell']), 'jira.csv');
  const answer = await ana.request(`${path}/upload`, { method: 'POST', body, headers: { Origin: new URL(web.baseUrl).origin } });
  return Number(/import\/(\d+)/.exec(answer.headers.get('location')!)![1]);
}
test.after('stop', () => web?.stop());

const filled = (path: string) =>
  // Invalid parameters are refused at once; valid ones wait for a worker.
  (/^\/capacity(\/\w+\.csv)?$/.test(path) ? `${path}?from=odd` : path).replace(/:(\w+)/g, (_, name: string) => {
    if (!ids[name]) throw new Error(`What is ${name} in ${path}?`);
    return String(ids[name]);
  });
const csp =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const AWAY = new Set([
  '/sign-in',
  '/email',
  '/sign-in/account',
  '/sign-in/restore',
  '/welcome',
  '/invitation',
  '/forgotten',
  '/unsubscribe',
  '/offline',
  '/capacity',
  '/calendar/:token.ics',
]);
const open = (path: string) => AWAY.has(path) || path.startsWith('/api/v1/docs');

/** Requests a page and checks what all answers have. Resolves to the status. */
async function guarded(t: ExecutionContext, visitor: Visitor, path: string, init: RequestInit = {}): Promise<number> {
  const answer = await visitor.request(filled(path), init);
  const where = `${init.method ?? 'GET'} ${path} ${answer.status}`;
  const html = await answer.text();
  t.is(answer.headers.get('content-security-policy'), csp, where);
  t.is(answer.headers.get('x-frame-options'), 'DENY', where);
  t.is(answer.headers.get('x-content-type-options'), 'nosniff', where);
  t.is(answer.headers.get('referrer-policy'), 'same-origin', where);
  t.is(answer.headers.get('cache-control'), 'no-store', where);
  t.is(answer.headers.get('access-control-allow-origin'), null, where);
  if (!/:fileId$|\.csv$|\/(candidates|find|fit)$/.test(path) || answer.status !== 200) {
    t.notRegex(html, /<script>|<script [^>]*(?<!src="[^"]*" defer)>|<style|\son\w+=| style=|javascript:/, where);
    if (answer.status !== 303) t.regex(answer.headers.get('content-type')!, /^text\/html/, where);
  }
  return answer.status;
}

test('every page forbids framing, foreign and inline script, caching and sniffing', async (t) => {
  const ana = await signedIn(web.baseUrl, 'ana@acme.example');
  const odd = (path: string) =>
    AWAY.has(path) ||
    path === '/new' ||
    path.startsWith('/capacity/') ||
    // No file or export exists: test/pages/items/files.db.test.ts and test/import/zip.db.test.ts check their headers. Only tasks repeat.
    /^\/files\/|:exportId/.test(path) ||
    /bulk$|dependents$|move$|beside$|repeat$|^\/items\/:itemId$|:id\/settings$|:id\/find$|:id\/webhooks/.test(path);
  for (const { method, path } of pageRoutes) {
    if (method !== 'GET') continue;
    const status = await guarded(t, ana, path);
    if (!odd(path)) t.is(status, 200, path);
    if (!open(path)) t.is(await guarded(t, new Visitor(web.baseUrl), path), 303, path);
  }
  for (const visitor of [ana, new Visitor(web.baseUrl)]) t.is(await guarded(t, visitor, '/nowhere'), 404);
  const file = await ana.request(`/my/notes/${ids.noteId}/files/${ids.fileId}`);
  t.regex(file.headers.get('content-disposition')!, /^attachment/);
  t.is(file.headers.get('content-type'), 'application/octet-stream');
});

test('characters that cannot be stored, in any value of an address, fail no page', async (t) => {
  const ana = await signedIn(web.baseUrl, 'ana@acme.example');
  const read = globSync('src/pages/**/*.ts').flatMap(
    (path) => readFileSync(path, 'utf8').match(/(?<=query\.(?:get|getAll|has)\(')\w+/g) ?? [],
  );
  t.true(read.length > 50);
  const query = [...new Set(read)].map((name) => `${name}=1%00`).join('&');
  for (const { method, path } of pageRoutes) {
    if (method !== 'GET') continue;
    const { status } = await ana.request(`${filled(path)}?${query}`);
    t.true(status < 500, `${path} ${status}`);
  }
});

test('every form refuses a wrong or missing CSRF value and another origin, with the headers of a page, and sends strangers to the sign-in', async (t) => {
  const ana = await signedIn(web.baseUrl, 'ana@acme.example');
  await ana.go('/settings/password');
  const right = ana.form('/settings/password').fields.get('_csrf')!;
  const send = (path: string, _csrf: string, headers: Record<string, string> = {}) =>
    guarded(t, ana, path, { method: 'POST', headers, body: new URLSearchParams(_csrf ? { _csrf } : {}) });
  for (const { path, public: isPublic } of pageRoutes.filter(({ method }) => method === 'POST')) {
    if (!isPublic) t.is(await send(path, 'wrong'), 403, path);
    t.is(await send(path, right, { Origin: 'https://evil.example' }), 403, path);
    if (!open(path)) t.is(await guarded(t, new Visitor(web.baseUrl), path, { method: 'POST', body: new URLSearchParams() }), 303, path);
  }
  t.is(await send('/settings/password', ''), 403);
  t.is(await send('/settings/password', right, { 'Sec-Fetch-Site': 'same-site' }), 403);
  t.regex((await ana.go('/')).text, /Sign out/, 'not even a sign-out');
});

test('under https the cookie is Secure and HSTS is set', async (t) => {
  const secure = await startWeb(database.url, { BASE_URL: 'https://work.example.com/stint', TRUST_PROXY: '1' });
  t.teardown(secure.stop);
  const visitor = new Visitor(secure.baseUrl, { host: 'work.example.com', proto: 'https' });
  const headers = { Origin: 'https://work.example.com' };
  await visitor.post('/sign-in', new URLSearchParams({ email: 'ana@acme.example', password: PASSWORD }), headers);
  t.regex(visitor.setCookie, /^JSESSIONID=[\w-]{43}; Path=\/stint; HttpOnly; SameSite=Lax; Secure$/);
  t.regex(visitor.at.headers.get('strict-transport-security')!, /max-age=31536000/);
  t.regex(visitor.at.text, /Sign out/);
  const { fields } = visitor.form('/sign-out');
  await visitor.post('/sign-out', fields, headers);
  t.regex(visitor.setCookie, /^JSESSIONID=; Path=\/stint; HttpOnly; SameSite=Lax; Secure; Max-Age=0$/);
  t.is((await visitor.request('/sign-in', { method: 'POST', headers: { Origin: 'http://work.example.com' } })).status, 403);
});

test('no key, link, password, cookie, CSRF value or text is logged', async (t) => {
  const spawned = await spawnWeb(database.url, { LOG_LEVEL: 'trace' });
  t.teardown(spawned.stop);
  const ana = await signedIn(spawned.baseUrl, 'ana@acme.example');
  const secrets = [PASSWORD, encodeURIComponent(PASSWORD), ana.cookie];
  const keep = (pattern: RegExp) => secrets.push(pattern.exec(ana.at.text)![0]);
  await ana.go('/settings/keys');
  secrets.push(ana.form('/create').fields.get('_csrf')!);
  await ana.send('/create', { name: 'CI', grants: ['tasks:read'] });
  keep(/stint_rest_[\w-]{43}/);
  await ana.go('/mcp-access');
  await ana.send('/create', { name: 'Laptop' });
  keep(/stint_agent_[\w-]{43}/);
  await ana.go('/mcp-access');
  await ana.sendSurely('/rotate', {}, (fields) => fields.get('connectionId') === String(refs.id('c1')));
  keep(/stint_agent_[\w-]{43}/);
  await ana.go('/settings/people');
  await ana.send('/add', { name: 'New', email: 'new@acme.example' });
  keep(/(?<=&t=)[\w-]{43}/);
  const invited = new Visitor(spawned.baseUrl);
  await invited.go(/\/invitation\?\S+/.exec(ana.at.text)![0]);
  await invited.send('/invitation', { password: 'a password never seen' });
  await ana.go('/my/notes/new');
  await ana.send('/my/notes/new', { html: '<p>a text never seen</p>' });
  await ana.go(`/workspaces/${ids.id}/items/${ids.itemId}`);
  await ana.send('/comments', { body: 'a comment never seen' });
  // A key in the wrong place is not stored either.
  await ana.go(`/mcp-access?key=${secrets[4]}`);
  await ana.go(`/${secrets[4]}`);
  await spawned.process.log({ operation: 'POST /workspaces/:id/items/:itemId/comments' });
  await spawned.stop();
  const log = spawned.process.lines.join('\n');
  for (const secret of [...secrets, invited.cookie, 'never seen', 'never+seen']) t.false(log.includes(secret), secret);
});

test('an unknown address links back: to the navigation when signed in', async (t) => {
  const ana = await signedIn(web.baseUrl, 'ana@acme.example');
  const found = await Promise.all([ana, new Visitor(web.baseUrl)].map((visitor) => visitor.request('/nowhere')));
  const [hers, theirs] = await Promise.all(found.map((answer) => answer.text()));
  t.deepEqual(
    found.map(({ status }) => status),
    [404, 404],
  );
  t.regex(hers!, /<nav[\s\S]*sign-out/);
  t.notRegex(theirs!, /sign-out/);
  t.regex(theirs!, /Go to My day/);
});
