/** REST and MCP have the same access and validation rules. */
import fc from 'fast-check';
import { compactResult } from '../../src/mcp/results.ts';
import { fileDatabase } from '../support/database.ts';
import { call, type McpWorld, mcpWorld, once } from '../support/mcpWorld.ts';
import { type Client, clientOf } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { runs } from '../support/thorough.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: McpWorld;
let people: { name: string; rest: Client; agent: { url: string; key: string } }[];
let ids: number[];
test.before('people of every role, items of every type', async () => {
  world = await mcpWorld(database.url);
  const { fixtures, workspaceId, accountId, api, owner } = world;
  const kinds: [string, string, Record<string, string>][] = [
    ['owner', 'owner', {}],
    ['member', 'member', {}],
    ['viewer', 'viewer', {}],
    ['member without releases', 'member', { releases: 'none' }],
    ['member who reads tasks', 'member', { tasks: 'read', goals: 'none' }],
  ];
  people = await Promise.all(
    kinds.map(async ([name, role, overrides]) => {
      const userId = await fixtures.user(accountId);
      await fixtures.member(workspaceId, userId, role, overrides);
      return { name, rest: clientOf(api, await fixtures.key(userId), workspaceId), agent: await world.agentOf(userId) };
    }),
  );
  const save = async (type: string, fields: object = {}) =>
    (await owner.save({ type, title: type, description: '', status: 'planned', fields })).id as number;
  const release = await save('release');
  const requirement = await save('requirement', { releaseId: release });
  const free = await save('requirement');
  const goal = await save('goal');
  const task = await save('task', { requirementId: requirement });
  ids = [
    release,
    requirement,
    free,
    goal,
    task,
    await save('task', { parentItemId: task }),
    await save('milestone'),
    999_999,
    world.ownerId,
  ];
});
test.after('close', () => world?.end());

const codeOf = { 200: 'ok', 400: 'invalid_request', 403: 'forbidden', 409: 'conflict' } as Record<number, string>;

test('an item is accessible through both or neither', async (t) => {
  for (const { name, rest, agent } of people) {
    for (const id of ids.filter((other) => other !== ids[3])) {
      const byRest = await rest.get('/item', { id });
      const { value } = await call(agent, 'svc_get_item', { id });
      t.is(value.error?.code ?? 'ok', codeOf[byRest.status], `${name}, item ${id}`);
      if (byRest.status !== 200) continue;
      const { workspaceId, ...item } = value.item;
      t.deepEqual(item, compactResult(byRest.body));
      t.is(workspaceId, world.workspaceId);
    }
  }
});

/** Mostly valid values, so that most records have at most one fault. */
const record = () => {
  const id = fc.constantFrom(...ids, null);
  const date = fc.constantFrom('2026-01-31', '2026-02-30', '2027-01-01', null);
  const number = fc.constantFrom(0, 5, 100, 101, -1, null);
  const text = fc.constantFrom('x', '', null);
  const fields = fc.record(
    {
      statusKey: fc.constantFrom('planned', 'in_progress', 'approved', 'nope', null),
      priorityKey: fc.constantFrom('high', 'nope', null),
      blockedReason: text,
      dueDate: date,
      startDate: date,
      targetDate: date,
      actualDate: date,
      reachPeriod: fc.constantFrom('2026-Q3', '2026-Q5', null),
      acceptance: text,
      unit: text,
      estimatedHours: number,
      progressPercent: number,
      confidence: number,
      assigneeId: id,
      parentId: id,
      parentItemId: id,
      requirementId: id,
      releaseId: id,
      goalId: id,
    },
    { requiredKeys: [] },
  );
  return fc.record({
    type: fc.constantFrom('task', 'requirement', 'release', 'milestone'),
    title: fc.constantFrom('Fine', 'Fine', 'Fine', '', ' '),
    description: fc.constantFrom('', 'Text'),
    status: fc.constantFrom('planned', 'in_progress', 'blocked', 'done', 'approved', 'pending_approval'),
    ownerId: fc.constantFrom(world.ownerId, 999_999, null),
    fields: fields.map((all) => Object.fromEntries(Object.entries(all).slice(0, 3))),
  });
};

/** The field that a message begins with. */
const fieldIn = (message: string) => /^(?:record\.|items\[0\]\.)?([\w.]+):/.exec(message)?.[1];

test('if one refuses to create an item, the other refuses it for the same field', async (t) => {
  const counts = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...people), record(), async ({ rest, agent }, item) => {
      const byRest = await rest.post('/items/save', { record: item });
      const { value } = await call(agent, 'svc_create_items', once({ workspaceId: world.workspaceId, items: [item] }));
      const code = value.error?.code ?? 'ok';
      counts.set(code, (counts.get(code) ?? 0) + 1);
      t.is(code, codeOf[byRest.status]!, `${JSON.stringify(item)} ${JSON.stringify(byRest.body)} ${JSON.stringify(value)}`);
      if (code === 'invalid_request') t.is(fieldIn(value.error.message), fieldIn(byRest.body.error));
      if (code === 'ok') t.is(value.items[0].status, byRest.body.status);
    }),
    { numRuns: runs(600), seed: 7 },
  );
  t.true(counts.size >= 3, JSON.stringify([...counts]));
});

test('if one refuses a change, the other refuses it, and both produce the same item', async (t) => {
  const { owner, agent } = world;
  await fc.assert(
    fc.asyncProperty(record(), fc.constantFrom(0, 0, 0, 1), async ({ type, ...change }, behind) => {
      const twins = await Promise.all(
        [0, 1].map(() => owner.save({ type, title: 'Twin', description: '', status: 'planned', fields: {} })),
      );
      const version = 1 + behind;
      const byRest = await owner.post('/items/save', { record: { id: twins[0].id, type, version, ...change } });
      const { value } = await call(agent, 'svc_update_item', once({ id: twins[1].id, version, ...change }));
      t.is(value.error?.code ?? 'ok', codeOf[byRest.status]!, `${JSON.stringify(change)} ${JSON.stringify(byRest.body)}`);
      if (byRest.status !== 200) return;
      const { workspaceId: _workspace, ...item } = value.item;
      t.deepEqual({ ...item, id: twins[0].id }, compactResult(byRest.body));
    }),
    { numRuns: 80, seed: 11 },
  );
});
