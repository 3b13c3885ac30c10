/** Plans are made once for a connection (docs/decisions/0007), often with nearly empty tables. They must also suit large tables. */
import { explainAll, type Step, watchSteps } from '../support/autoExplain.ts';
import { fileDatabase } from '../support/database.ts';
import { ask, type McpWorld, mcpWorld, once } from '../support/mcpWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

// biome-ignore lint/suspicious/noExplicitAny: answers are JSON, looked into freely
type Json = any;

const database = fileDatabase();
const steps = watchSteps();
const GROWN = 3_000;
let world: McpWorld;
let release: Json;
let requirement: Json;
let task: Json;
let count = 0;

const tables = ['items', 'item_texts', 'comments', 'changes'];

test.before('a workspace with a few items', async () => {
  await explainAll(database.url);
  // One connection, which keeps its plans until the tables are analysed.
  world = await mcpWorld(database.url, { DATABASE_POOL_SIZE: '1' });
  for (const table of tables) await world.fixtures.sql(`alter table ${table} set (autovacuum_enabled = false)`);
  [release] = await world.make({ type: 'release', title: 'Release', fields: { targetDate: '2031-01-01' } });
  [requirement] = await world.make({ type: 'requirement', title: 'Requirement', fields: { releaseId: release.id } });
  const fields = { requirementId: requirement.id, assigneeId: world.ownerId, estimatedHours: 2 };
  [task] = await world.make({ type: 'task', title: 'Task', fields }, { type: 'task', title: 'Another', fields });
});
test.after('close', () => world?.end());

const tool = (name: string, given: Json) => ask(world.agent, name, given);
const write = (name: string, given: Json) => ask(world.agent, name, once(given));
const versionOf = async ({ id }: Json) => (await tool('svc_get_item', { id })).item.version;
const change = async (item: Json, given: Json) => write('svc_update_item', { id: item.id, version: await versionOf(item), ...given });
const today = () => new Date().toISOString().slice(0, 10);

const calls: Record<string, () => Promise<Json>> = {
  'GET /item': () => world.owner.get('/item', { id: task.id }),
  'GET /items': () => world.owner.get('/items', { type: 'task', limit: 50 }),
  'GET /comments': () => world.owner.get('/comments', { id: task.id }),
  'GET /changes': () => world.owner.get('/changes', { after: '0' }),
  'GET /options': () => world.owner.get('/options'),
  'POST /items/save of a change': async () => {
    const { body } = await world.owner.get('/item', { id: task.id });
    return world.owner.save({ ...body, title: `Task ${++count}`, description: `${count}` });
  },
  'POST /items/save of a new item': () =>
    world.owner.save({ type: 'task', title: 'New', description: '', status: 'planned', fields: { requirementId: requirement.id } }),
  'POST /comments': () => world.owner.post('/comments', { id: task.id, body: 'A comment' }),
  svc_context: () => tool('svc_context', {}),
  svc_get_item: () => tool('svc_get_item', { id: task.id, history: true }),
  'svc_get_item of a release': () => tool('svc_get_item', { id: release.id }),
  svc_find_work: () => tool('svc_find_work', {}),
  'svc_find_work by a due date': () => tool('svc_find_work', { assignee: 'all', dueWindow: 'overdue' }),
  'svc_find_work by ids': () => tool('svc_find_work', { ids: [task.id] }),
  svc_update_item: () => change(task, { title: `Task ${++count}`, description: `${count}` }),
  'svc_update_item, with links and a note': () =>
    change(task, { note: 'A note', fields: { requirementId: ++count % 2 ? null : requirement.id, dueDate: '2030-12-01' } }),
  'svc_update_item of a release': () => change(release, { fields: { targetDate: `2031-01-${10 + ++count}` } }),
  svc_update_items: async () =>
    write('svc_update_items', {
      workspaceId: world.workspaceId,
      items: [
        { id: task.id, version: await versionOf(task), description: `${++count}`, fields: { estimatedHours: count }, note: 'A note' },
      ],
    }),
  svc_create_items: () => world.make({ type: 'task', title: 'New', fields: { requirementId: requirement.id, estimatedHours: 1 } }),
  svc_add_note: () => write('svc_add_note', { id: task.id, body: 'A note' }),
  svc_remove_item: async () => {
    const [made] = await world.make({ type: 'task', title: 'To be archived', fields: { requirementId: requirement.id } });
    return write('svc_remove_item', { id: made.id, version: 1 });
  },
  svc_my_time: () => tool('svc_my_time', {}),
  'svc_time, a timer': async () => {
    const { entry } = await write('svc_time', { action: 'start', itemId: task.id });
    return write('svc_time', { action: 'stop', entryId: entry.id, revision: entry.revision });
  },
  'svc_time, logged': () => write('svc_time', { action: 'log', itemId: task.id, date: today(), minutes: 5 }),
  svc_plan_block: async () => {
    const { block } = await write('svc_plan_block', {
      action: 'create',
      itemId: task.id,
      startLocal: '2031-01-04T09:00',
      endLocal: '2031-01-04T10:00',
    });
    return write('svc_plan_block', { action: 'cancel', blockId: block.id });
  },
};

/** Adds many more rows, none of them linked to the queried ones. */
async function grow() {
  const { fixtures, workspaceId, ownerId } = world;
  await fixtures.sql(
    `insert into items (account_id, workspace_id, type, title, status, status_key, priority_key, assignee_id)
     select account_id, id, 'task', 'Task ' || n, 'planned', 'planned', 'normal', $2 from workspaces, generate_series(1, $3::int) n where id = $1`,
    [workspaceId, ownerId, GROWN],
  );
  await fixtures.sql(
    `insert into comments (account_id, workspace_id, item_id, author_id, body)
     select account_id, workspace_id, id, $2, 'A note' from items where workspace_id = $1 and id > $3`,
    [workspaceId, ownerId, task.id],
  );
}

/** Most of a table, or most of an index. */
const isTooMuch = ({ rows, blocks }: Step) => rows > GROWN / 2 || blocks > 15;

test(`plans made with a few items don't scan all of ${GROWN}, for frequent calls`, async (t) => {
  // Twice, because the second call may run another plan.
  for (const call of Object.values(calls)) await call().then(call);
  await grow();
  const found: string[] = [];
  for (const [name, call] of Object.entries(calls)) {
    steps();
    await call();
    const seen = steps();
    t.true(seen.length > 0, name);
    found.push(
      ...seen
        .filter(isTooMuch)
        .map(({ statement, node, rows, blocks }) => `${name}: ${node}, ${rows} rows, ${blocks} blocks, of ${statement}`),
    );
  }
  t.deepEqual([...new Set(found)], []);
});
