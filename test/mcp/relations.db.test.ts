/** Labels and blockers for agents (behaviour §33.12). */
import { fileDatabase } from '../support/database.ts';
import { ask, call, connect, everything, type McpWorld, mcpWorld, once } from '../support/mcpWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: McpWorld;
const labels: Record<string, { id: number }> = {};
test.before('an endpoint and labels', async () => {
  world = await mcpWorld(database.url);
  for (const name of ['Security', 'Secrets', 'Design', 'Old'])
    labels[name] = (await world.owner.post('/labels/save', { label: { name } })).body;
  await world.owner.post('/labels/save', { label: { id: labels.Old!.id, name: 'Old', archived: true } });
});
test.after('close', () => world?.end());

const create = (...items: object[]) => call(world.agent, 'svc_create_items', once({ workspaceId: world.workspaceId, items }));
const update = (change: object, agent = world.agent) => call(agent, 'svc_update_item', once(change));
const task = (more: object = {}) => ({ type: 'task', title: 'T', ...more });
const rowOf = async (id: number, agent = world.agent) =>
  (await ask(agent, 'svc_find_work', { ids: [id], workspaceId: world.workspaceId })).items[0];

test('items are created and changed with labels and blockers, which rows and svc_get_item show', async (t) => {
  const [first] = (await create(task())).value.items;
  const { value } = await create(task({ labels: ['security', 'DESIGN'], blockedBy: [first.id] }));
  const [made] = value.items;
  t.deepEqual(made.alsoStored, ['labels', 'blockedBy']);
  t.like(await rowOf(made.id), { labels: ['Design', 'Security'], blockedBy: [first.id] });
  const changed = await update({ id: made.id, version: 1, labels: ['Secrets'], blockedBy: [{ id: first.id, lagDays: 2 }] });
  t.deepEqual(changed.value.changed, ['labels', 'blockedBy']);
  t.false('labels' in changed.value.item.fields);
  t.like(await rowOf(made.id), { labels: ['Secrets'], blockedBy: [{ id: first.id, lagDays: 2 }], version: 2 });
  t.like(await ask(world.agent, 'svc_get_item', { id: made.id }), { labels: ['Secrets'], blockedBy: [{ id: first.id, lagDays: 2 }] });
  t.deepEqual((await ask(world.agent, 'svc_get_item', { id: first.id })).blocks, [made.id]);
  const many = await call(
    world.agent,
    'svc_update_items',
    once({ workspaceId: world.workspaceId, items: [{ id: made.id, version: 2, title: 'U', blockedBy: [] }] }),
  );
  t.deepEqual(many.value.items[0].changed, ['title', 'blockedBy']);
  const bare = await rowOf(made.id);
  t.deepEqual([bare.labels, bare.blockedBy], [['Secrets'], undefined]);
});

test('an unknown name is refused with the nearest ones, and nothing is written', async (t) => {
  const before = await world.fixtures.sql('select count(*) from items');
  const refused = await create(task(), task({ labels: ['Design', 'Securty'] }));
  t.true(refused.isError);
  t.like(refused.value.error, { code: 'invalid_request', index: 1 });
  t.regex(
    refused.value.error.message,
    /items\[1\]\.labels\[1\]: 'Securty' is not a label of this workspace; give one of Security, Secrets/,
  );
  const archived = await create(task({ labels: ['Old'] }));
  t.regex(archived.value.error.message, /label 'Old' is archived; choose another one/);
  t.deepEqual(await world.fixtures.sql('select count(*) from items'), before);
});

test('a blocker that the agent cannot read is refused like an absent one, with the index', async (t) => {
  const goal = await world.owner.save({ type: 'goal', title: 'G', description: '', status: 'planned', fields: {} });
  for (const id of [goal.id, 999_999]) {
    const refused = await create(task(), task({ blockedBy: [id] }));
    t.like(refused.value.error, { code: 'forbidden', index: 1 });
  }
});

test('two items of a batch that would block each other are refused', async (t) => {
  const made = (await create(task(), task())).value.items;
  const [one, two] = made;
  const refused = await call(
    world.agent,
    'svc_update_items',
    once({
      workspaceId: world.workspaceId,
      items: [
        { id: one.id, version: 1, blockedBy: [two.id] },
        { id: two.id, version: 1, blockedBy: [one.id] },
      ],
    }),
  );
  t.regex(refused.value.error.message, /items\[\d\]\.blockedBy: item \d+ waits for item \d+ already/);
  t.is((await rowOf(one.id)).version, 1);
});

test('a retry happens once, and an empty list is the same request as none', async (t) => {
  const request = once({ workspaceId: world.workspaceId, items: [task({ labels: ['Design'] })] });
  const [first, again] = [await call(world.agent, 'svc_create_items', request), await call(world.agent, 'svc_create_items', request)];
  t.deepEqual([again.replayed, again.value], [true, first.value]);
  const bare = once({ workspaceId: world.workspaceId, items: [task({ labels: [] })] });
  await call(world.agent, 'svc_create_items', bare);
  t.true((await call(world.agent, 'svc_create_items', { ...bare, items: [task()] })).replayed);
});

test('svc_find_work filters by a label, and refuses an unknown one with the nearest', async (t) => {
  const [made] = (await create(task({ labels: ['Secrets'] }))).value.items;
  const found = await ask(world.agent, 'svc_find_work', { workspaceId: world.workspaceId, assignee: 'all', label: 'secrets' });
  t.true(found.items.some(({ id }: { id: number }) => id === made.id));
  t.true(found.items.every(({ labels: names }: { labels: string[] }) => names.includes('Secrets')));
  t.deepEqual((await ask(world.agent, 'svc_find_work', { assignee: 'all', label: 'Secrets' })).items, found.items);
  const refused = await call(world.agent, 'svc_find_work', { label: 'Secret' });
  t.regex(refused.value.error.message, /label: 'Secret' is not a label; give one of Secrets/);
});

test('svc_context names the labels in use; hidden blockers are absent in rows', async (t) => {
  const { workspaces } = await ask(world.agent, 'svc_context', {});
  const here = workspaces.find(({ id }: { id: number }) => id === world.workspaceId);
  t.deepEqual(here.labels, ['Design', 'Secrets', 'Security']);
  const [release] = (await create({ type: 'release', title: 'R' })).value.items;
  const [made] = (await create(task({ blockedBy: [release.id] }))).value.items;
  const { key } = await connect(world.fixtures, world.ownerId, {
    workspaces: [world.workspaceId],
    permissions: { ...everything, releases: 'none' },
  });
  const agent = { ...world.agent, key };
  const row = await rowOf(made.id, agent);
  t.is(row.blockedBy, undefined);
  const saved = await update({ id: made.id, version: 1, blockedBy: [] }, agent);
  t.is(saved.value.item.version, 1, 'it keeps what it cannot see');
  t.deepEqual((await rowOf(made.id)).blockedBy, [release.id]);
});

test('a refused cycle names a blocker that was given, not a hidden one', async (t) => {
  const tasks = (await create(task(), task())).value.items;
  // The query may report any step of the cycle: try both orders.
  for (const [a, c] of [tasks, tasks.toReversed()]) {
    const hidden = await world.owner.save({ type: 'goal', title: 'G', description: '', status: 'planned', fields: {} });
    const block = (id: number, version: number, blockedBy: object[]) => world.owner.post('/relations/save', { id, version, blockedBy });
    const version = async (id: number) => (await world.owner.get('/relations', { id })).body.version;
    await block(c.id, await version(c.id), [{ id: hidden.id }]);
    const between = (await create(task(), task())).value.items;
    await block(hidden.id, 1, [{ id: a.id }]);
    const refused = await call(
      world.agent,
      'svc_update_items',
      once({
        workspaceId: world.workspaceId,
        items: [
          { id: a.id, version: await version(a.id), blockedBy: [c.id] },
          { id: c.id, version: await version(c.id), blockedBy: [between[0].id] },
        ],
      }),
    );
    t.true(refused.isError);
    t.regex(refused.value.error.message, new RegExp(`item ${c.id} waits for item ${a.id} already`));
    t.false(refused.value.error.message.includes(`item ${hidden.id} `));
    await block(c.id, await version(c.id), []);
    await block(hidden.id, (await world.owner.get('/relations', { id: hidden.id })).body.version, []);
  }
});

test('an agent without read access to items gets no labels', async (t) => {
  const none = { tasks: 'none', requirements: 'none', releases: 'none', milestones: 'none', time: 'write', plans: 'write' } as const;
  const timer = await world.agentOf(world.ownerId, { permissions: none });
  const context = await ask(timer, 'svc_context', {});
  t.false(JSON.stringify(context).includes('Security'));
  const found = await call(timer, 'svc_find_work', { label: 'Securit' });
  t.true(found.isError);
  t.false(JSON.stringify(found.value).includes('Security'));
});
