/** /mcp-access: the client and protocol version of each agent, and "Try" (behaviour §7.50, §7.51). */
import { fileDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { call, post, rpc } from '../support/mcpWorld.ts';
import { modernMeta, modernRequest } from '../support/modernRequest.ts';
import { Fixtures } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { signedIn } from '../support/visitor.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let work: WorkWorld;
let fixtures: Fixtures;
test.before('agents', async () => {
  const limits = { tasks: 'write', requirements: 'read', releases: 'read', milestones: 'none', time: 'write', plans: 'write' } as const;
  const connection = (ref: string, user: string, more = {}) => ({ ref, user, name: `Of ${user} ${ref}`, workspaces: ['apollo'], ...more });
  work = await workWorld(
    database.url,
    { mcp: { enabled: true, limits } },
    {
      connections: [
        connection('old', 'ana'),
        connection('new', 'ana'),
        connection('odd', 'ana'),
        connection('tried', 'ana', { permissions: { tasks: 'read' } }),
        connection('expired', 'ana', { expiresAt: '2020-01-01T00:00:00Z' }),
        connection('foreign', 'mia'),
      ],
    },
  );
  fixtures = new Fixtures(database.url);
});
test.after('stop', async () => {
  await work?.stop();
  await fixtures?.close();
});

const target = (ref: string) => ({ url: `${work.web.baseUrl}/mcp`, key: work.refs.key(ref) });
const stored = async (ref: string) => {
  const [row] = await fixtures.sql('select client, protocol_version as version from connections where id = $1', [work.refs.id(ref)]);
  return [row.client, row.version];
};
const storedIs = (t: { deepEqual(a: unknown, b: unknown): void }, ref: string, wanted: [string | null, string | null]) =>
  eventually(
    () => stored(ref),
    (found) => JSON.stringify(found) === JSON.stringify(wanted),
  ).then((found) => t.deepEqual(found, wanted));
const initialize = (clientInfo: object, protocolVersion = '2025-06-18') => ({ protocolVersion, capabilities: {}, clientInfo });

test('a legacy client is known by its User-Agent until initialize names it, and keeps that name', async (t) => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  await post(target('old'), list, { 'User-Agent': 'curl/8.1' });
  await storedIs(t, 'old', ['curl/8.1', null]);
  await rpc(target('old'), 'initialize', initialize({ name: 'acme', version: '2.1' }));
  await storedIs(t, 'old', ['acme 2.1', '2025-06-18']);
  await post(target('old'), list, { 'User-Agent': 'node', 'MCP-Protocol-Version': '2025-11-25' });
  await storedIs(t, 'old', ['acme 2.1', '2025-11-25']);
  await rpc(target('old'), 'initialize', initialize({ name: 'acme', title: 'Acme Desk', version: '3' }, '2099-01-01'));
  await storedIs(t, 'old', ['Acme Desk 3', '2025-11-25']);
});

test('a modern client is named by each request', async (t) => {
  await call({ ...target('new'), era: 'modern' }, 'svc_context');
  await storedIs(t, 'new', ['test 1', '2026-07-28']);
  const { text } = await (await signedIn(work.web.baseUrl, emailOf('ana'))).go('/mcp-access');
  t.regex(text, /Of ana new.*Last used just now\s*test 1, MCP 2026-07-28/s);
});

test('names of any kind are shortened, cleaned and shown as text', async (t) => {
  const name = `<b>\u202e\0x\ud800</b> ${'😀'.repeat(200)}`;
  const { body, headers } = modernRequest('tools/list');
  const _meta = { ...modernMeta, 'io.modelcontextprotocol/clientInfo': { name, version: '1' } };
  t.is((await post(target('odd'), { ...body, params: { _meta } }, headers)).status, 200);
  await storedIs(t, 'odd', [`<b>  x\ufffd</b> ${'😀'.repeat(88)}`, '2026-07-28']);
  const { html } = await (await signedIn(work.web.baseUrl, emailOf('ana'))).go('/mcp-access');
  t.true(html.includes('&lt;b&gt;  x\ufffd&lt;/b&gt;'));
  const nameless = { ...modernMeta, 'io.modelcontextprotocol/clientInfo': undefined };
  t.is((await post(target('odd'), { ...body, params: { _meta: nameless } }, headers)).status, 200);
});

test('an unknown key stores nothing', async (t) => {
  const before = await fixtures.sql('select id, client, protocol_version from connections order by id');
  t.is(
    (await post({ ...target('old'), key: `stint_agent_${'A'.repeat(43)}` }, { jsonrpc: '2.0', id: 1, method: 'tools/list' })).status,
    401,
  );
  t.is((await post({ ...target('old'), key: `stint_agent_${'A'.repeat(43)}` }, { jsonrpc: '2.0', method: 'notifications/x' })).status, 401);
  t.deepEqual(await fixtures.sql('select id, client, protocol_version from connections order by id'), before);
});

test('Try shows what svc_context answers the agent, without its key and without counting as its call', async (t) => {
  const ana = await signedIn(work.web.baseUrl, emailOf('ana'));
  const { html } = await ana.go('/mcp-access');
  const at = `/mcp-access/${work.refs.id('tried')}/try`;
  t.true(html.includes(`${at}"`));
  const page = await ana.go(at);
  t.is(page.status, 200);
  const shown = JSON.parse(
    /<pre[^>]*><code>(.*?)<\/code>/s
      .exec(page.html)![1]!
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&'),
  );
  t.is(shown.connection.permissions.tasks, 'read');
  t.false(page.html.includes('stint_agent_'));
  const [{ calls }] = await fixtures.sql('select count(*)::int as calls from activity where connection_id = $1', [work.refs.id('tried')]);
  t.is(calls, 0);
  const { value } = await call(target('tried'), 'svc_context');
  t.deepEqual(shown, value);
});

test("Try is refused for other people's, expired and absent connections, and follows a revocation", async (t) => {
  const ana = await signedIn(work.web.baseUrl, emailOf('ana'));
  for (const id of [work.refs.id('foreign'), work.refs.id('expired'), 999_999_999, 'x']) {
    t.is((await ana.go(`/mcp-access/${id}/try`)).status, 403, String(id));
  }
  const { html } = await ana.go('/mcp-access');
  t.false(html.includes(`/mcp-access/${work.refs.id('expired')}/try`));
  await fixtures.sql('update connections set revoked_at = now() where id = $1', [work.refs.id('tried')]);
  t.is((await ana.go(`/mcp-access/${work.refs.id('tried')}/try`)).status, 403);
});
