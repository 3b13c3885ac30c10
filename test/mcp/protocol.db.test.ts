/** HTTP and JSON-RPC at the endpoint: behaviour §7.1, §7.2, §7.3, §7.4, §7.5. */
import http from 'node:http';
import manifest from '../../package.json' with { type: 'json' };
import { fileDatabase } from '../support/database.ts';
import { call, type McpWorld, mcpWorld, once, post, rpc } from '../support/mcpWorld.ts';
import { suite } from '../support/suite.ts';
import { startWeb } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: McpWorld;
test.before('an endpoint', async () => {
  world = await mcpWorld(database.url);
});
test.after('close', () => world?.end());

const ping = { jsonrpc: '2.0', id: 7, method: 'ping' };
const initialize = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 'a',
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS', 'HEAD']) {
  test(`${method} is 405 with Allow, with or without a key`, async (t) => {
    for (const headers of [{}, { Authorization: `Bearer ${world.agent.key}` }]) {
      const answer = await fetch(world.url, { method, headers });
      t.is(answer.status, 405);
      t.is(answer.headers.get('allow'), 'POST');
    }
  });
}

test('initialize returns name, interface version, package version, tools and instructions, and negotiates a protocol version', async (t) => {
  for (const [asked, agreed] of [
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
  ] as const) {
    const answer = await post(world.agent, initialize(asked));
    const { result, id } = (await answer.json()) as { result: Record<string, unknown>; id: string };
    t.is(id, 'a');
    t.is(result.protocolVersion, agreed);
    t.like(result.serverInfo, { name: 'stint', title: 'Stint', version: '0.1.0' });
    t.deepEqual(result._meta, { 'stint/packageVersion': manifest.version });
    t.deepEqual(result.capabilities, { tools: {} });
    t.is(answer.headers.get('mcp-session-id'), null);
  }
});

test('a request gets JSON, or SSE if the client accepts nothing else', async (t) => {
  for (const accept of ['application/json, text/event-stream', 'application/json', '*/*', undefined, 'text/event-stream, */*;q=0.1']) {
    const answer = await post(world.agent, ping, { Accept: accept });
    t.is(answer.headers.get('content-type'), 'application/json; charset=utf-8', accept);
    t.deepEqual(await answer.json(), { jsonrpc: '2.0', id: 7, result: {} });
  }
  const answer = await post(world.agent, ping, { Accept: 'text/event-stream' });
  t.is(answer.status, 200);
  t.is(answer.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  const [event, data, ...rest] = (await answer.text()).split('\n');
  t.is(event, 'event: message');
  t.deepEqual(JSON.parse(data!.replace(/^data: /, '')), { jsonrpc: '2.0', id: 7, result: {} });
  t.deepEqual(rest, ['', '']);
});

test('supported protocol versions, or none, are accepted; others get 400', async (t) => {
  for (const version of ['2025-06-18', '2025-11-25', '2025-03-26', undefined]) {
    t.is((await post(world.agent, ping, { 'MCP-Protocol-Version': version })).status, 200);
  }
  const answer = await post(world.agent, ping, { 'MCP-Protocol-Version': '1999-01-01' });
  t.is(answer.status, 400);
  t.regex(((await answer.json()) as { error: { message: string } }).error.message, /2025-11-25/);
  t.is((await post(world.agent, initialize('2025-06-18'), { 'MCP-Protocol-Version': '1999-01-01' })).status, 200);
});

test('an unknown method is -32601 at 200, an unknown tool -32602, wrong parameters -32602', async (t) => {
  for (const method of ['resources/list', 'prompts/list', 'server/discover', 'logging/setLevel', 'tasks/list', 'constructor']) {
    const answer = await post(world.agent, { jsonrpc: '2.0', id: 1, method });
    t.is(answer.status, 200);
    t.is(((await answer.json()) as { error: { code: number } }).error.code, -32601, method);
  }
  for (const params of [
    { name: 'svc_nothing' },
    { name: 5 },
    {},
    { name: 'svc_context', arguments: [] },
    { name: 'toString' },
    undefined,
  ]) {
    t.is((await rpc(world.agent, 'tools/call', params)).error?.code, -32602, JSON.stringify(params));
  }
  t.is((await rpc(world.agent, 'initialize', { protocolVersion: 5 })).error.code, -32602);
  t.truthy((await rpc(world.agent, 'tools/call', { name: 'svc_context', arguments: null })).result);
});

test('a notification and a response get 202 without a body', async (t) => {
  for (const message of [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    { jsonrpc: '2.0', method: 'tools/call', params: { name: 'svc_context' } },
    { jsonrpc: '2.0', id: 1, result: {} },
  ]) {
    const answer = await post(world.agent, message);
    t.is(answer.status, 202);
    t.is(await answer.text(), '');
  }
});

test('anything but a single JSON-RPC message gets 400', async (t) => {
  const bad = ['', '{', '[]', `[${JSON.stringify(ping)}]`, '5', 'null', '"x"', '{"a":1}', '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","id":1}'];
  const odd = [
    { ...ping, id: null },
    { ...ping, id: 1.5 },
    { ...ping, id: {} },
    { ...ping, jsonrpc: '1.0' },
    { ...ping, more: 1 },
    { ...ping, params: 5 },
    { ...ping, params: [] },
    { ...ping, method: 5 },
  ];
  for (const body of [...bad, ...odd.map((message) => JSON.stringify(message)), `${'['.repeat(40)}${']'.repeat(40)}`]) {
    const answer = await post(world.agent, body);
    t.is(answer.status, 400, body.slice(0, 80));
  }
  t.is((await post(world.agent, ping, { 'Content-Type': 'text/plain' })).status, 400);
});

test('bodies up to 8 MiB are accepted, longer ones get 400', async (t) => {
  const padded = (length: number) => {
    const frame = JSON.stringify({ ...ping, params: { _meta: { pad: '' } } });
    return frame.replace('"pad":""', `"pad":"${'x'.repeat(length - frame.length)}"`);
  };
  t.is((await post(world.agent, padded(8 * 1024 * 1024))).status, 200);
  t.is((await post(world.agent, padded(8 * 1024 * 1024 + 1))).status, 400);
});

test('a foreign Origin gets 403, also with a valid key', async (t) => {
  for (const origin of ['https://evil.example', 'null', 'http://localhost:9', 'http://localhost.evil.example']) {
    t.is((await post(world.agent, ping, { Origin: origin })).status, 403, origin);
  }
  t.is((await post(world.agent, ping, { Origin: new URL(world.url).origin })).status, 200);
});

test('a request without exactly one valid agent key gets 401, which says what to do', async (t) => {
  const { key, url } = world.agent;
  const bare = { Authorization: undefined };
  const wrong: Record<string, string | undefined>[] = [
    bare,
    { Authorization: 'Bearer stint_agent_nothing' },
    { Authorization: `ApiKey ${key}` },
    { Authorization: 'Bearer ' },
    { Authorization: key },
    { 'X-API-Key': key },
    { Authorization: `Bearer ${world.key}` },
    { ...bare, 'X-API-Key': world.key },
    { ...bare, Cookie: `JSESSIONID=${await world.fixtures.session(world.ownerId)}` },
  ];
  for (const headers of wrong) {
    for (const body of [ping, '{', { jsonrpc: '2.0', method: 'notifications/initialized' }]) {
      const answer = await post(world.agent, body, headers);
      t.is(answer.status, 401, JSON.stringify(headers));
      t.is(answer.headers.get('www-authenticate'), 'Bearer realm="Stint"');
      const { error } = (await answer.json()) as { error: string };
      t.true(error.length > 20);
    }
  }
  t.is((await post({ key, url: `${url}?api_key=${key}` }, ping)).status, 401);
  t.is((await post(world.agent, ping, { ...bare, 'X-API-Key': key })).status, 200);
  t.is((await post(world.agent, ping, { Cookie: 'JSESSIONID=whatever' })).status, 200);
});

test('a repeated credential header gets 401', async (t) => {
  const { key } = world.agent;
  const status = await new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', Authorization: [`Bearer ${key}`, `Bearer ${key}`] };
    const request = http.request(world.url, { method: 'POST', headers }, (answer) => resolve(answer.resume().statusCode));
    request.on('error', reject).end(JSON.stringify(ping));
  });
  t.is(status, 401);
});

test('an invalid key gets 401 for every kind of message', async (t) => {
  const agent = await world.agentOf(world.ownerId);
  t.is((await post(agent, ping)).status, 200);
  await world.fixtures.sql('update connections set revoked_at = now() where id = $1', [agent.id]);
  const [item] = await world.make({ type: 'task', title: 'T' });
  const calls = [
    { name: 'svc_context' },
    { name: 'svc_get_item', arguments: { id: item.id } },
    { name: 'svc_get_item', arguments: { wrong: true } },
    { name: 'svc_add_note', arguments: once({ id: item.id, body: 'x' }) },
    { name: 'svc_add_note', arguments: { id: item.id } },
    { name: 'svc_nothing' },
    { name: 5 },
  ].map((params) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
  for (const message of [ping, initialize('2025-06-18'), '{', '[]', { jsonrpc: '2.0', method: 'notifications/initialized' }, ...calls]) {
    t.is((await post(agent, message)).status, 401, JSON.stringify(message));
  }
});

test('a key stops working immediately on expiry, rotation and deactivation', async (t) => {
  const { fixtures, workspaceId, accountId } = world;
  const userId = await fixtures.user(accountId);
  await fixtures.member(workspaceId, userId, 'member');
  const [expired, rotated, gone] = [await world.agentOf(userId), await world.agentOf(userId), await world.agentOf(userId)];
  for (const agent of [expired, rotated, gone]) t.false((await call(agent, 'svc_context')).isError);
  await fixtures.sql(`update connections set expires_at = now() - interval '1 second' where id = $1`, [expired.id]);
  await fixtures.sql('update connections set key_hash = $2 where id = $1', [rotated.id, Buffer.alloc(32)]);
  for (const agent of [expired, rotated]) t.is((await post(agent, ping)).status, 401);
  await fixtures.sql('update users set active = false where id = $1', [userId]);
  t.is((await post(gone, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'svc_context' } })).status, 401);
});

test('discovery paths get a plain JSON 404 without redirects', async (t) => {
  const root = world.url.replace(/\/mcp$/, '');
  const origin = new URL(world.url).origin;
  for (const url of [
    `${root}/.well-known/oauth-protected-resource`,
    `${root}/.well-known/oauth-authorization-server/mcp`,
    `${root}/register`,
    `${origin}/.well-known/oauth-protected-resource/stint/mcp`,
    `${world.url}/`,
    `${world.url}/sse`,
  ]) {
    for (const method of ['GET', 'POST']) {
      const answer = await fetch(url, { method, redirect: 'manual' });
      t.is(answer.status, 404, url);
      t.is(typeof ((await answer.json()) as { error: unknown }).error, 'string');
    }
  }
});

test('every answer to a key has its rate limit, remaining calls and reset time', async (t) => {
  const answer = await post(world.agent, ping);
  t.is(answer.headers.get('ratelimit-limit'), '1000000');
  t.true(Number(answer.headers.get('ratelimit-remaining')) < 1_000_000);
  t.true(Number(answer.headers.get('ratelimit-reset')) >= 1);
});

test('a call that reached the router as plain http gets 403, never a redirect', async (t) => {
  const web = await startWeb(database.url, { BASE_URL: 'https://work.example.com/stint', TRUST_PROXY: '1' });
  t.teardown(() => web.stop());
  const target = { url: `${web.baseUrl}/mcp`, key: world.agent.key };
  for (const proto of [undefined, 'http']) t.is((await post(target, ping, { 'X-Forwarded-Proto': proto })).status, 403);
  t.is((await post(target, ping, { 'X-Forwarded-Proto': 'https' })).status, 200);
  t.is((await post(target, ping, { 'X-Forwarded-Proto': 'https', Origin: 'https://work.example.com' })).status, 200);
});
