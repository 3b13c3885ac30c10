/** Limits, activity, isolation of callers, and errors while the database fails (behaviour §7.12, §7.19, §13.3). */
import { DEADLINE_MS } from '../../src/app.ts';
import { fileDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { ask, call, connect, hold, type McpWorld, mcpWorld, once, post } from '../support/mcpWorld.ts';
import { startProxy } from '../support/proxy.ts';
import { stopClock } from '../support/stoppedClock.ts';
import { suite } from '../support/suite.ts';
import { startWeb } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: McpWorld;
test.before('an endpoint', async () => {
  world = await mcpWorld(database.url);
});
test.after('close', () => world?.end());

/** Of the connections of a web process in tests. */
const HALF = 2;
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

test('every call leaves one row with tool, workspace, outcome and time, without arguments and texts', async (t) => {
  const web = await startWeb(database.url);
  const agent = { ...(await world.agentOf(world.ownerId)), url: `${web.baseUrl}/mcp` };
  const [task] = await world.make({ type: 'task', title: 'Very telling title' });
  const given = once({ id: task.id, body: 'Very telling text' });
  await ask(agent, 'svc_context');
  await ask(agent, 'svc_get_item', { id: task.id });
  await ask(agent, 'svc_add_note', given);
  await call(agent, 'svc_add_note', given);
  await call(agent, 'svc_get_item', { id: 999_999 });
  await call(agent, 'svc_update_item', once({ id: task.id, version: 5, title: 'x' }));
  await call(agent, 'svc_update_item', { wrong: true });
  await web.stop();
  const rows = await world.fixtures.sql(
    'select tool, outcome, workspace_id::int, user_id::int, elapsed_ms from activity where connection_id = $1 order by at, id',
    [agent.id],
  );
  const { workspaceId } = world;
  t.deepEqual(
    rows.map(({ tool, outcome, workspace_id }) => [tool, outcome, workspace_id]).sort(),
    [
      ['svc_context', 'ok', null],
      ['svc_get_item', 'ok', workspaceId],
      ['svc_add_note', 'ok', workspaceId],
      ['svc_add_note', 'replayed', null],
      ['svc_get_item', 'forbidden', null],
      ['svc_update_item', 'conflict', null],
      ['svc_update_item', 'invalid_request', null],
    ].sort(),
  );
  t.true(rows.every(({ user_id, elapsed_ms }) => user_id === world.ownerId && elapsed_ms >= 0));
  t.notRegex(JSON.stringify(await world.fixtures.sql('select * from activity')), /telling/);
});

test('no answer reaches another caller', async (t) => {
  const { fixtures, accountId, workspaceId } = world;
  const agents = await Promise.all(
    Array.from({ length: 8 }, async (_, n) => {
      const userId = await fixtures.user(accountId, `Person no. ${n}`);
      await fixtures.member(workspaceId, userId);
      return { ...(await world.agentOf(userId)), name: `Person no. ${n}` };
    }),
  );
  await Promise.all(
    Array.from({ length: 240 }, async (_, n) => {
      const agent = agents[n % agents.length]!;
      const answer = await post(agent, { jsonrpc: '2.0', id: n, method: 'tools/call', params: { name: 'svc_context' } });
      const { id, result } = (await answer.json()) as {
        id: number;
        result: { structuredContent: Record<string, Record<string, unknown>> };
      };
      t.is(id, n);
      t.is(result.structuredContent.connection!.id, agent.id);
      t.is(result.structuredContent.actor!.name, agent.name);
    }),
  );
});

test('notes that wait for an item use half of the connections, as all writes of a person do; others continue', async (t) => {
  const [task] = await world.make({ type: 'task', title: 'Noted' });
  const free = await hold(database.url, `select from items where id = ${task.id} for update`);
  const notes = Array.from({ length: 30 }, (_, n) => call(world.agent, 'svc_add_note', once({ id: task.id, body: `Note ${n}` })));
  const waiting = async (): Promise<number> =>
    (
      await world.fixtures.sql(`select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    )[0].count;
  await eventually(waiting, (count) => count >= HALF);
  const other = await world.agentOf(await world.fixtures.user(world.accountId, 'Somebody else'), { workspaces: [] });
  for (let n = 0; n < 5; n++) await ask(other, 'svc_context');
  t.is(await waiting(), HALF);
  await free();
  t.deepEqual(
    (await Promise.all(notes)).filter(({ isError }) => isError),
    [],
  );
});

test('a connection over its limit gets 429, with any key and process; others continue', async (t) => {
  const webs = await Promise.all([1, 2].map(() => startWeb(database.url, { RATE_LIMIT_MCP: '20' })));
  t.teardown(() => Promise.all(webs.map((web) => web.stop())));
  const [busy, quiet] = [await world.agentOf(world.ownerId), await world.agentOf(world.ownerId)];
  const statuses: number[] = [];
  for (let n = 0; n < 80; n++) {
    const answer = await post({ url: `${webs[n % 2]!.baseUrl}/mcp`, key: busy.key }, ping);
    statuses.push(answer.status);
    if (answer.status !== 429) continue;
    t.true(Number(answer.headers.get('retry-after')) >= 1);
    t.is(answer.headers.get('ratelimit-remaining'), '0');
    t.is(answer.headers.get('x-error-code'), 'rate_limited');
  }
  // 20, a quarter more for the second process, and twice that if a minute ends meanwhile.
  t.true(statuses.filter((status) => status === 200).length <= 50);
  t.true(statuses.includes(429));
  t.is((await post({ url: `${webs[0]!.baseUrl}/mcp`, key: quiet.key }, ping)).status, 200);
});

test('without a database a call gets 503 or unavailable, and the same requestId works afterwards', async (t) => {
  const proxy = await startProxy(database.url);
  const web = await startWeb(proxy.url);
  t.teardown(async () => {
    await web.stop();
    proxy.close();
  });
  const url = `${web.baseUrl}/mcp`;
  const agent = { url, key: world.agent.key };
  const stranger = { url, key: (await world.agentOf(world.ownerId)).key };
  const given = once({ workspaceId: world.workspaceId, items: [{ type: 'task', title: 'Only one' }] });
  await ask(agent, 'svc_context');
  proxy.refuse();
  const away = await call(agent, 'svc_create_items', given);
  t.like(away.value.error, { code: 'unavailable', retryable: true });
  const answer = await post(stranger, ping);
  t.is(answer.status, 503);
  t.true(Number(answer.headers.get('retry-after')) >= 1);
  proxy.heal();
  const again = await eventually(
    () => call(agent, 'svc_create_items', given),
    ({ isError }) => !isError,
  );
  t.falsy(again.isError);
  t.is((await world.fixtures.sql(`select count(*)::int as n from items where title = 'Only one'`))[0].n, 1);
});

test('a lost acknowledgement of the commit neither loses nor doubles a write', async (t) => {
  const proxy = await startProxy(database.url);
  const web = await startWeb(proxy.url);
  t.teardown(async () => {
    await web.stop();
    proxy.close();
  });
  const agent = { url: `${web.baseUrl}/mcp`, key: world.agent.key };
  const [task] = await world.make({ type: 'task', title: 'T' });
  const given = once({ action: 'log', itemId: task.id, date: new Date().toISOString().slice(0, 10), minutes: 7 });
  proxy.dropCommits(1);
  await call(agent, 'svc_time', given);
  const { value, replayed } = await call(agent, 'svc_time', given);
  t.true(replayed);
  t.is(value.entry.minutes, 7);
  t.is((await world.fixtures.sql('select count(*)::int as n from time_entries where item_id = $1', [task.id]))[0].n, 1);
});

test('with a hanging database a call ends at the deadline', async (t) => {
  const proxy = await startProxy(database.url);
  const web = await startWeb(proxy.url, {}, DEADLINE_MS);
  t.teardown(async () => {
    proxy.heal();
    await web.stop();
    proxy.close();
  });
  const agent = { url: `${web.baseUrl}/mcp`, key: world.agent.key };
  await ask(agent, 'svc_context');
  const clock = stopClock(t);
  const held = proxy.hold();
  const asked = post(agent, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'svc_context' } });
  await held;
  clock.pass(DEADLINE_MS);
  const answer = await asked;
  const body = (await answer.json()) as { result?: { structuredContent: { error: { code: string } } } };
  t.true(answer.status === 503 || body.result?.structuredContent.error.code === 'unavailable');
});

test('a workspace is closed from the next call on after disabling MCP, disconnecting the agent, or archiving', async (t) => {
  const { fixtures, accountId, ownerId } = world;
  const closings = [
    'update workspaces set mcp_enabled = false where id = $1',
    'update workspaces set archived_at = now() where id = $1',
    'update connection_workspaces set disconnected_at = now() where workspace_id = $1',
    'update workspaces set mcp_rights = 0 where id = $1',
    'delete from memberships where workspace_id = $1',
  ];
  for (const closing of closings) {
    const workspaceId = await fixtures.workspace(accountId);
    await fixtures.member(workspaceId, ownerId);
    await fixtures.sql('update workspaces set mcp_enabled = true, mcp_rights = (1 << 24) - 1 where id = $1', [workspaceId]);
    const agent = { url: world.url, key: (await connect(fixtures, ownerId, { workspaces: [workspaceId, world.workspaceId] })).key };
    const { items } = await ask(agent, 'svc_create_items', once({ workspaceId, items: [{ type: 'task', title: 'T' }] }));
    t.false((await call(agent, 'svc_get_item', { id: items[0].id })).isError);
    await fixtures.sql(closing, [workspaceId]);
    t.is((await call(agent, 'svc_get_item', { id: items[0].id })).value.error?.code, 'forbidden', closing);
    t.false((await call(agent, 'svc_context', { workspaceId: world.workspaceId })).isError);
  }
});
