/** The threads that compute forecasts: abandoned, failing and too large computations. */
import type { ExecutionContext } from 'ava';
import pg from 'pg';
import { ComputingThreads } from '../../workers/computing/threads.ts';
import { suite } from '../support/suite.ts';
import { timeWorld } from '../support/timeWorld.ts';
import { queueOf } from '../support/workers.ts';

const test = suite(import.meta.url);

const world = timeWorld();
const goOn = new AbortController().signal;

/** Threads that are ended after the test. */
function threadsFor(t: ExecutionContext, limits?: ConstructorParameters<typeof ComputingThreads>[1]): ComputingThreads {
  const threads = new ComputingThreads(world.url, limits);
  t.teardown(() => threads.close());
  return threads;
}

/** A forecast that has never been computed. */
async function unknownForecast(): Promise<{ forecastId: number; since: null; workspaceId: number }> {
  const { accountId, workspaceId } = await world.team();
  const forecastId = await world.value(
    `insert into capacity_forecasts (account_id, scope_key, workspace_id, workspace_ids, week)
     values ($1, $2::text, $2::bigint, array[$2::bigint], date_trunc('week', now())::date) returning id`,
    [accountId, workspaceId],
  );
  return { forecastId, since: null, workspaceId };
}

const snapshotsOf = (forecastId: number): Promise<number> =>
  world.value('select count(*)::int from capacity_snapshots where forecast_id = $1', [forecastId]);

/** Stops computations at the recorded time, until released. */
async function block(t: ExecutionContext) {
  const blocker = new pg.Client(world.url);
  await blocker.connect();
  await blocker.query('begin; lock table time_parts in access exclusive mode');
  const release = Promise.withResolvers<void>();
  const released = release.promise.then(() => blocker.end());
  t.teardown(() => {
    release.resolve();
    return released;
  });
  const queue = await queueOf(t, world.url);
  return {
    reached: () =>
      queue.until(`select exists (
        select from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'time_parts' and datname = current_database()) as computing`),
    /** Number of computations that hold their forecast's lock. */
    computing: (count: number) =>
      queue.until(`select count(*) = ${count} as so from pg_locks where locktype = 'advisory' and classid = x'434150'::int and granted`),
    end: () => queue.rows(`select pg_terminate_backend(pid) from pg_stat_activity where query ~ 'time_parts' and wait_event_type = 'Lock'`),
    release: () => {
      release.resolve();
      return released;
    },
  };
}

test('an abandoned computation stores nothing, frees its forecast, and the next request is answered', async (t) => {
  const threads = threadsFor(t);
  const wanted = await unknownForecast();
  const blocked = await block(t);
  const order = new AbortController();
  const asked = threads.snapshot(wanted, order.signal);
  await blocked.reached();
  order.abort(new Error('The worker stops.'));
  await t.throwsAsync(asked, { message: 'The worker stops.' });
  await blocked.release();
  await blocked.computing(0);
  t.is(await snapshotsOf(wanted.forecastId), 0);
  t.is(await threads.snapshot(wanted, goOn), 'computed');
});

test('a request that was cancelled before its start is not started', async (t) => {
  const order = AbortSignal.abort(new Error('The worker stops.'));
  await t.throwsAsync(threadsFor(t).snapshot(await unknownForecast(), order), { message: 'The worker stops.' });
});

test('only the computation that loses its connection fails: the parallel and the next one succeed', async (t) => {
  const threads = threadsFor(t);
  const [lost, beside] = [await unknownForecast(), await unknownForecast()];
  const blocked = await block(t);
  const asked = threads.snapshot(lost, goOn);
  const failed = t.throwsAsync(asked, { message: /terminating connection/ });
  await blocked.reached();
  await blocked.end();
  await failed;
  const other = threads.snapshot(beside, goOn);
  await blocked.reached();
  await blocked.release();
  t.is(await other, 'computed');
  t.is(await threads.snapshot(lost, goOn), 'computed');
});

test('two computations run in parallel', async (t) => {
  const threads = threadsFor(t);
  const wanted = [await unknownForecast(), await unknownForecast()];
  const blocked = await block(t);
  const asked = wanted.map((one) => threads.snapshot(one, goOn));
  await blocked.computing(2);
  await blocked.release();
  t.deepEqual(await Promise.all(asked), ['computed', 'computed']);
});

test('a computation that runs out of memory ends with its thread, and the process continues', async (t) => {
  const wanted = await unknownForecast();
  const small = threadsFor(t, { maxOldGenerationSizeMb: 5, maxYoungGenerationSizeMb: 1 });
  await t.throwsAsync(small.snapshot(wanted, goOn), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
  t.is(await snapshotsOf(wanted.forecastId), 0);
  t.is(await threadsFor(t).snapshot(wanted, goOn), 'computed');
});

test('trend points are computed in a thread, too', async (t) => {
  const { workspaceId } = await unknownForecast();
  await t.notThrowsAsync(threadsFor(t).trendPoints({ workspaceId, day: '2026-03-02' }, goOn));
});
