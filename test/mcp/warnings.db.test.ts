/** Warnings in the answers of writes, first and replayed (behaviour §7.39). */
import type { Pool } from 'pg';
import { computeSnapshot } from '../../src/capacity/snapshots/computing/computeSnapshot.ts';
import { addDays } from '../../src/values/dates.ts';
import { streamPool } from '../../workers/pools.ts';
import { fileDatabase } from '../support/database.ts';
import { ask, call, type McpWorld, mcpWorld, once } from '../support/mcpWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

// biome-ignore lint/suspicious/noExplicitAny: results are JSON, looked into freely
type Json = any;

const database = fileDatabase();
const today = new Date().toISOString().slice(0, 10);
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

const create = (...items: Json[]) => once({ workspaceId: world.workspaceId, items });
const warningCodes = ({ warnings }: Json) => warnings?.map(({ code, index }: Json) => (index === undefined ? code : [code, index]));

test('creating and changing return warnings, with the index in a batch, and so does a replay', async (t) => {
  const { agent } = world;
  const [release] = await world.make({ type: 'release', title: 'V', fields: { targetDate: addDays(today, 10) } });
  const [parent] = await world.make({ type: 'task', title: 'Parent', fields: { estimatedHours: 5, releaseId: release.id } });
  const [requirement] = await world.make({ type: 'requirement', title: 'Estimated', fields: { estimatedHours: 5 } });
  const given = create(
    { type: 'task', title: 'Fine', fields: { releaseId: release.id, dueDate: addDays(today, 10) } },
    { type: 'task', title: 'Late', fields: { releaseId: release.id, dueDate: addDays(today, 11), startDate: addDays(today, -3) } },
    { type: 'task', title: 'Added', fields: { parentItemId: parent.id, estimatedHours: 1 } },
    { type: 'task', title: 'Twice', fields: { requirementId: requirement.id, estimatedHours: 1 } },
  );
  const made = await ask(agent, 'svc_create_items', given);
  t.deepEqual(warningCodes(made), [
    ['due_after_target', 1],
    ['start_in_past', 1],
    ['estimate_counted_twice', 3],
  ]);
  t.true(made.warnings.every(({ message }: Json) => /^[A-Z].*\.$/.test(message)));
  t.deepEqual((await call(agent, 'svc_create_items', given)).value, made);
  const [fine, late] = made.items;
  const change = once({ id: fine.id, version: 1, fields: { dueDate: addDays(today, 12) } });
  const changed = await ask(agent, 'svc_update_item', change);
  t.deepEqual(warningCodes(changed), ['due_after_target']);
  const replay = await call(agent, 'svc_update_item', change);
  t.true(replay.replayed);
  t.deepEqual(replay.value, changed);
  t.false('warnings' in (await ask(agent, 'svc_update_item', once({ id: late.id, version: 1, title: 'Still late' }))));
  const batch = once({
    workspaceId: world.workspaceId,
    items: [
      { id: fine.id, version: 2, title: 'Renamed' },
      { id: release.id, version: 1, fields: { targetDate: addDays(today, 5) } },
      { id: late.id, version: 2, fields: { dueDate: addDays(today, 9) }, note: 'Sooner' },
      { id: requirement.id, version: 1, fields: { estimatedHours: 6 } },
    ],
  });
  const many = await ask(agent, 'svc_update_items', batch);
  t.deepEqual(warningCodes(many), [
    ['due_after_target', 2],
    ['estimate_counted_twice', 3],
  ]);
  t.deepEqual((await call(agent, 'svc_update_items', batch)).value, many);
});

test('changing approved content returns a warning if the agent sees the status approved', async (t) => {
  const { fixtures, agent } = world;
  const [a, b, c] = await world.make(...['A', 'B', 'C'].map((title) => ({ type: 'requirement', title })));
  await fixtures.sql(`update items set status = 'approved', status_key = 'approved' where id = any($1)`, [[a.id, b.id]]);
  const first = once({ id: a.id, version: 1, title: 'Other' });
  const answer = await ask(agent, 'svc_update_item', first);
  t.deepEqual(warningCodes(answer), ['changed_since_approval']);
  t.deepEqual((await call(agent, 'svc_update_item', first)).value, answer);
  const items = [
    { id: c.id, version: 1, title: 'Other' },
    { id: b.id, version: 1, title: 'Other' },
    { id: a.id, version: 2, fields: { estimatedHours: 1 } },
  ];
  const many = await ask(agent, 'svc_update_items', once({ workspaceId: world.workspaceId, items }));
  t.deepEqual(warningCodes(many), [['changed_since_approval', 1]]);
});

test("a block on a day before its item's start returns a warning", async (t) => {
  const [task] = await world.make({ type: 'task', title: 'Later', fields: { startDate: '2031-03-04' } });
  const block = (day: string) => ({ startLocal: `${day}T09:00`, endLocal: `${day}T10:00` });
  const plan = (given: Json) => ask(world.agent, 'svc_plan_block', once(given));
  const early = await plan({ action: 'create', itemId: task.id, ...block('2031-03-03') });
  t.deepEqual(warningCodes(early), ['block_before_start']);
  const { id: blockId, revision } = early.block;
  t.false('warnings' in (await plan({ action: 'move', blockId, revision, ...block('2031-03-04') })));
  t.false('warnings' in (await plan({ action: 'cancel', blockId })));
});

test('a block on a day of an absence returns a warning, and so does reading it; half days do not', async (t) => {
  const { fixtures, accountId, ownerId } = world;
  const [task] = await world.make({ type: 'task', title: 'On holiday' });
  await fixtures.sql(
    `insert into absences (account_id, user_id, first_day, last_day, half, reason, shared)
     values ($1, $2, '2031-04-01', '2031-04-02', false, 'Knee', false), ($1, $2, '2031-04-03', '2031-04-03', true, '', false)`,
    [accountId, ownerId],
  );
  const plan = (day: string) =>
    ask(world.agent, 'svc_plan_block', once({ action: 'create', itemId: task.id, startLocal: `${day}T09:00`, endLocal: `${day}T10:00` }));
  const away = await plan('2031-04-02');
  t.deepEqual(away.warnings, [{ code: 'block_while_away', message: 'You are away on 2031-04-02. Plan another day.' }]);
  for (const day of ['2031-04-03', '2031-04-04']) t.false('warnings' in (await plan(day)));
  const read = await ask(world.agent, 'svc_my_time', { from: '2031-04-01', to: '2031-04-05' });
  t.deepEqual(read.warnings, away.warnings);
  t.false('warnings' in (await ask(world.agent, 'svc_my_time', { from: '2031-04-04', to: '2031-04-05' })));
});

test('only callers who may oversee capacity get warnings about overload', async (t) => {
  const { fixtures, accountId, workspaceId, ownerId } = world;
  const due = addDays(today, 7);
  await world.make({ type: 'task', title: 'Huge', fields: { assigneeId: ownerId, estimatedHours: 400, dueDate: due } });
  const [forecast] = await fixtures.sql(
    `insert into capacity_forecasts (account_id, scope_key, workspace_id, workspace_ids, week)
     values ($1, $2::text, $2::bigint, array[$2::bigint], date_trunc('week', current_date)::date)
     on conflict (scope_key, week) do update set read_at = now() returning id`,
    [accountId, workspaceId],
  );
  t.is(await computeSnapshot(streams, { forecastId: Number(forecast.id), since: null }), 'computed');
  const more = { type: 'task', title: 'One more', fields: { assigneeId: ownerId, estimatedHours: 1, dueDate: due } };
  t.deepEqual(warningCodes(await ask(world.agent, 'svc_create_items', create(more))), [['over_capacity', 0]]);
  const member = await fixtures.user(accountId);
  await fixtures.member(workspaceId, member, 'member');
  t.false('warnings' in (await ask(await world.agentOf(member), 'svc_create_items', create(more))));
});
