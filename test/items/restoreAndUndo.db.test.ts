/** Archiving many, restoring and undo: all or none, with rights and time limits (behaviour §4.20, §23.1, §23.2, §23.3). */
import type { Caller } from '../../src/access/caller.ts';
import { hashSecret } from '../../src/access/secrets.ts';
import { connectDb, type Db } from '../../src/database/db.ts';
import { eraseUser } from '../../src/erasure/eraseDue.ts';
import { archiveItems, removeItem } from '../../src/items/archiveItems.ts';
import { getItem } from '../../src/items/getItem.ts';
import { restoreItem } from '../../src/items/restoreItem.ts';
import type { Work } from '../../src/items/schema.ts';
import { undoChange } from '../../src/items/undoChange.ts';
import { updateItems } from '../../src/items/updateItems.ts';
import { moveItems, previewMove } from '../../src/moves/moveItems.ts';
import { outputOf } from '../../src/operations/json.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { perform } from '../../src/operations/perform.ts';
import { lastChange } from '../../src/overviews/lastChange.ts';
import type { AppError } from '../../src/values/errors.ts';
import { Random } from '../chaos/random.ts';
import { fileDatabase } from '../support/database.ts';
import { type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
let db: Db;
let owner: Caller;
let member: Caller;
let viewer: Caller;
let memberId: number;

const session = async (userId: number): Promise<Caller> => ({
  kind: 'session',
  hash: hashSecret(await world.fixtures.session(userId)),
});

test.before('a workspace with an owner, a member and a viewer', async () => {
  [world, db] = await Promise.all([restWorld(database.url), connectDb(database.url, 8)]);
  owner = await session(world.ownerId);
  memberId = (await world.join('member')).userId;
  member = await session(memberId);
  viewer = await session((await world.join('viewer')).userId);
});
test.after('stop', async () => {
  await world?.end();
  await db?.close();
});

const make: RestWorld['make'] = (...made) => world.make(...made);
// biome-ignore lint/suspicious/noExplicitAny: inputs of any operation
const run = async <Output>(operation: Operation<any, Output>, caller: Caller, input: object): Promise<Output> =>
  outputOf(await perform(db, caller, operation, { workspaceId: world.workspaceId, ...input }));
const archiveOne = async (item: Work, caller = owner) =>
  outputOf(await perform(db, caller, removeItem, { id: item.id, version: item.version }));
const archiveAll = (items: readonly Work[], caller = owner) =>
  run(archiveItems, caller, { items: items.map(({ id, version }) => ({ id, version })) });
const restore = (item: { id: number; version: number }, caller = owner) => run(restoreItem, caller, { id: item.id, version: item.version });
const undo = (item: { id: number; version: number }, caller = owner) => run(undoChange, caller, { itemId: item.id, version: item.version });
const read = async (id: number): Promise<Work | null> =>
  run(getItem, owner, { id }).then(
    (work) => work as Work,
    () => null,
  );
const refusal = (attempt: Promise<unknown>): Promise<AppError | null> =>
  attempt.then(
    () => null,
    (error: AppError) => error,
  );
const codeOf = async (attempt: Promise<unknown>) => (await refusal(attempt))?.code ?? 'done';
const rowsOf = (id: number) => world.fixtures.sql('select kind, version, via from changes where item_id = $1 order by id', [id]);

test('an archived item is restored together with what its archiving closed, with a new version and row each', async (t) => {
  const parent = await make('requirement');
  const below = await make('task', { requirementId: parent.id }, { status: 'done' });
  await world.fixtures.sql('delete from capacity_marks', []);
  const archived = await archiveOne(parent);
  t.deepEqual([await read(parent.id), await read(below.id)], [null, null]);
  const back = await restore(archived);
  t.deepEqual(back, { id: parent.id, version: parent.version + 2 });
  t.like(await read(parent.id), { title: parent.title, version: back.version });
  t.like(await read(below.id), { version: below.version });
  t.deepEqual(
    (await rowsOf(parent.id)).map(({ kind, version, via }) => [kind, version, via]),
    [
      ['item.created', 1, 'rest'],
      ['item.archived', 2, 'page'],
      ['item.restored', 3, 'page'],
    ],
  );
  t.is((await world.fixtures.sql('select from capacity_marks where workspace_id = $1', [world.workspaceId])).length, 1);
});

test("people who may archive an item can restore it; viewers, other accounts and keys can't", async (t) => {
  const task = await make('task');
  const goal = await make('goal');
  const archived = [await archiveOne(task), await archiveOne(goal)];
  const stranger = await session(await world.fixtures.user(await world.fixtures.account()));
  const key: Caller = { kind: 'key', hash: hashSecret(await world.fixtures.key(world.ownerId)) };
  for (const caller of [viewer, stranger, key]) t.is(await codeOf(restore(archived[0]!, caller)), 'forbidden');
  t.is(await codeOf(restore(archived[1]!, member)), 'forbidden');
  t.is(await codeOf(restore({ id: 999_999, version: 1 })), 'forbidden');
  t.is(await codeOf(restore(archived[0]!, member)), 'done');
  await world.fixtures.sql('update workspaces set archived_at = now() where id = $1', [world.workspaceId]);
  t.is(await codeOf(restore(archived[1]!)), 'forbidden');
  await world.fixtures.sql('update workspaces set archived_at = null where id = $1', [world.workspaceId]);
  t.is(await codeOf(restore(archived[1]!)), 'done');
});

test("an item below an archived one can't be restored, and the error names the archived one", async (t) => {
  const release = await make('release', {}, { title: 'Autumn' });
  const requirement = await make('requirement', { releaseId: release.id });
  const below = await archiveOne(requirement);
  const above = await archiveOne(release);
  t.regex((await refusal(restore(below)))!.message, new RegExp(`restore release ${release.id} "Autumn" first`));
  t.is((await rowsOf(requirement.id)).length, 2);
  await restore(above);
  t.is((await restore(below)).version, 3);
});

test('an outdated version is refused, and of two concurrent restores one succeeds', async (t) => {
  const task = await make('task');
  const archived = await archiveOne(task);
  t.is(await codeOf(restore(task)), 'conflict');
  const both = await Promise.all([codeOf(restore(archived)), codeOf(restore(archived, member))]);
  t.deepEqual(both.toSorted(), ['conflict', 'done']);
  t.regex((await refusal(restore(archived)))!.message, /no longer archived/);
});

test('of a concurrent archiving and change one succeeds', async (t) => {
  for (let round = 0; round < 6; round++) {
    const task = await make('task');
    const change = run(updateItems, owner, { items: [{ id: task.id, version: 1, fields: { estimatedHours: 3 } }] });
    const outcomes = await Promise.all([codeOf(change), codeOf(archiveOne(task, member))]);
    t.is(outcomes.filter((one) => one === 'done').length, 1, String(outcomes));
    t.is((await rowsOf(task.id)).length, 2);
  }
});

test('many items are archived only together with everything open below them', async (t) => {
  const [requirement, other] = [await make('requirement'), await make('task')];
  const below = await make('task', { requirementId: requirement.id }, { title: 'Hull' });
  const error = await refusal(archiveAll([other, requirement]));
  t.regex(error!.message, new RegExp(`items\\[1\\]\\.id: item ${requirement.id} has open work below it: task ${below.id} "Hull"`));
  t.truthy(await read(other.id));
  const { items } = await archiveAll([other, requirement, below]);
  t.deepEqual(
    items.map(({ id, version }) => [id, version]),
    [other, requirement, below].map(({ id }) => [id, 2]),
  );
  t.deepEqual(await undo(items[1]!), { count: 3 });
  for (const { id } of items) t.is((await read(id))!.version, 3);
});

test('many items are archived only if the user may archive each and no version has changed', async (t) => {
  const [task, goal] = [await make('task'), await make('goal')];
  t.is(await codeOf(archiveAll([task, goal], member)), 'forbidden');
  const stale = await refusal(archiveAll([task, { ...goal, version: 7 }]));
  t.deepEqual(stale!.details, { conflicts: [{ index: 1, id: goal.id, currentVersion: 1 }] });
  t.is((await read(task.id))!.version, 1);
});

test('undo works once, within a day, for the same user, and only while no version has changed', async (t) => {
  const tasks = [await make('task', { estimatedHours: 2 }), await make('task')];
  const change = () => run(updateItems, owner, { items: tasks.map(({ id }) => ({ id, version: 1, fields: { estimatedHours: 8 } })) });
  const { items } = await change();
  t.is(await codeOf(undo(items[0]!, member)), 'forbidden');
  t.is(await codeOf(undo({ id: items[0]!.id, version: 1 })), 'forbidden');
  await world.fixtures.sql(`update changes set at = at - interval '25 hours' where item_id = any($1)`, [tasks.map(({ id }) => id)]);
  t.regex((await refusal(undo(items[0]!)))!.message, /more than 24 hours old/);
  await world.fixtures.sql(`update changes set at = at + interval '25 hours' where item_id = any($1)`, [tasks.map(({ id }) => id)]);
  const twice = await Promise.all([codeOf(undo(items[0]!)), codeOf(undo(items[1]!))]);
  t.deepEqual(twice.toSorted(), ['conflict', 'done']);
  t.deepEqual(await Promise.all(tasks.map(async ({ id }) => (await read(id))!.fields.estimatedHours)), [2, null]);
  const moved = await refusal(undo(items[0]!));
  t.deepEqual(
    moved!.details.conflicts!.map(({ id, currentVersion }) => [id, currentVersion]),
    tasks.map(({ id }) => [id, 3]),
  );
});

test('undo changes nothing, and is not offered, if one item of the commit has moved to another workspace since', async (t) => {
  const targetId = await world.fixtures.workspace(world.accountId, 'Hermes');
  await world.fixtures.member(targetId, world.ownerId);
  const move = async (id: number) => {
    const asked = { ids: [id], targetId, below: false };
    const { seen } = await run(previewMove, owner, asked);
    await run(moveItems, owner, { ...asked, seen });
  };
  const offered = ({ id, version }: { id: number; version: number }) =>
    run(lastChange, owner, { kind: 'items', itemId: id, version }).then((change) => change?.mayUndo);
  const tasks = [await make('task', { estimatedHours: 2 }), await make('task', { estimatedHours: 2 })];
  const changed = await run(updateItems, owner, { items: tasks.map(({ id }) => ({ id, version: 1, fields: { estimatedHours: 8 } })) });
  t.true(await offered(changed.items[0]!));
  await move(tasks[1]!.id);
  t.false(await offered(changed.items[0]!));
  t.like(await refusal(undo(changed.items[0]!)), { code: 'conflict', details: {} });
  t.like(await read(tasks[0]!.id), { version: 2, fields: { estimatedHours: 8 } });

  const pair = [await make('task'), await make('task')];
  const archived = await archiveAll(pair);
  await world.fixtures.sql('update items set archived_at = null where id = $1', [pair[1]!.id]);
  await move(pair[1]!.id);
  t.is(await codeOf(undo(archived.items[0]!)), 'conflict');
  t.is(await read(pair[0]!.id), null, 'stays archived');
});

test('undo does not tell whether a hidden item of the commit has moved', async (t) => {
  const targetId = await world.fixtures.workspace(world.accountId, 'Hermes');
  await world.fixtures.member(targetId, world.ownerId);
  const person = await world.join('manager');
  const caller = await session(person.userId);
  const move = async (id: number) => {
    const asked = { ids: [id], targetId, below: false };
    const { seen } = await run(previewMove, owner, asked);
    await run(moveItems, owner, { ...asked, seen });
  };
  const rightsOf = (overrides: object) =>
    world.fixtures.sql('update memberships set overrides = $2 where user_id = $1', [person.userId, JSON.stringify(overrides)]);
  const answer = async (item: { id: number; version: number }) => {
    const { code, message, details } = (await refusal(undo(item, caller)))!;
    return { code, message, details };
  };
  const forbidden = { code: 'forbidden', details: {} };
  const commits = {
    updated: (all: Work[]) =>
      run(updateItems, caller, { items: all.map(({ id, version }) => ({ id, version, fields: { priorityKey: 'high' } })) }),
    archived: (all: Work[]) => archiveAll(all, caller),
  };
  for (const [kind, commit] of Object.entries(commits)) {
    await rightsOf({});
    const pairOf = async () => [await make('requirement'), await make('task')];
    const [stays, leaves] = [await pairOf(), await pairOf()];
    const [first, second] = [(await commit(stays)).items, (await commit(leaves)).items];
    // As after the other item was restored: only its row of the commit matters.
    await world.fixtures.sql('update items set archived_at = null where id = any($1)', [[stays[0]!.id, leaves[0]!.id]]);
    await rightsOf({ requirements: 'none' });
    const hidden = await answer(first[1]!);
    t.like(hidden, forbidden, kind);
    await move(leaves[0]!.id);
    t.deepEqual(await answer(second[1]!), hidden, kind);
    // Rights of today decide, like for the row of the move in the history.
    await rightsOf({});
    t.like(await answer(second[1]!), { code: 'conflict' }, kind);
    await rightsOf({ tasks: 'none' });
    t.deepEqual(await answer(second[1]!), hidden, 'the items here are checked first');
    await rightsOf({ tasks: 'read' });
    t.is((await answer(second[1]!)).code, 'forbidden');
  }
});

test('undo checks current rights, and never restores an approval', async (t) => {
  const task = await make('task');
  const { items } = await run(updateItems, member, { items: [{ id: task.id, version: 1, fields: { dueDate: '2026-12-01' } }] });
  await world.fixtures.sql(`update memberships set role = 'viewer' where user_id = $1`, [memberId]);
  t.is(await codeOf(undo(items[0]!, member)), 'forbidden');
  await world.fixtures.sql(`update memberships set role = 'member' where user_id = $1`, [memberId]);
  t.is(await codeOf(undo(items[0]!, member)), 'done');
  const approved = await make('requirement');
  await world.fixtures.sql(`update items set status = 'approved', status_key = 'approved' where id = $1`, [approved.id]);
  const started = await run(updateItems, owner, { items: [{ id: approved.id, version: 1, status: 'in_progress' }] });
  t.is(await codeOf(undo(started.items[0]!)), 'forbidden');
});

test('undo assigns nothing to a user who was erased meanwhile, also at the same moment', async (t) => {
  await world.fixtures.sql(`update users set account_role = 'owner' where id = $1`, [world.ownerId]);
  for (const together of [false, true]) {
    const { userId } = await world.join('member');
    const task = await make('task', { assigneeId: userId });
    const { items } = await run(updateItems, owner, { items: [{ id: task.id, version: 1, fields: { assigneeId: null } }] });
    const erase = () => perform(db, owner, eraseUser, { userId });
    const undone = await (together
      ? Promise.all([codeOf(undo(items[0]!)), erase()])
      : erase().then(() => codeOf(undo(items[0]!)).then((code) => [code])));
    const { fields } = (await read(task.id))!;
    if (!together) t.deepEqual([undone[0], fields.assigneeId ?? null], ['invalid_request', null]);
    const [user] = await world.fixtures.sql('select active, name from users where id = $1', [userId]);
    t.false(user.active);
    t.notRegex(user.name, /^Person/);
  }
});

/** A random bulk change. */
function drawChange(random: Random): Record<string, unknown> {
  const status = random.pick(['planned', 'in_progress', 'in_review', 'done', 'cancelled', 'blocked']);
  return random.pick([
    { fields: { statusKey: status, ...(status === 'blocked' && { blockedReason: 'No parts' }) } },
    { fields: { priorityKey: random.pick(['low', 'urgent', null]) } },
    { fields: { dueDate: random.pick(['2026-12-24', null]) } },
    { fields: { assigneeId: random.pick([memberId, null]) } },
    { fields: { estimatedHours: random.pick([1, null]), progressPercent: random.pick([0, 40]) } },
  ]);
}

test('a bulk change raises each changed version by one or changes nothing, and undo restores exactly the earlier values', async (t) => {
  const random = new Random(20_261_122);
  const ids = (await Promise.all(Array.from({ length: 12 }, () => make('task', { progressPercent: 30 })))).map(({ id }) => id);
  const states = async () => Promise.all(ids.map(async (id) => (await read(id))!));
  for (let round = 0; round < 40; round++) {
    const before = await states();
    const chosen = before.filter(() => random.chance(0.5));
    if (chosen.length === 0) continue;
    const stale = random.chance(0.2);
    const change = drawChange(random);
    const asked = chosen.map(({ id, version }, at) => ({ id, version: stale && at === 0 ? version + 1 : version, ...change }));
    const outcome = await run(updateItems, owner, { items: asked }).catch((error: AppError) => error.code);
    const after = await states();
    if (typeof outcome === 'string') {
      t.is(outcome, 'conflict');
      t.deepEqual(after, before);
      continue;
    }
    t.false(stale);
    const raised = after.filter(({ id, version }) => version > before.find((one) => one.id === id)!.version);
    for (const { id, version } of raised) {
      t.is(version, before.find((one) => one.id === id)!.version + 1);
      t.true(chosen.some((one) => one.id === id));
    }
    if (raised.length === 0 || random.chance(0.4)) continue;
    await undo(random.pick(raised));
    for (const { version, ...now } of await states()) {
      const { version: first, ...was } = before.find(({ id }) => id === now.id)!;
      t.deepEqual(now, was);
      t.is(version, first + (raised.some(({ id }) => id === now.id) ? 2 : 0));
    }
  }
});

test('of two concurrent bulk changes of the same items one succeeds as a whole', async (t) => {
  const tasks = await Promise.all(Array.from({ length: 10 }, () => make('task')));
  const by = (caller: Caller, hours: number, items: readonly Work[]) =>
    codeOf(run(updateItems, caller, { items: items.map(({ id }) => ({ id, version: 1, fields: { estimatedHours: hours } })) }));
  const outcomes = await Promise.all([by(owner, 1, tasks), by(member, 2, tasks.toReversed())]);
  t.deepEqual(outcomes.toSorted(), ['conflict', 'done']);
  const hours = new Set(await Promise.all(tasks.map(async ({ id }) => (await read(id))!.fields.estimatedHours)));
  t.is(hours.size, 1);
});
