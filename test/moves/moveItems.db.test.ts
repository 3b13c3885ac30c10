/** Moves of items to another workspace of the account (behaviour §42). */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Caller, Permit } from '../../src/access/caller.ts';
import { hashSecret } from '../../src/access/secrets.ts';
import { beginning } from '../../src/changes/cursor.ts';
import { addComment } from '../../src/comments/addComment.ts';
import { rowsOfWorkspace } from '../../src/erasure/rowQueries.ts';
import { readKnown } from '../../src/import/runs/itemQueries.ts';
import { removeItem } from '../../src/items/archiveItems.ts';
import { saveRelations } from '../../src/items/relations.ts';
import { undoChange } from '../../src/items/undoChange.ts';
import { readReach } from '../../src/live/queries.ts';
import { type MovePreview, moveItems, moveTargets, previewMove } from '../../src/moves/moveItems.ts';
import { followers } from '../../src/moves/moveQueries.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { perform } from '../../src/operations/perform.ts';
import { showItem } from '../../src/overviews/openItem.ts';
import { searchEverywhere } from '../../src/overviews/searchEverywhere.ts';
import { planBlock } from '../../src/plans/planBlock.ts';
import { setSeries, stopSeries } from '../../src/recurring/setSeries.ts';
import { trackTime } from '../../src/time/trackTime.ts';
import { Forbidden } from '../../src/values/errors.ts';
import { readAgain } from '../../src/webhooks/deliveryQueries.ts';
import { fileDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { settled } from '../support/following.ts';
import { type OperationWorld, operationWorld, refusal } from '../support/operationWorld.ts';
import { type Client, clientOf } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: OperationWorld['world'];
let run: OperationWorld['run'];
let db: OperationWorld['db'];
let end: OperationWorld['end'] | undefined;
test.before('a workspace', async () => {
  ({ world, run, db, end } = await operationWorld(database.url, 6));
});
test.after('stop', () => end?.());

const sql = (text: string, values: unknown[] = []) => world.fixtures.sql(text, values);

/** Another workspace of the account, with the owner and their key. */
async function place(name = 'Hermes') {
  const id = await world.fixtures.workspace(world.accountId, name);
  await world.fixtures.member(id, world.ownerId);
  return { id, owner: clientOf(world.api, world.key, id) };
}

const preview = (targetId: number, ids: number[], below = true, caller?: Caller): Promise<MovePreview> =>
  run(previewMove, { ids, targetId, below }, caller);

/** Moves as a person does who confirms the preview. */
async function move(targetId: number, ids: number[], below = true, caller?: Caller, workspaceId = world.workspaceId) {
  const { seen } = await run(previewMove, { workspaceId, ids, targetId, below }, caller);
  return run(moveItems, { workspaceId, ids, targetId, below, seen }, caller);
}

const none = { first: [], count: 0 };
const texts = (lines: readonly { text: string }[]) => lines.map(({ text }) => text);
const as = (userId: number): Caller => ({ kind: 'user', userId });

async function mate(targetId: number | null, role = 'member', overrides = {}) {
  const joined = await world.join('member');
  if (targetId !== null) await world.fixtures.member(targetId, joined.userId, role, overrides);
  return joined;
}

/** Runs an operation whose input names no workspace. */
// biome-ignore lint/suspicious/noExplicitAny: answers of every operation
const own = (operation: Operation<any, any>, input: object, caller: Caller = as(world.ownerId)): Promise<any> =>
  perform(db, caller, operation, operation.input.parse(input));

const log = (id: number, minutes: number, caller: Caller) =>
  own(trackTime, { action: 'log', itemId: id, minutes, date: '2026-11-02' }, caller);

type Change = { itemId: number; kind: string; version: number };

async function changesIn(client: Client, itemId: number): Promise<Change[]> {
  await settled(db);
  return (await client.get('/changes', { limit: 200 })).body.changes.filter((row: Change) => row.itemId === itemId);
}

test('an item moves with the items below, comments, time, files, watches, history and dependencies among them, and keeps its id', async (t) => {
  const target = await place();
  const { userId } = await mate(target.id);
  const root = await world.make('requirement', {}, { title: 'Root' });
  const task = await world.make('task', { requirementId: root.id, assigneeId: userId, estimatedHours: 5 }, { title: 'Task' });
  const part = await world.make('task', { parentItemId: task.id }, { title: 'Part' });
  await world.owner.post('/relations/save', { id: task.id, version: 1, blockedBy: [{ id: part.id, lagDays: 3 }] });
  await run(addComment, { id: task.id, body: 'A comment' });
  await log(part.id, 45, as(userId));
  await own(planBlock, planOf(task.id), as(userId));
  await sql(
    `insert into item_watches (account_id, workspace_id, item_id, user_id, watching) select account_id, workspace_id, id, $2, true from items where id = $1`,
    [task.id, userId],
  );
  await sql(
    `insert into item_files (account_id, workspace_id, item_id, name, size, type, state, added_by)
     select account_id, workspace_id, id, 'a.txt', 1, 'text/plain', 'ready', $2 from items where id = $1`,
    [task.id, userId],
  );
  await sql(
    `insert into stars (account_id, workspace_id, user_id, item_id) select account_id, workspace_id, $2, id from items where id = $1`,
    [task.id, world.ownerId],
  );
  const shown = await preview(target.id, [root.id]);
  t.like(shown, { target: 'Hermes', count: 3, archived: 0, stays: none, changes: none, people: [], refusals: [] });

  t.deepEqual(await move(target.id, [root.id]), { id: root.id, version: 2, count: 3 });

  for (const id of [root.id, task.id, part.id]) t.is((await world.owner.get('/item', { id })).status, 403, 'absent in the old workspace');
  const moved = (await target.owner.get('/item', { id: task.id })).body;
  t.like(moved, { title: 'Task', version: 3, fields: { requirementId: root.id, assigneeId: userId, estimatedHours: 5 } });
  t.is((await target.owner.get('/item', { id: part.id })).body.fields.parentItemId, task.id);
  t.deepEqual((await target.owner.get('/relations', { id: task.id })).body.blockedBy, [{ id: part.id, lagDays: 3 }]);
  t.is((await target.owner.get('/comments', { id: task.id })).body.comments[0].body, 'A comment');
  const [{ tables }] = await sql(
    `select array_agg(distinct workspace_id::integer) as tables from (
       select workspace_id from time_entries where item_id = any($1) union all select workspace_id from plan_blocks where item_id = any($1)
       union all select workspace_id from item_files where item_id = any($1) union all select workspace_id from item_watches where item_id = any($1)
       union all select workspace_id from stars where item_id = any($1) union all select workspace_id from item_texts where item_id = any($1)) all_of_them`,
    [[root.id, task.id, part.id]],
  );
  t.deepEqual(tables, [target.id]);
  const [recorded] = await sql(
    'select workspace_id::integer as counts, moved_to::integer as at, minutes from time_parts where user_id = $1',
    [userId],
  );
  t.deepEqual(recorded, { counts: world.workspaceId, at: target.id, minutes: 45 }, 'time counts where it was recorded (behaviour §42.7)');
  const [{ state }] = await sql('select state from plan_blocks where item_id = $1', [task.id]);
  t.is(state, 'scheduled', 'its owner sees the item there');
});

function planOf(itemId: number) {
  const day = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  return {
    ...{ action: 'create', itemId, startLocal: `${day}T09:00`, endLocal: `${day}T10:00`, timezone: 'UTC' },
  };
}

test('both feeds tell the move with the same version in one transaction; each hides the workspace that its reader cannot see', async (t) => {
  const target = await place();
  const here = await mate(null);
  const there = { userId: await world.fixtures.user(world.accountId) };
  await world.fixtures.member(target.id, there.userId, 'member');
  const other = clientOf(world.api, await world.fixtures.key(there.userId), target.id);
  const release = await world.make('release', {}, { title: 'R1' });
  const task = await world.make('task', { releaseId: release.id }, { title: 'Secret later' });
  await move(target.id, [task.id], false);
  const saved = await target.owner.save({ ...(await target.owner.get('/item', { id: task.id })).body, title: 'Secret title' });
  t.is(saved.version, 3);

  const [source] = await changesIn(here.client, task.id);
  t.like(source, {
    kind: 'item.moved',
    title: 'Secret later',
    version: 2,
    fields: { workspaceId: [world.workspaceId, null], releaseId: [release.id, null] },
  });
  t.is((await changesIn(here.client, task.id)).length, 1, 'the history went along');
  const rows = await changesIn(other, task.id);
  t.deepEqual(
    rows.map(({ kind }) => kind),
    ['item.created', 'item.moved', 'item.updated'],
  );
  t.like(rows[1], { version: 2, title: 'Secret title', fields: { workspaceId: [null, target.id], releaseId: [null, null] } });
  t.like((await changesIn(world.owner, task.id))[0], { fields: { workspaceId: [world.workspaceId, target.id] } });
  const commits = await sql(`select distinct xact from changes where item_id = $1 and kind = 'item.moved'`, [task.id]);
  t.is(commits.length, 1);
  t.is((await here.client.get('/changes', { itemId: task.id })).status, 403, 'the item is absent');
});

test('readers of the old workspace who could not read the item are not told of its move', async (t) => {
  const target = await place();
  const blind = await world.join('member', { goals: 'none' });
  const goal = await world.make('goal');
  await move(target.id, [goal.id]);
  t.deepEqual(await changesIn(blind.client, goal.id), []);
  t.is((await changesIn(world.owner, goal.id)).length, 1);
});

test('links, dependencies, labels and people that cannot follow are named first, then end; what stays gets a change of its own', async (t) => {
  const target = await place();
  const stayer = await mate(null);
  const { body: both } = await world.owner.post('/labels/save', { label: { name: `Both ${randomUUID()}` } });
  const { body: only } = await world.owner.post('/labels/save', { label: { name: `Only ${randomUUID()}` } });
  const { body: match } = await target.owner.post('/labels/save', { label: { name: both.name.toUpperCase() } });
  const goal = await world.make('goal', {}, { title: 'Goal' });
  const parent = await world.make('task', {}, { title: 'Parent' });
  const blocker = await world.make('task', {}, { title: 'Blocker' });
  const waiting = await world.make('task', {}, { title: 'Waiting' });
  const task = await world.make(
    'task',
    { goalId: goal.id, parentItemId: parent.id, assigneeId: stayer.userId, priorityKey: 'high' },
    { title: 'Task', ownerId: stayer.userId },
  );
  const child = await world.make('task', { parentItemId: task.id }, { title: 'Child' });
  await world.owner.post('/relations/save', { id: task.id, version: 1, labels: [both.id, only.id], blockedBy: [{ id: blocker.id }] });
  await world.owner.post('/relations/save', { id: waiting.id, version: 1, blockedBy: [{ id: task.id }, { id: blocker.id }] });
  await sql(`update statuses set label = 'To do' where workspace_id = $1 and key = 'planned'`, [target.id]);
  await sql(`update priorities set key = 'top', label = 'HIGH' where workspace_id = $1 and key = 'high'`, [target.id]);

  const shown = await preview(target.id, [task.id], false);
  const name = (await sql('select name from users where id = $1', [stayer.userId]))[0].name;
  t.deepEqual(texts(shown.stays.first).sort(), [
    `Below it: #${child.id} “Child”`,
    `Blocked by: #${blocker.id} “Blocker”`,
    `Blocks: #${waiting.id} “Waiting”`,
    `Goal: #${goal.id} “Goal”`,
    `Label “${only.name}”: Hermes has none of this name.`,
    `Parent task or milestone: #${parent.id} “Parent”`,
  ]);
  t.deepEqual(texts(shown.changes.first), [
    'Status: “Planned” becomes “To do”.',
    'Priority: “High” becomes “HIGH”.',
    `Owner: ${name} is removed, because they can’t be assigned work in Hermes.`,
    `Assignee: ${name} is removed, because they can’t be assigned work in Hermes.`,
  ]);
  await move(target.id, [task.id], false);

  const moved = (await target.owner.get('/item', { id: task.id })).body;
  t.is(moved.ownerId, undefined);
  t.like(moved.fields, { goalId: null, parentItemId: null, assigneeId: null, priorityKey: 'top', statusKey: 'planned' });
  t.like((await target.owner.get('/relations', { id: task.id })).body, { labels: [{ id: match.id }], blockedBy: [], blocks: [] });
  t.like(await world.read(child.id), { version: 2, fields: { parentItemId: null } });
  t.deepEqual((await world.owner.get('/relations', { id: waiting.id })).body.blockedBy, [{ id: blocker.id, lagDays: 0 }]);
  t.is((await world.read(waiting.id)).version, 3);
  const [last] = (await changesIn(world.owner, waiting.id)).slice(-1);
  t.like(last, { kind: 'item.updated', version: 3 });
});

test('only what was named may be lost: a change between preview and confirmation is refused, and nothing moves', async (t) => {
  const target = await place();
  const task = await world.make('task');
  const { seen } = await preview(target.id, [task.id]);
  const child = await world.make('task', { parentItemId: task.id });
  const confirm = () => run(moveItems, { ids: [task.id], targetId: target.id, below: true, seen });
  t.regex((await refusal(confirm())).message, /has changed\. Check again/);
  t.is((await world.read(task.id)).version, 1);
  t.is((await world.read(child.id)).fields.parentItemId, task.id);
});

test('rights that were revoked between preview and confirmation count', async (t) => {
  const target = await place();
  const { userId } = await mate(target.id);
  const task = await world.make('task');
  const { seen } = await preview(target.id, [task.id], true, as(userId));
  await sql('delete from memberships where user_id = $1 and workspace_id = $2', [userId, target.id]);
  const refused = await refusal(run(moveItems, { ids: [task.id], targetId: target.id, below: true, seen }, as(userId)));
  t.is(refused.code, 'forbidden');
  t.is((await world.read(task.id)).version, 1);
});

test('a hidden, absent or archived item or workspace, a reader, a key and an agent get the same refusal', async (t) => {
  const target = await place();
  const task = await world.make('task');
  const goal = await world.make('goal');
  const stranger = await world.fixtures.user(await world.fixtures.account());
  const foreign = await world.fixtures.workspace(await world.fixtures.account());
  const archived = await place();
  await sql('update workspaces set archived_at = now() where id = $1', [archived.id]);
  const reader = await mate(target.id, 'viewer');
  const blind = await mate(target.id, 'owner');
  await sql(`update memberships set overrides = '{"goals": "none"}' where user_id = $1 and workspace_id = $2`, [
    blind.userId,
    world.workspaceId,
  ]);
  const gone = await world.make('task');
  await own(removeItem, { id: gone.id, version: 1 });
  const all: [number, number, Caller?][] = [
    [9_999_999, target.id],
    [task.id, 9_999_999],
    [task.id, foreign],
    [task.id, archived.id],
    [task.id, world.workspaceId],
    [gone.id, target.id],
    [task.id, target.id, as(stranger)],
    [task.id, target.id, as(reader.userId)],
    [goal.id, target.id, as(blind.userId)],
    [task.id, target.id, { kind: 'key', hash: hashSecret(world.key) }],
  ];
  for (const [id, to, caller] of all) {
    t.like(await refusal(preview(to, [id], true, caller)), { code: 'forbidden', message: new Forbidden().message }, `${id} ${to}`);
    t.is((await refusal(run(moveItems, { ids: [id], targetId: to, below: true, seen: '' }, caller))).code, 'forbidden');
  }
  t.is((await world.read(task.id)).version, 1);
});

test('items below that the person cannot see prevent the move without being named, with and without the items below', async (t) => {
  const target = await place();
  const { userId } = await mate(target.id, 'owner');
  await sql(`update memberships set role = 'owner', overrides = '{"tasks": "none"}' where user_id = $1 and workspace_id = $2`, [
    userId,
    world.workspaceId,
  ]);
  const requirement = await world.make('requirement');
  await world.make('task', { requirementId: requirement.id }, { title: 'Hidden task' });
  for (const below of [true, false]) {
    const shown = await preview(target.id, [requirement.id], below, as(userId));
    t.regex(shown.refusals[0]!, /^Items that you can’t see are linked below\./);
    t.false(JSON.stringify(shown).includes('Hidden task'));
    t.is((await refusal(move(target.id, [requirement.id], below, as(userId)))).code, 'conflict');
  }
  t.is((await world.read(requirement.id)).version, 1);
});

test('a preview without sight of an item below shows none of its labels, people or values, and no number of such items', async (t) => {
  const target = await place();
  const { userId } = await mate(target.id, 'owner');
  const outsider = await mate(null);
  await sql(`update memberships set role = 'owner', overrides = '{"tasks": "none"}' where user_id = $1 and workspace_id = $2`, [
    userId,
    world.workspaceId,
  ]);
  const requirement = await world.make('requirement');
  const task = await world.make('task', { requirementId: requirement.id, assigneeId: outsider.userId }, { title: 'Secret merger' });
  await own(trackTime, { action: 'start', itemId: task.id }, as(outsider.userId));
  t.deepEqual(await preview(target.id, [requirement.id], true, as(userId)), {
    target: 'Hermes',
    ...{ count: 1, archived: 0, stays: none, changes: none, people: [], seen: '' },
    refusals: ['Items that you can’t see are linked below. Ask an owner of the workspace to move these items.'],
  });
});

test('the mark of a preview depends on nothing that the person cannot see', async (t) => {
  const target = await place();
  const { userId } = await mate(target.id, 'owner');
  await sql(`update memberships set overrides = '{"requirements": "none"}' where user_id = $1 and workspace_id = $2`, [
    userId,
    world.workspaceId,
  ]);
  const task = await world.make('task');
  const mark = async () => (await preview(target.id, [task.id], true, as(userId))).seen;
  const before = await mark();
  const [one, other] = [await world.make('requirement'), await world.make('requirement')];
  const waitsFor = (id: number, version: number, blockers: number[]) =>
    run(saveRelations, { id, version, blockedBy: blockers.map((blocker) => ({ id: blocker })) });
  await waitsFor(one.id, 1, [task.id]);
  const waiting = await mark();
  t.not(waiting, before, 'that one hidden item waits for it is said');
  await waitsFor(one.id, 2, []);
  await waitsFor(other.id, 1, [task.id]);
  t.is(await mark(), waiting, 'which one is not');

  const [first, second] = [await mate(null), await mate(null)];
  const { block } = await own(planBlock, planOf(task.id), as(first.userId));
  const planned = await mark();
  t.not(planned, before, 'that one person planned time is said');
  await own(planBlock, { action: 'cancel', blockId: block.id, revision: block.revision }, as(first.userId));
  await own(planBlock, planOf(task.id), as(second.userId));
  t.is(await mark(), planned, 'who planned it is not');
});

test('items that the person cannot see and that wait for moving ones are counted without being named', async (t) => {
  const target = await place();
  const { userId } = await mate(target.id, 'owner');
  await sql(`update memberships set overrides = '{"requirements": "none"}' where user_id = $1 and workspace_id = $2`, [
    userId,
    world.workspaceId,
  ]);
  const task = await world.make('task');
  const shown = async () => texts((await preview(target.id, [task.id], true, as(userId))).stays.first);
  const wait = async () => {
    const { id } = await world.make('requirement', {}, { title: 'Hidden' });
    await run(saveRelations, { id, version: 1, blockedBy: [{ id: task.id }] });
    return id;
  };
  const hidden = await wait();
  t.deepEqual(await shown(), ['Blocks: 1 item that you can’t see']);
  await wait();
  t.deepEqual(await shown(), ['Blocks: 2 items that you can’t see']);
  await move(target.id, [task.id], true, as(userId));
  t.like((await world.owner.get('/relations', { id: hidden })).body, { version: 3, blockedBy: [] });
});

test('a blocker that the person cannot see stays behind without being named', async (t) => {
  const target = await place();
  const { userId } = await mate(target.id, 'owner');
  await sql(`update memberships set overrides = '{"requirements": "none"}' where user_id = $1 and workspace_id = $2`, [
    userId,
    world.workspaceId,
  ]);
  const hidden = await world.make('requirement');
  const task = await world.make('task');
  await run(saveRelations, { id: task.id, version: 1, blockedBy: [{ id: hidden.id }] });
  t.deepEqual((await preview(target.id, [task.id], true, as(userId))).stays, none);
  await move(target.id, [task.id], true, as(userId));
  t.deepEqual(await sql('select from item_dependencies where item_id = $1', [task.id]), []);
});

test('removing needs the level delete here, adding the level write there, also for the items below', async (t) => {
  const target = await place();
  const { userId } = await mate(target.id);
  const requirement = await world.make('requirement');
  const task = await world.make('task');
  t.is((await refusal(preview(target.id, [requirement.id], true, as(userId)))).code, 'forbidden', 'members have no delete of requirements');
  const milestone = await world.make('milestone');
  const below = await world.make('task', { parentItemId: milestone.id });
  await sql(`update memberships set overrides = '{"milestones": "delete", "tasks": "write"}' where user_id = $1 and workspace_id = $2`, [
    userId,
    world.workspaceId,
  ]);
  await sql(`update memberships set overrides = '{"milestones": "write", "tasks": "read"}' where user_id = $1 and workspace_id = $2`, [
    userId,
    target.id,
  ]);
  const owner = await mate(target.id, 'owner');
  await sql(`update memberships set role = 'owner', overrides = '{"tasks": "write"}' where user_id = $1 and workspace_id = $2`, [
    owner.userId,
    world.workspaceId,
  ]);
  await sql(`update memberships set overrides = '{"tasks": "read"}' where user_id = $1 and workspace_id = $2`, [owner.userId, target.id]);
  t.deepEqual((await preview(target.id, [milestone.id], true, as(owner.userId))).refusals, [
    'You can’t remove tasks from Apollo.',
    'You can’t add tasks to Hermes.',
  ]);
  t.is((await refusal(preview(target.id, [task.id], true, as(owner.userId)))).code, 'forbidden');
  t.is((await world.read(below.id)).version, 1);
});

test('a double submission moves once; so do two people at the same time', async (t) => {
  const target = await place();
  const second = await place('Iris');
  const task = await world.make('task');
  const [one, two] = await Promise.all([preview(target.id, [task.id]), preview(second.id, [task.id])]);
  const outcomes = await Promise.allSettled([
    run(moveItems, { ids: [task.id], targetId: target.id, below: true, seen: one.seen }),
    run(moveItems, { ids: [task.id], targetId: target.id, below: true, seen: one.seen }),
    run(moveItems, { ids: [task.id], targetId: second.id, below: true, seen: two.seen }),
  ]);
  t.is(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
  for (const outcome of outcomes) if (outcome.status === 'rejected') t.is(outcome.reason.code, 'forbidden');
  const [{ version }] = await sql('select version from items where id = $1', [task.id]);
  t.is(version, 2);
  t.is((await sql(`select from changes where item_id = $1 and kind = 'item.moved'`, [task.id])).length, 2, 'one row in each workspace');
});

test('saves, comments, time and links that arrive during a move either come before it or find the item gone', async (t) => {
  const target = await place();
  for (let round = 0; round < 6; round++) {
    const task = await world.make('task');
    const { seen } = await preview(target.id, [task.id]);
    const outcomes = await Promise.allSettled([
      run(moveItems, { ids: [task.id], targetId: target.id, below: true, seen }),
      run(addComment, { id: task.id, body: 'At the same time' }),
      log(task.id, 5, as(world.ownerId)),
      world.owner.post('/items/save', { record: { ...task, title: 'New title' } }),
      world.owner.post('/items/save', {
        record: { type: 'task', title: 'Sub', description: '', status: 'planned', fields: { parentItemId: task.id } },
      }),
    ]);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') t.true(['forbidden', 'conflict'].includes(outcome.reason.code), String(outcome.reason));
      else if (outcome.value?.status) t.true([200, 403, 409].includes(outcome.value.status), JSON.stringify(outcome.value.body));
    }
    const [{ places }] = await sql(
      `select array_agg(distinct workspace_id::integer) as places from (select workspace_id from items where id = $1 or parent_item_id = $1
       union all select workspace_id from comments where item_id = $1 union all select workspace_id from time_entries where item_id = $1) p`,
      [task.id],
    );
    t.is(places.length, 1);
  }
});

test('webhooks and open pages of the old workspace learn of the move, with the title of then, and only where the item was visible', async (t) => {
  const target = await place();
  const blind = await world.join('member', { goals: 'none' });
  const goal = await world.make('goal', {}, { title: 'Before the move' });
  await move(target.id, [goal.id]);
  await sql(`update items set title = 'Later', owner_id = $2 where id = $1`, [goal.id, world.ownerId]);
  await settled(db);
  const webhook = (userId: number) => ({
    ...{
      id: 1,
      holder: '',
      accountId: world.accountId,
      workspaceId: world.workspaceId,
      userId,
      url: '',
      kinds: null,
      format: 'stint' as const,
    },
    ...{ secret: Buffer.from(''), oldSecret: null, place: beginning },
  });
  const [{ id }] = await sql(`select id::integer from changes where item_id = $1 and left_needs is not null`, [goal.id]);
  t.like((await readAgain(db.pool(), webhook(world.ownerId), id))?.change?.data, {
    kind: 'item.moved',
    itemId: goal.id,
    title: 'Before the move',
  });
  t.is((await readAgain(db.pool(), webhook(blind.userId), id))?.change, null);

  const users = [world.ownerId, blind.userId];
  for (const user of users) await world.fixtures.session(user);
  const sessions = (
    await sql('select max(id)::integer as id from sessions where user_id = any($1) group by user_id order by user_id', [users])
  ).map(({ id: one }) => one);
  const upTo = { era: '2147483647', xact: '0', id: '0' };
  const { seen } = await readReach(db.pool(), { after: beginning, upTo }, { sessions, users });
  const ways = seen.filter((one) => one.itemId === goal.id);
  t.deepEqual(
    ways.map(({ workspaceId, above, of }) => [workspaceId, above, of]).sort(),
    [
      [world.workspaceId, [], []],
      [target.id, [], [world.ownerId]],
    ].sort(),
  );
});

test('a running timer moves with its item if its owner may record time there, else it prevents the move and is named', async (t) => {
  const target = await place();
  const both = await mate(target.id);
  const here = await mate(null);
  const [first, second] = [await world.make('task'), await world.make('task')];
  const start = (id: number, userId: number) => own(trackTime, { action: 'start', itemId: id }, as(userId));
  await start(first.id, both.userId);
  await start(second.id, here.userId);
  await move(target.id, [first.id]);
  const [entry] = await sql('select id::integer, workspace_id::integer as place, revision from time_entries where item_id = $1', [
    first.id,
  ]);
  t.is(entry.place, target.id);
  await own(trackTime, { action: 'stop', entryId: entry.id, revision: entry.revision }, as(both.userId));
  const [{ name }] = await sql('select name from users where id = $1', [here.userId]);
  const shown = await preview(target.id, [second.id]);
  t.deepEqual(shown.refusals, [`${name}’s timer is running on item ${second.id}, and they can’t record time in Hermes. Stop it first.`]);
  t.is((await refusal(move(target.id, [second.id]))).code, 'conflict');
});

test('planned time of people without access there is cancelled, and said without names; recorded time stays with the item', async (t) => {
  const target = await place();
  const here = await mate(null);
  const task = await world.make('task');
  await log(task.id, 30, as(here.userId));
  await own(planBlock, planOf(task.id), as(here.userId));
  t.deepEqual((await preview(target.id, [task.id])).people, [
    '1 person recorded time on these items and can’t see them in Hermes. Their time still counts where it was recorded.',
    '1 person planned time on these items and can’t see it in Hermes. That planned time is cancelled.',
  ]);
  await move(target.id, [task.id]);
  const [block] = await sql('select id::integer, state, workspace_id::integer as place from plan_blocks where item_id = $1', [task.id]);
  t.like(block, { state: 'cancelled', place: target.id });
  const jobs = await sql(`select from graphile_worker._private_jobs where key like 'plan_block:' || $1 || ':%'`, [block.id]);
  t.is(jobs.length, 0);
  t.is((await sql('select from time_entries where item_id = $1 and workspace_id = $2', [task.id, target.id])).length, 1);
});

test('a workspace without a matching status refuses, and a matching label or category is taken', async (t) => {
  const target = await place();
  const task = await world.make('task', {}, { status: 'in_review' });
  await sql(`update statuses set key = 'checking', label = 'Checking' where workspace_id = $1 and key = 'in_review'`, [target.id]);
  t.deepEqual(texts((await preview(target.id, [task.id])).changes.first), ['Status: “In review” becomes “Checking”.']);
  await sql(`delete from statuses where workspace_id = $1 and key = 'checking'`, [target.id]);
  t.deepEqual((await preview(target.id, [task.id])).refusals, [
    'Hermes has no status for tasks like “In review”. Change the status first, or add one there.',
  ]);
  t.is((await refusal(move(target.id, [task.id]))).code, 'conflict');
});

test('an approval moves only with a person who may approve there; the preview says what it becomes', async (t) => {
  const target = await place();
  const [approved, pending] = [await world.make('requirement'), await world.make('requirement')];
  await sql(`update items set status = 'approved', status_key = 'approved' where id = $1`, [approved.id]);
  await sql(`update items set status = 'pending_approval', status_key = 'pending_approval' where id = $1`, [pending.id]);
  const { userId } = await mate(target.id);
  await sql(`update memberships set role = 'owner' where user_id = $1 and workspace_id = $2`, [userId, world.workspaceId]);
  const ids = [approved.id, pending.id];
  t.deepEqual(texts((await preview(target.id, ids, true, as(userId))).changes.first), [
    'Status: “Approved” becomes “Planned”, because you can’t approve in Hermes.',
    'Status: “Pending approval” becomes “Planned”, because you can’t approve in Hermes.',
  ]);
  await move(target.id, ids, true, as(userId));
  const stored = await sql('select status, status_key from items where id = any($1) order by id', [ids]);
  t.deepEqual(stored, Array(2).fill({ status: 'planned', status_key: 'planned' }));
  const [told] = (await changesIn(target.owner, approved.id)).slice(-1);
  t.like(told, { kind: 'item.moved', fields: { status: ['approved', 'planned'], statusKey: ['approved', 'planned'] } });
  const kept = await world.make('requirement');
  await sql(`update items set status = 'approved', status_key = 'approved' where id = $1`, [kept.id]);
  await sql(`update memberships set role = 'manager' where user_id = $1 and workspace_id = $2`, [userId, target.id]);
  t.deepEqual((await preview(target.id, [kept.id], true, as(userId))).changes, none);
  await move(target.id, [kept.id], true, as(userId));
  t.is((await sql('select status from items where id = $1', [kept.id]))[0].status, 'approved');
});

test('items with comments move only with a person who can read these comments', async (t) => {
  const target = await place();
  const { userId } = await mate(target.id, 'owner');
  await sql(`update memberships set role = 'owner', overrides = '{"comments": "none"}' where user_id = $1 and workspace_id = $2`, [
    ...[userId, world.workspaceId],
  ]);
  const [silent, commented] = [await world.make('task'), await world.make('task')];
  await run(addComment, { id: commented.id, body: 'For members only' });
  t.deepEqual((await preview(target.id, [silent.id, commented.id], true, as(userId))).refusals, [
    'You can’t read the comments of these items in Apollo. Ask an owner of the workspace to move them.',
  ]);
  t.is((await refusal(move(target.id, [commented.id], true, as(userId)))).code, 'conflict');
  t.is((await move(target.id, [silent.id], true, as(userId))).count, 1);
});

test('a preview of 500 items, each waiting for 50 that stay, counts each of these once and notices changes of all', async (t) => {
  const target = await place();
  const parent = await world.make('task');
  const made = (n: number, above: number | null) =>
    sql(
      `insert into items (account_id, workspace_id, type, title, status, status_key, parent_item_id)
       select account_id, id, 'task', 'Task ' || n, 'planned', 'planned', $3 from workspaces, generate_series(1, $2::int) n where id = $1 returning id`,
      [world.workspaceId, n, above],
    );
  const [moving, outside] = [await made(499, parent.id), await made(1_000, null)];
  await sql(
    `insert into item_dependencies (account_id, workspace_id, item_id, blocker_id)
     select account_id, workspace_id, id, $2::bigint + (id * 7 + n * 20) % 1000 from items, generate_series(1, 50) n where id = any($1)`,
    [moving.map(({ id }) => id), outside[0]!.id],
  );
  const { count, stays, seen } = await preview(target.id, [parent.id]);
  t.deepEqual([count, stays.count, stays.first.length], [500, 499 * 50, 500]);
  // The last line, which is not shown.
  const [{ blocker_id: last }] = await sql('select max(blocker_id) as blocker_id from item_dependencies where item_id = $1', [
    moving.at(-1)!.id,
  ]);
  await sql('update items set title = $2 where id = $1', [last, 'Another']);
  t.not((await preview(target.id, [parent.id])).seen, seen);
});

test('a repeating task keeps its rule', async (t) => {
  const target = await place();
  const task = await world.make('task', { dueDate: '2027-01-04' });
  await run(setSeries, { id: task.id, revision: 0, rule: 'FREQ=WEEKLY', mode: 'day' });
  await move(target.id, [task.id]);
  const [series] = await sql('select workspace_id::integer as place, state from recurrences where item_id = $1', [task.id]);
  t.deepEqual(series, { place: target.id, state: 'active' });
});

/** A series with two tasks, as the worker makes the second one. */
async function weeklyTasks() {
  const [early, late] = [await world.make('task', { dueDate: '2027-01-04' }), await world.make('task', { dueDate: '2027-01-11' })];
  await run(setSeries, { id: early.id, revision: 0, rule: 'FREQ=WEEKLY', mode: 'day' });
  await sql(
    `insert into recurrence_items (account_id, workspace_id, recurrence_id, occurs_on, item_id)
     select r.account_id, r.workspace_id, r.id, '2027-01-11', $2 from recurrences r where r.item_id = $1`,
    [early.id, late.id],
  );
  await sql('update recurrences set item_id = $2 where item_id = $1', [early.id, late.id]);
  return { early, late };
}

test('a series moves with its latest task: earlier tasks show no rule, and can get a new one', async (t) => {
  const target = await place();
  const { early, late } = await weeklyTasks();
  const seriesOf = async (id: number, workspaceId = world.workspaceId) => (await run(showItem, { workspaceId, id })).series;
  const set = (rule: string, revision: number) => run(setSeries, { id: early.id, revision, rule, mode: 'day' });
  await move(target.id, [late.id]);
  t.is(await seriesOf(early.id), null);
  t.like(await seriesOf(late.id, target.id), { rule: 'FREQ=WEEKLY', revision: 1, latest: late.id });
  const [stale, stopped] = [await refusal(set('FREQ=DAILY', 1)), await refusal(run(stopSeries, { id: early.id, revision: 1 }))];
  t.deepEqual([stale.code, stopped.code], ['conflict', 'conflict']);
  await run(stopSeries, { id: early.id, revision: 0 });
  await set('FREQ=MONTHLY', 0);
  t.like(await seriesOf(early.id), { rule: 'FREQ=MONTHLY', revision: 1, latest: early.id });

  await move(world.workspaceId, [late.id], true, undefined, target.id);
  t.like(await seriesOf(early.id), { rule: 'FREQ=MONTHLY', latest: early.id }, 'the newest of both');
  t.like(await seriesOf(late.id), { rule: 'FREQ=WEEKLY', latest: late.id });
  await set('FREQ=YEARLY', 1);
  await run(stopSeries, { id: early.id, revision: 2 });
  t.like(await seriesOf(early.id), { rule: 'FREQ=WEEKLY', state: 'active', revision: 1, latest: late.id });
  await set('FREQ=DAILY', 1);
  t.like(await seriesOf(late.id), { rule: 'FREQ=DAILY', revision: 2 });
});

test('a workspace with a series that began elsewhere can be erased', async (t) => {
  const target = await place();
  const { early, late } = await weeklyTasks();
  await move(target.id, [late.id]);
  for (const step of rowsOfWorkspace(world.accountId, target.id))
    for (let from: number | null = 0; from !== null; ) {
      const at: number = from;
      from = await db.transaction((tx) => step(tx, at));
    }
  t.deepEqual(await sql('select from workspaces where id = $1', [target.id]), []);
  t.is((await world.read(early.id)).id, early.id);
});

const imported = (id: number, key: string) =>
  sql(
    `insert into imported_items (account_id, workspace_id, item_id, source, key) select account_id, workspace_id, id, 'jira', $2 from items where id = $1`,
    [id, key],
  );
const made = (client: Client, type: string) => client.save({ type, title: 'O', description: '', status: 'planned', fields: {} });
const keyOf = async (id: number) => (await sql('select key, shadowed_key from imported_items where item_id = $1', [id]))[0];

test('an imported item keeps its external key, shadowed if an item there has it, and gets it back where it is free', async (t) => {
  const target = await place();
  const [free, taken, other] = [await world.make('task'), await world.make('task'), await made(target.owner, 'task')];
  await imported(free.id, 'SHOP-1');
  await imported(taken.id, 'SHOP-2');
  await imported(other.id, 'SHOP-2');
  const shown = await preview(target.id, [free.id, taken.id]);
  t.deepEqual(texts(shown.changes.first), ['External key SHOP-2: an item in Hermes has it, too. Imports update that one.']);
  t.deepEqual(shown.stays, none);
  await move(target.id, [free.id, taken.id]);
  t.deepEqual(await keyOf(free.id), { key: 'SHOP-1', shadowed_key: null });
  t.deepEqual(await keyOf(taken.id), { key: null, shadowed_key: 'SHOP-2' });
  t.deepEqual(await keyOf(other.id), { key: 'SHOP-2', shadowed_key: null });
  const page = await run(showItem, { workspaceId: target.id, id: taken.id });
  t.like(page.source, { key: 'SHOP-2' });
  // Both to a workspace where the key is free: one of them has it.
  const third = await place('Third');
  await move(third.id, [taken.id, other.id], true, undefined, target.id);
  t.deepEqual(await keyOf(taken.id), { key: null, shadowed_key: 'SHOP-2' });
  t.deepEqual(await keyOf(other.id), { key: 'SHOP-2', shadowed_key: null });
  await move(world.workspaceId, [taken.id], true, undefined, third.id);
  t.deepEqual(await keyOf(taken.id), { key: 'SHOP-2', shadowed_key: null });
});

test('nothing tells that a key is taken by an item that the person cannot see there; each person has one item for it', async (t) => {
  const target = await place();
  const { userId } = await mate(target.id, 'owner');
  await sql(`update memberships set overrides = '{"goals": "none"}' where user_id = $1 and workspace_id = $2`, [userId, target.id]);
  const [task, free] = [await world.make('task'), await world.make('task')];
  const hidden = await made(target.owner, 'goal');
  await imported(task.id, 'SHOP-9');
  await imported(free.id, 'SHOP-10');
  await imported(hidden.id, 'SHOP-9');
  t.is(texts((await preview(target.id, [task.id])).changes.first).length, 1);
  const shown = await preview(target.id, [task.id, free.id], true, as(userId));
  t.deepEqual([shown.stays, shown.changes], [none, none]);
  await move(target.id, [task.id, free.id], true, as(userId));
  const sourceOf = async (id: number) => (await run(showItem, { workspaceId: target.id, id }, as(userId))).source;
  t.deepEqual(await sourceOf(task.id), { name: 'jira', key: 'SHOP-9', url: null });
  t.deepEqual(await sourceOf(free.id), { name: 'jira', key: 'SHOP-10', url: null });
  const found = await own(searchEverywhere, { q: 'SHOP-9' }, as(userId));
  t.deepEqual(
    found.items.map(({ id }: { id: number }) => id),
    [task.id],
  );
  const permit = (caller: Caller) => ({ caller, workspaceId: target.id }) as Permit;
  const known = async (caller: Caller) =>
    (await readKnown(db.pool(), permit(caller), 'jira', ['SHOP-9'])).map(({ id, visible }) => ({ id, visible }));
  t.deepEqual(await known(as(userId)), [{ id: task.id, visible: true }]);
  t.deepEqual(await known(as(world.ownerId)), [{ id: hidden.id, visible: true }], 'who sees both gets the one that was there first');
  const blind = await mate(target.id, 'member', { goals: 'none', tasks: 'none' });
  t.deepEqual(await known(as(blind.userId)), [{ id: hidden.id, visible: false }], 'who sees none is refused');
});

test('a key that another item gets there during the move is shadowed, or the person confirms it if they see that item', async (t) => {
  const target = await place();
  const { userId } = await mate(target.id, 'owner', { goals: 'none' });
  const blocked = () => sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  for (const type of ['goal', 'task']) {
    const key = `RACE-${type}`;
    const [task, other] = [await world.make('task'), await made(target.owner, type)];
    await imported(task.id, key);
    const arrival = new pg.Client(database.url);
    await arrival.connect();
    t.teardown(() => arrival.end());
    await arrival.query('begin');
    await arrival.query(
      `insert into imported_items (account_id, workspace_id, item_id, source, key) select account_id, workspace_id, id, 'jira', $2 from items where id = $1`,
      [other.id, key],
    );
    const moving = Promise.allSettled([move(target.id, [task.id], true, as(userId))]);
    await eventually(blocked, (found) => found.length > 0);
    await arrival.query('commit');
    const [{ status, reason }] = (await moving) as [PromiseRejectedResult];
    t.is(status as string, type === 'goal' ? 'fulfilled' : 'rejected');
    if (type === 'task') {
      t.regex(reason.message, /Check again what the move changes/);
      await move(target.id, [task.id], true, as(userId));
    }
    t.deepEqual(await keyOf(task.id), { key: null, shadowed_key: key });
    t.deepEqual(await keyOf(other.id), { key, shadowed_key: null });
  }
});

test('moving there and back leaves both feeds in order and one line of history for each move', async (t) => {
  const target = await place();
  const task = await world.make('task');
  await settled(db);
  const { nextAfter: before } = (await world.owner.get('/changes', { after: 'latest' })).body;
  await move(target.id, [task.id]);
  await settled(db);
  const { nextAfter: between, changes: left } = (await world.owner.get('/changes', { after: before })).body;
  t.deepEqual(
    left.map(({ kind, version }: Change) => [kind, version]),
    [['item.moved', 2]],
  );
  await move(world.workspaceId, [task.id], true, undefined, target.id);
  const back = [
    ['item.created', 1],
    ['item.moved', 2],
    ['item.moved', 3],
  ];
  t.deepEqual(
    (await changesIn(world.owner, task.id)).map(({ kind, version }) => [kind, version]),
    back,
  );
  for (const [after, rows] of [
    [before, back.slice(1)],
    [between, back.slice(2)],
  ])
    t.deepEqual(
      (await world.owner.get('/changes', { after })).body.changes.map(({ kind, version }: Change) => [kind, version]),
      rows,
      'each move once, wherever the reader stood',
    );
  t.is((await world.read(task.id)).version, 3);
  t.deepEqual(
    (await changesIn(target.owner, task.id)).map(({ kind, version }) => [kind, version]),
    [['item.moved', 3]],
  );
  const [{ rows }] = await sql('select count(*)::integer as rows from changes where item_id = $1 and left_needs is null', [task.id]);
  t.is(rows, 3, 'created, moved, moved back');
});

test('both forecasts are outdated, undo of the move is refused, and the page offers the workspaces of the person', async (t) => {
  const target = await place();
  const task = await world.make('task', { estimatedHours: 3 });
  await sql('delete from capacity_marks');
  const { version } = await move(target.id, [task.id]);
  const marks = await sql('select workspace_id::integer as id from capacity_marks order by 1');
  t.deepEqual(
    marks.map(({ id }) => id),
    [world.workspaceId, target.id].sort((a, b) => a - b),
  );
  await t.throwsAsync(run(undoChange, { workspaceId: target.id, itemId: task.id, version }));
  const offered: { id: number }[] = await own(moveTargets, {});
  t.true(offered.some(({ id }) => id === target.id));
});

test('every table that refers to items is moved, cascades, or is handled by name', async (t) => {
  const found = await sql(
    `select distinct conrelid::regclass::text as name from pg_constraint
     where contype = 'f' and confrelid = 'items'::regclass and confupdtype = 'a' and conrelid <> 'items'::regclass order by 1`,
  );
  const byName = ['changes', 'item_labels', 'trend_points', 'notifications', 'imported_items'];
  t.deepEqual(
    found.map(({ name }) => name),
    [...followers, ...byName].sort(),
  );
});

test('100 items with 400 below move at once; more are refused', async (t) => {
  const target = await place();
  const roots: number[] = [];
  for (let n = 0; n < 100; n++) roots.push((await world.make('task')).id);
  const fill = (count: number) =>
    sql(
      `insert into items (account_id, workspace_id, type, title, status, status_key, parent_item_id)
       select account_id, workspace_id, type, 'Part', 'planned', 'planned', id from items, generate_series(1, $2) where id = $1`,
      [roots[0], count],
    );
  await fill(401);
  t.regex((await preview(target.id, roots)).refusals[0]!, /^Too many items would move/);
  await sql('delete from items where id = (select max(id) from items where parent_item_id = $1)', [roots[0]]);
  t.is((await move(target.id, roots)).count, 500);
  t.is((await sql('select from items where workspace_id = $1', [target.id])).length, 500);
});
