/** Reloading after a fault shows the form with the typed values and errors, and does not send it again (behaviour §22.8). */
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { suite } from '../support/suite.ts';
import { type Shown, signedIn as signInAs, Visitor } from '../support/visitor.ts';
import { type Queue, queueOf } from '../support/workers.ts';
import { oneWorkspace, startWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let refs: WorldRefs;
let web: Web;

test.before('people and their work', async () => {
  const users = ['bo', 'cleo'].map((ref) => ({ ref, email: `${ref}@acme.example`, name: ref, password: PASSWORD }));
  const members = users.map(({ ref }) => ({ user: ref, role: 'member' as const }));
  const file = oneWorkspace({ members, items: [{ ref: 't1', type: 'task', title: 'Paint' }] }, { users });
  Object.assign(file.accounts[0]!.users![0]!, { email: 'ana@acme.example', password: PASSWORD });
  refs = await world(database.url, file);
  web = await startWeb(database.url);
});
test.after('close', () => web?.stop());

/** `fetch` can't set the header that marks a navigation. */
async function signedIn(email: string): Promise<Visitor> {
  const { cookie } = await signInAs(web.baseUrl, email);
  return Object.assign(new Visitor(web.baseUrl, { host: new URL(web.baseUrl).host, proto: 'http' }), { cookie });
}

const asBrowser = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Site': 'same-origin' };

/** Posts a form as a browser's navigation. */
async function send(visitor: Visitor, action: string, values: Record<string, string>): Promise<Shown> {
  const { path, fields } = visitor.form(action);
  for (const [name, value] of Object.entries(values)) fields.set(name, value);
  return visitor.post(path, fields, asBrowser);
}

const kept = async (queue: Queue) => queue.rows('select * from refused_forms order by created_at');
const editOf = (item: string) => `/workspaces/${refs.id('apollo')}/items/${refs.id(item)}/edit`;

test('a refused form has an address that shows the typed values, marks each faulty field and focuses the first', async (t) => {
  const ana = await signedIn('ana@acme.example');
  await ana.go('/profile');
  const shown = await send(ana, '/profile', { name: ' ', timezone: 'Mars/Base' });
  t.is(shown.status, 400);
  t.regex(shown.path, /^\/profile\?again=[\w-]+$/);
  for (const { status, html } of [shown, await ana.go(shown.path)]) {
    t.is(status, 400);
    t.is(html.match(/aria-invalid="true"/g)?.length, 2);
    t.is(html.match(/ autofocus/g)?.length, 1);
    t.regex(html, /name="name"[^>]* autofocus/);
    t.regex(html, /<option value="Mars\/Base" selected>/);
  }
  await send(ana, '/profile', { name: 'Ana B', timezone: 'Europe/Rome' });
  t.is(ana.at.path, '/profile?notice=saved');
});

test('faults that only the change finds are marked in their fields as well, under the names of the form', async (t) => {
  const ana = await signedIn('ana@acme.example');
  await ana.go(editOf('t1'));
  const shown = await send(ana, '/edit', { startDate: '2026-05-02', dueDate: '2026-05-01' });
  t.regex(shown.path, /again=/);
  for (const { status, html, text } of [shown, await ana.go(shown.path)]) {
    t.is(status, 400);
    t.is(html.match(/aria-invalid="true"/g)?.length, 1);
    t.regex(html, /name="startDate"[^>]* aria-invalid="true"/);
    t.regex(text, /must not be after Due date\./);
  }
});

test('reloading a refused form shows the same error without trying again, even if it would work by now', async (t) => {
  const queue = await queueOf(t, database.url);
  const [ana, bo] = [await signedIn('ana@acme.example'), await signedIn('bo@acme.example')];
  await Promise.all([ana.go(editOf('t1')), bo.go(editOf('t1'))]);
  await send(bo, '/edit', { title: 'Painted by Bo' });
  const conflict = await send(ana, '/edit', { title: 'Painted by Ana' });
  t.is(conflict.status, 409);
  t.regex(conflict.path, /again=/);
  t.regex(conflict.text, /Painted by Bo/);
  t.regex(conflict.html, /value="Painted by Ana"/);
  const [{ version }] = await queue.rows('select version from items where id = $1', [refs.id('t1')]);
  await queue.rows('update items set version = 1 where id = $1', [refs.id('t1')]);
  t.is((await ana.go(conflict.path)).status, 409);
  const [{ title }] = await queue.rows('select title from items where id = $1', [refs.id('t1')]);
  t.is(title, 'Painted by Bo');
  await queue.rows('update items set version = $2 where id = $1', [refs.id('t1'), version]);
});

test('only the session that sent it can see it, with its current rights, for an hour', async (t) => {
  const queue = await queueOf(t, database.url);
  const [bo, cleo] = [await signedIn('bo@acme.example'), await signedIn('cleo@acme.example')];
  await bo.go(editOf('t1'));
  const { path, status } = await send(bo, '/edit', { title: ' ', description: 'typed for long' });
  t.is(status, 400);
  const other = await cleo.go(path);
  t.is(other.status, 200);
  t.false(other.html.includes('typed for long'));
  t.false((await (await signedIn('bo@acme.example')).go(path)).html.includes('typed for long'));
  t.is((await bo.go(path)).status, 400);
  await queue.rows('delete from memberships where user_id = $1', [refs.id('bo')]);
  t.is((await bo.go(path)).status, 403);
  await queue.rows(
    `insert into memberships (account_id, workspace_id, user_id, role) select account_id, id, $1, 'member' from workspaces where id = $2`,
    [...[refs.id('bo'), refs.id('apollo')]],
  );
  t.is((await bo.go(path)).status, 400);
  await queue.rows(`update refused_forms set created_at = created_at - interval '61 minutes'`);
  const later = await bo.go(path);
  t.is(later.status, 200);
  t.false(later.html.includes('typed for long'));
});

test('forms with a password and internal values are not stored; requests other than navigations are answered in place', async (t) => {
  const queue = await queueOf(t, database.url);
  await queue.rows('delete from refused_forms');
  const cleo = await signedIn('cleo@acme.example');
  await cleo.go('/settings/password');
  const shown = await send(cleo, '/settings/password', { current: 'not it at all', password: 'short' });
  t.deepEqual([shown.status, shown.path], [400, '/settings/password']);
  t.deepEqual(await kept(queue), []);
  await cleo.go('/profile');
  t.deepEqual([(await cleo.send('/profile', { name: ' ' })).status, cleo.at.path], [400, '/profile']);
  t.deepEqual(await kept(queue), []);
  await cleo.go('/profile');
  await cleo.post('/profile', new URLSearchParams({ ...Object.fromEntries(cleo.form('/profile').fields), name: ' ' }), {
    'Upgrade-Insecure-Requests': '1',
  });
  const [{ fields, token_hash, ...row }] = await kept(queue);
  t.deepEqual(Object.keys(fields).sort(), ['name', 'singleKeys', 'theme', 'timezone']);
  const token = /again=([\w-]+)/.exec(cleo.at.path)![1]!;
  t.false(JSON.stringify({ fields, row, token_hash: String(token_hash) }).includes(token));
});

test('the latest twenty of a person are kept, in all sessions together, and end with their session', async (t) => {
  const queue = await queueOf(t, database.url);
  await queue.rows('delete from refused_forms');
  const refuse = async (visitor: Visitor) => (await send(visitor, '/profile', { name: ' ' })).path;
  const [bo, cleo, other] = await Promise.all(['bo', 'cleo', 'cleo'].map((name) => signedIn(`${name}@acme.example`)));
  for (const visitor of [bo!, cleo!, other!]) await visitor.go('/profile');
  const [ofBo, ofOther] = [await refuse(bo!), await refuse(other!)];
  const paths = [];
  for (let n = 0; n < 19; n++) paths.push(await refuse(cleo!));
  t.is((await other!.go(ofOther)).status, 400);
  paths.push(await refuse(cleo!));
  t.is((await kept(queue)).length, 20 + 1);
  t.is((await bo!.go(ofBo)).status, 400, "other people's forms stay");
  t.is((await other!.go(ofOther)).status, 200);
  t.is(
    await refuse(other!)
      .then((path) => other!.go(path))
      .then(({ status }) => status),
    400,
  );
  t.deepEqual([(await cleo!.go(paths[0]!)).status, (await cleo!.go(paths[19]!)).status], [200, 400]);
  await cleo!.send('/sign-out');
  t.is((await kept(queue)).length, 1 + 1);
});

test("a confirmation has an address, keeps the form's values, and confirming counts once", async (t) => {
  const ana = await signedIn('ana@acme.example');
  await ana.go(`/workspaces/${refs.id('apollo')}/items/${refs.id('t1')}`);
  const { fields } = ana.form('/archive');
  const asked = await send(ana, '/archive', {});
  t.is(asked.status, 200);
  t.regex(asked.path, /\/archive\?again=[\w-]+$/);
  for (const { status, text } of [asked, await ana.go(asked.path)]) {
    t.is(status, 200);
    t.regex(text, /^Are you sure\?/);
  }
  const held = ana.form('/archive').fields;
  for (const [name, value] of fields) if (name !== '_ask' && name !== '_csrf') t.is(held.get(name), value, name);
  const done = await send(ana, '/archive', {});
  t.is(done.status, 200);
  t.notRegex(done.text, /Are you sure/);
  t.regex((await ana.go(asked.path)).text, /^Are you sure\?/, 'going back asks again and sends nothing');
});

test('an address for forms only redirects to its page', async (t) => {
  const ana = await signedIn('ana@acme.example');
  const at = `/workspaces/${refs.id('apollo')}`;
  const leading: [string, string][] = [
    ['/my/timer/start', '/my/timer'],
    ['/settings/keys/create', '/settings/keys'],
    [`${at}/items/${refs.id('t1')}/comments`, `${at}/items/${refs.id('t1')}`],
    ['/profile/email?again=nothing', '/profile'],
  ];
  for (const [from, to] of leading) t.is((await ana.go(from)).path, to, from);
  t.is((await ana.go('/profile?again=nothing')).status, 200);
});
