/** Capacity: reading a snapshot against reading an item, computing one, the effect on writers, and what-if. LARGE=1 also computes a million
 *  tasks. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { ComputingThreads } from '../../workers/computing/threads.ts';
import { makeBulk } from '../support/bulk.ts';
import { rowsAt } from '../support/rowsAt.ts';
import { type Bench, type Server, stop } from './bench.ts';
import { collectGarbage } from './heapTeller.ts';
import type { Reply } from './load.ts';
import { atLeast, atMost, compare, forgetMostMegabytes, type Goal, median, mostMegabytes, residentMegabytes } from './measure.ts';
import { makePeopled } from './peopled.ts';
import { ask, capacityOf, credentialsOf, forecastTag, get, getItem, type Revise, same, saves } from './places.ts';

const PEOPLE = 200;
const SMALL = 20;

export async function forecast(bench: Bench): Promise<Goal[]> {
  const url = await bench.database();
  const worker = await bench.worker(url);
  const web = await bench.web(url);
  const goals = [...(await reads(bench, url, web)), ...(await writes(bench, url, web))];
  await stop(worker, 'SIGTERM');
  const sizes = bench.quick ? [1_000] : [100_000, ...(process.env.LARGE ? [1_000_000] : [])];
  for (const size of sizes) goals.push(...(await computation(bench, url, size)));
  return goals;
}

async function reads(bench: Bench, url: string, web: Server): Promise<Goal[]> {
  const few = await makeBulk(url, SMALL);
  const many = await makeBulk(url, bench.quick ? 1_000 : 100_000);
  const found = await compare(bench, 'Reading a forecast', [
    { name: 'item', web, calls: same(getItem(few)) },
    { name: '304', web, calls: same(capacityOf(few, await forecastTag(web, few))) },
    { name: '304 of many', web, calls: same(capacityOf(many, await forecastTag(web, many))) },
    { name: 'whole', web, calls: same(capacityOf(few)) },
  ]);
  const cpu = (name: string, against: string) => found[name]!.web / found[against]!.web;
  return [
    atMost(`CPU of GET /capacity of ${SMALL} tasks, against GET /item`, cpu('whole', 'item'), 1.9),
    atMost('CPU of its 304, against GET /item', cpu('304', 'item'), 1),
    atMost(`CPU of a 304 with 100,000 tasks in scope, against ${SMALL}`, cpu('304 of many', '304'), 1.15),
  ];
}

const estimate: Revise = (record, n) => ({ ...record, fields: { ...(record.fields as object), estimatedHours: 1 + (n % 40) } });

/** Writes that invalidate the forecast against writes that don't, with a working worker, and the delay of the new forecast. */
async function writes(bench: Bench, url: string, web: Server): Promise<Goal[]> {
  const bulk = await makeBulk(url, 1_000);
  await forecastTag(web, bulk);
  const { other, marking } = await compare(bench, 'Writes: no effect on a forecast, and a new estimate', [
    { name: 'other', web, calls: () => saves(bulk, 0, (record, n) => ({ ...record, description: `Revised ${n}` })) },
    { name: 'marking', web, calls: () => saves(bulk, 30, estimate) },
  ]);
  const delays: number[] = [];
  const revise = saves(bulk, 60, estimate);
  let last: Reply | undefined;
  const send = async () => {
    const answer = await ask(web, revise(0, last));
    last = { status: answer.status, body: await answer.text() };
  };
  await send();
  for (let n = 0; n < (bench.quick ? 3 : 20); n++) {
    const tag = await forecastTag(web, bulk);
    await send();
    const written = performance.now();
    await forecastTag(web, bulk, tag);
    delays.push((performance.now() - written) / 1_000);
    await sleep(200);
  }
  return [
    atLeast('writes a second that mark a forecast, against others', marking!.perSecond / other!.perSecond, 0.85),
    atMost('from a write to the new forecast, median s', median(delays), 1.5),
  ];
}

/** Of open, assigned tasks, as a worker computes it. */
async function computation(bench: Bench, url: string, tasks: number): Promise<Goal[]> {
  const { accountId, workspaceId } = await makePeopled(url, tasks, PEOPLE);
  const [{ id }] = await rowsAt(
    url,
    `insert into capacity_forecasts (account_id, scope_key, workspace_id, workspace_ids, week)
     values ($1, $2::text, $3::bigint, array[$3::bigint], date_trunc('week', current_date)::date) returning id`,
    [accountId, String(workspaceId), workspaceId],
  );
  const threads = new ComputingThreads(url);
  const taken: Computation[] = [];
  for (let n = 0; n < (bench.quick ? 2 : 4); n++) taken.push(await compute(url, threads, Number(id)));
  await threads.close();
  // The first run warms up and grows the heap.
  const warm = taken.slice(1);
  const what = `${tasks.toLocaleString('en')} tasks and ${PEOPLE} people`;
  const [seconds, megabytes] = tasks > 100_000 ? [8, 256] : [1, 64];
  return [
    atMost(`${what}: CPU, s`, median(warm.map(({ cpuSeconds }) => cpuSeconds)), seconds),
    atMost(`${what}: added memory, MB`, Math.max(...taken.map(({ addedMb }) => addedMb)), megabytes),
    atMost(`${what}: longest block of the event loop, ms`, median(warm.map(({ lagMs }) => lagMs)), 25),
  ];
}

type Computation = Awaited<ReturnType<typeof compute>>;

/** Computes a forecast, and returns its cost for this process. */
async function compute(url: string, threads: ComputingThreads, forecastId: number) {
  await rowsAt(url, 'delete from capacity_snapshots where forecast_id = $1', [forecastId]);
  collectGarbage();
  const resident = residentMegabytes(process.pid);
  forgetMostMegabytes();
  const lag = monitorEventLoopDelay({ resolution: 1 });
  lag.enable();
  const used = process.cpuUsage();
  const outcome = await threads.snapshot({ forecastId, since: null }, new AbortController().signal);
  const { user, system } = process.cpuUsage(used);
  lag.disable();
  if (outcome !== 'computed') throw new Error(`The forecast is ${outcome}.`);
  // Subtracts the histogram's resolution.
  return { cpuSeconds: (user + system) / 1e6, addedMb: mostMegabytes() - resident, lagMs: Math.max(0, lag.max / 1e6 - 1) };
}

/** The CPU of a reader's answer after changes of twenty tasks and of hours. */
export async function whatIf(bench: Bench): Promise<Goal[]> {
  const url = await bench.database();
  const bulk = await makePeopled(url, bench.quick ? 500 : 2_000, 40);
  const { workspaceId, userId, firstTaskId } = bulk;
  const { cookie } = await credentialsOf(url, bulk);
  const web = await bench.web(url);
  const tasks = Array.from({ length: 20 }, (_, n) => `&e${firstTaskId + n}=${70 + n}&d${firstTaskId + n}=2027-03-01`).join('');
  const calls = same(get(`/capacity/what-if?workspaceId=${workspaceId}&h${userId}=12${tasks}`, cookie));
  const { tried } = await compare(bench, 'What if', [{ name: 'tried', web, calls }], { connections: 1, rounds: 7 });
  const milliseconds = (tried!.web + tried!.database) / 1_000;
  return [atMost('what if, of 2,000 tasks and 40 people: CPU of web and PostgreSQL, ms', milliseconds, 300)];
}
