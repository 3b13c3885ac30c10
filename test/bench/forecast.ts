/** Capacity: reading a snapshot against reading an item, computing one, the effect on writers, and what-if. LARGE=1 also computes a million
 *  tasks. */
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf } from '../../src/start/services.ts';
import { makeBulk } from '../support/bulk.ts';
import { Fixtures } from '../support/restWorld.ts';
import type { Bench, Server } from './bench.ts';
import type { Call, Reply } from './load.ts';
import { atLeast, atMost, compare, type Goal, median, round } from './measure.ts';
import { makePeopled } from './peopled.ts';
import { capacityOf, forecastTag, get, getItem, type Revise, same, saves } from './places.ts';

const PEOPLE = 200;
const SMALL = 20;

export async function forecast(bench: Bench): Promise<Goal[]> {
  const url = await bench.database();
  const worker = await bench.worker(url);
  const web = await bench.web(url);
  const goals = [...(await reads(bench, url, web)), ...(await writes(bench, url, web))];
  worker.kill('SIGTERM');
  await worker.exit();
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
  let last = await send(web, revise(0, undefined));
  for (let n = 0; n < (bench.quick ? 3 : 20); n++) {
    const tag = await forecastTag(web, bulk);
    last = await send(web, revise(0, last));
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

async function send({ port }: Server, { method, path, headers, body }: Call): Promise<Reply> {
  const init = { method, headers: { ...headers, 'Content-Type': 'application/json' }, ...(body ? { body } : {}) };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, init);
  return { status: answer.status, body: await answer.text() };
}

/** Of open, assigned tasks; then with dependencies across people and ten absences of each. */
async function computation(bench: Bench, url: string, tasks: number): Promise<Goal[]> {
  const { accountId, workspaceId } = await makePeopled(url, tasks, PEOPLE);
  const client = await bench.client(url);
  const { rows } = await client.query(
    `insert into capacity_forecasts (account_id, scope_key, workspace_id, workspace_ids, week)
     values ($1, $2::text, $3::bigint, array[$3::bigint], date_trunc('week', current_date)::date) returning id`,
    [accountId, String(workspaceId), workspaceId],
  );
  const compute = async () => {
    const args = [...memoryOf.worker, '--expose-gc', 'test/bench/forecastRunner.ts', rows[0].id, bench.quick ? '2' : '4'];
    const runner = bench.start(args, { env: { DATABASE_URL: url, NODE_ENV: 'production' } });
    return JSON.parse(await runner.line(/"cpuSeconds"/, 600_000)) as { cpuSeconds: number; moreMb: number; lagMs: number };
  };
  const plain = await compute();
  await client.query(
    `insert into item_dependencies (account_id, workspace_id, item_id, blocker_id, lag_days)
     select account_id, workspace_id, id, lag(id, 7) over (order by id), id % 3 from items
     where workspace_id = $1 and type = 'task' and not closed order by id offset 7 limit 10000`,
    [workspaceId],
  );
  await client.query(
    `insert into absences (account_id, user_id, first_day, last_day, half, reason, shared)
     select u.account_id, u.id, current_date + 40 * n, current_date + 40 * n + 4, n % 2 = 0, '', false
     from users u cross join generate_series(1, 10) n where u.account_id = $1`,
    [accountId],
  );
  const waiting = await compute();
  const what = `${tasks.toLocaleString('en')} tasks and ${PEOPLE} people`;
  const [seconds, megabytes] = tasks > 100_000 ? [8, 256] : [1, 64];
  return [
    atMost(`${what}: CPU, s`, plain.cpuSeconds, seconds),
    atMost(`${what}: added memory, MB`, plain.moreMb, megabytes),
    atMost(`${what}: longest block of the event loop, ms`, plain.lagMs, 25),
    atMost(`${what}, with dependencies and absences: CPU, s`, waiting.cpuSeconds, seconds),
  ];
}

/** The CPU of a reader's answers after changes that they try. */
export async function whatIf(bench: Bench): Promise<Goal[]> {
  const url = await bench.database();
  const { workspaceId, userId, firstTaskId } = await makePeopled(url, bench.quick ? 500 : 2_000, 40);
  const fixtures = new Fixtures(url);
  const headers = { Cookie: `JSESSIONID=${await fixtures.session(userId)}` };
  await fixtures.close();
  const web = await bench.web(url);
  const tasks = Array.from({ length: 20 }, (_, n) => `&e${firstTaskId + n}=${70 + n}&d${firstTaskId + n}=2027-03-01`).join('');
  const tried = { 'nothing tried': '', 'an estimate': `&e${firstTaskId}=77`, 'twenty tasks and hours': `&h${userId}=12${tasks}` };
  const found = await compare(
    bench,
    'What if, of 2,000 tasks and 40 people, one reader',
    Object.entries(tried).map(([name, query]) => ({
      ...{ name, web, calls: same(get(`/capacity/what-if?workspaceId=${workspaceId}${query}`, headers)) },
    })),
    { connections: 1, rounds: 7 },
  );
  return Object.entries(found).map(([name, cost]) =>
    atMost(`what if, ${name}: CPU of web and PostgreSQL, ms`, round((cost.web + cost.database) / 1_000), 300),
  );
}
