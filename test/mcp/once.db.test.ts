/** Exactly once: the guarantees of a requestId (behaviour §7.13, §7.14, §7.15, §7.16, §7.17). */
import { randomUUID } from 'node:crypto';
import { fileDatabase } from '../support/database.ts';
import { ask, call, everything, hold, type McpWorld, mcpWorld, once, openToAgents, post } from '../support/mcpWorld.ts';
import { nextRequest } from '../support/nextRequest.ts';
import { suite } from '../support/suite.ts';
import { isThorough } from '../support/thorough.ts';
import { queueOf } from '../support/workers.ts';
import { spawnWeb } from '../support/world.ts';
import { type Agent, effects, writes } from '../support/writes.ts';

const test = suite(import.meta.url);

/** Rounds of fifty calls for each write. */
const ROUNDS = isThorough ? 10 : 1;

const database = fileDatabase();
let world: McpWorld;
test.before('an endpoint', async () => {
  world = await mcpWorld(database.url);
});
test.after('close', () => world?.end());

const owners: Record<string, string> = {
  time_entry_versions: 'entry_id in (select id from time_entries where user_id = $1)',
};

/** A separate person, so that another timer doesn't interfere. */
async function newAgent(more = {}): Promise<Agent> {
  const userId = await world.fixtures.user(world.accountId);
  await world.fixtures.member(world.workspaceId, userId, 'owner');
  return { ...(await world.agentOf(userId, more)), userId, workspaceId: world.workspaceId };
}

for (const write of writes) {
  test(`${write.title}: a retry returns the same and changes nothing`, async (t) => {
    const agent = await newAgent();
    const given = once(await write.prepare(agent, world.fixtures));
    const before = await effects(world.fixtures, write);
    const first = await call(agent, write.tool, given);
    t.false(first.isError, JSON.stringify(first.value));
    t.false(first.replayed);
    for (const requestId of [given.requestId, given.requestId.toUpperCase()]) {
      const again = await call(agent, write.tool, { ...Object.fromEntries(Object.entries(given).reverse()), requestId });
      t.true(again.replayed);
      t.deepEqual(again.value, first.value);
    }
    t.is(await effects(world.fixtures, write), before + 1);
    const { request } = await ask(agent, 'svc_context', { requestId: given.requestId });
    t.deepEqual(request, { found: true, tool: write.tool, result: first.value }, 'and svc_context reports it without the arguments');
  });

  test(`${write.title}: another payload or tool with the same requestId is a conflict`, async (t) => {
    const agent = await newAgent();
    const given = once(await write.prepare(agent, world.fixtures));
    t.false((await call(agent, write.tool, given)).isError);
    const changed = await call(agent, write.tool, { ...given, ...write.changed(given) });
    t.is(changed.value.error?.code, 'conflict', JSON.stringify(changed.value));
    const [task] = await world.make({ type: 'task', title: 'Other' });
    const other = write.tool === 'svc_add_note' ? ['svc_update_item', { version: 1, title: 'x' }] : ['svc_add_note', { body: 'x' }];
    const elsewhere = await call(agent, other[0] as string, { requestId: given.requestId, id: task.id, ...(other[1] as object) });
    t.is(elsewhere.value.error?.code, 'conflict');
  });

  test(`${write.title}: a replay does not restore access revoked since the first call`, async (t) => {
    const agent = await newAgent();
    const given = once(await write.prepare(agent, world.fixtures));
    t.false((await call(agent, write.tool, given)).isError);
    const before = await effects(world.fixtures, write);
    await world.fixtures.sql('delete from memberships where user_id = $1', [agent.userId]);
    if (!write.personal) {
      t.is((await call(agent, write.tool, given)).value.error?.code, 'forbidden');
      // Lost access is reported before a reused id.
      t.is((await call(agent, write.tool, { ...given, ...write.changed(given) })).value.error?.code, 'forbidden');
      const { request } = await ask(agent, 'svc_context', { requestId: given.requestId });
      t.deepEqual([request.found, request.tool, request.error.code, 'result' in request], [true, write.tool, 'forbidden', false]);
    }
    await world.fixtures.sql('update connections set revoked_at = now() where id = $1', [agent.id]);
    const params = { name: write.tool, arguments: given };
    t.is((await post(agent, { jsonrpc: '2.0', id: 1, method: 'tools/call', params })).status, 401);
    t.is(await effects(world.fixtures, write), before);
  });
}

for (const write of writes) {
  test(`${write.title}: a retry gets a final answer when what it made has been deleted since`, async (t) => {
    const agent = await newAgent();
    const given = once(await write.prepare(agent, world.fixtures));
    const first = await call(agent, write.tool, given);
    t.false(first.isError, JSON.stringify(first.value));
    await world.fixtures.sql('delete from comments where author_id = $1', [agent.userId]);
    for (const table of ['plan_blocks', 'time_entry_versions', 'time_entries', 'personal_notes'])
      await world.fixtures.sql(`delete from ${table} where ${owners[table] ?? 'user_id = $1'}`, [agent.userId]);
    const again = await call(agent, write.tool, given);
    const { request } = await ask(agent, 'svc_context', { requestId: given.requestId });
    t.deepEqual([request.found, request.tool], [true, write.tool]);
    if (!again.isError) {
      // Overlaps are named as they are now.
      const [before, now] = [first.value, again.value].map(({ note: _deleted, overlaps: _now, ...kept }) => kept);
      t.deepEqual(now, before);
      t.false('note' in again.value);
      return;
    }
    t.deepEqual(request.error, again.value.error);
    t.false(again.value.error.retryable);
    const isNote = write.tool === 'svc_add_note';
    t.is(again.value.error.code, isNote ? 'conflict' : 'forbidden');
    if (isNote) t.regex(again.value.error.message, /^This call added note \d+, which has been deleted since: do not send it again\.$/);
  });
}

test('a failure leaves no receipt: the same requestId works once the cause is gone', async (t) => {
  const agent = await newAgent({ permissions: { ...everything, tasks: 'read' } });
  const [task] = await world.make({ type: 'task', title: 'T' });
  const given = once({ id: task.id, body: 'Progress' });
  t.is((await call(agent, 'svc_add_note', given)).value.error.code, 'forbidden');
  await world.fixtures.sql('update connections set rights = (1 << 27) - 1 where id = $1', [agent.id]);
  const { value, replayed } = await call(agent, 'svc_add_note', given);
  t.is(value.note.body, 'Progress');
  t.false(replayed);
});

test('svc_context finds no request without effect, and none of another connection', async (t) => {
  const [one, two] = [await newAgent(), await newAgent()];
  const given = once({ workspaceId: world.workspaceId, items: [{ type: 'task', title: 'Mine' }] });
  await ask(one, 'svc_create_items', given);
  for (const [agent, requestId] of [
    [two, given.requestId],
    [one, randomUUID()],
  ] as const) {
    t.deepEqual((await ask(agent, 'svc_context', { requestId })).request, { found: false });
  }
  const refused = once({ id: 999_999, body: 'x' });
  await call(one, 'svc_add_note', refused);
  t.deepEqual((await ask(one, 'svc_context', { requestId: refused.requestId })).request, { found: false });
  t.false('request' in (await ask(one, 'svc_context')));
});

for (const write of writes.filter(({ personal }) => personal)) {
  test(`${write.title} returns only id and revision, also in its replay and in svc_context`, async (t) => {
    const agent = await newAgent();
    const given = once(await write.prepare(agent, world.fixtures));
    const first = await call(agent, write.tool, given);
    const again = await call(agent, write.tool, given);
    const { request } = await ask(agent, 'svc_context', { requestId: given.requestId });
    for (const receipt of [first.value, again.value, request.result]) t.deepEqual(Object.keys(receipt), ['id', 'revision']);
  });
}

test('a replayed plan block names the overlapping blocks as its user may see them now', async (t) => {
  const agent = await newAgent();
  const [mine, other] = await world.make({ type: 'task', title: 'Mine' }, { type: 'task', title: 'Other' });
  const times = { startLocal: '2090-03-02T09:00', endLocal: '2090-03-02T11:00' };
  const block = (itemId: number) => once({ action: 'create', itemId, ...times });
  const { block: first } = await ask(agent, 'svc_plan_block', block(other.id));
  const given = block(mine.id);
  const overlap = { id: first.id, title: 'Other', ...times };
  t.deepEqual((await ask(agent, 'svc_plan_block', given)).overlaps, [overlap]);
  t.deepEqual((await call(agent, 'svc_plan_block', given)).value.overlaps, [overlap]);
  await ask(world.agent, 'svc_remove_item', once({ id: other.id, version: 1 }));
  const { replayed, value } = await call(agent, 'svc_plan_block', given);
  t.true(replayed);
  t.deepEqual(value.overlaps, [{ id: first.id, ...times }]);
});

test('recorded time is replayed only while the item that it names is visible, also after a correction to another item', async (t) => {
  const agent = await newAgent();
  const [mine, other] = await world.make({ type: 'task', title: 'Mine' }, { type: 'requirement', title: 'Other' });
  const given = once({ action: 'log', itemId: other.id, minutes: 5, date: '2026-03-02', note: '' });
  const { entry } = await ask(agent, 'svc_time', given);
  const correction = { action: 'correct', entryId: entry.id, revision: entry.revision, itemId: mine.id, reason: 'Another one.' };
  await ask(agent, 'svc_time', once(correction));
  const recalled = async () => (await ask(agent, 'svc_context', { requestId: given.requestId })).request;
  t.like(await recalled(), { result: { entry: { itemTitle: 'Other' } } });
  await world.fixtures.sql(`update memberships set overrides = '{"requirements": "none"}' where user_id = $1`, [agent.userId]);
  const { error, result } = await recalled();
  t.deepEqual([error?.code, result], ['forbidden', undefined]);
});

test('requestIds of two connections are independent, and receipts outlive a rotation', async (t) => {
  const [one, two] = [await newAgent(), await newAgent()];
  const given = once({ workspaceId: world.workspaceId, items: [{ type: 'task', title: 'Mine' }] });
  const [first, second] = [await ask(one, 'svc_create_items', given), await ask(two, 'svc_create_items', given)];
  t.not(first.items[0].id, second.items[0].id);
  await world.fixtures.sql('update connections set key_hash = sha256($2) where id = $1', [one.id, Buffer.from('stint_agent_new')]);
  const again = await call({ url: world.url, key: 'stint_agent_new' }, 'svc_create_items', given);
  t.true(again.replayed);
  t.deepEqual(again.value, first);
});

test('an explicit default counts as the same request as the omitted value', async (t) => {
  const requestId = randomUUID();
  const bare = { requestId, workspaceId: world.workspaceId, items: [{ type: 'task', title: 'T' }] };
  await ask(world.agent, 'svc_create_items', bare);
  const explicit = { type: 'task', title: 'T', description: '', status: 'planned', ownerId: null, fields: { dueDate: null } };
  t.true((await call(world.agent, 'svc_create_items', { ...bare, items: [explicit] })).replayed);
});

test("a block without timezone is the same request as one with the connection's own, in either order", async (t) => {
  const agent = await newAgent({ timezone: 'Europe/Rome' });
  const [task] = await world.make({ type: 'task', title: 'T' });
  const plan = { action: 'create', itemId: task.id, startLocal: '2099-01-01T09:00', endLocal: '2099-01-01T10:00' };
  for (const [first, again] of [
    [{}, { timezone: 'Europe/Rome' }],
    [{ timezone: 'Europe/Rome' }, {}],
  ]) {
    const given = once({ ...plan, ...first });
    const { block } = await ask(agent, 'svc_plan_block', given);
    const { timezone: _left, ...same } = given as Record<string, unknown>;
    const retry = await call(agent, 'svc_plan_block', { ...same, ...again });
    t.true(retry.replayed);
    t.is(retry.value.block.id, block.id);
    const other = await call(agent, 'svc_plan_block', { ...same, timezone: 'Asia/Tokyo' });
    t.is(other.value.error.code, 'conflict');
  }
});

test('a replay does not return a created item after its parent became inaccessible', async (t) => {
  const agent = await newAgent();
  const [requirement] = await world.make({ type: 'requirement', title: 'R' });
  const items = [{ type: 'task', title: 'T', fields: { requirementId: requirement.id } }];
  const given = once({ workspaceId: world.workspaceId, items });
  await ask(agent, 'svc_create_items', given);
  await world.fixtures.sql(`update memberships set overrides = '{"requirements": "none"}' where user_id = $1`, [agent.userId]);
  t.is((await call(agent, 'svc_create_items', given)).value.error.code, 'forbidden');
});

test('a removal can be replayed only while its parent is accessible', async (t) => {
  const agent = await newAgent();
  const [requirement] = await world.make({ type: 'requirement', title: 'R' });
  const [task] = await world.make({ type: 'task', title: 'T', fields: { requirementId: requirement.id } });
  const given = once({ id: task.id, version: 1 });
  await ask(agent, 'svc_remove_item', given);
  t.true((await call(agent, 'svc_remove_item', given)).replayed);
  await ask(world.agent, 'svc_remove_item', once({ id: requirement.id, version: 1 }));
  t.is((await call(agent, 'svc_remove_item', given)).value.error.code, 'forbidden');
});

test('receipts and activity contain no text', async (t) => {
  const agent = await newAgent();
  const [task] = await world.make({ type: 'task', title: 'T' });
  await ask(agent, 'svc_add_note', once({ id: task.id, body: 'A secret of the house' }));
  for (const table of ['receipts', 'activity']) {
    const rows = await world.fixtures.sql(`select t::text as row from ${table} t where connection_id = $1`, [agent.id]);
    t.is(rows.length, 1);
    t.notRegex(rows[0].row, /secret of the house/);
  }
});

test('a duplicate of an unfinished request gets unavailable', async (t) => {
  const agent = await newAgent();
  const [task] = await world.make({ type: 'task', title: 'T' });
  const given = once({ id: task.id, version: 1, title: 'New' });
  const free = await hold(database.url, `select 1 from items where id = ${task.id} for update`);
  const { value } = await call(agent, 'svc_update_item', given).finally(free);
  t.like(value.error, { code: 'unavailable', retryable: true });
  t.regex(value.error.message, /same requestId/);
  t.false((await call(agent, 'svc_update_item', given)).isError);
});

test('a write whose agent disconnects before its turn is not started; sent again it runs once', async (t) => {
  const agent = await newAgent();
  const [task] = await world.make({ type: 'task', title: 'T' });
  const free = await hold(database.url, `select 1 from items where id = ${task.id} for update`);
  const before = Array.from({ length: 4 }, (_, n) => call(agent, 'svc_update_item', once({ id: task.id, version: 1, title: `T${n}` })));
  const waiting = `from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  // A person uses half of the five connections, and further calls wait for one.
  await (await queueOf(t, database.url)).until(`select count(*) >= 2 as all_wait ${waiting}`);
  const given = once({ workspaceId: world.workspaceId, items: [{ type: 'task', title: 'Asked for by nobody' }] });
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'svc_create_items', arguments: given } };
  const arrival = nextRequest();
  const leaving = new AbortController();
  const left = t.throwsAsync(post(agent, body, {}, leaving.signal), { name: 'AbortError' });
  const { read, closed } = await arrival;
  await read;
  leaving.abort();
  await Promise.all([left, closed]);
  const next = ask(agent, 'svc_find_work', { workspaceId: world.workspaceId });
  await free();
  await Promise.all([...before, next]);
  const { value, replayed } = await call(agent, 'svc_create_items', given);
  t.false(replayed);
  const found = await world.fixtures.sql('select id::int from items where workspace_id = $1 and title = $2', [
    world.workspaceId,
    'Asked for by nobody',
  ]);
  t.deepEqual(found, [{ id: value.items[0].id }]);
});

test('of 50 identical requests on two processes one takes effect, and all get the same answer', async (t) => {
  const webs = await Promise.all([spawnWeb(database.url), spawnWeb(database.url)]);
  t.teardown(() => Promise.all(webs.map((web) => web.stop())));
  const agent = await newAgent();
  await openToAgents(world.fixtures, world.workspaceId);
  for (let round = 0; round < ROUNDS; round++) {
    for (const write of writes) {
      const given = once(await write.prepare(agent, world.fixtures));
      const before = await effects(world.fixtures, write);
      const targets = Array.from({ length: 50 }, (_, n) => ({ url: `${webs[n % 2]!.baseUrl}/mcp`, key: agent.key }));
      const results = await Promise.all(targets.map((target) => call(target, write.tool, given)));
      const answers = new Set(results.map(({ value }) => JSON.stringify(value)));
      t.is(answers.size, 1, `${write.title}: ${[...answers].join('\n')}`);
      t.false(results[0]!.isError, JSON.stringify(results[0]!.value));
      t.is(results.filter(({ replayed }) => !replayed).length, 1, write.title);
      t.is(await effects(world.fixtures, write), before + 1, write.title);
    }
  }
});
