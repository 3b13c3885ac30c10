/** svc_get_item returns an item's children and the sums over everything below it (behaviour §7.33). */
import type { Pool } from 'pg';
import { computeSnapshot } from '../../src/capacity/snapshots/computing/computeSnapshot.ts';
import { addDays } from '../../src/values/dates.ts';
import { streamPool } from '../../workers/pools.ts';
import { fileDatabase } from '../support/database.ts';
import { ask, call, everything, type McpWorld, mcpWorld, once } from '../support/mcpWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: McpWorld;
let streams: Pool;
test.before('an endpoint', async () => {
  streams = streamPool(database.url, 1);
  world = await mcpWorld(database.url);
});
test.after('close', async () => {
  await streams?.end();
  await world?.end();
});

const today = new Date().toISOString().slice(0, 10);
const read = (id: number) => ask(world.agent, 'svc_get_item', { id });
const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id);

/** A release with a requirement, another one below that, a milestone, tasks and a subtask. */
async function plant() {
  const [release] = await world.make({ type: 'release', title: 'Release' });
  const [requirement] = await world.make({ type: 'requirement', title: 'R', fields: { releaseId: release.id, estimatedHours: 10 } });
  const [inner, milestone] = await world.make(
    { type: 'requirement', title: 'Inner', fields: { parentId: requirement.id } },
    { type: 'milestone', title: 'M', fields: { requirementId: requirement.id, targetDate: addDays(today, -3) } },
  );
  const [late, done, blocked, cancelled] = await world.make(
    {
      type: 'task',
      title: 'Late',
      fields: { requirementId: inner.id, estimatedHours: 4, progressPercent: 25, dueDate: addDays(today, -2) },
    },
    {
      type: 'task',
      title: 'Done',
      status: 'done',
      fields: { requirementId: requirement.id, estimatedHours: 2.5, dueDate: addDays(today, -2) },
    },
    {
      type: 'task',
      title: 'Blocked',
      status: 'blocked',
      fields: { parentItemId: milestone.id, blockedReason: 'No key', estimatedHours: 1 },
    },
    { type: 'task', title: 'Off', status: 'cancelled', fields: { releaseId: release.id, requirementId: inner.id, estimatedHours: 8 } },
  );
  const [subtask] = await world.make({ type: 'task', title: 'Subtask', fields: { parentItemId: late.id, dueDate: addDays(today, 5) } });
  return { release, requirement, inner, milestone, late, done, blocked, cancelled, subtask } as Record<string, { id: number }> as {
    [name in 'release' | 'requirement' | 'inner' | 'milestone' | 'late' | 'done' | 'blocked' | 'cancelled' | 'subtask']: { id: number };
  };
}

test('children of any type and link are returned by id, and everything below counts once', async (t) => {
  const { release, requirement, inner, milestone, late, done, blocked, cancelled, subtask } = await plant();
  const ofRelease = await read(release.id);
  t.deepEqual(idsOf(ofRelease.below), [requirement.id, cancelled.id]);
  t.false('belowMore' in ofRelease);
  t.false('tasks' in ofRelease);
  // Requirement, inner requirement, milestone, late, blocked and subtask are open. Cancelled items count only with their estimate.
  t.deepEqual(ofRelease.progress, { open: 6, done: 1, blocked: 1, late: 2, estimatedHours: 25.5, remainingHours: 14 });
  const ofRequirement = await read(requirement.id);
  t.deepEqual(idsOf(ofRequirement.tasks), [done.id]);
  t.deepEqual(idsOf(ofRequirement.below), [inner.id, milestone.id], 'without its tasks, which are returned as tasks');
  t.deepEqual(ofRequirement.progress, { open: 5, done: 1, blocked: 1, late: 2, estimatedHours: 15.5, remainingHours: 4 });
  const ofMilestone = await read(milestone.id);
  t.deepEqual(idsOf(ofMilestone.below), [blocked.id]);
  t.like(ofMilestone.below[0], { blockedReason: 'No key', parentItemId: milestone.id, status: 'blocked' });
  const ofTask = await read(late.id);
  t.deepEqual(idsOf(ofTask.below), [subtask.id]);
  t.deepEqual(ofTask.progress, { open: 1, done: 0, blocked: 0, late: 0, estimatedHours: 0, remainingHours: 0 });
});

test('a task with nothing below it has no progress; an empty release has one of zeros', async (t) => {
  const [task, release] = await world.make({ type: 'task', title: 'Alone' }, { type: 'release', title: 'Empty' });
  const ofTask = await read(task.id);
  t.deepEqual(ofTask.below, []);
  t.false('progress' in ofTask);
  t.deepEqual((await read(release.id)).progress, { open: 0, done: 0, blocked: 0, late: 0, estimatedHours: 0, remainingHours: 0 });
});

test('hidden and archived items are neither returned nor counted', async (t) => {
  const { release, requirement, late, cancelled, subtask } = await plant();
  await ask(world.agent, 'svc_remove_item', once({ id: subtask.id, version: 1 }));
  t.deepEqual((await read(late.id)).below, []);
  t.like((await read(requirement.id)).progress, { open: 4 });
  const blind = await world.agentOf(world.ownerId, { permissions: { ...everything, requirements: 'none' } });
  const seen = await ask(blind, 'svc_get_item', { id: release.id });
  t.deepEqual([seen.below, seen.progress.open, seen.progress.estimatedHours], [[], 0, 0], String(cancelled.id));
});

test('of many children the first 100 are returned, with a flag for more', async (t) => {
  const [release] = await world.make({ type: 'release', title: 'Big' });
  const tasks = Array.from({ length: 100 }, (_, n) => ({ type: 'task', title: `T${n}`, fields: { releaseId: release.id } }));
  const made = await world.make(...tasks);
  t.false('belowMore' in (await read(release.id)));
  await world.make({ type: 'task', title: 'One more', fields: { releaseId: release.id } });
  const found = await read(release.id);
  t.deepEqual(idsOf(found.below), idsOf(made));
  t.true(found.belowMore);
  t.is(found.progress.open, 101);
});

test('rows include a link to a goal only for callers who may read goals', async (t) => {
  const { fixtures, owner, workspaceId, accountId } = world;
  const goal = await owner.save({ type: 'goal', title: 'Why', description: '', status: 'planned', fields: {} });
  const [release] = await world.make({ type: 'release', title: 'R' });
  const [task] = await world.make({ type: 'task', title: 'T', ownerId: world.ownerId, fields: { releaseId: release.id, goalId: goal.id } });
  const person = await fixtures.user(accountId);
  await fixtures.member(workspaceId, person, 'member', { goals: 'none' });
  const aimless = await world.agentOf(person);
  for (const [agent, goalId] of [
    [world.agent, goal.id],
    [aimless, undefined],
  ] as const) {
    const [row] = (await ask(agent, 'svc_get_item', { id: release.id })).below;
    t.deepEqual([row.goalId, row.releaseId, row.ownerId], [goalId, release.id, world.ownerId]);
    t.deepEqual((await ask(agent, 'svc_find_work', { ids: [task.id] })).items[0].goalId, goalId);
  }
  t.is((await call(world.agent, 'svc_find_work', { underId: goal.id })).value.error.code, 'forbidden');
});

test("callers who may oversee capacity get a project's outlook once a forecast is computed", async (t) => {
  const { fixtures, accountId } = world;
  const { release, requirement } = await plant();
  t.false('outlook' in (await read(release.id)).progress);
  const [forecast] = await fixtures.sql(
    `insert into capacity_forecasts (account_id, scope_key, workspace_id, workspace_ids, week)
     values ($1, $2::text, $2::bigint, array[$2::bigint], date_trunc('week', current_date)::date) returning id`,
    [accountId, world.workspaceId],
  );
  t.is(await computeSnapshot(streams, { forecastId: Number(forecast.id), since: null }), 'computed');
  t.like((await read(release.id)).progress, { outlook: 'needs_data', open: 6 });
  // Everything is in one project. A requirement below a release is not a project.
  t.false('outlook' in (await read(requirement.id)).progress);
  const member = await fixtures.user(accountId);
  await fixtures.member(world.workspaceId, member, 'member');
  t.false('outlook' in (await ask(await world.agentOf(member), 'svc_get_item', { id: release.id })).progress);
  const partly = await world.agentOf(world.ownerId, { permissions: { ...everything, milestones: 'none' } });
  t.false('outlook' in (await ask(partly, 'svc_get_item', { id: release.id })).progress);
});
