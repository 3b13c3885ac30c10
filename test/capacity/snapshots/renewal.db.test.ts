/** After a change, forecasts with readers are renewed, also if the worker dies. */
import type { ExecutionContext } from 'ava';
import pg from 'pg';
import { requestSnapshot } from '../../../src/capacity/snapshots/queries.ts';
import { type ForecastRequest, renewForecasts, snapshotWorkspace } from '../../../src/capacity/snapshots/snapshotWorkspace.ts';
import { enqueueDueTicks } from '../../../workers/schedule.ts';
import { suite } from '../../support/suite.ts';
import { contextOf } from '../../support/tasks.ts';
import { timeWorld } from '../../support/timeWorld.ts';
import { queueOf, runningWorker } from '../../support/workers.ts';
import { renew, runRenewals } from './renew.ts';

const test = suite(import.meta.url);

const world = timeWorld();

const forecast = (accountId: number, ids: number[], read: string, weeksLater = 0): Promise<number> =>
  world.value(
    `insert into capacity_forecasts (account_id, scope_key, workspace_id, workspace_ids, week, read_at)
     values ($1, $2, $3, $4, date_trunc('week', now())::date + 7 * $6::integer, now() - $5::interval) returning id`,
    [accountId, ids.length === 1 ? String(ids[0]) : `0:${ids}`, ids.length === 1 ? ids[0] : 0, ids, read, weeksLater],
  );
/** A snapshot one minute old. */
const snapshot = (accountId: number, forecastId: number): Promise<number> =>
  world.value(
    `insert into capacity_snapshots (account_id, forecast_id, day, as_of) values ($1, $2, current_date, now() - interval '1 minute') returning id`,
    [accountId, forecastId],
  );
const snapshotsOf = async (forecastId: number): Promise<number[]> =>
  (await world.rows('select id from capacity_snapshots where forecast_id = $1', [forecastId])).map(({ id }) => id);

test('after a change, recently read forecasts are renewed and unread ones are deleted', async (t) => {
  const { accountId, workspaceId, workspace } = await world.team();
  const otherId = await workspace();
  const read = [await forecast(accountId, [workspaceId], '1 minute'), await forecast(accountId, [workspaceId, otherId], '14 minutes')];
  const unread = await forecast(accountId, [otherId, workspaceId], '16 minutes');
  const elsewhere = await forecast(accountId, [otherId], '16 minutes');
  const old = new Map<number, number>();
  for (const id of [...read, unread, elsewhere]) old.set(id, await snapshot(accountId, id));
  await world.rows('insert into capacity_marks (account_id, workspace_id) values ($1, $2)', [accountId, workspaceId]);
  await renew(world, workspaceId);
  for (const id of read) {
    const now = await snapshotsOf(id);
    t.is(now.length, 1);
    t.not(now[0], old.get(id));
  }
  t.deepEqual(await snapshotsOf(unread), []);
  t.deepEqual(await snapshotsOf(elsewhere), [old.get(elsewhere)!]);
  t.is(await world.value('select count(*)::int from capacity_marks where account_id = $1', [accountId]), 0);
});

const mark = 'insert into capacity_marks (account_id, workspace_id) values ($1, $2) on conflict do nothing';

/** A connection with an open transaction that has marked the workspace. */
async function marking(t: ExecutionContext, accountId: number, workspaceId: number): Promise<pg.Client> {
  const client = new pg.Client(world.url);
  await client.connect();
  t.teardown(() => client.end());
  await client.query('begin');
  await client.query(mark, [accountId, workspaceId]);
  return client;
}

for (const [whose, title] of [
  ['another', 'a transaction that has marked another workspace and stays open does not delay a forecast'],
  ['the same', 'a transaction that has marked the workspace and stays open has its forecast computed again'],
] as const) {
  test(title, async (t) => {
    const { accountId, workspaceId, workspace } = await world.team();
    const marked = whose === 'another' ? await workspace() : workspaceId;
    await world.rows(mark, [accountId, workspaceId]);
    await marking(t, accountId, marked);
    await renew(world, workspaceId);
    const again = await world.value('select count(*)::int from capacity_marks where workspace_id = $1', [workspaceId]);
    t.is(again, whose === 'another' ? 0 : 1);
  });
}

test('the job waits on a lock until a writer that found the mark commits, and needs no second job', async (t) => {
  const { accountId, workspaceId } = await world.team();
  await world.rows(mark, [accountId, workspaceId]);
  const open = await marking(t, accountId, workspaceId);
  const renewed = snapshotWorkspace(world.db, workspaceId);
  const waiting = `select count(*)::int from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  let renewing = true;
  const ended = renewed.finally(() => {
    renewing = false;
  });
  while (renewing && (await world.value(waiting)) === 0);
  t.true(renewing, 'it waits on a lock');
  await open.query('commit');
  await ended;
  t.is(await world.value('select count(*)::int from capacity_marks where workspace_id = $1', [workspaceId]), 0);
});

/** Forecasts of consecutive weeks, the last read first, with a snapshot. */
async function weeks(accountId: number, workspaceId: number, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < count; n++) {
    const id = await forecast(accountId, [workspaceId], `${n} seconds`, n);
    await snapshot(accountId, id);
    ids.push(id);
  }
  return ids;
}

/** Forecasts of the account that wait for their renewal. */
const waiting = async (accountId: number): Promise<number[]> =>
  (await world.rows('select id from capacity_forecasts where account_id = $1 and renew_since is not null order by id', [accountId])).map(
    ({ id }) => id,
  );

test('accounts take turns: each renews a forecast, then lets the others go first', async (t) => {
  const [busy, other] = [await world.team(), await world.team()];
  await weeks(busy.accountId, busy.workspaceId, 3);
  await weeks(other.accountId, other.workspaceId, 2);
  await snapshotWorkspace(world.db, busy.workspaceId);
  await snapshotWorkspace(world.db, other.workspaceId);
  // A further change adds no job.
  await snapshotWorkspace(world.db, other.workspaceId);
  const turns = (await runRenewals(world)).map((id) => (id === busy.accountId ? 'busy' : 'other'));
  t.deepEqual(turns.slice(0, 5), ['busy', 'other', 'busy', 'other', 'busy']);
  t.deepEqual([await waiting(busy.accountId), await waiting(other.accountId)], [[], []]);
});

test('a change during the renewal of a forecast has it renewed again', async (t) => {
  const { accountId, workspaceId } = await world.team();
  const [id] = await weeks(accountId, workspaceId, 1);
  await snapshotWorkspace(world.db, workspaceId);
  const { db, computations, signal } = contextOf(world);
  const snapshot = async (wanted: ForecastRequest) => {
    const outcome = await computations.snapshot(wanted, signal);
    await snapshotWorkspace(db, workspaceId);
    return outcome;
  };
  await renewForecasts(db, { ...computations, snapshot }, accountId, signal);
  t.deepEqual(await waiting(accountId), [id]);
  await world.rows('update capacity_snapshots set took_ms = 0');
  await world.rows(`update graphile_worker._private_jobs set run_at = now() where key = $1`, [`renew_forecasts:${accountId}`]);
  await runRenewals(world);
  t.deepEqual(await waiting(accountId), []);
});

const owed = (accountId: number): Promise<number> =>
  world.value('select round(extract(epoch from forecasts_owed_until) * 1000)::float8 from accounts where id = $1', [accountId]);

test('all forecasts of an account together take a fifth of the time; the rest is renewed later, and other accounts do not wait', async (t) => {
  const [busy, other] = [await world.team(), await world.team()];
  const theirs = await weeks(busy.accountId, busy.workspaceId, 2);
  const [mine] = await weeks(other.accountId, other.workspaceId, 1);
  await world.rows('update accounts set forecasts_owed_until = now() where id = $1', [other.accountId]);
  const before = await owed(other.accountId);
  await renew(world, other.workspaceId);
  const took = await world.value('select took_ms from capacity_snapshots where forecast_id = $1', [mine]);
  t.true((await owed(other.accountId)) >= before + 5 * took - 1);

  await world.rows('update accounts set forecasts_owed_until = null');
  await world.rows('update capacity_snapshots set took_ms = 0');
  await world.rows(`update accounts set forecasts_owed_until = now() + interval '1 hour' where id = $1`, [busy.accountId]);
  const [old, own] = [await snapshotsOf(theirs[0]!), await snapshotsOf(mine!)];
  await snapshotWorkspace(world.db, busy.workspaceId);
  await renew(world, other.workspaceId);
  t.deepEqual(await snapshotsOf(theirs[0]!), old);
  t.notDeepEqual(await snapshotsOf(mine!), own);
  t.deepEqual(await waiting(busy.accountId), theirs);
  const jobs = `select count(*)::int as jobs, bool_and(run_at > now() + interval '59 minutes') as later from graphile_worker.jobs where key = $1`;
  t.deepEqual(await world.rows(jobs, [`renew_forecasts:${busy.accountId}`]), [{ jobs: 1, later: true }], 'one job, once it may go on');
  // The first snapshot of a forecast has a waiting reader.
  const { computations, signal } = contextOf(world);
  const first = await forecast(busy.accountId, [busy.workspaceId], '1 second', 9);
  t.is(await computations.snapshot({ forecastId: first, since: null }, signal), 'computed');
  await world.rows('update capacity_snapshots set took_ms = 0');

  await world.rows('update accounts set forecasts_owed_until = now() where id = $1', [busy.accountId]);
  await renew(world, busy.workspaceId);
  t.notDeepEqual(await snapshotsOf(theirs[0]!), old);
  t.deepEqual(await waiting(busy.accountId), []);
});

test('readers of accounts take turns: the second new forecast of one waits for the first one of another', async (t) => {
  const [busy, other] = [await world.team(), await world.team()];
  const ask = ({ accountId, workspaceId }: typeof busy, week: string) =>
    requestSnapshot(world.db.pool(), { accountId, workspaceId, workspaceIds: [workspaceId], week });
  const theirs = [await ask(busy, '2030-01-07'), await ask(busy, '2030-01-14'), await ask(busy, '2030-01-21')];
  const mine = await ask(other, '2030-01-07');
  const rows = await world.rows(
    `select replace(key, 'snapshot_forecast:', '')::integer as id from graphile_worker.jobs where key like 'snapshot_forecast:%' order by priority, run_at, id`,
  );
  t.deepEqual(
    rows.map(({ id }) => id),
    [theirs[0], mine, theirs[1], theirs[2]],
  );
  await world.rows('delete from graphile_worker._private_jobs');
});

test('when a worker is killed during a computation, another worker computes it', async (t) => {
  t.timeout(150_000);
  const { accountId, workspaceId } = await world.team();
  const id = await forecast(accountId, [workspaceId], '1 minute');
  const queue = await queueOf(t, world.url);
  // Runs the day's ticks first, so that no other snapshots follow.
  await enqueueDueTicks(world.db.pool());
  await queue.rows('delete from graphile_worker._private_jobs');
  // The computation holds its lock when it reaches the recorded time.
  const blocker = new pg.Client(world.url);
  await blocker.connect();
  let blocking = true;
  const release = async () => {
    if (blocking) await blocker.end();
    blocking = false;
  };
  t.teardown(release);
  await blocker.query('begin; lock table time_parts in access exclusive mode');
  const workers = [await runningWorker(t, world.url, { pace: '200,1000' }), await runningWorker(t, world.url, { pace: '200,1000' })];
  await queue.rows(`select graphile_worker.add_job('snapshot_forecast', json_build_object('forecastId', $1::bigint))`, [id]);
  const holders = `select count(*) from pg_locks where locktype = 'advisory' and classid = x'434150'::int and granted`;
  await queue.until(`select (${holders}) = 1 and exists (
    select from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'time_parts' and datname = current_database()) as computing`);
  const [{ pid }] = await queue.rows(
    `select w.pid from graphile_worker.jobs j join workers w on w.id = j.locked_by where j.task_identifier = 'snapshot_forecast'`,
  );
  const victim = workers.find((worker) => worker.pid === pid)!;
  victim.kill('SIGKILL');
  await victim.exit();
  t.deepEqual(await snapshotsOf(id), []);
  await release();
  await queue.until(`select count(*) = 1 as computed from capacity_snapshots where forecast_id = ${id} and etag <> ''`);
  await queue.until(`select count(*) = 0 as done from graphile_worker.jobs where task_identifier = 'snapshot_forecast'`);
  await queue.until(`select (${holders}) = 0 as free`);
  t.is((await snapshotsOf(id)).length, 1);
});
