/** `npm run bench -- scale`: one and two web processes, one and two workers, on one PostgreSQL. On two cores the rates can't double,
 *  because the load shares them. Constant CPU per request and per job shows that processes don't slow each other. */
import pg from 'pg';
import { memoryOf } from '../../src/start/services.ts';
import { type Bulk, makeBulk } from '../support/bulk.ts';
import { connect, openToAgents } from '../support/mcpWorld.ts';
import { type Spawned, spawnNode } from '../support/processes.ts';
import { Fixtures } from '../support/restWorld.ts';
import { type Caller, load } from './load.ts';
import { cpuOfChildren, cpuSeconds, round } from './measure.ts';
import { newTitle, saves } from './saves.ts';
import { benchDatabase, type Server, startWebProcess } from './servers.ts';

const SECONDS = 4;
const CONNECTIONS = 8;
const JOBS = 4_000;

/** CPU seconds of PostgreSQL's living processes. None of them ends while we measure. */

interface Kind {
  name: string;
  calls(web: number): Caller;
}

async function kindsOf(url: string, bulk: Bulk): Promise<Kind[]> {
  const fixtures = new Fixtures(url);
  await openToAgents(fixtures, bulk.workspaceId);
  const { key } = await connect(fixtures, bulk.userId, { workspaces: [bulk.workspaceId] });
  const session = await fixtures.session(bulk.userId);
  await fixtures.close();
  const { workspaceId, lastTaskId } = bulk;
  const rest = { 'X-API-Key': bulk.key };
  const agent = { Authorization: `Bearer ${key}`, Accept: 'application/json, text/event-stream' };
  const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'svc_get_item', arguments: { id: lastTaskId } } };
  let n = 0;
  return [
    {
      name: 'GET /item',
      calls: () => () => ({ method: 'GET', path: `/api/v1/item?workspaceId=${workspaceId}&id=${lastTaskId}`, headers: rest }),
    },
    {
      name: 'POST /items/save',
      calls: (web) => saves(bulk, 100 + web * CONNECTIONS, (record) => newTitle(record, n++)),
    },
    { name: 'svc_get_item', calls: () => () => ({ method: 'POST', path: '/mcp', headers: agent, body: JSON.stringify(rpc) }) },
    {
      name: 'a page of work',
      calls: () => () => ({ method: 'GET', path: `/workspaces/${workspaceId}`, headers: { Cookie: `JSESSIONID=${session}` } }),
    },
  ];
}

async function measureWebs(webs: Server[], { name, calls }: Kind, postmaster: number) {
  const cpu = () => webs.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
  const run = (seconds: number) =>
    Promise.all(webs.map(({ port }, web) => load(port, calls(web), { connections: CONNECTIONS / webs.length, seconds })));
  await run(2);
  const before = [cpu(), cpuOfChildren(postmaster)] as const;
  const results = await run(SECONDS);
  const requests = results.reduce((sum, result) => sum + result.requests, 0);
  const strange = results.flatMap(({ statuses }) => Object.keys(statuses)).filter((status) => status !== '200');
  if (strange.length) throw new Error(`${name} answered ${strange}`);
  return {
    'req/s': Math.round(requests / SECONDS),
    'web CPU µs': Math.round(((cpu() - before[0]) * 1e6) / requests),
    'PostgreSQL CPU µs': Math.round(((cpuOfChildren(postmaster) - before[1]) * 1e6) / requests),
    'p99 ms': round(Math.max(...results.map(({ p99 }) => p99))),
  };
}

/** Short jobs (reminders of deleted blocks): the throughput of the queue itself. */
async function measureWorkers(url: string, count: number, postmaster: number) {
  const client = new pg.Client(url);
  await client.connect();
  const workers: Spawned[] = Array.from({ length: count }, () =>
    spawnNode([...memoryOf.worker, 'workers/index.ts'], {
      env: { DATABASE_URL: url, SECRET_KEY: 'bench'.repeat(8), NODE_ENV: 'production' },
    }),
  );
  await Promise.all(workers.map((worker) => worker.log({ msg: 'listening' })));
  const cpu = () => workers.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
  const before = [cpu(), cpuOfChildren(postmaster)] as const;
  await client.query(
    `select count(*) from graphile_worker.add_jobs(array(
       select ('remind_plan_block', json_build_object('blockId', 1e9 + n, 'edge', 'start'), null, now(), null, null, null, null)::graphile_worker.job_spec
       from generate_series(1, $1::int) n))`,
    [JOBS],
  );
  const started = performance.now();
  const left = async () =>
    (await client.query('select count(*)::int as n from graphile_worker._private_jobs where attempts = 0 or locked_at is not null')).rows[0]
      .n;
  while ((await left()) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  const seconds = (performance.now() - started) / 1000;
  const figures = {
    'jobs/s': Math.round(JOBS / seconds),
    'worker CPU µs': Math.round(((cpu() - before[0]) * 1e6) / JOBS),
    'PostgreSQL CPU µs': Math.round(((cpuOfChildren(postmaster) - before[1]) * 1e6) / JOBS),
  };
  for (const worker of workers) worker.kill('SIGTERM');
  await Promise.all(workers.map((worker) => worker.exit()));
  await client.end();
  return figures;
}

export async function scale(adminUrl: string, postmaster: number): Promise<void> {
  const url = await benchDatabase(adminUrl, 'bench_scale');
  const kinds = await kindsOf(url, await makeBulk(url, 10_000));
  const webs = await Promise.all([startWebProcess(url), startWebProcess(url)]);
  const rows: Record<string, object> = {};
  for (const kind of kinds) {
    for (const count of [1, 2]) rows[`${kind.name}, ${count} web`] = await measureWebs(webs.slice(0, count), kind, postmaster);
  }
  console.log('\nWeb processes on one database, 10,000 items');
  console.table(rows);
  await Promise.all(webs.map((web) => web.stop()));
  console.log('\nWorkers on one database');
  console.table({ '1 worker': await measureWorkers(url, 1, postmaster), '2 workers': await measureWorkers(url, 2, postmaster) });
}
