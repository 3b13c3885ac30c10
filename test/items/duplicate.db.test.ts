/** Duplicates of items with those below them (behaviour §37.1–§37.4). */
import type { Caller } from '../../src/access/caller.ts';
import { duplicateItem } from '../../src/items/duplicateItem.ts';
import { fileDatabase } from '../support/database.ts';
import { type OperationWorld, operationWorld, refusal } from '../support/operationWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: OperationWorld['world'];
let run: OperationWorld['run'];
let end: OperationWorld['end'] | undefined;
test.before('a workspace', async () => {
  ({ world, run, end } = await operationWorld(database.url, 4));
});
test.after('stop', () => end?.());

const usual = { title: 'Again', below: true, labels: true, dependencies: true, people: true, start: null as string | null };

const duplicate = (id: number, more: Partial<typeof usual> = {}, caller?: Caller): Promise<{ id: number; count: number }> =>
  run(duplicateItem, { id, ...usual, ...more }, caller);

const relations = async (id: number) => (await world.owner.get('/relations', { id })).body;
const below = (id: number) =>
  world.fixtures.sql('select id::integer, title, status, version from items where parent_item_id = $1 order by id', [id]);

async function project() {
  const mate = await world.join('member');
  const { body: label } = await world.owner.post('/labels/save', { label: { name: `bug ${Math.random()}` } });
  const goal = await world.make('goal');
  const outside = await world.make('task');
  const root = await world.make(
    'task',
    { goalId: goal.id, startDate: '2026-11-02', dueDate: '2026-11-06', estimatedHours: 8 },
    { title: 'Root', description: 'How' },
  );
  const first = await world.make(
    'task',
    { parentItemId: root.id, assigneeId: mate.userId, dueDate: '2026-11-03', priorityKey: 'high' },
    { title: 'First', status: 'done', ownerId: mate.userId },
  );
  const second = await world.make('task', { parentItemId: root.id, dueDate: '2026-11-05' }, { title: 'Second' });
  const deep = await world.make('task', { parentItemId: second.id }, { title: 'Deep' });
  await world.owner.post('/relations/save', {
    id: second.id,
    version: 1,
    labels: [label.id],
    blockedBy: [{ id: first.id, lagDays: 2 }, { id: outside.id }],
  });
  // The parent waits for its child, so no order by links fits both.
  await world.owner.post('/relations/save', { id: root.id, version: 1, blockedBy: [{ id: deep.id }] });
  return { mate, label, goal, outside, root, first, second, deep };
}

test('copies texts, fields, people, labels, links and the dependencies among the copied items; all are planned', async (t) => {
  const { mate, label, goal, root } = await project();
  const made = await duplicate(root.id);
  t.is(made.count, 4);
  const copy = await world.read(made.id);
  t.like(copy, { title: 'Again', description: 'How', status: 'planned', version: 1 });
  t.like(copy.fields, { goalId: goal.id, startDate: '2026-11-02', dueDate: '2026-11-06', estimatedHours: 8, progressPercent: null });
  const [first, second] = await below(made.id);
  t.like(first, { title: 'First', status: 'planned', version: 1 });
  const copied = await world.read(first.id);
  t.like(copied, { ownerId: mate.userId, fields: { assigneeId: mate.userId, priorityKey: 'high', progressPercent: null } });
  t.like(await relations(second.id), { labels: [{ id: label.id }], blockedBy: [{ id: first.id, lagDays: 2 }] });
  const [deep] = await below(second.id);
  t.deepEqual((await relations(made.id)).blockedBy, [{ id: deep.id, lagDays: 0 }]);
  const changes = await world.fixtures.sql('select kind, fields from changes where item_id = $1', [second.id]);
  t.is(changes.length, 1);
  t.deepEqual([changes[0].kind, changes[0].fields.blockedBy], ['item.created', [[], [{ id: first.id, lagDays: 2 }]]]);
});

test('leaves out the parts that are not selected', async (t) => {
  const { root } = await project();
  const alone = await duplicate(root.id, { below: false });
  t.is(alone.count, 1);
  t.deepEqual((await relations(alone.id)).blockedBy, []);
  const bare = await duplicate(root.id, { labels: false, dependencies: false, people: false });
  const [first, second] = await below(bare.id);
  t.is((await world.read(first.id)).fields.assigneeId, null);
  t.is((await world.read(first.id)).ownerId, undefined);
  t.like(await relations(second.id), { labels: [], blockedBy: [] });
});

test('a new start moves all dates by the same days, and weekend dates to Monday', async (t) => {
  const { root } = await project();
  const made = await duplicate(root.id, { start: '2026-11-05' });
  t.like((await world.read(made.id)).fields, { startDate: '2026-11-05', dueDate: '2026-11-09' });
  const [first, second] = await below(made.id);
  t.is((await world.read(first.id)).fields.dueDate, '2026-11-06');
  t.is((await world.read(second.id)).fields.dueDate, '2026-11-09');
});

test('copies only what the user may see, and refuses to copy a hidden item', async (t) => {
  const viewer = await world.join('member', { goals: 'none' });
  const { root, goal } = await project();
  const caller: Caller = { kind: 'user', userId: viewer.userId };
  const made = await duplicate(root.id, {}, caller);
  t.is((await world.read(made.id)).fields.goalId, null, 'a goal that they can’t see is left out');
  const blind = await world.join('member', { tasks: 'none' });
  for (const who of [
    { kind: 'user', userId: blind.userId } as const,
    { kind: 'user', userId: await world.fixtures.user(await world.fixtures.account()) } as const,
  ])
    t.is((await refusal(duplicate(root.id, {}, who))).code, 'forbidden');
  t.is((await refusal(duplicate(9_999_999, {}))).code, 'forbidden');
  t.is((await refusal(duplicate(goal.id, {}, caller))).code, 'forbidden');
  const reader = await world.join('viewer');
  t.is((await refusal(duplicate(root.id, {}, { kind: 'user', userId: reader.userId }))).code, 'forbidden');
});

test('archived items, archived labels and people who left the workspace are not copied', async (t) => {
  const { root, first, label, second, mate } = await project();
  await world.fixtures.sql('update items set archived_at = now() where id = $1', [second.id]);
  await world.owner.post('/labels/save', { label: { id: label.id, name: label.name, archived: true } });
  await world.fixtures.sql('delete from memberships where user_id = $1', [mate.userId]);
  const made = await duplicate(root.id);
  const [only, ...none] = await below(made.id);
  t.deepEqual([only.title, none.length], ['First', 0]);
  t.is((await world.read(only.id)).fields.assigneeId, null);
  t.is((await world.read(first.id)).fields.assigneeId, mate.userId);
});

test('500 items are copied in one change; 501 are refused and nothing is written', async (t) => {
  const root = await world.make('task', {}, { title: 'Big' });
  const insert = (count: number) =>
    world.fixtures.sql(
      `insert into items (account_id, workspace_id, type, title, status, status_key, parent_item_id)
       select account_id, workspace_id, type, 'Part ' || n, 'planned', 'planned', id from items, generate_series(1, $2) n where id = $1`,
      [root.id, count],
    );
  await insert(499);
  const made = await duplicate(root.id);
  t.is(made.count, 500);
  t.is((await below(made.id)).length, 499);
  const [{ commits }] = await world.fixtures.sql(
    `select count(distinct xact)::integer as commits from changes
     where item_id = $1 or item_id in (select id from items where parent_item_id = $1)`,
    [made.id],
  );
  t.is(commits, 1);
  await insert(1);
  t.regex((await refusal(duplicate(root.id))).message, /At most 500 items can be copied/);
  const again = await world.fixtures.sql(
    `select from items where title = 'Again' and id > $1 and parent_item_id is null and id in (
    select parent_item_id from items where title like 'Part %')`,
    [made.id],
  );
  t.is(again.length, 0);
  t.is((await duplicate(root.id, { below: false })).count, 1);
});

test('a release is copied with its requirements and tasks; the error names a type below that the user may not write', async (t) => {
  const release = await world.make('release', { targetDate: '2026-12-04' }, { title: 'R' });
  const requirement = await world.make('requirement', { releaseId: release.id }, { title: 'Q' });
  await world.make('task', { requirementId: requirement.id, releaseId: release.id }, { title: 'T' });
  await world.make('milestone', { requirementId: requirement.id, targetDate: '2026-12-01' }, { title: 'M' });
  const made = await duplicate(release.id);
  t.is(made.count, 4);
  const rows = await world.fixtures.sql(
    `select i.type, i.release_id = $1 as released, r.release_id = $1 as via from items i left join items r on r.id = i.requirement_id where i.id > $1 and i.id < $1 + 4 order by i.type`,
    [made.id],
  );
  t.deepEqual(
    rows.map(({ type, released, via }) => [type, released, via]),
    [
      ['milestone', null, true],
      ['requirement', true, null],
      ['task', true, true],
    ],
  );
  const member = await world.join('member');
  const refused = await refusal(duplicate(requirement.id, {}, { kind: 'user', userId: member.userId }));
  t.is(refused.code, 'invalid_request');
  t.regex(refused.message, /can’t add a milestone here/);
});

test('wrong inputs are refused', async (t) => {
  const { id } = await world.make('task');
  for (const wrong of [{ title: '' }, { title: 'x'.repeat(301) }, { start: '2026-02-30' }, { start: '9999-12-31x' }])
    t.is((await refusal(duplicate(id, wrong))).code, 'invalid_request', JSON.stringify(wrong));
  const dated = await world.make('task', { startDate: '2026-01-01', dueDate: '2027-01-01' });
  t.is((await refusal(duplicate(dated.id, { start: '9999-12-30' }))).code, 'invalid_request');
});
