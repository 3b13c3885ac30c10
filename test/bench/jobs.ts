/** The queue: our empty task against plain graphile-worker's, and the delay from commit to start. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Spawned, spawnNode } from '../support/processes.ts';
import { cpuSeconds, median, percentile, printGoals, round } from './measure.ts';
import { benchDatabase } from './servers.ts';

const JOBS = 20_000;
const ROUNDS = 3;
const SINGLE_JOBS = 200;
const FIRST_JOBS = 20;
const kinds = ['bare', 'ours'] as const;
type Kind = (typeof kinds)[number];

export async function jobs(adminUrl: string): Promise<void> {
  const url = await benchDatabase(adminUrl, 'bench_jobs');
  const client = new pg.Client(url);
  await client.connect();
  const rates: Record<Kind, { perSecond: number; cpuMicros: number }[]> = { bare: [], ours: [] };
  const delays: Record<Kind, number[]> = { bare: [], ours: [] };
  // Idle first: tens of thousands of jobs leave dead rows, and fetches scan them until autovacuum runs.
  for (const kind of inTurn) {
    delays[kind].push(...(await measured(url, kind, (runner) => startOneByOne(client, runner, Math.ceil(SINGLE_JOBS / ROUNDS)))));
  }
  for (const kind of inTurn) rates[kind].push(await measured(url, kind, (runner) => drain(client, runner)));
  await client.end();
  report(rates, delays);
}

/** Alternates bare and ours, so that changes on the machine affect both. */
const inTurn = Array.from({ length: ROUNDS }, () => kinds).flat();

async function measured<Result>(url: string, kind: Kind, measure: (runner: Spawned) => Promise<Result>): Promise<Result> {
  const runner = await startRunner(url, kind);
  try {
    return await measure(runner);
  } finally {
    runner.kill('SIGKILL');
    await runner.exit();
  }
}

async function startRunner(url: string, kind: Kind): Promise<Spawned> {
  const runner = spawnNode(['test/bench/jobRunner.ts', kind], { env: { DATABASE_URL: url, NODE_ENV: 'production' } });
  await runner.line(/^listening/);
  return runner;
}

const addJobs = (client: pg.Client, count: number, edge: string) =>
  client.query(
    `select count(*) from graphile_worker.add_jobs(array(
       select ('remind_plan_block', json_build_object('blockId', n, 'edge', $2::text), null, now(), null, null, null, null)::graphile_worker.job_spec
       from generate_series(1, $1::int) n))`,
    [count, edge],
  );

/** From the commit of many jobs until the last row is deleted. */
async function drain(client: pg.Client, runner: Spawned) {
  await addJobs(client, 2_000, 'start');
  await untilDone(client);
  const before = cpuSeconds(runner.pid);
  await addJobs(client, JOBS, 'start');
  const started = performance.now();
  await untilDone(client);
  const seconds = (performance.now() - started) / 1000;
  return { perSecond: JOBS / seconds, cpuMicros: ((cpuSeconds(runner.pid) - before) * 1e6) / JOBS };
}

async function untilDone(client: pg.Client) {
  while ((await client.query('select exists (select from graphile_worker._private_jobs) as more')).rows[0].more) await sleep(20);
}

/** Milliseconds from the commit's answer to the start, each job alone on an idle queue. */
async function startOneByOne(client: pg.Client, runner: Spawned, count: number): Promise<number[]> {
  const found: number[] = [];
  const seen = () => runner.lines.filter((line) => line.includes('startedAt'));
  // The first jobs run with cold code and connections.
  for (let n = -FIRST_JOBS; n < count; n++) {
    const before = seen().length;
    await addJobs(client, 1, 'end');
    const committedAt = performance.timeOrigin + performance.now();
    while (seen().length === before) await sleep(5);
    if (n >= 0) found.push(Math.max(0, JSON.parse(seen().at(-1)!).startedAt - committedAt));
    await sleep(20 + (Math.abs(n) % 7) * 5);
  }
  return found;
}

function report(rates: Record<Kind, { perSecond: number; cpuMicros: number }[]>, delays: Record<Kind, number[]>) {
  const rate = (kind: Kind) => median(rates[kind].map(({ perSecond }) => perSecond));
  console.log('\nThe queue');
  console.table(
    Object.fromEntries(
      kinds.map((kind) => [
        kind === 'bare' ? 'bare graphile-worker' : 'a lane of Stint',
        {
          'jobs/s': Math.round(rate(kind)),
          'CPU µs': Math.round(median(rates[kind].map(({ cpuMicros }) => cpuMicros))),
          'commit to start p50 ms': round(percentile(delays[kind], 0.5)),
          'p99 ms': round(percentile(delays[kind], 0.99)),
        },
      ]),
    ),
  );
  printGoals([
    { text: 'jobs per second against bare graphile-worker', value: rate('ours') / rate('bare'), want: 'at least', bound: 0.9 },
    { text: 'commit to start when idle, p50 ms', value: percentile(delays.ours, 0.5), want: 'at most', bound: 2 },
    { text: 'commit to start when idle, p99 ms', value: percentile(delays.ours, 0.99), want: 'at most', bound: 10 },
  ]);
}
