/** The account's pages over HTTP without script: sessions, forms, roles, keys. */
import { hashSecret } from '../../src/access/secrets.ts';
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { Fixtures } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { signedIn, Visitor } from '../support/visitor.ts';
import { oneWorkspace, startWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let web: Web;
let refs: WorldRefs;
test.before('an account', async () => {
  const person = (ref: string, accountRole: 'owner' | 'admin' | 'member') =>
    ({ ref, email: `${ref}@acme.example`, name: ref, accountRole, password: PASSWORD }) as const;
  const users = [person('bo', 'admin'), person('mia', 'member'), person('second', 'member')];
  const file = oneWorkspace(
    {},
    {
      users: [...users, { ref: 'robot', email: 'robot@acme.example', name: 'Robot', kind: 'service' }],
      restKeys: [
        { ref: 'old', user: 'ana', name: 'Old key', grants: ['workspaces:read'], expiresAt: '2020-01-01T00:00:00Z' },
        { ref: 'used', user: 'ana', name: 'Used key', grants: ['workspaces:read'] },
      ],
      connections: [{ ref: 'old-agent', user: 'ana', name: 'Old agent', workspaces: ['apollo'], expiresAt: '2020-01-01T00:00:00Z' }],
    },
  );
  Object.assign(file.accounts[0]!.users![0]!, { email: 'ana@acme.example', password: PASSWORD });
  refs = await world(database.url, file);
  web = await startWeb(database.url);
});
test.after('stop', () => web?.stop());
const as = (ref: string) => signedIn(web.baseUrl, `${ref}@acme.example`);
const by = (name: string, value: number) => (fields: URLSearchParams) => fields.get(name) === String(value);
const keyIn = (text: string) => /stint_(?:rest|agent)_[\w-]{43}/.exec(text)?.[0];

test('signing in sets a new session id in a protected cookie; signing out ends it', async (t) => {
  const visitor = new Visitor(web.baseUrl);
  visitor.cookie = 'planted';
  await visitor.go('/sign-in');
  t.is((await visitor.send('/sign-in', { email: 'ana@acme.example', password: 'wrong' })).status, 401);
  await visitor.send('/sign-in', { email: 'ANA@acme.example', password: PASSWORD });
  t.not(visitor.cookie, 'planted');
  t.regex(visitor.setCookie, /^JSESSIONID=[\w-]{43}; Path=\/stint; HttpOnly; SameSite=Lax$/);
  const { cookie } = visitor;
  await visitor.send('/sign-out');
  t.is(visitor.at.path, '/sign-in');
  visitor.cookie = cookie;
  t.is((await visitor.go('/')).path, '/sign-in');
});

test('a session ends after fourteen days, and its row has no cookie', async (t) => {
  const mia = await as('mia');
  const fixtures = new Fixtures(database.url);
  t.teardown(() => fixtures.close());
  const [row] = await fixtures.sql('select *, expires_at - created_at as lasts from sessions where token_hash = $1', [
    hashSecret(mia.cookie),
  ]);
  t.is(row.lasts.days, 14);
  t.false(JSON.stringify(row).includes(mia.cookie) || row.token_hash.includes(mia.cookie));
  await fixtures.sql('update sessions set expires_at = now() where id = $1', [row.id]);
  t.is((await mia.go('/')).path, '/sign-in');
  t.is((await mia.request('/api/v1/workspaces')).status, 401);
});

test('after signing in only our own paths are followed', async (t) => {
  for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example', '/../../evil', '/%2e%2e/x', '/.//evil.example', 'x']) {
    const visitor = new Visitor(web.baseUrl);
    await visitor.go(`/sign-in?next=${encodeURIComponent(next)}`);
    await visitor.send('/sign-in', { email: 'mia@acme.example', password: PASSWORD, next });
    t.is(visitor.at.path, '/', next);
  }
  const visitor = new Visitor(web.baseUrl);
  await visitor.go('/mcp-access/activity?outcome=ok');
  await visitor.send('/sign-in', { email: 'mia@acme.example', password: PASSWORD });
  t.is(visitor.at.path, '/mcp-access/activity?outcome=ok');
});

test('too many attempts get a time to retry', async (t) => {
  const limited = await startWeb(database.url, { RATE_LIMIT_SIGN_IN: '3' });
  t.teardown(limited.stop);
  const visitor = new Visitor(limited.baseUrl);
  await visitor.go('/sign-in');
  const answers = [];
  // The minute may change in between.
  for (let i = 0; i < 8; i++)
    answers.push(await visitor.post('/sign-in', new URLSearchParams({ email: 'no@acme.example', password: 'x' })));
  const refused = answers.filter(({ status }) => status === 429);
  t.true(refused.length >= 2);
  t.true(Number(refused[0]!.headers.get('retry-after')) >= 1);
});

test('a form of another origin, site or session is refused', async (t) => {
  const ana = await as('ana');
  await ana.go('/settings/keys');
  const { path, fields } = ana.form('/create');
  const attempts: [string | null, Record<string, string>][] = [
    ['wrong', {}],
    [null, {}],
    [fields.get('_csrf'), { Origin: 'https://evil.example' }],
    [fields.get('_csrf'), { Origin: 'null' }],
    [fields.get('_csrf'), { 'Sec-Fetch-Site': 'cross-site' }],
  ];
  for (const [csrf, headers] of attempts) {
    const form = new URLSearchParams(fields);
    form.delete('_csrf');
    if (csrf) form.set('_csrf', csrf);
    t.is((await ana.post(path, form, headers)).status, 403);
  }
});

test('an API key is shown once, created once however often its form is sent, and refused once revoked', async (t) => {
  const ana = await as('ana');
  await ana.go('/settings/keys');
  const { path, fields } = ana.form('/create');
  fields.set('name', 'Once <script>alert(1)</script>');
  fields.append('grants', 'workspaces:read');
  const made = await ana.post(path, fields);
  const key = keyIn(made.text)!;
  t.is(made.headers.get('cache-control'), 'no-store');
  const again = await ana.post(path, fields);
  t.is(again.status, 409);
  t.is(keyIn(again.text), undefined);
  const list = await ana.go('/settings/keys');
  t.is(list.text.split('Once <script>').length, 2);
  t.false(list.html.includes('<script>alert'));
  t.false(list.html.includes(key));
  const ask = () => fetch(`${web.baseUrl}/api/v1/workspaces`, { headers: { 'X-API-Key': key } });
  t.is((await ask()).status, 200);
  const newest = (one: URLSearchParams) => one.get('keyId') !== String(refs.id('k1'));
  t.regex((await ana.send('/revoke', {}, newest)).text, /Are you sure\?.*loses access immediately/);
  t.is((await ask()).status, 200);
  t.regex((await ana.send('/revoke')).text, /Revoked/);
  t.is((await ask()).status, 401);
});

test("expired credentials are marked; an agent's expiry can be extended, and a key's last use is shown", async (t) => {
  const ana = await as('ana');
  const list = async () => (await fetch(`${web.baseUrl}/api/v1/workspaces`, { headers: { 'X-API-Key': refs.key('old') } })).status;
  t.is(await list(), 401);
  t.regex((await ana.go('/settings/keys')).text, /Old key.*?expired/);
  t.regex((await ana.go('/mcp-access')).text, /Old agent.*?expired/i);
  const agent = async () =>
    (await fetch(`${web.baseUrl}/mcp`, { method: 'POST', headers: { Authorization: `Bearer ${refs.key('old-agent')}` }, body: '{}' }))
      .status;
  t.is(await agent(), 401);
  await ana.go(`/mcp-access/${refs.id('old-agent')}`);
  t.regex((await ana.send(`/${refs.id('old-agent')}`, { expires: '30' })).text, /Saved\./);
  t.not(await agent(), 401);
  t.regex((await ana.go('/settings/keys')).text, /Used key.*?read\s*neverneveractive/);
  // Uses in memory are written at the latest when a process ends.
  const other = await startWeb(database.url);
  await fetch(`${other.baseUrl}/api/v1/workspaces`, { headers: { 'X-API-Key': refs.key('used') } });
  await other.stop();
  t.regex((await ana.go('/settings/keys')).text, /Used key.*?read\s*(?:just now|1 min ago)neveractive/);
});

test("members see no people and keys; administrators see no keys and can't change owners", async (t) => {
  const mia = await as('mia');
  for (const path of ['/settings/people', '/settings/people?q=ana', `/settings/people/${refs.id('ana')}`])
    t.is((await mia.go(path)).status, 403);
  t.is((await mia.go('/settings/keys')).status, 403);
  const bo = await as('bo');
  t.is((await bo.go('/settings/keys')).status, 403);
  await bo.go(`/settings/people/${refs.id('mia')}`);
  const { fields } = bo.form('/invite', by('userId', refs.id('mia')));
  fields.delete('_ask');
  fields.set('userId', String(refs.id('ana')));
  t.is((await bo.post('/settings/people/invite', fields)).status, 400);
  fields.set('accountRole', 'owner');
  fields.set('userId', String(refs.id('bo')));
  t.is((await bo.post('/settings/people/role', fields)).status, 403);
});

test("the last owner can't be removed", async (t) => {
  const ana = await as('ana');
  await ana.go(`/settings/people/${refs.id('ana')}`);
  t.regex((await ana.sendSurely('/role', { accountRole: 'member' })).text, /needs an active owner/);
  t.regex((await ana.sendSurely('/active')).text, /needs an active owner/);
});

test('an invitation sets the password once; deactivation ends sessions at once', async (t) => {
  const ana = await as('ana');
  await ana.go('/settings/people');
  await ana.send('/add', { name: 'New', email: 'new@acme.example', weeklyHours: '30' });
  const link = /http\S+invitation\S+/.exec(ana.at.text)![0].replace(web.baseUrl, '');
  t.is((await new Visitor(web.baseUrl).go(link.slice(0, -2))).status, 403);
  const invited = new Visitor(web.baseUrl);
  await invited.go(link);
  t.is((await invited.send('/invitation', { password: 'short' })).status, 400);
  t.regex((await invited.send('/invitation', { password: PASSWORD })).text, /NewYour account/);
  t.is((await new Visitor(web.baseUrl).go(link)).status, 403);
  await ana.go('/settings/people?q=NEW%40acme');
  t.regex(ana.at.text, /New\s*new@acme\.example\s*member\s*just now\s*–\s*–\s*30 h/);
  await ana.go(/\/settings\/people\/\d+/.exec(ana.at.html)![0]);
  await ana.sendSurely('/active');
  t.is((await invited.go('/')).path, '/sign-in');
  t.is((await invited.send('/sign-in', { email: 'new@acme.example', password: PASSWORD })).status, 401);
});

test('a new password ends all other sessions and renews this one', async (t) => {
  const [here, there] = [await as('second'), await as('second')];
  const { cookie } = here;
  await here.go('/settings/password');
  t.is((await here.send('/settings/password', { current: 'wrong', password: 'another good one' })).status, 400);
  t.regex((await here.send('/settings/password', { current: PASSWORD, password: 'another good one' })).text, /Password changed/);
  t.not(here.cookie, cookie);
  t.is((await there.go('/')).path, '/sign-in');
  t.is((await here.go('/')).path, '/');
});

test('a session can write through the API only with its CSRF value', async (t) => {
  const ana = await as('ana');
  const found = (await (await ana.request('/api/v1/capabilities')).json()) as { authentication: { mode: string }; csrfToken: string };
  t.is(found.authentication.mode, 'session');
  const record = { type: 'task', title: 'By session', description: '', status: 'planned', fields: {} };
  const save = (headers: Record<string, string>) =>
    ana.request('/api/v1/items/save', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ workspaceId: refs.id('apollo'), record }),
    });
  t.is((await save({})).status, 403);
  t.is((await save({ 'X-CSRF-Token': 'wrong' })).status, 403);
  t.is((await save({ 'X-CSRF-Token': found.csrfToken })).status, 200);
});
