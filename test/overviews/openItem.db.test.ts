/** One read for an item's page: descendants, score, project, time and history (behaviour §21). */
import type { Pool } from 'pg';
import type { Caller } from '../../src/access/caller.ts';
import { hashSecret } from '../../src/access/secrets.ts';
import { computeSnapshot } from '../../src/capacity/snapshots/computing/computeSnapshot.ts';
import { connectDb, type Db } from '../../src/database/db.ts';
import { outputOf } from '../../src/operations/json.ts';
import { perform } from '../../src/operations/perform.ts';
import { MOST_BELOW, type ShownItem, showItem } from '../../src/overviews/openItem.ts';
import { addDays } from '../../src/values/dates.ts';
import { streamPool } from '../../workers/pools.ts';
import { fileDatabase } from '../support/database.ts';
import { ask, type McpWorld, mcpWorld, once } from '../support/mcpWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: McpWorld;
let db: Db;
let streams: Pool;
let ana: Caller;
test.before('a signed-in owner', async () => {
  streams = streamPool(database.url, 1);
  [world, db] = await Promise.all([mcpWorld(database.url), connectDb(database.url)]);
  ana = await callerOf(world.ownerId);
});
test.after('stop', async () => {
  await streams?.end();
  await world?.end();
  await db?.close();
});

const today = new Date().toISOString().slice(0, 10);
const callerOf = async (userId: number): Promise<Caller> => ({ kind: 'session', hash: hashSecret(await world.fixtures.session(userId)) });
const read = async (id: number, caller = ana, until?: string): Promise<ShownItem> =>
  outputOf(await perform(db, caller, showItem, { workspaceId: world.workspaceId, id, ...(until && { until }) }));
const task = (fields: object, more: object = {}) => ({ type: 'task', title: 'T', fields, ...more });
const tree = ({ below }: ShownItem) => below.map(({ id, under }) => [id, under]).sort(([a], [b]) => a! - b!);

test('two levels below an item are returned once each, with sums over all levels without cancelled work', async (t) => {
  const { make, ownerId } = world;
  const [release] = await make({ type: 'release', title: 'Release' });
  const [requirement] = await make({ type: 'requirement', title: 'R', fields: { releaseId: release.id } });
  const made = await make(
    task({ requirementId: requirement.id, releaseId: release.id, estimatedHours: 10, assigneeId: ownerId }, { status: 'in_progress' }),
    task({ releaseId: release.id, estimatedHours: 6 }, { status: 'done' }),
    task({ releaseId: release.id, estimatedHours: 100 }, { status: 'cancelled' }),
  );
  const [mine, done, off] = made as [{ id: number }, { id: number }, { id: number }];
  await ask(world.agent, 'svc_update_item', once({ id: mine.id, version: 1, fields: { progressPercent: 40 } }));
  const [third] = await make(task({ parentItemId: mine.id, estimatedHours: 4 }));
  const ofRelease = await read(release.id);
  t.deepEqual(tree(ofRelease), [
    [requirement.id, null],
    [mine.id, requirement.id],
    [done.id, null],
    [off.id, null],
    [third.id, mine.id],
  ]);
  t.deepEqual(ofRelease.sums, { items: 4, done: 1, hours: 20, doneHours: 10, activeHours: 6 });
  t.like(
    ofRelease.below.find(({ id }) => id === mine.id),
    { statusLabel: 'In progress', person: { id: ownerId, kind: 'person' }, version: 2, estimatedHours: 10, progressPercent: 40 },
  );
  const { join } = world;
  const { userId } = await join('member', { requirements: 'none' });
  const seen = await read(release.id, await callerOf(userId));
  t.deepEqual(tree(seen), [
    [done.id, null],
    [off.id, null],
  ]);
  t.like(seen.sums, { items: 1, hours: 6 });
  t.deepEqual((await read(third.id)).sums, { items: 0, done: 0, hours: 0, doneHours: 0, activeHours: 0 });
});

test('of many items the first hundred and one more are read, open ones first', async (t) => {
  const [release] = await world.make({ type: 'release', title: 'Big' });
  const tasks = (status: string) => Array.from({ length: 60 }, () => task({ releaseId: release.id }, { status }));
  const done = await world.make(...tasks('done'));
  await world.make(...tasks('planned'));
  const { below, sums } = await read(release.id);
  t.is(below.length, MOST_BELOW + 1);
  t.is(below.filter(({ status }) => status === 'planned').length, 60);
  t.is(sums.items, 120);
  t.is(done.length, 60);
});

test("a requirement's score is ranked among the open ones that the reader sees", async (t) => {
  const rice = (reach: number, more = {}) => ({
    type: 'requirement',
    title: 'R',
    fields: { reach, impact: 2, confidence: 50, effort: 4, ...more },
  });
  const [release] = await world.make({ type: 'release', title: 'Hidden from some' });
  const [best, second, closed, without] = await world.make(
    rice(400, { releaseId: release.id }),
    rice(100),
    { ...rice(900), status: 'done' },
    rice(50, { effort: 0 }),
  );
  t.deepEqual((await read(second.id)).rice, { score: 25, rank: { place: 2, of: 2 } });
  t.deepEqual((await read(best.id)).rice, { score: 100, rank: { place: 1, of: 2 } });
  t.deepEqual((await read(closed.id)).rice, { score: 225, rank: { place: 1, of: 3 } });
  t.is((await read(without.id)).rice, null);
  const { userId } = await world.join('member', { releases: 'none' });
  t.deepEqual((await read(second.id, await callerOf(userId))).rice, { score: 25, rank: { place: 1, of: 1 } });
});

test("a project's outlook is on the pages of all items that it counts", async (t) => {
  const { fixtures, accountId, workspaceId, ownerId, make } = world;
  const target = addDays(today, 60);
  const [release] = await make({ type: 'release', title: 'Out', fields: { targetDate: target } });
  const [requirement] = await make({ type: 'requirement', title: 'R', fields: { releaseId: release.id } });
  const [inner] = await make({ type: 'requirement', title: 'Inner', fields: { parentId: requirement.id } });
  const [part] = await make(task({ requirementId: inner.id, estimatedHours: 8, assigneeId: ownerId }));
  const [sub] = await make(task({ parentItemId: part.id, estimatedHours: 1, assigneeId: ownerId }));
  t.is((await read(part.id)).project, null);
  const [forecast] = await fixtures.sql(
    `insert into capacity_forecasts (account_id, scope_key, workspace_id, workspace_ids, week)
     select $1, account_scope_key(ids), $2, ids, date_trunc('week', current_date)::date
     from (select array_agg(id order by id) as ids from workspaces where account_id = $1) w on conflict (scope_key, week) do update set read_at = now() returning id`,
    [accountId, workspaceId],
  );
  t.is(await computeSnapshot(streams, { forecastId: Number(forecast.id), since: null }), 'computed');
  for (const { id } of [release, requirement, inner, part, sub]) {
    const { project } = await read(id);
    t.like(project, { id: release.id, type: 'release', title: 'Out', targetDate: target, outlook: 'within_capacity', today });
    t.true(project!.forecastDate! >= today);
  }
});

test('everyone who reads an estimate sees how much is recorded on it and left of it, but not on work without one', async (t) => {
  const { make, join, agent } = world;
  const [parent] = await make(task({ estimatedHours: 4 }));
  const [below] = await make(task({ estimatedHours: 2, parentItemId: parent.id }));
  const [without] = await make(task({ parentItemId: parent.id }));
  for (const [itemId, minutes] of [
    [parent.id, 240],
    [below.id, 30],
    [without.id, 7],
  ])
    await ask(agent, 'svc_time', once({ action: 'log', itemId, date: today, minutes }));
  const { userId } = await join('viewer', { time: 'none' });
  const seen = await read(parent.id, await callerOf(userId));
  t.deepEqual([seen.time, seen.leftHours], [{ own: null, all: 270, more: false }, 0]);
  t.like(seen.sums, { hours: 2, doneHours: 0.5 });
  t.is(seen.below.find(({ id }) => id === below.id)!.leftHours, 1.5);
  t.is((await read(without.id, await callerOf(userId))).time.all, null);
  t.like((await read(parent.id)).time, { own: 277, all: 277 });
});

test("recorded and planned time is summed over descendants: the user's own, and everyone's for users who oversee capacity", async (t) => {
  const { fixtures, make, join, agent, agentOf, workspaceId } = world;
  const [top] = await make({ type: 'requirement', title: 'Top' });
  const [part] = await make(task({ requirementId: top.id }));
  t.deepEqual((await read(top.id)).time, { own: 0, all: 0, more: false });
  t.is((await read(top.id)).plan, null);
  const { userId } = await join('member');
  const theirs = await agentOf(userId);
  await ask(agent, 'svc_time', once({ action: 'log', itemId: part.id, date: today, minutes: 90 }));
  await ask(theirs, 'svc_time', once({ action: 'log', itemId: top.id, date: today, minutes: 30 }));
  const block = { action: 'create', timezone: 'UTC', startLocal: `${addDays(today, 2)}T09:00`, endLocal: `${addDays(today, 2)}T11:30` };
  await ask(agent, 'svc_plan_block', once({ ...block, itemId: part.id }));
  const { time, plan } = await read(top.id);
  t.deepEqual([time, plan!.minutes], [{ own: 90, all: 120, more: false }, 150]);
  t.is(new Date(plan!.next).toISOString(), `${addDays(today, 2)}T09:00:00.000Z`);
  const seen = await read(top.id, await callerOf(userId));
  t.deepEqual([seen.time, seen.plan], [{ own: 30, all: null, more: false }, null]);
  const blind = await join('member', { time: 'none', plans: 'none' });
  t.is((await read(top.id, await callerOf(blind.userId))).time.own, null);
  t.is(await fixtures.sql('select from plan_blocks where workspace_id = $1', [workspaceId]).then((rows) => rows.length), 1);
});

test('planned time counts from now on: not blocks that have ended, and only the rest of one that has begun', async (t) => {
  const { fixtures, make, agent } = world;
  const [item] = await make(task({}));
  const planned = async (start: string, end: string) => {
    const local = { timezone: 'UTC', startLocal: `${addDays(today, 2)}T09:00`, endLocal: `${addDays(today, 2)}T10:00` };
    const { block } = await ask(agent, 'svc_plan_block', once({ action: 'create', itemId: item.id, ...local }));
    // Its jobs have not run yet, so its state is still `scheduled`.
    await fixtures.sql('update plan_blocks set starts_at = now() + $2::interval, ends_at = now() + $3::interval where id = $1', [
      ...[block.id, start, end],
    ]);
  };
  await planned('-3 hours', '-1 hour');
  t.is((await read(item.id)).plan, null);
  await planned('-1 hour', '2 hours');
  await planned('3 hours', '4 hours');
  const { minutes } = (await read(item.id)).plan!;
  t.true(minutes > 120 && minutes <= 180, String(minutes));
});

test('history can be read backwards from a moment', async (t) => {
  const { owner, agent } = world;
  const made = await owner.save({ type: 'task', title: 'First', description: '', status: 'planned', fields: {} });
  await ask(agent, 'svc_add_note', once({ id: made.id, body: 'One' }));
  const between = (await read(made.id)).notes![0]!.createdAt;
  await ask(agent, 'svc_add_note', once({ id: made.id, body: 'Two' }));
  await owner.save({ ...made, title: 'Second' });
  const all = await read(made.id);
  t.deepEqual(
    all.notes!.map(({ body, author }) => [body, author.kind]),
    [
      ['Two', 'person'],
      ['One', 'person'],
    ],
  );
  t.is(all.history.changes[0]!.kind, 'item.updated');
  const before = await read(made.id, ana, new Date(Date.parse(between) + 1).toISOString());
  t.deepEqual(
    before.notes!.map(({ body }) => body),
    ['One'],
  );
  t.deepEqual(
    before.history.changes.map(({ kind }) => kind),
    ['comment.created', 'item.created'],
  );
});

test('an item tells until when its assignee is away, if that is today, and no reason', async (t) => {
  const { make, fixtures, accountId, ownerId } = world;
  const [item] = await make(task({ assigneeId: ownerId }));
  t.deepEqual((await read(item.id)).away, []);
  const absence = (from: number, to: number, half: boolean) =>
    fixtures.sql(
      `insert into absences (account_id, user_id, first_day, last_day, half, reason, shared)
       values ($1, $2, current_date + $3::integer, current_date + $4::integer, $5, 'Knee', true)`,
      [accountId, ownerId, from, to, half],
    );
  await absence(5, 6, false);
  t.deepEqual((await read(item.id)).away, [], 'it has not begun');
  await absence(-1, 3, false);
  const shown = await read(item.id);
  t.is(shown.away.length, 1);
  t.deepEqual([Object.keys(shown.away[0]!), shown.away[0]!.until], [['name', 'until'], addDays(today, 3)]);
  await fixtures.sql('delete from absences where user_id = $1', [ownerId]);
});
