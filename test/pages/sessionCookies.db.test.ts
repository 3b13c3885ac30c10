/** Requests with several session cookies, and the companion cookie under https (behaviour §12.30, §12.31). */
import type { ExecutionContext } from 'ava';
import { fileDatabase } from '../support/database.ts';
import { fetchAs } from '../support/fetchAs.ts';
import { PASSWORD } from '../support/password.ts';
import { Fixtures } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { Visitor } from '../support/visitor.ts';
import { oneWorkspace, startWeb, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const HOST = 'work.example.com';
const database = fileDatabase();
let refs: WorldRefs;
let fixtures: Fixtures;
test.before('two people', async () => {
  const person = (ref: string) => ({ ref, email: `${ref}@acme.example`, name: ref, password: PASSWORD });
  refs = await world(database.url, oneWorkspace({}, { users: ['bo', 'eve'].map(person) }));
  fixtures = new Fixtures(database.url);
});
test.after('close', () => fixtures?.close());
const session = (ref: string) => fixtures.session(refs.id(ref));

/** A web process at that public address. */
async function started(t: ExecutionContext, baseUrl: string) {
  const web = await startWeb(database.url, { BASE_URL: baseUrl, TRUST_PROXY: '1' });
  t.teardown(web.stop);
  const { protocol, host } = new URL(baseUrl);
  const get = (path: string, cookies: string[]) =>
    fetchAs(host, web.baseUrl + path, { headers: { 'X-Forwarded-Proto': protocol.slice(0, -1), Cookie: cookies.join('; ') } });
  return {
    baseUrl: web.baseUrl,
    /** The user of a request with these cookies, in pages, REST and MCP. Null: no user. */
    async who(...cookies: string[]): Promise<(string | null)[]> {
      const page = await get('/profile', cookies);
      const rest = await get('/api/v1/capabilities', cookies);
      const live = await get('/live/since', cookies);
      const { actor } = (await rest.json()) as { actor?: { name: string } };
      return [
        page.status === 200 ? /name="name"[^>]* value="(\w+)"/.exec(await page.text())![1]! : null,
        rest.status === 200 ? actor!.name : null,
        live.status === 200 ? 'someone' : null,
      ];
    },
  };
}
const no = [null, null, null];
const is = (name: string) => [name, name, 'someone'];
const JS = (value: string) => `JSESSIONID=${value}`;
const companion = (value: string) => `__Host-JSESSIONID=${value}`;

test('two valid sessions of different users in one request count as none, two of one user as that user', async (t) => {
  const { who } = await started(t, 'http://localhost/');
  const [bo, again, eve] = [await session('bo'), await session('bo'), await session('eve')];
  t.deepEqual(await who(JS(bo), JS(eve)), no);
  t.deepEqual(await who(JS(eve), JS(bo)), no);
  t.deepEqual(await who(JS('planted'), JS(bo)), is('bo'));
  t.deepEqual(await who(JS(bo), JS(again)), is('bo'));
  t.deepEqual(await who(...[1, 2, 3, 4].map((n) => JS(`planted${n}`)), JS(bo)), no, 'more than a browser sends by accident');
});

test('signing in ends all sessions that the browser sent', async (t) => {
  const { baseUrl, who } = await started(t, 'http://localhost/');
  const [bo, eve] = [await session('bo'), await session('eve')];
  const answer = await fetch(`${baseUrl}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: `${JS(bo)}; ${JS(eve)}`, Origin: new URL(baseUrl).origin },
    body: new URLSearchParams({ email: 'bo@acme.example', password: PASSWORD }),
  });
  const given = /^JSESSIONID=[\w-]+/.exec(answer.headers.getSetCookie()[0]!)![0];
  t.deepEqual(await who(JS(bo)), no);
  t.deepEqual(await who(JS(eve), given), is('bo'));
});

test('under https without a context path the session cookie has a companion that only this host can set, and signing out removes it', async (t) => {
  const { baseUrl } = await started(t, `https://${HOST}/`);
  const visitor = new Visitor(baseUrl, { host: HOST, proto: 'https' });
  const cookies = async (path: string, fields: URLSearchParams) => {
    const headers = { Origin: `https://${HOST}` };
    return (await visitor.request(path, { method: 'POST', body: fields, headers })).headers.getSetCookie();
  };
  const [own, bound] = await cookies('/sign-in', new URLSearchParams({ email: 'bo@acme.example', password: PASSWORD }));
  t.regex(own!, /^JSESSIONID=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
  t.is(bound, `__Host-${own}`);
  visitor.cookie = /=([\w-]+)/.exec(own!)![1]!;
  await visitor.go('/');
  const gone = 'JSESSIONID=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0';
  t.deepEqual(await cookies('/sign-out', visitor.form('/sign-out').fields), [gone, `__Host-${gone}`]);
});

test('a companion cookie must belong to the session, and JSESSIONID alone still works', async (t) => {
  const { who } = await started(t, `https://${HOST}/`);
  const [bo, eve] = [await session('bo'), await session('eve')];
  t.deepEqual(await who(JS(bo)), is('bo'));
  t.deepEqual(await who(JS(bo), companion(bo)), is('bo'));
  t.deepEqual(await who(JS(eve), companion(bo)), no);
  t.deepEqual(await who(JS(bo), companion('')), no);
  t.deepEqual(await who(companion(bo)), no);
  t.deepEqual(await who(JS(eve), JS(bo), companion(bo)), is('bo'), 'a planted session signs no one out');
});

test('with a context path there is no companion cookie, and one of another application is ignored', async (t) => {
  const { baseUrl, who } = await started(t, `https://${HOST}/stint`);
  const bo = await session('bo');
  t.deepEqual(await who(JS(bo), companion('foreign')), is('bo'));
  const visitor = new Visitor(baseUrl, { host: HOST, proto: 'https' });
  const fields = new URLSearchParams({ email: 'eve@acme.example', password: PASSWORD });
  const answer = await visitor.request('/sign-in', { method: 'POST', body: fields, headers: { Origin: `https://${HOST}` } });
  t.notRegex(answer.headers.getSetCookie().join('\n'), /__Host-/);
});
