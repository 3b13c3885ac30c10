/** MCP revision 2026-07-28, without a handshake: behaviour §7.43, §7.44, §7.45, §7.46. */
import manifest from '../../package.json' with { type: 'json' };
import { tools } from '../../src/mcp/tools.ts';
import { fileDatabase } from '../support/database.ts';
import { ask, call, type McpWorld, mcpWorld, once, post, rpc } from '../support/mcpWorld.ts';
import { MODERN_VERSION, modernMeta, modernRequest } from '../support/modernRequest.ts';
import { startProxy } from '../support/proxy.ts';
import { suite } from '../support/suite.ts';
import { startWeb } from '../support/world.ts';
import { effects, writes } from '../support/writes.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: McpWorld;
let agent: McpWorld['agent'] & { era: 'modern' };
test.before('an endpoint', async () => {
  world = await mcpWorld(database.url);
  agent = { ...world.agent, era: 'modern' };
});
test.after('close', () => world?.end());

const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';

/** A request with other headers or another `_meta`. */
async function send(method: string, params: object, headers: Record<string, string | undefined> = {}, _meta: object = modernMeta) {
  const { body, headers: own } = modernRequest(method, params, 'q');
  const answer = await post(agent, { ...body, params: { ...body.params, _meta } }, { ...own, ...headers });
  const { id, error, result } = (await answer.json()) as {
    id: unknown;
    error?: { code: number; message: string; data?: unknown };
    result?: Record<string, unknown>;
  };
  return { status: answer.status, code: answer.headers.get('x-error-code'), id, error, result };
}

test('server/discover returns versions, capabilities, identity, instructions and how long to cache them', async (t) => {
  const { result } = await rpc(agent, 'server/discover');
  t.like(result, { resultType: 'complete', supportedVersions: [MODERN_VERSION], ttlMs: 3_600_000, cacheScope: 'public' });
  t.deepEqual(result.capabilities, { tools: {} });
  t.like(result._meta[SERVER_INFO], { name: 'stint', title: 'Stint', version: '0.1.0' });
  t.is(result._meta['stint/packageVersion'], manifest.version);
  const { result: initialized } = await rpc(world.agent, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  t.is(result.instructions, initialized.instructions);
});

test('tools/list returns the same tools in the same order in both eras, cacheable for an hour for all callers in the new one', async (t) => {
  const [modern, again, legacy] = await Promise.all([rpc(agent, 'tools/list'), rpc(agent, 'tools/list'), rpc(world.agent, 'tools/list')]);
  t.deepEqual(modern, again);
  t.deepEqual(modern.result.tools, legacy.result.tools);
  t.deepEqual(
    modern.result.tools.map(({ name }: { name: string }) => name),
    tools.map(({ name }) => name),
  );
  t.like(modern.result, { resultType: 'complete', ttlMs: 3_600_000, cacheScope: 'public' });
  t.deepEqual(Object.keys(legacy.result), ['tools']);
});

test('a tool call is complete, names the server and returns the value of the old era; an error of the tool has isError', async (t) => {
  const [item] = await world.make({ type: 'task', title: 'T' });
  const [modern, legacy] = await Promise.all([
    call(agent, 'svc_get_item', { id: item.id }),
    call(world.agent, 'svc_get_item', { id: item.id }),
  ]);
  t.deepEqual(modern.value, legacy.value);
  t.is(modern.raw.resultType, 'complete');
  t.like(modern.raw._meta[SERVER_INFO], { name: 'stint' });
  t.is(legacy.raw.resultType, undefined);
  t.is(legacy.raw._meta, undefined);
  const refused = await call(agent, 'svc_get_item', { id: 999_999 });
  t.true(refused.isError);
  t.is(refused.value.error.code, 'forbidden');
  t.is(refused.raw.resultType, 'complete');
});

for (const write of writes) {
  test(`${write.title}: a requestId used in one era is replayed in the other`, async (t) => {
    const { fixtures, accountId, workspaceId } = world;
    for (const [first, second] of [
      ['legacy', 'modern'],
      ['modern', 'legacy'],
    ] as const) {
      const userId = await fixtures.user(accountId);
      await fixtures.member(workspaceId, userId, 'owner');
      const person = { ...(await world.agentOf(userId)), userId, workspaceId };
      const given = once(await write.prepare(person, fixtures));
      const before = await effects(fixtures, write);
      const made = await call({ ...person, era: first }, write.tool, given);
      t.false(made.isError || made.replayed, JSON.stringify(made.value));
      const again = await call({ ...person, era: second }, write.tool, given);
      t.true(again.replayed);
      t.deepEqual(again.value, made.value);
      t.is(await effects(fixtures, write), before + 1);
      t.deepEqual((await ask({ ...person, era: second }, 'svc_context', { requestId: given.requestId })).request.result, made.value);
    }
  });
}

test('a version that the server does not know is −32022 at 400 with the versions it knows and the id of the request', async (t) => {
  for (const version of ['2099-01-01', '2025-11-25', 'draft']) {
    const { status, code, id, error } = await send(
      'tools/list',
      {},
      { 'MCP-Protocol-Version': version },
      { ...modernMeta, [PROTOCOL_VERSION]: version },
    );
    t.is(status, 400, version);
    t.is(code, 'invalid_request');
    t.is(id, 'q');
    t.like(error, { code: -32022, data: { supported: [MODERN_VERSION], requested: version } });
  }
});

test('a request without a required key of _meta is −32602 at 400 and names the key', async (t) => {
  const { 'io.modelcontextprotocol/clientCapabilities': _capabilities, ...withoutCapabilities } = modernMeta;
  const { [PROTOCOL_VERSION]: _version, ...withoutVersion } = modernMeta;
  for (const [meta, key] of [
    [withoutCapabilities, /clientCapabilities/],
    [withoutVersion, /protocolVersion/],
    [{ ...modernMeta, 'io.modelcontextprotocol/clientCapabilities': 5 }, /clientCapabilities/],
  ] as const) {
    const { status, id, error } = await send('tools/list', {}, {}, meta);
    t.is(status, 400);
    t.is(id, 'q');
    t.is(error!.code, -32602);
    t.regex(error!.message, key);
  }
  const bare = await post(agent, { jsonrpc: '2.0', id: 'q', method: 'tools/list' }, { 'MCP-Protocol-Version': MODERN_VERSION });
  t.is(bare.status, 400);
});

test('a header that is missing or differs from the body is −32020 at 400, and the tool does not run', async (t) => {
  const note = { name: 'svc_personal_notes_create', arguments: once({ html: '<p>Not written</p>' }) };
  for (const headers of [
    { 'MCP-Protocol-Version': undefined },
    { 'MCP-Protocol-Version': '2025-11-25' },
    { 'MCP-Protocol-Version': '2099-01-01' },
    { 'Mcp-Method': undefined },
    { 'Mcp-Method': 'tools/list' },
    { 'Mcp-Method': 'TOOLS/CALL' },
    { 'Mcp-Name': undefined },
    { 'Mcp-Name': 'svc_context' },
    { 'Mcp-Name': '=?base64?!?=' },
  ]) {
    const { status, code, id, error } = await send('tools/call', note, headers);
    t.is(status, 400, JSON.stringify(headers));
    t.is(code, 'invalid_request');
    t.is(id, 'q');
    t.is(error!.code, -32020, JSON.stringify(headers));
  }
  t.is((await call(agent, 'svc_context', { requestId: note.arguments.requestId })).value.request.found, false);
});

test('headers may have spaces around them, and Mcp-Name may be in Base64', async (t) => {
  const encoded = `=?base64?${Buffer.from('svc_context').toString('base64')}?=`;
  for (const headers of [{ 'Mcp-Name': encoded }, { 'Mcp-Name': '  svc_context ', 'Mcp-Method': ' tools/call' }]) {
    t.is((await send('tools/call', { name: 'svc_context' }, headers)).result?.resultType, 'complete', JSON.stringify(headers));
  }
});

test('methods that the revision removed or that this server lacks are −32601 at 404 with the id of the request', async (t) => {
  const removed = ['ping', 'initialize', 'logging/setLevel', 'resources/subscribe'];
  const lacking = [
    'subscriptions/listen',
    'prompts/list',
    'prompts/get',
    'resources/read',
    'completion/complete',
    'tasks/get',
    'constructor',
  ];
  for (const method of [...removed, ...lacking]) {
    const params = { notifications: {}, name: 'x', uri: 'x:x', taskId: 'x' };
    const { status, id, error } = await send(method, params, { 'Mcp-Name': /read/.test(method) ? 'x:x' : 'x' });
    t.is(status, 404, method);
    t.is(id, 'q');
    t.is(error!.code, -32601, method);
  }
});

test('subscriptions/listen is answered as JSON even if the client accepts only a stream or omits a header', async (t) => {
  const { body, headers } = modernRequest('subscriptions/listen', { notifications: { toolsListChanged: true } });
  for (const [more, status] of [
    [{ Accept: 'text/event-stream' }, 404],
    [{ Accept: 'text/event-stream', 'Mcp-Method': undefined }, 400],
    [{ Accept: 'text/event-stream', 'Mcp-Method': ' subscriptions/listen ' }, 404],
  ] as const) {
    const answer = await post(agent, body, { ...headers, ...more });
    t.is(answer.status, status);
    t.is(answer.headers.get('content-type'), 'application/json; charset=utf-8');
    t.truthy(((await answer.json()) as { error: unknown }).error);
  }
});

test('an unknown tool is −32602 at 200', async (t) => {
  const { status, error } = await send('tools/call', { name: 'svc_nothing' });
  t.is(status, 200);
  t.is(error!.code, -32602);
});

test('a notification gets 202 without a body', async (t) => {
  const body = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, _meta: modernMeta } };
  for (const headers of [{ 'MCP-Protocol-Version': MODERN_VERSION, 'Mcp-Method': body.method }, {}]) {
    const answer = await post(agent, body, headers);
    t.is(answer.status, 202);
    t.is(await answer.text(), '');
  }
});

test('the same key, origin, method, limit and outage rules apply in both eras, without a word about OAuth', async (t) => {
  const proxy = await startProxy(database.url);
  const web = await startWeb(proxy.url, { RATE_LIMIT_MCP: '2' });
  t.teardown(async () => {
    await web.stop();
    proxy.close();
  });
  const url = `${web.baseUrl}/mcp`;
  const modern = modernRequest('tools/list');
  const eras = { legacy: { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers: {} }, modern };
  /** The status, headers and body that both eras must share. */
  const answered = async (of: (era: typeof modern) => Promise<Response>) => {
    const [legacy, other] = await Promise.all(
      Object.values(eras).map(async (era) => {
        const answer = await of(era as typeof modern);
        const headers = ['www-authenticate', 'retry-after', 'allow', 'x-error-code', 'content-type'].map((name) =>
          answer.headers.get(name),
        );
        return { status: answer.status, headers, body: answer.status === 200 ? '' : await answer.text() };
      }),
    );
    t.deepEqual(other, legacy);
    t.notRegex(JSON.stringify(other), /resource_metadata|oauth|scope/i);
    return other!;
  };
  const unknown = await answered(({ body, headers }) => post({ url, key: 'stint_agent_unknown' }, body, headers));
  t.is(unknown.status, 401);
  t.is(unknown.headers[0], 'Bearer realm="Stint"');
  t.is((await answered(({ body, headers }) => post(world.agent, body, { ...headers, Origin: 'https://evil.example' }))).status, 403);
  for (const method of ['GET', 'DELETE']) {
    t.is((await answered(({ headers }) => fetch(url, { method, headers: headers as Record<string, string> }))).status, 405, method);
  }
  const busy = await world.agentOf(world.ownerId);
  const answers = [];
  for (let n = 0; n < 8; n++) answers.push(await post({ url, key: busy.key }, modern.body, modern.headers));
  const limited = answers.find(({ status }) => status === 429);
  t.true(Number(limited?.headers.get('retry-after')) >= 1);
  const strangers = [await world.agentOf(world.ownerId), await world.agentOf(world.ownerId)];
  proxy.refuse();
  t.is((await answered(({ body, headers }) => post({ url, key: strangers.pop()!.key }, body, headers))).status, 503);
});
