/** Invalid addresses, methods, transports and truncated bodies: behaviour §5.6, §5.9. */
import { once } from 'node:events';
import { fileDatabase, freshDatabase } from '../support/database.ts';
import { exchange, openSocket, parseAnswer, type RawRequest, rawBytes, readToEnd } from '../support/rawHttp.ts';
import { asJson, badRequest, forbidden, refused, send } from '../support/refusals.ts';
import { type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { startWeb } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
test.before('a world', async () => {
  world = await restWorld(database.url);
});
test.after('stop', () => world?.end());

const nothing = { status: 404, code: null };

test('an unknown address below the API gets 404, with a key and without, also with a trailing slash', async (t) => {
  const places = [
    '/',
    '/nowhere',
    '/items/',
    '/item/1',
    '/Items',
    '/items/save/',
    '//items',
    '/items%2F',
    '/%69tems',
    '/items/..',
    '/capabilities/',
  ];
  for (const target of places) {
    await refused(t, world, { target }, nothing);
    await refused(t, world, { target, headers: [] }, nothing);
    await refused(t, world, { target, method: 'POST', headers: asJson(world.key), body: '{}' }, nothing);
  }
});

test('addresses next to the API or outside of the context path get a plain JSON 404', async (t) => {
  const beside = [
    '/stint/api',
    '/stint/api/',
    '/stint/api/v1',
    '/stint/api/v2/items',
    '/stint/.well-known/openid-configuration',
    '/stint/register',
  ];
  const outside = ['/api/v1/workspaces', '/stintx/api/v1/workspaces', '/STINT/api/v1/workspaces', '/other/stint/api/v1/workspaces'];
  for (const target of [...beside, ...outside]) {
    const answer = await exchange(world.api.port, rawBytes({ target, headers: [['X-API-Key', world.key]] }));
    t.is(answer.status, 404, target);
    t.deepEqual(Object.keys(JSON.parse(answer.text)), ['error']);
    t.false(answer.headers.has('location'));
  }
});

test('a wrong method gets 405 with the allowed methods', async (t) => {
  for (const [path, operations] of Object.entries<object>(world.api.document.paths)) {
    const allowed = Object.keys(operations).map((method) => method.toUpperCase());
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE'].filter((name) => !allowed.includes(name))) {
      // The checker demands 405, Allow and the error format.
      const answer = await send(world, { method, target: path });
      t.is(answer.status, 405, `${method} ${path}`);
      t.is(answer.headers.get('allow'), allowed.join(', '));
    }
  }
});

test('answers contain no CORS permission for other origins', async (t) => {
  const { key } = world;
  const preflight = [
    ['Origin', 'https://evil.example'],
    ['Access-Control-Request-Method', 'GET'],
  ] as const;
  const asked = await send(world, { method: 'OPTIONS', target: '/workspaces', headers: preflight });
  const read = await send(world, {
    target: '/workspaces',
    headers: [
      ['Origin', 'https://evil.example'],
      ['X-API-Key', key],
    ],
  });
  for (const { headers } of [asked, read])
    t.deepEqual(
      [...headers.keys()].filter((name) => name.startsWith('access-control')),
      [],
    );
});

test('with an https address behind a proxy, plain http is refused and never redirected', async (t) => {
  const secure = await restWorld(await freshDatabase(t), { BASE_URL: 'https://work.example.com/stint', TRUST_PROXY: '1' });
  t.teardown(secure.end);
  const request = (proto: string | null): RawRequest => ({
    target: '/workspaces',
    headers: [['X-API-Key', secure.key], ...(proto ? [['X-Forwarded-Proto', proto] as const] : [])],
  });
  // A router appends its own value last, after the caller's.
  for (const proto of ['http', null, 'https, http']) await refused(t, secure, request(proto), { ...forbidden, says: /https/ });
  for (const proto of ['https', 'http, https']) t.is((await send(secure, request(proto))).status, 200);
});

test('without a trusted proxy, an https address takes every call as https, whatever a caller claims', async (t) => {
  const secure = await restWorld(await freshDatabase(t), { BASE_URL: 'https://work.example.com' });
  t.teardown(secure.end);
  const headers = [
    ['X-API-Key', secure.key],
    ['X-Forwarded-Proto', 'http'],
  ] as const;
  t.is((await send(secure, { target: '/workspaces', headers })).status, 200);
});

const item = { type: 'task', title: 'A task', description: '', status: 'planned', fields: {} };

test('a client that waits for 100 Continue gets it, and an answer', async (t) => {
  const body = JSON.stringify({ workspaceId: world.workspaceId, record: { ...item, note: 1 } });
  const socket = openSocket(world.api.port);
  const answer = readToEnd(socket);
  const head = { method: 'POST', target: '/stint/api/v1/items/save', headers: [...asJson(world.key), ['Expect', '100-continue']] as const };
  socket.write(rawBytes({ ...head, length: body.length }));
  const [first] = await once(socket, 'data');
  t.regex(String(first), /^HTTP\/1\.1 100 Continue/);
  socket.write(body);
  t.is(parseAnswer(await answer).status, 400);
});

test('a truncated body changes nothing and affects no other request', async (t) => {
  const body = JSON.stringify({ workspaceId: world.workspaceId, record: item });
  const before = await world.fixtures.fingerprint();
  for (const part of ['', body.slice(0, 10), body.slice(0, -1)]) {
    const socket = openSocket(world.api.port);
    socket.end(
      rawBytes({ method: 'POST', target: '/stint/api/v1/items/save', headers: asJson(world.key), body: part, length: body.length }),
    );
    // The server has read everything, and ends the connection.
    await once(socket.resume(), 'close');
  }
  t.is((await send(world, { target: '/workspaces' })).status, 200);
  t.is(await world.fixtures.fingerprint(), before);
});

test("an endless body gets 503 at the request's time limit", async (t) => {
  const web = await startWeb(database.url, {}, 2_000);
  t.teardown(web.stop);
  const base = `${web.baseUrl}/api/v1`;
  const impatient = { ...world, api: { ...world.api, base, port: Number(new URL(base).port) } };
  const body = JSON.stringify({ workspaceId: world.workspaceId, record: item });
  const request = { method: 'POST', target: '/items/save', headers: asJson(world.key), body: body.slice(0, -1), length: body.length };
  await refused(t, impatient, request, { status: 503, code: 'unavailable' });
});

test('a body announced as too long is refused before it is sent', async (t) => {
  const request = { method: 'POST', target: '/items/save', headers: asJson(world.key), body: '', length: 1024 * 1024 + 1 };
  await refused(t, world, request, badRequest(/1 MiB/));
});
