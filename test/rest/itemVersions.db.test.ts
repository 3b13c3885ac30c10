/** Creating, updating, versions and races of POST /items/save: behaviour §4.8, §4.9, §4.10, §4.21. */
import { fileDatabase } from '../support/database.ts';
import { draftOf, type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
test.before('a world', async () => {
  world = await restWorld(database.url);
});
test.after('stop', () => world?.end());

const draft = (fields: object = {}, more: object = {}) => draftOf('task', fields, { description: 'D', ...more });
const save = (record: object) => world.owner.post('/items/save', { record });
const read = async (id: number) => (await world.owner.get('/item', { id })).body;

test('an update keeps omitted fields, and null clears a field', async (t) => {
  const { ownerId } = world;
  const fields = { assigneeId: ownerId, dueDate: '2026-05-01', estimatedHours: 3, acceptance: 'A', priorityKey: 'high' };
  const saved = await world.owner.save(draft(fields, { ownerId }));
  const kept = await world.owner.save({ ...draft({ estimatedHours: 4 }), id: saved.id, version: 1 });
  t.deepEqual(kept, { ...saved, version: 2, fields: { ...saved.fields, estimatedHours: 4 } });
  const cleared = await world.owner.save({
    ...draft(Object.fromEntries(Object.keys(fields).map((name) => [name, null])), { ownerId: null }),
    id: saved.id,
    version: 2,
  });
  t.is(cleared.version, 3);
  t.false('ownerId' in cleared);
  for (const name of [...Object.keys(fields), 'assigneeName']) t.is(cleared.fields[name], null, name);
});

test('a save that changes nothing returns the item with the same version', async (t) => {
  const { fixtures, owner, ownerId } = world;
  const saved = await owner.save(draft({ assigneeId: ownerId, dueDate: '2026-05-01', estimatedHours: 0.1 }, { ownerId }));
  const before = await fixtures.sql('select xmin, ctid from items where id = $1', [saved.id]);
  t.deepEqual(await owner.save(saved), saved);
  t.deepEqual(await owner.save({ ...draft(), id: saved.id, version: 1 }), saved);
  t.deepEqual(await fixtures.sql('select xmin, ctid from items where id = $1', [saved.id]), before);
});

test('an item without an owner is returned without ownerId, whatever its texts say and whether goals are readable', async (t) => {
  const { owner, join } = world;
  const description = ',"ownerId":null,"fields":{}';
  const saved = await owner.save(draft({ acceptance: description }, { description }));
  const withoutGoals = (await join('member', { goals: 'none' })).client;
  const answers = [
    saved,
    await owner.save(saved),
    await read(saved.id),
    (await owner.get('/items', { after: saved.id - 1 })).body.items[0],
  ];
  const narrower = [
    (await withoutGoals.get('/item', { id: saved.id })).body,
    await withoutGoals.save({ ...draft(), description, id: saved.id, version: 1 }),
  ];
  const { goalId: _hidden, ...fields } = saved.fields;
  t.false('ownerId' in saved);
  t.is(saved.fields.acceptance, description);
  for (const answer of answers) t.deepEqual(answer, saved);
  for (const answer of narrower) t.deepEqual(answer, { ...saved, fields });
});

test('each change raises the version by one', async (t) => {
  let item = await world.owner.save(draft());
  for (const title of ['A', 'B', 'C']) {
    const next = await world.owner.save({ ...item, title });
    t.deepEqual(next, { ...item, title, version: item.version + 1 });
    item = next;
  }
});

test('comments keep the version', async (t) => {
  const saved = await world.owner.save(draft());
  t.is((await world.owner.post('/comments', { id: saved.id, body: 'Hello' })).status, 200);
  t.deepEqual(await read(saved.id), saved);
});

test('a stale or unknown version is a conflict that returns the current one and changes nothing', async (t) => {
  const saved = await world.owner.save(draft());
  const changed = await world.owner.save({ ...saved, title: 'U' });
  for (const version of [1, 3, 2 ** 31, 2 ** 53 - 1]) {
    const answer = await save({ ...saved, version, title: 'V' });
    t.is(answer.status, 409);
    t.is(answer.code, 'version_conflict');
    t.regex(answer.body.error, /version 2/);
  }
  t.deepEqual(await read(saved.id), changed);
});

test('an update needs the version, and a creation refuses one', async (t) => {
  const saved = await world.owner.save(draft());
  const updates = await save({ ...draft(), id: saved.id });
  t.is(updates.status, 400);
  t.regex(updates.body.error, /^record\.version: /);
  const creation = await save({ ...draft(), version: 1 });
  t.is(creation.status, 400);
  t.regex(creation.body.error, /^record\.version: /);
});

test("the type of an item can't change", async (t) => {
  const saved = await world.owner.save(draft());
  for (const type of ['requirement', 'goal', 'milestone']) {
    const answer = await save({ ...draft({}, { type }), id: saved.id, version: 1 });
    t.is(answer.status, 400);
    t.regex(answer.body.error, /^record\.type: /);
  }
  t.deepEqual(await read(saved.id), saved);
});

test('of fifty concurrent saves on one version one succeeds, and the others are conflicts', async (t) => {
  const saved = await world.owner.save(draft());
  const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => save({ ...saved, title: `Title ${index}` })));
  const winners = answers.filter(({ status }) => status === 200);
  t.is(winners.length, 1);
  t.is(answers.filter(({ status }) => status === 409).length, 49);
  t.deepEqual(await read(saved.id), winners[0]!.body);
  t.is(winners[0]!.body.version, 2);
});

test('concurrent creations all succeed, each with its own id', async (t) => {
  const items = await Promise.all(Array.from({ length: 30 }, (_, index) => world.owner.save(draft({}, { title: `New ${index}` }))));
  t.is(new Set(items.map(({ id }) => id)).size, 30);
});

test('a change that can affect the forecast marks the workspace and enqueues one job; another change does not', async (t) => {
  const { fixtures, accountId, ownerId } = world;
  const workspaceId = await fixtures.workspace(accountId);
  await fixtures.member(workspaceId, ownerId);
  const post = async (record: object) => (await world.owner.post('/items/save', { workspaceId, record })).body;
  const marks = () => fixtures.sql('select workspace_id from capacity_marks where workspace_id = $1', [workspaceId]);
  const goal = await post(draft({}, { type: 'goal' }));
  t.is((await marks()).length, 0);
  const task = await post(draft());
  t.is((await marks()).length, 1);
  await fixtures.sql('delete from capacity_marks');
  await post({ ...task, description: 'Longer' });
  await post({ ...goal, title: 'U' });
  t.is((await marks()).length, 0);
  await post({ ...task, version: 2, fields: { estimatedHours: 5 } });
  t.is((await marks()).length, 1);
});

test("writing needs the write grant, and the member's right, for the type", async (t) => {
  const { join, owner } = world;
  const saved = await owner.save(draft());
  const callers = [
    await join('viewer'),
    await join('member', { tasks: 'read' }),
    await join('owner', {}, ['workspaces:read', 'tasks:read', 'requirements:write']),
  ];
  for (const { client } of callers) {
    t.is((await client.post('/items/save', { record: draft() })).status, 403);
    t.is((await client.post('/items/save', { record: { ...saved, title: 'U' } })).status, 403);
    t.is((await client.get('/item', { id: saved.id })).status, 200);
  }
  const { client: member } = await join('member');
  t.is((await member.post('/items/save', { record: draft({}, { type: 'release' }) })).status, 403);
  t.is((await member.post('/items/save', { record: draft({}, { type: 'requirement' }) })).status, 200);
  t.deepEqual(await read(saved.id), saved);
});

test('saving an absent, archived or foreign item gets the same error', async (t) => {
  const { fixtures, accountId, ownerId, owner } = world;
  const archived = await owner.save(draft());
  await fixtures.sql('update items set archived_at = now() where id = $1', [archived.id]);
  const elsewhere = await fixtures.workspace(accountId);
  await fixtures.member(elsewhere, ownerId);
  const foreign = (await owner.post('/items/save', { workspaceId: elsewhere, record: draft() })).body;
  const answers = await Promise.all([archived.id, foreign.id, 999_999].map((id) => save({ ...draft(), id, version: 1 })));
  for (const { status, body } of answers) t.deepEqual([status, body], [403, answers[0]!.body]);
});
