/** The queue: our empty task against plain graphile-worker's, with equal settings, and the delay from commit to start. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, run } from 'graphile-worker';
import type pg from 'pg';
import { openDb } from '../../src/database/db.ts';
import { statementsOn } from '../../src/database/statements.ts';
import { Metrics } from '../../src/http/metrics.ts';
import { makeLogger } from '../../src/log.ts';
import { Heartbeat, usualPace } from '../../workers/heartbeat.ts';
import { Lane } from '../../workers/lane.ts';
import { queuePool } from '../../workers/pools.ts';
import { taskList } from '../../workers/tasks.ts';
import { contextOf } from '../support/tasks.ts';
import type { World } from '../support/timeWorld.ts';
import type { Bench } from './bench.ts';
import { atLeast, atMost, type Goal, median, percentile } from './measure.ts';

const ROUNDS = 3;
const CONCURRENCY = 10;
const AHEAD = 11;

type Task = () => Promise<void>;
/** Runs the task for each job. Resolves to a function that stops it. */
type Worker = (url: string, task: Task) => Promise<() => Promise<unknown>>;

const bare: Worker = async (url, task) => {
  const pgPool = queuePool(url, CONCURRENCY + 3);
  const runner = await run({
    ...{ pgPool, taskList: { remind_plan_block: task }, noHandleSignals: true, parsedCronItems: [] },
    logger: new Logger(() => () => {}),
    preset: { worker: { concurrentJobs: CONCURRENCY, pollInterval: 500, localQueue: { size: AHEAD, ttl: 10_000 } } },
  });
  return () => runner.stop().then(() => pgPool.end());
};

const ours: Worker = async (url, task) => {
  const pgPool = queuePool(url, CONCURRENCY + 3);
  const db = openDb(url, 4);
  const log = makeLogger('warn', 'worker');
  const heartbeat = new Heartbeat(statementsOn(pgPool, false), log, usualPace, async () => {});
  const tasks = taskList({ remind_plan_block: task }, contextOf({ url, db } as World));
  const lane = new Lane(
    { name: 'prompt', concurrency: CONCURRENCY, ahead: AHEAD, tasks: () => tasks },
    { pgPool, heartbeat, log, metrics: new Metrics() },
  );
  heartbeat.start();
  await lane.start();
  return async () => {
    await lane.stop();
    await lane.release();
    heartbeat.stop();
    await Promise.all([pgPool.end(), db.close()]);
  };
};

export async function jobs(bench: Bench): Promise<Goal[]> {
  const url = await bench.database();
  const client = await bench.client(url);
  // Idle first: tens of thousands of jobs leave dead rows, and fetches scan them until autovacuum runs.
  const delays = await startOneByOne(client, url, bench.quick ? 10 : 200);
  const rates = { bare: [] as number[], ours: [] as number[] };
  for (let n = 0; n < (bench.quick ? 1 : ROUNDS); n++) {
    for (const [kind, worker] of [['bare', bare] as const, ['ours', ours] as const]) {
      const stop = await worker(url, async () => {});
      rates[kind].push(await drain(client, bench.quick ? 500 : 20_000));
      await stop();
    }
  }
  return [
    atLeast('jobs a second, against graphile-worker alone', median(rates.ours) / median(rates.bare), 0.9),
    atMost('from commit to start on an idle worker, median ms', median(delays), 2),
    atMost('from commit to start on an idle worker, 99th percentile, ms', percentile(delays, 0.99), 10),
  ];
}

const addJobs = (client: pg.Client, count: number) =>
  client.query(
    `select count(*) from graphile_worker.add_jobs(array(
       select ('remind_plan_block', json_build_object('blockId', n, 'edge', 'end'), null, now(), null, null, null, null)::graphile_worker.job_spec
       from generate_series(1, $1::int) n))`,
    [count],
  );

/** Jobs a second, from the commit of many until the last row is deleted. */
async function drain(client: pg.Client, count: number): Promise<number> {
  let started = 0;
  for (const jobs of [count / 10, count]) {
    await addJobs(client, jobs);
    started = performance.now();
    while ((await client.query('select exists (select from graphile_worker._private_jobs) as more')).rows[0].more) await sleep(20);
  }
  return (count * 1_000) / (performance.now() - started);
}

/** Milliseconds from the commit's answer to the start, each job alone on an idle queue. */
async function startOneByOne(client: pg.Client, url: string, count: number): Promise<number[]> {
  const found: number[] = [];
  let started = Promise.withResolvers<number>();
  const stop = await ours(url, async () => started.resolve(performance.now()));
  // The first twenty run with cold code and connections.
  for (let n = -20; n < count; n++) {
    started = Promise.withResolvers();
    await addJobs(client, 1);
    const committedAt = performance.now();
    const startedAt = await started.promise;
    if (n >= 0) found.push(Math.max(0, startedAt - committedAt));
    await sleep(20 + (Math.abs(n) % 7) * 5);
  }
  await stop();
  return found;
}
