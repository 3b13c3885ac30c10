/** Labels over REST: behaviour §33.1–§33.4. */
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

const saveLabel = (label: object, client: Client = world.owner, headers = {}) => client.post('/labels/save', { label }, headers);
const newLabel = async (name: string = randomUUID(), more: object = {}) => (await saveLabel({ name, ...more })).body;
const relationsOf = async (id: number, client: Client = world.owner) => (await client.get('/relations', { id })).body;
const put = (item: { id: number; version: number }, labels: number[], client: Client = world.owner) =>
  client.post('/relations/save', { id: item.id, version: item.version, labels });
const labelsOf = async (client: Client = world.owner) => (await client.get('/labels')).body.labels as { id: number; name: string }[];

test('a label is created, changed, archived, and listed by name with the number of its items', async (t) => {
  const made = await saveLabel({ name: 'b-Security', color: 'violet' });
  t.is(made.status, 200);
  t.deepEqual(made.body, { id: made.body.id, name: 'b-Security', color: 'violet', archived: false, items: 0 });
  const other = await newLabel('A-first');
  await put(await world.make('task'), [made.body.id]);
  await put(await world.make('requirement'), [made.body.id, other.id]);
  const renamed = await saveLabel({ id: made.body.id, name: 'b-security', archived: true });
  t.deepEqual(renamed.body, { id: made.body.id, name: 'b-security', color: 'violet', archived: true, items: 2 });
  const listed = (await labelsOf()).filter(({ id }) => [made.body.id, other.id].includes(id));
  t.deepEqual(
    listed.map(({ name }) => name),
    ['A-first', 'b-security'],
  );
});

test('names are unique in the workspace, ignoring case', async (t) => {
  const one = await newLabel('Straße Nord');
  const twin = await saveLabel({ name: 'STRASSE nord' });
  t.is(twin.status, 200, 'another name');
  const same = await saveLabel({ name: 'straße NORD' });
  t.is(same.status, 400);
  t.regex(same.body.error, /^label\.name: there already is a label 'straße NORD'; choose another name/);
  t.is((await saveLabel({ id: twin.body.id, name: 'Straße nord' })).status, 400);
  t.is((await saveLabel({ id: one.id, name: 'STRAßE NORD' })).status, 200, 'its own name in another case');
});

test('twenty concurrent saves of one name make one label', async (t) => {
  const name = `Race ${randomUUID()}`;
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => saveLabel({ name: n % 2 ? name : name.toUpperCase() })));
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(19).fill(400)]);
});

test('invalid labels are refused with an error that says what to do', async (t) => {
  const label = await newLabel();
  for (const [given, message] of [
    [{}, /label\.name/],
    [{ name: '' }, /label\.name: give at least 1 character/],
    [{ name: 'x'.repeat(81) }, /label\.name: give at most 80 characters/],
    [{ name: 'a\nb' }, /remove line breaks/],
    [{ name: 'a', color: 'red' }, /label\.color: give one of grey, teal, green, amber, pink, violet/],
    [{ name: 'a', color: 'url(x)' }, /label\.color/],
    [{ name: 'a', archived: 'yes' }, /label\.archived: give true or false/],
    [{ name: 'a', mergeInto: label.id }, /label\.mergeInto: give the id of the label to merge, too/],
    [{ id: label.id, name: 'a', mergeInto: label.id }, /label\.mergeInto: give the id of another label/],
    [{ id: label.id, name: 'a', mergeInto: 9e15 }, /label\.mergeInto: give the id of another label/],
    [{ name: 'a', items: 3 }, /label/],
  ] as const) {
    const answer = await saveLabel(given);
    t.is(answer.status, 400, JSON.stringify(given));
    t.regex(answer.body.error, message);
  }
  t.is((await saveLabel({ id: 9e15, name: 'a' })).status, 403);
});

test('members create labels, but only owners and managers change them; viewers only read', async (t) => {
  const label = await newLabel();
  const [member, manager, viewer] = await Promise.all(['member', 'manager', 'viewer'].map((role) => world.join(role)));
  t.is((await saveLabel({ name: randomUUID() }, member!.client)).status, 200);
  for (const change of [{ name: 'x' }, { name: label.name, archived: true }, { name: label.name, mergeInto: label.id }])
    t.is((await saveLabel({ id: label.id, ...change }, member!.client)).status, 403);
  t.is((await saveLabel({ name: randomUUID(), archived: true }, member!.client)).status, 403);
  t.is((await saveLabel({ id: label.id, name: `${label.name}!` }, manager!.client)).status, 200);
  t.is((await saveLabel({ name: randomUUID() }, viewer!.client)).status, 403);
  t.true((await labelsOf(viewer!.client)).some(({ id }) => id === label.id));
  const comments = await world.join('owner', {}, ['comments:write', 'workspaces:read']);
  const refused = await comments.client.get('/labels');
  t.is(refused.status, 403);
  t.regex(refused.body.error, /tasks:read/);
  t.is((await saveLabel({ name: randomUUID() }, (await world.join('owner', {}, ['tasks:read'])).client)).status, 403);
});

test('a key of the owner changes and merges labels only if it writes items of every type', async (t) => {
  const [label, other] = [await newLabel(), await newLabel()];
  const goal = await put(await world.make('goal'), [label.id]);
  const { client } = await world.join('owner', {}, ['workspaces:read', 'tasks:read', 'tasks:write']);
  for (const change of [{ name: 'x' }, { name: label.name, archived: true }, { name: label.name, mergeInto: other.id }])
    t.is((await saveLabel({ id: label.id, ...change }, client)).status, 403);
  t.is((await saveLabel({ name: randomUUID() }, client)).status, 200);
  t.deepEqual((await relationsOf(goal.body.id)).labels, [{ id: label.id, name: label.name }]);
});

test('labels of another workspace are absent: not listed, not changed, not put on items', async (t) => {
  const elsewhere = await restWorld(database.url);
  t.teardown(elsewhere.end);
  const foreign = (await elsewhere.owner.post('/labels/save', { label: { name: 'Foreign' } })).body;
  const own = await newLabel();
  t.false((await labelsOf()).some(({ id }) => id === foreign.id));
  t.is((await saveLabel({ id: foreign.id, name: 'x' })).status, 403);
  t.is((await saveLabel({ id: own.id, name: own.name, mergeInto: foreign.id })).status, 400);
  const answer = await put(await world.make('task'), [foreign.id]);
  t.is(answer.status, 400);
  t.regex(answer.body.error, /^labels\[0\]: there is no label \d+ in this workspace; read the labels again/);
});

test('saving labels raises the version, keeps what is left out, and records the names before and after', async (t) => {
  const [a, b] = [await newLabel('rel-a'), await newLabel('Rel-b')];
  const blocker = await world.make('task');
  const item = await world.make('goal');
  const first = await world.owner.post('/relations/save', {
    ...{ id: item.id, version: item.version, labels: [b.id, a.id], blockedBy: [{ id: blocker.id, lagDays: 3 }] },
  });
  t.deepEqual(first.body, {
    ...{ id: item.id, version: item.version + 1 },
    labels: [
      { id: a.id, name: 'rel-a' },
      { id: b.id, name: 'Rel-b' },
    ],
    blockedBy: [{ id: blocker.id, lagDays: 3 }],
    blocks: [],
  });
  const second = await put(first.body, [b.id]);
  t.deepEqual(second.body.blockedBy, [{ id: blocker.id, lagDays: 3 }]);
  t.is(second.body.version, item.version + 2);
  const same = await put(second.body, [b.id]);
  t.is(same.body.version, second.body.version, 'nothing changed');
  const changesOf = async () => (await world.owner.get('/changes', { itemId: item.id })).body.changes;
  // A change is visible once all earlier transactions have ended.
  const changes = await eventually(changesOf, (found) => found.length === 3);
  t.deepEqual(
    changes.slice(1).map(({ kind, version, fields }: { kind: string; version: number; fields: object }) => [kind, version, fields]),
    [
      ['item.updated', item.version + 1, { labels: [[], ['rel-a', 'Rel-b']], blockedBy: [[], [{ id: blocker.id, lagDays: 3 }]] }],
      ['item.updated', item.version + 2, { labels: [['rel-a', 'Rel-b'], ['Rel-b']] }],
    ],
  );
  t.false('labels' in (await world.read(item.id)));
});

test('a stale version is refused, and of two concurrent saves one succeeds', async (t) => {
  const labels = [await newLabel(), await newLabel()];
  const item = await world.make('task');
  const answers = await Promise.all(labels.map(({ id }) => put(item, [id])));
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  t.is(answers.find(({ status }) => status === 409)!.body.currentVersion ?? item.version + 1, item.version + 1);
  const now = await relationsOf(item.id);
  t.deepEqual(now, answers.find(({ status }) => status === 200)!.body);
  t.is((await put(item, [])).status, 409);
});

test('an item has at most 20 labels, each once, and archived ones only from before', async (t) => {
  const labels = await Promise.all(Array.from({ length: 21 }, () => newLabel()));
  const item = await world.make('task');
  t.is(
    (
      await put(
        item,
        labels.map(({ id }) => id),
      )
    ).status,
    400,
  );
  t.is((await put(item, [labels[0].id, labels[0].id])).status, 400);
  const full = await put(
    item,
    labels.slice(1).map(({ id }) => id),
  );
  t.is(full.body.labels.length, 20);
  await saveLabel({ ...{ id: labels[1].id, name: labels[1].name }, archived: true });
  t.is((await put(full.body, [labels[1].id, labels[0].id])).status, 200, 'it keeps the archived one');
  const other = await put(await world.make('task'), [labels[1].id]);
  t.is(other.status, 400);
  t.regex(other.body.error, /is archived; choose another one/);
});

test('a workspace has at most 500 labels', async (t) => {
  const own = await restWorld(database.url);
  t.teardown(own.end);
  await own.fixtures.sql(
    `insert into labels (account_id, workspace_id, name, color) select $1, $2, 'L' || n, 'grey' from generate_series(1, 499) n`,
    [own.accountId, own.workspaceId],
  );
  const answers = await Promise.all(['x', 'y', 'z'].map((name) => own.owner.post('/labels/save', { label: { name } })));
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
  t.is((await own.owner.get('/labels')).body.labels.length, 500);
});

test('a merge moves the items, changes no version, and its old id refers to the label it was merged into', async (t) => {
  const [from, into] = [await newLabel('merge-from'), await newLabel('merge-into')];
  const [one, both] = [await world.make('task'), await world.make('task')];
  const saved = [await put(one, [from.id]), await put(both, [from.id, into.id])];
  const merged = await saveLabel({ id: from.id, name: from.name, mergeInto: into.id });
  t.deepEqual(merged.body, { ...into, items: 2 });
  for (const [n, item] of [one, both].entries()) {
    const { labels, version } = await relationsOf(item.id);
    t.deepEqual([labels, version], [[{ id: into.id, name: into.name }], saved[n]!.body.version]);
  }
  t.false((await labelsOf()).some(({ id }) => id === from.id));
  t.is((await saveLabel({ name: 'MERGE-from' })).status, 200, 'its name is free');
  const late = await put(await world.make('task'), [from.id]);
  t.deepEqual(late.body.labels, [{ id: into.id, name: into.name }]);
  const third = await newLabel('merge-third');
  await saveLabel({ id: into.id, name: into.name, mergeInto: third.id });
  t.deepEqual((await put(await world.make('task'), [from.id, into.id])).body.labels, [{ id: third.id, name: third.name }]);
});

test('GET /items?label lists the items of a label, also by the id of a merged one, and nothing for a foreign id', async (t) => {
  const [label, other] = [await newLabel(), await newLabel()];
  const items = [await world.make('task'), await world.make('task'), await world.make('task')];
  await put(items[0]!, [label.id]);
  await put(items[1]!, [label.id, other.id]);
  const listed = async (id: number) =>
    (await world.owner.get('/items', { type: 'task', label: id })).body.items.map((item: { id: number }) => item.id);
  t.deepEqual(await listed(label.id), [items[0].id, items[1].id]);
  t.deepEqual(await listed(other.id), [items[1].id]);
  await saveLabel({ id: other.id, name: other.name, mergeInto: label.id });
  t.deepEqual(await listed(other.id), [items[0].id, items[1].id]);
  t.deepEqual(await listed(9e15), []);
  const page = await world.owner.get('/items', { type: 'task', label: label.id, limit: 1 });
  t.true(page.body.hasMore);
  t.is((await world.owner.get('/items', { type: 'task', label: 'x' })).status, 400);
});

test('merges that race saves leave no item with a merged label', async (t) => {
  for (let round = 0; round < 8; round++) {
    const [from, into] = [await newLabel(), await newLabel()];
    const items = await Promise.all(Array.from({ length: 6 }, () => world.make('task')));
    const [merge, ...saves] = await Promise.all([
      saveLabel({ id: from.id, name: from.name, mergeInto: into.id }),
      ...items.map((item) => put(item, [from.id])),
    ]);
    t.is(merge!.status, 200);
    t.deepEqual([...new Set(saves.map(({ status }) => status))], [200]);
    for (const { id } of items) t.deepEqual((await relationsOf(id)).labels, [{ id: into.id, name: into.name }]);
  }
});

test('a replay of a label or relations returns the first answer and restores no access', async (t) => {
  const { client, userId } = await world.join('manager');
  const headers = { 'Idempotency-Key': randomUUID() };
  const label = { name: randomUUID() };
  const [first, again] = [await saveLabel(label, client, headers), await saveLabel(label, client, headers)];
  t.deepEqual(again.body, first.body);
  t.is(again.headers.get('idempotent-replayed'), 'true');
  const item = await world.make('task');
  const body = { id: item.id, version: item.version, labels: [first.body.id] };
  const key = { 'Idempotency-Key': randomUUID() };
  const saved = await client.post('/relations/save', body, key);
  t.deepEqual((await client.post('/relations/save', body, key)).body, saved.body);
  await world.fixtures.sql(`update memberships set role = 'viewer' where user_id = $1`, [userId]);
  t.is((await saveLabel(label, client, headers)).status, 403);
  t.is((await client.post('/relations/save', body, key)).status, 403);
});

test('a label that a revoked manager changes at the same moment is changed before the revocation or not at all', async (t) => {
  for (let round = 0; round < 6; round++) {
    const { client, userId } = await world.join('manager');
    const label = await newLabel();
    const [answer] = await Promise.all([
      saveLabel({ id: label.id, name: `${label.name}!` }, client),
      world.fixtures.sql(`update memberships set role = 'viewer' where user_id = $1`, [userId]),
    ]);
    t.true([200, 403].includes(answer.status));
    const now = (await labelsOf()).find(({ id }) => id === label.id)!;
    t.is(now.name, answer.status === 200 ? `${label.name}!` : label.name);
  }
});
