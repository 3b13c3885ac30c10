/** Dependencies over REST: behaviour §33.4–§33.7. */
import { randomUUID } from 'node:crypto';
import { fileDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type Client, type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
test.before('a world', async () => {
  world = await restWorld(database.url);
});
test.after('stop', () => world?.end());

interface Item {
  id: number;
  version: number;
}
type Blocker = { id: number; lagDays?: number };

const block = (item: Item, blockedBy: Blocker[], client: Client = world.owner, headers = {}) =>
  client.post('/relations/save', { id: item.id, version: item.version, blockedBy }, headers);
const relationsOf = async (id: number, client: Client = world.owner) => (await client.get('/relations', { id })).body;
const tasks = (count: number): Promise<Item[]> => Promise.all(Array.from({ length: count }, () => world.make('task')));

test('both items show a dependency, an omitted lag stays, and an empty list removes it', async (t) => {
  const [a, b] = (await tasks(2)) as [Item, Item];
  const first = await block(b, [{ id: a.id, lagDays: 365 }]);
  t.deepEqual(first.body.blockedBy, [{ id: a.id, lagDays: 365 }]);
  t.deepEqual((await relationsOf(a.id)).blocks, [{ id: b.id, lagDays: 365 }]);
  t.is((await relationsOf(a.id)).version, a.version, 'the blocker is unchanged');
  const milestone = await world.make('milestone');
  const second = await block(first.body, [{ id: a.id }, { id: milestone.id }]);
  t.deepEqual(second.body.blockedBy, [
    { id: a.id, lagDays: 365 },
    { id: milestone.id, lagDays: 0 },
  ]);
  const last = await block(second.body, []);
  t.deepEqual(last.body.blockedBy, []);
  t.deepEqual((await relationsOf(a.id)).blocks, []);
});

test('a changed dependency marks the forecast as outdated', async (t) => {
  const [a, b] = (await tasks(2)) as [Item, Item];
  await world.fixtures.sql('delete from capacity_marks');
  const saved = await block(b, [{ id: a.id }]);
  t.is((await world.fixtures.sql('select from capacity_marks where workspace_id = $1', [world.workspaceId])).length, 1);
  await world.fixtures.sql('delete from capacity_marks');
  await block(saved.body, [{ id: a.id }]);
  t.is((await world.fixtures.sql('select from capacity_marks where workspace_id = $1', [world.workspaceId])).length, 0);
});

test('invalid blockers are refused with an error that says what to do', async (t) => {
  const [a, b] = (await tasks(2)) as [Item, Item];
  for (const [given, message] of [
    [[{ id: b.id }], /^blockedBy\[0\]\.id: an item cannot wait for itself/],
    [[{ id: a.id, lagDays: 366 }], /blockedBy\[0\]\.lagDays: give 0 to 365 working days/],
    [[{ id: a.id, lagDays: -1 }], /lagDays/],
    [[{ id: a.id, lagDays: 0.5 }], /lagDays/],
    [[{ id: a.id }, { id: a.id }], /blockedBy: give each item once/],
    [Array.from({ length: 51 }, (_, n) => ({ id: n + 1 })), /blockedBy: give at most 50 items/],
    ['all', /blockedBy: give a list/],
    [[a.id], /blockedBy/],
  ] as const) {
    const answer = await block(b, given as never);
    t.is(answer.status, 400, JSON.stringify(given));
    t.regex(answer.body.error, message);
  }
  const archived = await world.make('task');
  await world.fixtures.sql('update items set archived_at = now() where id = $1', [archived.id]);
  const elsewhere = await restWorld(database.url);
  t.teardown(elsewhere.end);
  const foreign = await elsewhere.make('task');
  const answers = await Promise.all([9e15, archived.id, foreign.id].map((id) => block(b, [{ id }])));
  t.deepEqual(
    [...new Set(answers.map(({ status, body }) => `${status} ${body.error}`))].length,
    1,
    'absent, archived and foreign look the same',
  );
  t.is(answers[0]!.status, 403);
});

test('cycles are refused, direct ones and long ones, also through finished items', async (t) => {
  const [a, b, c] = (await tasks(3)) as [Item, Item, Item];
  await block(b, [{ id: a.id }]);
  await block(c, [{ id: b.id }]);
  await world.owner.save({ ...(await world.read(b.id)), status: 'done', ownerId: undefined, fields: {} });
  for (const id of [b.id, c.id]) {
    const answer = await block(a, [{ id }]);
    t.is(answer.status, 400);
    t.regex(
      answer.body.error,
      new RegExp(`^blockedBy: item ${id} waits for item ${a.id} already, directly or through others; leave it out`),
    );
  }
  t.deepEqual((await relationsOf(a.id)).blockedBy, []);
  t.is((await relationsOf(a.id)).version, a.version);
});

test('two saves that would close a cycle together: one is refused', async (t) => {
  for (let round = 0; round < 10; round++) {
    const ring = await tasks(4);
    const answers = await Promise.all(ring.map((item, n) => block(item, [{ id: ring[(n + 1) % ring.length]!.id }])));
    t.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 400]);
  }
});

test('hidden blockers are absent in answers and changes, stay when others are saved, and leave no trace', async (t) => {
  const { client } = await world.join('member', { goals: 'none' });
  const [a, b] = (await tasks(2)) as [Item, Item];
  const goal = await world.make('goal');
  const both = (await block(b, [{ id: goal.id, lagDays: 2 }, { id: a.id }])).body;
  t.deepEqual((await relationsOf(b.id, client)).blockedBy, [{ id: a.id, lagDays: 0 }]);
  const saved = await block(both, [], client);
  t.deepEqual(saved.body.blockedBy, []);
  t.deepEqual((await relationsOf(b.id)).blockedBy, [{ id: goal.id, lagDays: 2 }]);
  t.is((await block(saved.body, [{ id: goal.id }], client)).status, 403);
  const gone = (await block(saved.body, [])).body;
  const fieldsFor = async (who: Client) =>
    (await who.get('/changes', { itemId: b.id })).body.changes.map(({ fields }: { fields: { blockedBy?: unknown } }) => fields.blockedBy);
  await eventually(
    () => fieldsFor(world.owner),
    (found) => found.length === 4,
  );
  t.deepEqual((await fieldsFor(client)).slice(1), [[[], [{ id: a.id, lagDays: 0 }]], [[{ id: a.id, lagDays: 0 }], []], undefined]);
  t.deepEqual((await fieldsFor(world.owner)).at(-1), [[{ id: goal.id, lagDays: 2 }], []]);
  const blocked = await world.make('goal');
  await block(blocked, [{ id: gone.id }]);
  t.deepEqual((await relationsOf(b.id, client)).blocks, []);
  t.deepEqual((await relationsOf(b.id)).blocks, [{ id: blocked.id, lagDays: 0 }]);
});

test('hidden blockers do not count toward the limit of 50', async (t) => {
  const { client } = await world.join('member', { goals: 'none' });
  const [item] = (await tasks(1)) as [Item];
  const goal = await world.make('goal');
  const saved = (await block(item, [{ id: goal.id }])).body;
  const many = (await tasks(50)).map(({ id }) => ({ id }));
  const full = await block(saved, many, client);
  t.is(full.body.blockedBy.length, 50);
  t.is((await relationsOf(item.id)).blockedBy.length, 51);
});

test('a replay omits items that have become hidden since', async (t) => {
  const { client, userId } = await world.join('member');
  const [a, b] = (await tasks(2)) as [Item, Item];
  const goal = await world.make('goal');
  const key = { 'Idempotency-Key': randomUUID() };
  const first = await block(b, [{ id: a.id }, { id: goal.id }], client, key);
  t.is(first.body.blockedBy.length, 2);
  await world.fixtures.sql(`update memberships set overrides = '{"goals": "none"}' where user_id = $1`, [userId]);
  const again = await block(b, [{ id: a.id }, { id: goal.id }], client, key);
  t.is(again.headers.get('idempotent-replayed'), 'true');
  t.deepEqual(again.body, { ...first.body, blockedBy: [{ id: a.id, lagDays: 0 }] });
});

test('relations need the rights of their item; hidden and absent items get the same error', async (t) => {
  const { client } = await world.join('viewer', { goals: 'none' });
  const [task] = (await tasks(1)) as [Item];
  const goal = await world.make('goal');
  t.is((await client.get('/relations', { id: task.id })).status, 200);
  t.is((await block(task, [], client)).status, 403);
  const refused = await Promise.all([goal.id, 9e15].map((id) => client.get('/relations', { id })));
  t.deepEqual(refused[0]!.body.error, refused[1]!.body.error);
  t.deepEqual(
    refused.map(({ status }) => status),
    [403, 403],
  );
  const unseen = await Promise.all([goal, { id: 9e15, version: 1 }].map((item) => block(item, [], client)));
  t.deepEqual(
    unseen.map(({ status, body }) => [status, body.error]),
    Array(2).fill([403, unseen[0]!.body.error]),
  );
});
