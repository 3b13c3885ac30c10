/** Who sees dates and outlooks of forecasts on pages, and without what (behaviour §6.30). */
import type { Pool } from 'pg';
import type { Caller } from '../../src/access/caller.ts';
import { hashSecret } from '../../src/access/secrets.ts';
import { computeSnapshot } from '../../src/capacity/snapshots/computing/computeSnapshot.ts';
import { connectDb, type Db } from '../../src/database/db.ts';
import { outputOf } from '../../src/operations/json.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { perform } from '../../src/operations/perform.ts';
import { showItem } from '../../src/overviews/openItem.ts';
import { showTimeline } from '../../src/overviews/timeline/showTimeline.ts';
import { ListWork } from '../../src/overviews/workList/input.ts';
import { listWork } from '../../src/overviews/workList/listWork.ts';
import { addDays } from '../../src/values/dates.ts';
import { changeForecasts } from '../../src/workspaces/administer.ts';
import { streamPool } from '../../workers/pools.ts';
import { fileDatabase } from '../support/database.ts';
import { ask, type McpWorld, mcpWorld } from '../support/mcpWorld.ts';
import { refusal } from '../support/operationWorld.ts';
import { clientOf } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: McpWorld;
let db: Db;
let streams: Pool;
let owner: Caller;
let release: { id: number };
let task: { id: number };
const today = new Date().toISOString().slice(0, 10);

test.before('a late release, and its forecast', async () => {
  streams = streamPool(database.url, 1);
  [world, db] = await Promise.all([mcpWorld(database.url), connectDb(database.url)]);
  const { fixtures, accountId, workspaceId, make } = world;
  owner = await callerOf(world.ownerId);
  const lateId = await fixtures.user(accountId, 'Lars Late');
  await fixtures.member(workspaceId, lateId, 'member');
  [release] = await make({ type: 'release', title: 'Out', fields: { targetDate: addDays(today, 3) } });
  [task] = await make({ type: 'task', title: 'Much', fields: { releaseId: release.id, estimatedHours: 400, assigneeId: lateId } });
  const [forecast] = await fixtures.sql(
    `insert into capacity_forecasts (account_id, scope_key, workspace_id, workspace_ids, week)
     values ($1, $2::text, $2::bigint, array[$2::bigint], date_trunc('week', current_date)::date) returning id`,
    [accountId, workspaceId],
  );
  await computeSnapshot(streams, { forecastId: Number(forecast.id), since: null });
});
test.after('stop', async () => {
  await streams?.end();
  await world?.end();
  await db?.close();
});

const callerOf = async (userId: number): Promise<Caller> => ({ kind: 'session', hash: hashSecret(await world.fixtures.session(userId)) });
// biome-ignore lint/suspicious/noExplicitAny: inputs of every operation
const run = async <Output>(caller: Caller, operation: Operation<any, Output>, input: object) =>
  outputOf(await perform(db, caller, operation, { workspaceId: world.workspaceId, ...input }));
const list = (more: object) => ListWork.parse({ workspaceId: world.workspaceId, today, ...more });
const set = (forecasts: 'oversight' | 'members') => run(owner, changeForecasts, { forecasts });

/** The forecast of the release on its page, on its task's page, in the list and on the timeline. */
async function seen(caller: Caller) {
  const period = { from: addDays(today, -30), to: addDays(today, 30), opened: [] };
  const [page, below, listed, timeline] = [
    await run(caller, showItem, { id: release.id }),
    await run(caller, showItem, { id: task.id }),
    await run(caller, listWork, list({ type: 'release' })),
    await run(caller, showTimeline, { ...list({}), ...period }),
  ];
  const row = <Row extends { id: number }>(rows: readonly Row[]) => rows.find(({ id }) => id === release.id);
  return [page.project, below.project, row(listed.rows)?.forecast, row(timeline.rows)?.forecast];
}

test('members and viewers see the same date and outlook as those with oversight, without names, if all members see forecasts', async (t) => {
  await set('members');
  const whole = await seen(owner);
  for (const forecast of whole) t.regex(JSON.stringify(forecast), /Lars Late/);
  for (const role of ['member', 'viewer']) {
    const { userId } = await world.join(role);
    const caller = await callerOf(userId);
    const found = await seen(caller);
    for (const [n, forecast] of found.entries()) {
      const { forecastDate, bufferedDate } = whole[n]!;
      t.like(forecast, { outlook: 'overcommitted', forecastDate, bufferedDate }, role);
      t.deepEqual(forecast!.explained?.progress, whole[n]!.explained!.progress);
      t.notRegex(JSON.stringify(forecast), /Lars/);
    }
    await set('oversight');
    t.deepEqual((await seen(caller)).filter(Boolean), [], 'the setting is read each time');
    t.is((await seen(owner))[0]!.outlook, 'overcommitted');
    await set('members');
  }
});

test('the setting does not show forecasts to keys, agents, people who do not see the release, and former members', async (t) => {
  await set('members');
  const { fixtures, join, api, workspaceId, agentOf } = world;
  const { userId } = await join('member');
  const client = clientOf(api, await fixtures.key(userId), workspaceId);
  t.is((await client.get('/capacity')).status, 403);
  t.false('outlook' in (await ask(await agentOf(userId), 'svc_get_item', { id: release.id })).progress);
  t.is((await ask(world.agent, 'svc_get_item', { id: release.id })).progress.outlook, 'overcommitted', 'of an owner');
  const blind = await callerOf((await join('member', { releases: 'none' })).userId);
  t.is((await run(blind, listWork, list({ type: 'release' }))).rows.length, 0);
  for (const id of [release.id, task.id]) t.is((await refusal(run(blind, showItem, { id }))).code, 'forbidden');
  const left = await callerOf(userId);
  await fixtures.sql('delete from memberships where user_id = $1', [userId]);
  t.is((await refusal(run(left, showItem, { id: release.id }))).code, 'forbidden');
  t.is((await refusal(run(left, showTimeline, { ...list({}), from: today, to: today, opened: [] }))).code, 'forbidden');
});

test('only those who run the workspace change who sees forecasts', async (t) => {
  for (const role of ['manager', 'member', 'viewer']) {
    const { userId } = await world.join(role);
    t.is((await refusal(run(await callerOf(userId), changeForecasts, { forecasts: 'oversight' }))).code, 'forbidden');
  }
  const before = await world.fixtures.sql(`select count(*)::int as n from audit where kind = 'workspace.forecasts'`);
  await set('oversight');
  await set('oversight');
  const lines = await world.fixtures.sql(`select changes from audit where kind = 'workspace.forecasts' order by id desc`);
  t.is(lines.length, before[0].n + 1, 'a change, and no line without one');
  t.deepEqual(lines[0].changes, { forecasts: ['members', 'oversight'] });
});
