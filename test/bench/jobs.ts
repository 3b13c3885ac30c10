/** The queue: our empty task against plain graphile-worker's, and the delay from commit to start. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Spawned } from '../support/processes.ts';
import { type Bench, stop } from './bench.ts';
import { atLeast, atMost, type Goal, median, percentile } from './measure.ts';

const ROUNDS = 3;

export async function jobs(bench: Bench): Promise<Goal[]> {
  const url = await bench.database();
  const client = await bench.client(url);
  const running = async <T>(kind: 'bare' | 'ours', measure: (runner: Spawned) => Promise<T>): Promise<T> => {
    const runner = bench.start(['test/bench/jobRunner.ts', kind], { env: { DATABASE_URL: url, NODE_ENV: 'production' } });
    await runner.line(/^listening/);
    const found = await measure(runner);
    await stop(runner);
    return found;
  };
  // Idle first: tens of thousands of jobs leave dead rows, and fetches scan them until autovacuum runs.
  const delays = await running('ours', (runner) => startOneByOne(client, runner, bench.quick ? 10 : 200));
  const rates = { bare: [] as number[], ours: [] as number[] };
  for (let n = 0; n < (bench.quick ? 1 : ROUNDS); n++)
    for (const kind of ['bare', 'ours'] as const) rates[kind].push(await running(kind, () => drain(client, bench.quick ? 500 : 20_000)));
  return [
    atLeast('jobs a second, against graphile-worker alone', median(rates.ours) / median(rates.bare), 0.9),
    atMost('from commit to start on an idle worker, median ms', median(delays), 2),
    atMost('from commit to start on an idle worker, 99th percentile, ms', percentile(delays, 0.99), 10),
  ];
}

const addJobs = (client: pg.Client, count: number, edge: 'start' | 'end') =>
  client.query(
    `select count(*) from graphile_worker.add_jobs(array(
       select ('remind_plan_block', json_build_object('blockId', n, 'edge', $2::text), null, now(), null, null, null, null)::graphile_worker.job_spec
       from generate_series(1, $1::int) n))`,
    [count, edge],
  );

/** Jobs a second, from the commit of many until the last row is deleted. */
async function drain(client: pg.Client, count: number): Promise<number> {
  let started = 0;
  for (const jobs of [count / 10, count]) {
    await addJobs(client, jobs, 'start');
    started = performance.now();
    while ((await client.query('select exists (select from graphile_worker._private_jobs) as more')).rows[0].more) await sleep(20);
  }
  return (count * 1_000) / (performance.now() - started);
}

/** Milliseconds from the commit's answer to the start, each job alone on an idle queue. */
async function startOneByOne(client: pg.Client, runner: Spawned, count: number): Promise<number[]> {
  const found: number[] = [];
  const starts = () => runner.lines.filter((line) => line.includes('startedAt'));
  // The first twenty run with cold code and connections.
  for (let n = -20; n < count; n++) {
    const before = starts().length;
    await addJobs(client, 1, 'end');
    const committedAt = performance.timeOrigin + performance.now();
    while (starts().length === before) await sleep(5);
    if (n >= 0) found.push(Math.max(0, JSON.parse(starts().at(-1)!).startedAt - committedAt));
    await sleep(20 + (Math.abs(n) % 7) * 5);
  }
  return found;
}
