/** Capacity: reading a snapshot against reading an item, computing one at several sizes, the effect on writers, and what-if. `npm run bench
 *  -- forecast` runs only these; with `LARGE=1` also a million tasks. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { memoryOf } from '../../src/start/services.ts';
import { type Bulk, makeBulk } from '../support/bulk.ts';
import { type Spawned, spawnNode } from '../support/processes.ts';
import type { Call, Reply } from './load.ts';
import { compare, type Figure, type Goal, median, percentile, printFigures, printGoals, round } from './measure.ts';
import { makePeopled } from './peopled.ts';
import { type Revise, saves } from './saves.ts';
import { benchDatabase, type Server, startWebProcess } from './servers.ts';
import { whatIf } from './whatIf.ts';

const SMALL = 20;
const sizes = [1_000, 10_000, 100_000, ...(process.env.LARGE ? [1_000_000] : [])];
const PEOPLE = 200;
const WRITES_SEEN = 20;

export async function forecast(adminUrl: string, postmaster: number): Promise<void> {
  const url = await benchDatabase(adminUrl, 'bench_forecast');
  const worker = spawnNode([...memoryOf.worker, 'workers/index.ts'], {
    env: { DATABASE_URL: url, SECRET_KEY: 'bench'.repeat(8), NODE_ENV: 'production', LOG_LEVEL: 'info' },
  });
  const web = await startWebProcess(url);
  await worker.log({ msg: 'listening' });
  const goals: Goal[] = [];
  try {
    goals.push(...(await reads(url, web)));
    goals.push(...(await writes(url, web)));
  } finally {
    await web.stop();
    worker.kill('SIGTERM');
    await worker.exit();
  }
  goals.push(...(await computations(url)));
  goals.push(...(await whatIf(adminUrl, postmaster)));
  printGoals(goals);
}

const headersOf = ({ key }: Bulk) => ({ 'X-API-Key': key });
const capacityOf = (bulk: Bulk, etag?: string): Call => ({
  method: 'GET',
  path: `/api/v1/capacity?workspaceId=${bulk.workspaceId}`,
  headers: { ...headersOf(bulk), ...(etag ? { 'If-None-Match': etag } : {}) },
});
const always = (call: Call) => () => () => call;

async function reads(url: string, web: Server): Promise<Goal[]> {
  const small = await makeBulk(url, SMALL);
  const large = await makeBulk(url, 100_000);
  const item = {
    method: 'GET' as const,
    path: `/api/v1/item?workspaceId=${small.workspaceId}&id=${small.lastTaskId}`,
    headers: headersOf(small),
  };
  const figures = await compare([
    { name: 'GET /item', ...web, calls: always(item) },
    { name: `GET /capacity, ${SMALL} tasks`, ...web, calls: await settled(web, small) },
    { name: `304, ${SMALL} tasks`, ...web, calls: always(capacityOf(small, await tagOf(web, small))) },
    { name: '304, 100,000 tasks', ...web, calls: always(capacityOf(large, await tagOf(web, large))) },
  ]);
  printFigures('Reading a forecast', figures);
  const [base, whole, known, knownLarge] = figures.map(({ cpuMicros }) => cpuMicros) as [number, number, number, number];
  return [
    { text: `GET /capacity of ${SMALL} tasks against GET /item, CPU`, value: whole / base, want: 'at most', bound: 1.9 },
    { text: 'its 304 against GET /item, CPU', value: known / base, want: 'at most', bound: 1 },
    { text: 'a 304 at 100,000 tasks against one at 20, CPU', value: knownLarge / known, want: 'at most', bound: 1.15 },
  ];
}

async function settled(web: Server, bulk: Bulk) {
  await tagOf(web, bulk);
  return always(capacityOf(bulk));
}

/** Polls until a forecast exists. Returns its ETag. */
async function tagOf(web: Server, bulk: Bulk, other?: string): Promise<string> {
  const { path, headers } = capacityOf(bulk, other);
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${web.port}${path}`, { headers: headers! });
    await answer.arrayBuffer();
    if (answer.status === 200) return answer.headers.get('etag')!;
    if (answer.status !== 304 && answer.status !== 503) throw new Error(`GET /capacity answered ${answer.status}`);
    await sleep(20);
  }
}

/** Writes that invalidate the forecast against writes that don't, with a working worker, and the delay of the new forecast. */
async function writes(url: string, web: Server): Promise<Goal[]> {
  const bulk = await makeBulk(url, 1_000);
  await tagOf(web, bulk);
  const [without, marking] = (await compare([
    {
      name: 'POST /items/save, nothing that a forecast shows',
      ...web,
      calls: () => saves(bulk, 0, (record, n) => ({ ...record, description: `Revised ${n}` })),
    },
    { name: 'POST /items/save, an estimate', ...web, calls: () => saves(bulk, 30, estimate) },
  ])) as [Figure, Figure];
  printFigures('Writing beside a worker', [without, marking]);
  const delays: number[] = [];
  const revise = saves(bulk, 60, estimate);
  for (let n = 0, last: Reply | undefined; n <= WRITES_SEEN; n++) {
    const tag = await tagOf(web, bulk);
    last = await send(web, revise(0, last));
    // The first round only reads.
    if (n === 0) continue;
    const written = performance.now();
    await tagOf(web, bulk, tag);
    delays.push(performance.now() - written);
    await sleep(200);
  }
  console.log(`From a write to the new forecast: p50 ${Math.round(median(delays))} ms, p99 ${Math.round(percentile(delays, 0.99))} ms`);
  return [
    {
      text: 'writes that mark the forecast against others, rate',
      value: marking.perSecond / without.perSecond,
      want: 'at least',
      bound: 0.85,
    },
    { text: 'from a write to the new forecast, p50 s', value: median(delays) / 1_000, want: 'at most', bound: 1.5 },
  ];
}

const estimate: Revise = (record, n) => ({ ...record, fields: { ...(record.fields as object), estimatedHours: 1 + (n % 40) } });

async function send({ port }: Server, { method, path, headers, body }: Call): Promise<Reply> {
  const init = { method, headers: { ...headers, 'Content-Type': 'application/json' }, ...(body ? { body } : {}) };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, init);
  return { status: answer.status, body: await answer.text() };
}

/** CPU in ms, with 10,000 dependencies across people and ten absences of each person. */
async function computeWaiting(url: string): Promise<number> {
  const forecastId = await workspaceOf(url, 100_000);
  const client = new pg.Client({ connectionString: url, query_timeout: 0 });
  await client.connect();
  await client.query(
    `insert into item_dependencies (account_id, workspace_id, item_id, blocker_id, lag_days)
     select i.account_id, i.workspace_id, i.id, lag(i.id, 7) over (order by i.id), i.id % 3
     from items i join capacity_forecasts f on f.id = $1 and f.workspace_id = i.workspace_id where i.type = 'task' and not i.closed
     order by i.id offset 7 limit 10000`,
    [forecastId],
  );
  await client.query(
    `insert into absences (account_id, user_id, first_day, last_day, half, reason, shared)
     select u.account_id, u.id, current_date + 40 * n, current_date + 40 * n + 4, n % 2 = 0, '', false
     from users u join capacity_forecasts f on f.id = $1 and f.account_id = u.account_id cross join generate_series(1, 10) n`,
    [forecastId],
  );
  await client.end();
  const { taken } = await compute(url, forecastId, 4);
  return median(taken.slice(1).map(({ cpuMs }) => cpuMs));
}

async function computations(url: string): Promise<Goal[]> {
  const rows: Record<string, object> = {};
  const goals: Goal[] = [];
  for (const size of sizes) {
    const forecastId = await workspaceOf(url, size);
    const { taken } = await compute(url, forecastId, size > 100_000 ? 2 : 4);
    // The first run warms up and grows the heap.
    const of = (name: 'cpuMs' | 'elapsedMs' | 'moreMb' | 'lagMs') =>
      name === 'moreMb' ? Math.max(...taken.map(({ moreMb }) => moreMb)) : median(taken.slice(1).map((one) => one[name]));
    const figures = {
      'CPU ms': Math.round(of('cpuMs')),
      'elapsed ms': Math.round(of('elapsedMs')),
      'more MB': Math.round(of('moreMb')),
      'lag ms': round(of('lagMs')),
    };
    rows[`${size.toLocaleString('en')} tasks`] = figures;
    if (size === 100_000)
      goals.push(...bounds(size, of, 1, 64), {
        text: '100,000 tasks: lag of the event loop, ms',
        value: of('lagMs'),
        want: 'at most',
        bound: 25,
      });
    if (size === 1_000_000) goals.push(...bounds(size, of, 8, 256));
  }
  const waiting = await computeWaiting(url);
  rows['100,000 tasks, a tenth waits, all away at times'] = { 'CPU ms': Math.round(waiting) };
  goals.push({ text: '100,000 tasks with dependencies and absences: CPU, s', value: waiting / 1_000, want: 'at most', bound: 1 });
  console.log(`\nComputing a forecast of ${PEOPLE} people in a worker`);
  console.table(rows);
  return goals;
}

function bounds(size: number, of: (name: 'cpuMs' | 'moreMb') => number, seconds: number, megabytes: number): Goal[] {
  const tasks = `${size.toLocaleString('en')} tasks`;
  return [
    { text: `${tasks}: CPU, s`, value: of('cpuMs') / 1_000, want: 'at most', bound: seconds },
    { text: `${tasks}: memory above the start, MB`, value: of('moreMb'), want: 'at most', bound: megabytes },
  ];
}

async function compute(url: string, forecastId: number, times: number) {
  const runner: Spawned = spawnNode(
    [...memoryOf.worker, '--expose-gc', 'test/bench/forecastRunner.ts', String(forecastId), String(times)],
    {
      env: { DATABASE_URL: url, NODE_ENV: 'production' },
    },
  );
  return JSON.parse(await runner.line(/"taken"/, 600_000)) as {
    taken: { cpuMs: number; elapsedMs: number; moreMb: number; lagMs: number }[];
  };
}

/** A workspace of open, assigned tasks. Returns the id of its forecast. */
async function workspaceOf(url: string, tasks: number): Promise<number> {
  const { accountId, workspaceId } = await makePeopled(url, tasks, PEOPLE);
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query(
      `insert into capacity_forecasts (account_id, scope_key, workspace_id, workspace_ids, week)
       values ($1, $2::text, $3::bigint, array[$3::bigint], date_trunc('week', current_date)::date) returning id`,
      [accountId, String(workspaceId), workspaceId],
    );
    return Number(rows[0].id);
  } finally {
    await client.end();
  }
}
