/** Accepted host names and schemes: DNS rebinding, and plain http in front of an https address. */
import type { ExecutionContext } from 'ava';
import { fileDatabase } from '../support/database.ts';
import { fetchAs } from '../support/fetchAs.ts';
import { PASSWORD } from '../support/password.ts';
import { Fixtures } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { oneWorkspace, spawnWeb, startWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let web: Web;
let port: string;
let refs: WorldRefs;
let cookie: string;
test.before('a user with a password, a session and keys', async () => {
  const file = oneWorkspace();
  Object.assign(file.accounts[0]!.users![0]!, { email: 'ana@acme.example', password: PASSWORD });
  refs = await world(database.url, file);
  web = await startWeb(database.url);
  ({ port } = new URL(web.baseUrl));
  const fixtures = new Fixtures(database.url);
  cookie = `JSESSIONID=${await fixtures.session(refs.id('ana'))}`;
  await fixtures.close();
});
test.after('stop', () => web?.stop());

const own = () => ['localhost', 'LOCALHOST', '127.0.0.1', '[::1]'].map((name) => `${name}:${port}`);
const foreign = () => [
  `evil.example:${port}`,
  'evil.example',
  'localhost',
  'localhost:1',
  `localhost.:${port}`,
  `localhost.evil.example:${port}`,
  `evil@localhost:${port}`,
  `localhost:${port}/x`,
];
const at = async (host: string, path: string, init: RequestInit = {}) => fetchAs(host, web.baseUrl + path, init);

test('issue 12.3, DNS rebinding: pages answer under our own names, and 421 to any other Host', async (t) => {
  for (const path of ['/', '/sign-in', '/my', '/nowhere']) {
    for (const host of own()) t.not((await at(host, path, { headers: { Cookie: cookie } })).status, 421, host + path);
    for (const host of foreign()) {
      const answer = await at(host, path, { headers: { Cookie: cookie, 'X-Forwarded-Host': `localhost:${port}` } });
      t.is(answer.status, 421, host + path);
      t.regex(await answer.text(), /Wrong address/);
    }
  }
});

test('issue 12.3, DNS rebinding: forms under a foreign name are refused, even if their Origin equals their Host', async (t) => {
  const body = new URLSearchParams({ email: 'ana@acme.example', password: PASSWORD });
  const host = `evil.example:${port}`;
  const answer = await at(host, '/sign-in', {
    method: 'POST',
    body,
    headers: { Origin: `http://${host}`, 'Sec-Fetch-Site': 'same-origin' },
  });
  t.is(answer.status, 421);
  t.is(answer.headers.get('set-cookie'), null);
  // Our own Host doesn't help either: other headers of the caller don't affect the accepted origin.
  const mixed = { Origin: `http://${host}`, 'X-Forwarded-Host': host };
  t.is((await at(`localhost:${port}`, '/sign-in', { method: 'POST', body, headers: mixed })).status, 403);
  for (const origin of own().slice(1)) {
    const ours = await at(`localhost:${port}`, '/sign-in', { method: 'POST', body, headers: { Origin: `http://${origin}`.toLowerCase() } });
    t.is(ours.status, 303, origin);
  }
});

test('issue 12.3, DNS rebinding: a session over REST works only under our own names; keys, health and metrics work under any', async (t) => {
  const host = `evil.example:${port}`;
  for (const path of ['/api/v1/workspaces', '/api/v1/capabilities', '/api/v1/openapi.json', '/api/v1/items/save']) {
    const answer = await at(host, path, { headers: { Cookie: cookie } });
    t.is(answer.status, 421, path);
    t.deepEqual(Object.keys((await answer.json()) as object), ['error']);
  }
  t.is((await at(`127.0.0.1:${port}`, '/api/v1/workspaces', { headers: { Cookie: cookie } })).status, 200);
  t.is((await at(host, '/api/v1/workspaces', { headers: { Cookie: cookie, 'X-API-Key': refs.key('k1') } })).status, 200);
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const agent = { Authorization: `Bearer ${refs.key('c1')}`, 'Content-Type': 'application/json', Accept: 'application/json' };
  t.is((await at(host, '/mcp', { method: 'POST', body: ping, headers: agent })).status, 200);
  const asPage = (origin: string) => at(host, '/mcp', { method: 'POST', body: ping, headers: { ...agent, Origin: origin } });
  t.deepEqual([(await asPage(`http://${host}`)).status, (await asPage(`http://localhost:${port}`)).status], [403, 200]);
  for (const path of ['/healthz', '/readyz']) t.is((await at(host, path)).status, 200, path);
  t.is((await at(host, '/metrics')).status, 404, 'not set up here');
});

test('issue 12.3, DNS rebinding: a process on a random port answers under that port, and users can sign in', async (t) => {
  const chosen = await spawnWeb(database.url, { BASE_URL: '' });
  t.teardown(chosen.stop);
  const base = new URL(chosen.baseUrl).origin;
  const body = new URLSearchParams({ email: 'ana@acme.example', password: PASSWORD });
  const signIn = await fetch(`${base}/sign-in`, { method: 'POST', body, headers: { Origin: base }, redirect: 'manual' });
  t.is(signIn.status, 303);
  t.is((await fetchAs('evil.example', `${base}/sign-in`, {})).status, 421);
});

const publicly = 'https://work.example.com/stint';
async function behindRouter(t: ExecutionContext, env: Record<string, string> = {}): Promise<Web> {
  const secure = await startWeb(database.url, { BASE_URL: publicly, TRUST_PROXY: '1', ...env });
  t.teardown(secure.stop);
  return secure;
}
const over = (proto: string) => ({ 'X-Forwarded-Proto': proto });

test('issue 12.4, plain http: under an https address page requests redirect to https, and all others are refused', async (t) => {
  const secure = await behindRouter(t);
  const ask = (path: string, init: RequestInit = {}, host = 'work.example.com') =>
    fetchAs(host, secure.baseUrl + path, { ...init, headers: { ...over('http'), ...init.headers } });
  for (const [path, host] of [
    ['/sign-in?next=%2Fmy', undefined],
    ['/', undefined],
    ['/static/app.css', undefined],
    ['/my', 'evil.example'],
  ] as const) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await ask(path, { method }, host);
      t.deepEqual([answer.status, answer.headers.get('location')], [308, publicly + path], `${method} ${path}`);
      t.is(answer.headers.get('set-cookie'), null);
      t.is(answer.headers.get('strict-transport-security'), null);
    }
  }
  const body = new URLSearchParams({ email: 'ana@acme.example', password: PASSWORD });
  const signIn = await ask('/sign-in', { method: 'POST', body, headers: { Origin: 'https://work.example.com' } });
  t.deepEqual([signIn.status, signIn.headers.get('set-cookie'), signIn.headers.get('location')], [403, null, null]);
  t.regex(await signIn.text(), /Use https/);
  for (const path of ['/api/v1/workspaces', '/api/v1/docs', '/mcp', '/api']) {
    const answer = await ask(path, { headers: { 'X-API-Key': refs.key('k1') } });
    t.deepEqual([answer.status, answer.headers.get('location')], [403, null], path);
  }
  t.is((await ask('/readyz')).status, 200);
  t.is((await ask('/sign-in', { headers: over('http, https') })).status, 200, 'the router has the last word');
});

test('issue 12.4, plain http: HSTS covers only this host, for the configured time or not at all', async (t) => {
  const hsts = async (env?: Record<string, string>) => {
    const secure = await behindRouter(t, env);
    const answer = await fetchAs('work.example.com', `${secure.baseUrl}/sign-in`, { headers: over('https') });
    t.is(answer.status, 200);
    return answer.headers.get('strict-transport-security');
  };
  t.is(await hsts(), 'max-age=31536000');
  t.is(await hsts({ HSTS_MAX_AGE: '300' }), 'max-age=300');
  t.is(await hsts({ HSTS_MAX_AGE: '0' }), 'max-age=0');
  t.is(await hsts({ HSTS_MAX_AGE: 'off' }), null);
  t.is((await at(`localhost:${port}`, '/sign-in')).headers.get('strict-transport-security'), null, 'not under http');
});
