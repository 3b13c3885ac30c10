/** `npm run bench -- long`: a web process and a worker under a mixed load at half of what they can do, for MINUTES (60 when unset): whether
 *  memory stays, how long answers take, and whether autovacuum keeps up with the queue's tables. */
import pg from 'pg';
import { memoryOf } from '../../src/start/services.ts';
import { type Bulk, makeBulk } from '../support/bulk.ts';
import { connect, openToAgents } from '../support/mcpWorld.ts';
import { spawnNode } from '../support/processes.ts';
import { Fixtures } from '../support/restWorld.ts';
import { type Caller, load } from './load.ts';
import { type Goal, printGoals, residentMegabytes, round } from './measure.ts';
import { newTitle, saves } from './saves.ts';
import { benchDatabase, settingsOf, startWebProcess } from './servers.ts';

const MINUTES = Number(process.env.MINUTES ?? 60);
const CONNECTIONS = 8;
const ITEMS = 10_000;
/** Memory is let settle so long, or for a third of a shorter run. */
const SETTLED_AFTER = Math.min(10, MINUTES / 3);

interface Minute {
  minute: number;
  'req/s': number;
  'p50 ms': number;
  'p99 ms': number;
  'web MB': number;
  'worker MB': number;
  jobs: number;
  'dead rows': number;
}

export async function long(adminUrl: string): Promise<void> {
  const url = await benchDatabase(adminUrl, 'bench_long');
  const bulk = await makeBulk(url, ITEMS);
  const calls = await mixOf(url, bulk);
  const web = await startWebProcess(url);
  const worker = spawnNode([...memoryOf.worker, 'workers/index.ts'], { env: settingsOf(url), unheard: true });
  const client = new pg.Client(url);
  await client.connect();
  try {
    await load(web.port, calls(), { connections: CONNECTIONS, seconds: 10 });
    const most = await load(web.port, calls(), { connections: CONNECTIONS, seconds: 10 });
    requireAnswers(most.statuses);
    const perSecond = most.requests / most.seconds / 2;
    console.log(`\nMixed load: ${Math.round(perSecond * 2)} a second at most, ${Math.round(perSecond)} for ${MINUTES} minutes`);
    const minutes: Minute[] = [];
    for (let minute = 1; minute <= MINUTES; minute++) {
      const { requests, seconds, p50, p99, statuses } = await load(web.port, calls(), { connections: CONNECTIONS, seconds: 60, perSecond });
      requireAnswers(statuses);
      minutes.push({
        minute,
        'req/s': Math.round(requests / seconds),
        'p50 ms': round(p50),
        'p99 ms': round(p99),
        'web MB': Math.round(residentMegabytes(web.pid)),
        'worker MB': Math.round(residentMegabytes(worker.pid)),
        ...(await queueState(client)),
      });
    }
    console.table(minutes);
    printGoals(goalsOf(minutes));
  } finally {
    await client.end();
    worker.kill('SIGKILL');
    await worker.exit();
    await web.stop();
  }
}

function requireAnswers(statuses: Record<number, number>): void {
  if (Object.keys(statuses).some((status) => status !== '200')) throw new Error(`answered ${JSON.stringify(statuses)}`);
}

/** Of twenty calls: reads, lists, saves, notes, agents and pages. */
async function mixOf(url: string, bulk: Bulk): Promise<() => Caller> {
  const fixtures = new Fixtures(url);
  await openToAgents(fixtures, bulk.workspaceId);
  const { key } = await connect(fixtures, bulk.userId, { workspaces: [bulk.workspaceId] });
  const cookie = { Cookie: `JSESSIONID=${await fixtures.session(bulk.userId)}` };
  await fixtures.close();
  const { workspaceId, firstTaskId } = bulk;
  let notes = 0;
  const rest = { 'X-API-Key': bulk.key };
  const agent = { Authorization: `Bearer ${key}`, Accept: 'application/json, text/event-stream' };
  const find = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'svc_find_work', arguments: { workspaceId, search: 'number 77' } },
  };
  const get =
    (path: string, headers: Record<string, string> = rest): Caller =>
    () => ({ method: 'GET', path, headers });
  return () => {
    const save = saves(bulk, 100, newTitle);
    const item = get(`/api/v1/item?workspaceId=${workspaceId}&id=${firstTaskId + 500}`);
    const list = get(`/api/v1/items?workspaceId=${workspaceId}&limit=50`);
    const found: Caller = () => ({ method: 'POST', path: '/mcp', headers: agent, body: JSON.stringify(find) });
    const note: Caller = () => ({
      method: 'POST',
      path: '/api/v1/comments',
      headers: rest,
      body: JSON.stringify({ workspaceId, id: firstTaskId + 900 + (notes++ % 1000), body: 'As we said.' }),
    });
    const page = get(`/workspaces/${workspaceId}?type=task`, cookie);
    const day = get('/', cookie);
    // A save is two calls: the item, and the item with another title.
    const order = [item, save, save, list, item, found, item, save, save, list, item, page, item, note, item, found, item, list, day, item];
    const at = Array.from({ length: CONNECTIONS }, (_, connection) => connection * 7);
    return (connection, last) => {
      const before = order[at[connection]! % order.length];
      at[connection] = at[connection]! + 1;
      const next = order[at[connection]! % order.length]!;
      // The second of a pair goes on from the answer to the first.
      return next(connection, next === save && before === save ? last : undefined);
    };
  };
}

async function queueState(client: pg.Client): Promise<Pick<Minute, 'jobs' | 'dead rows'>> {
  const { rows } = await client.query(
    `select (select count(*)::int from graphile_worker._private_jobs) as jobs,
       (select sum(n_dead_tup)::int from pg_stat_user_tables where schemaname = 'graphile_worker') as dead`,
  );
  return { jobs: rows[0].jobs, 'dead rows': rows[0].dead };
}

function goalsOf(minutes: Minute[]): Goal[] {
  const settled = minutes.filter(({ minute }) => minute > SETTLED_AFTER);
  const slope = (name: 'web MB' | 'worker MB') => 60 * slopeOf(settled.map((one) => [one.minute, one[name]]));
  return [
    { text: 'web: MB an hour', value: slope('web MB'), want: 'at most', bound: 1 },
    { text: 'worker: MB an hour', value: slope('worker MB'), want: 'at most', bound: 1 },
    { text: 'worst p99 of a minute, ms', value: Math.max(...settled.map((one) => one['p99 ms'])), want: 'at most', bound: 50 },
    {
      text: "dead rows in the queue's tables, at most",
      value: Math.max(...settled.map((one) => one['dead rows'])),
      want: 'at most',
      bound: 10_000,
    },
  ];
}

/** Least squares. */
function slopeOf(points: [number, number][]): number {
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const spread = points.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
  return spread && points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0) / spread;
}
