/** Links between items: valid targets, and the read access they need (behaviour §3.9, §3.11, §4.3). */
import { type ItemType, itemTypes } from '../../src/access/rights.ts';
import { fileDatabase } from '../support/database.ts';
import { clientOf, draftOf, type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
const ids = {} as Record<ItemType, number>;
test.before('a world with one item of each type', async () => {
  world = await restWorld(database.url);
  for (const type of itemTypes) ids[type] = (await world.owner.save(draftOf(type))).id;
});
test.after('stop', () => world?.end());

const save = (record: object) => world.owner.post('/items/save', { record });

const targets: Record<ItemType, Record<string, ItemType[]>> = {
  task: { parentItemId: ['task', 'milestone'], requirementId: ['requirement'], releaseId: ['release'], goalId: ['goal'] },
  requirement: { parentId: ['requirement'], releaseId: ['release'], goalId: ['goal'] },
  goal: { parentId: ['goal'] },
  release: { goalId: ['goal'] },
  milestone: { requirementId: ['requirement'], releaseId: ['release'], goalId: ['goal'] },
};
const links = ['parentId', 'parentItemId', 'requirementId', 'releaseId', 'goalId'];

for (const type of itemTypes) {
  test(`a ${type} links to the types of behaviour §4.2 only`, async (t) => {
    for (const name of links) {
      for (const target of itemTypes) {
        const answer = await save(draftOf(type, { [name]: ids[target] }));
        const allowed = targets[type][name]?.includes(target) ?? false;
        t.is(answer.status, allowed ? 200 : 400, `${name} -> ${target}`);
        if (allowed) t.is(answer.body.fields[name], ids[target]);
        else t.regex(answer.body.error, new RegExp(`^record\\.fields\\.${name}: `));
      }
    }
  });
}

test('absent, foreign, archived and hidden targets get the same forbidden', async (t) => {
  const { fixtures, accountId, ownerId, join, owner } = world;
  const elsewhere = await fixtures.workspace(accountId);
  await fixtures.member(elsewhere, ownerId);
  const foreign = await clientOf(world.api, world.key, elsewhere).save(draftOf('release'));
  const archived = await owner.save(draftOf('release'));
  await fixtures.sql('update items set archived_at = now() where id = $1', [archived.id]);
  const blind = await join('member', { releases: 'none' });
  const answers = [
    ...(await Promise.all([999_999, foreign.id, archived.id].map((releaseId) => save(draftOf('task', { releaseId }))))),
    await blind.client.post('/items/save', { record: draftOf('task', { releaseId: ids.release }) }),
    await blind.client.post('/items/save', { record: draftOf('task', { releaseId: 999_999 }) }),
    await owner.get('/item', { id: 999_999 }),
  ];
  for (const { status, code, body } of answers) t.deepEqual([status, code, body], [403, 'forbidden', answers[0]!.body]);
});

test('cycles are refused with the field that creates them', async (t) => {
  const chains = [
    ['task', 'parentItemId'],
    ['requirement', 'parentId'],
    ['goal', 'parentId'],
  ] as const;
  for (const [type, name] of chains) {
    const top = await world.owner.save(draftOf(type));
    const middle = await world.owner.save(draftOf(type, { [name]: top.id }));
    const bottom = await world.owner.save(draftOf(type, { [name]: middle.id }));
    for (const below of [top, middle, bottom]) {
      const answer = await save({ ...draftOf(type, { [name]: below.id }), id: top.id, version: 1 });
      t.is(answer.status, 400);
      t.is(answer.code, 'invalid_request');
      t.regex(answer.body.error, new RegExp(`^record\\.fields\\.${name}: `));
    }
    t.is((await world.owner.get('/item', { id: top.id })).body.version, 1);
  }
});

test("two concurrent saves can't create a cycle together", async (t) => {
  for (let round = 0; round < 5; round++) {
    const [one, two] = [await world.owner.save(draftOf('task')), await world.owner.save(draftOf('task'))];
    const link = (from: { id: number }, to: { id: number }) =>
      save({ ...draftOf('task', { parentItemId: to.id }), id: from.id, version: 1 });
    const statuses = (await Promise.all([link(one, two), link(two, one)])).map(({ status }) => status);
    t.true(statuses.filter((status) => status === 200).length <= 1, String(statuses));
    t.true(
      statuses.every((status) => [200, 400, 503].includes(status)),
      String(statuses),
    );
  }
});

test('a chain has at most 100 links', async (t) => {
  let parentItemId: number | null = null;
  for (let depth = 0; depth <= 100; depth++) parentItemId = (await world.owner.save(draftOf('task', { parentItemId }))).id;
  const answer = await save(draftOf('task', { parentItemId }));
  t.is(answer.status, 400);
  t.regex(answer.body.error, /^record\.fields\.parentItemId: .*100/);
});

test('all items above an item must be readable, at any distance', async (t) => {
  const { join, owner } = world;
  const requirement = await owner.save(draftOf('requirement', { releaseId: ids.release }));
  const milestone = await owner.save(draftOf('milestone', { requirementId: requirement.id }));
  const task = await owner.save(draftOf('task', { parentItemId: milestone.id }));
  const below = await owner.save(draftOf('task', { parentItemId: task.id }));
  for (const hidden of ['releases', 'requirements', 'milestones']) {
    const { client } = await join('member', { [hidden]: 'none' });
    for (const { id } of [task, below]) t.is((await client.get('/item', { id })).status, 403, hidden);
    t.false((await client.get('/items', { after: task.id - 1 })).body.items.some((item: { id: number }) => item.id === task.id));
  }
  await owner.save({ ...draftOf('task', { parentItemId: null }), id: task.id, version: 1 });
  const { client } = await join('member', { releases: 'none' });
  for (const { id } of [task, below]) t.is((await client.get('/item', { id })).status, 200);
});

test("a goal is no ancestor: without read access to goals its link is omitted, kept, and can't be written", async (t) => {
  const { client } = await world.join('member', { goals: 'none' });
  const saved = await world.owner.save(draftOf('task', { goalId: ids.goal }));
  t.is(saved.fields.goalId, ids.goal);
  const seen = (await client.get('/item', { id: saved.id })).body;
  t.false('goalId' in seen.fields);
  const update = (fields: object) => ({ ...draftOf('task', fields), id: saved.id, version: 1 });
  t.is((await client.post('/items/save', { record: update({ goalId: ids.goal }) })).status, 403);
  t.deepEqual(await client.save(update({ goalId: null })), seen);
  t.is((await client.save(update({ estimatedHours: 1 }))).version, 2);
  t.is((await world.owner.get('/item', { id: saved.id })).body.fields.goalId, ids.goal);
});
