/** `npm run bench -- pages`: My day, a list of 50, a board, a timeline of 500 bars and an item with 50 entries, in a workspace of 1,000 and one of 200,000 items: CPU of
 *  the web process and of PostgreSQL for each page, round trips, against `GET /items?limit=50` and against the smaller workspace. */
import pg from 'pg';
import { possibleNeeds } from '../../src/access/rights.ts';
import { type Bulk, makeBulk } from '../support/bulk.ts';
import { childrenOf } from '../support/processes.ts';
import { Fixtures, startApi } from '../support/restWorld.ts';
import { capture } from './capture.ts';
import { type Caller, load } from './load.ts';
import { cpuSeconds, type Goal, median, printGoals } from './measure.ts';
import { benchDatabase, type Server, startWebProcess } from './servers.ts';

const SMALL = 1_000;
const LARGE = 200_000;
const ROUNDS = 5;
const SECONDS = 2;
const CONNECTIONS = 4;
const LIST = 'GET /items?limit=50';
const TIMELINE = 'a timeline of 500 bars';

interface Place {
  url: string;
  bulk: Bulk;
  cookie: string;
  web: Server;
}

export async function pages(adminUrl: string, postmaster: number): Promise<void> {
  const places = [await startPlace(adminUrl, SMALL), await startPlace(adminUrl, LARGE)] as const;
  try {
    const [small, large] = await measured(places, postmaster);
    const trips: Record<string, number> = {};
    // One after the other: all that this process sends is counted.
    for (const [name, path] of Object.entries(pathsOf(places[0].bulk))) trips[name] = await tripsOf(places[0], path);
    printTable(small, large, trips);
    printGoals(goalsOf(small, large, trips));
  } finally {
    for (const { web } of places) await web.stop();
  }
}

async function startPlace(adminUrl: string, size: number): Promise<Place> {
  const url = await benchDatabase(adminUrl, `bench_pages_${size}`);
  const bulk = await makeBulk(url, size);
  const fixtures = new Fixtures(url);
  const cookie = `JSESSIONID=${await fixtures.session(bulk.userId)}`;
  await fixtures.close();
  await fill(url, bulk);
  return { url, bulk, cookie, web: await startWebProcess(url) };
}

/** What a person of such a place has about them: work in all statuses, 30 things to do and decide, an item with 25 comments and 25 changes. */
async function fill(url: string, { accountId, workspaceId, userId, firstTaskId, lastTaskId }: Bulk): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  const run = (text: string, values: unknown[]) => client.query(text, values);
  await run('set session_replication_role = replica', []);
  await run(
    `update items set status = k.status, status_key = k.key, due_date = items.due_date + 180,
       assignee_id = case when items.id < $2 + 30 then $3::bigint end
     from statuses k
     where items.workspace_id = $1 and items.type = 'task' and k.workspace_id = $1
       and k.key = (array['planned', 'in_progress', 'in_review', 'done'])[1 + items.id % 4]`,
    [workspaceId, firstTaskId, userId],
  );
  await run(
    `insert into comments (account_id, workspace_id, item_id, author_id, body) select $1, $2, $3, $4, 'Comment ' || n from generate_series(1, 50) n`,
    [accountId, workspaceId, lastTaskId, userId],
  );
  // The same plan at either size: what is beyond 500 bars is not shown, and what has no dates stands apart.
  await run(
    `update items set target_date = current_date + 1000 + (id % 900)::int where workspace_id = $1 and type in ('release', 'requirement')`,
    [workspaceId],
  );
  await run(
    `insert into items (account_id, workspace_id, type, title, description, status, status_key, needs, start_date, target_date)
     select $1, $2, 'milestone', 'Milestone ' || n, '', 'planned', 'planned', ${possibleNeeds('milestone')[0]!}, current_date - 30 + n / 5,
       current_date - 20 + n / 4 from generate_series(1, 510) n`,
    [accountId, workspaceId],
  );
  await client.query('vacuum analyze');
  await client.end();
}

const pathsOf = ({ workspaceId, lastTaskId }: Bulk): Record<string, string> => ({
  'My day': '/',
  'a list of 50': `/workspaces/${workspaceId}?type=task`,
  'a list of 50, later page': `/workspaces/${workspaceId}?type=task&group=none&after=${middle}`,
  'a board': `/workspaces/${workspaceId}?type=task&view=board`,
  [TIMELINE]: `/workspaces/${workspaceId}?view=timeline`,
  'an item with 50 entries': `/workspaces/${workspaceId}/items/${lastTaskId}`,
});
/** Behind half a year of due days (overviews/workList/cursor.ts). */
const middle = Buffer.from(JSON.stringify([1, '', 0, '', '2026-12-28', -2, 1])).toString('base64url');

function callsOf({ bulk, cookie }: Place): Record<string, Caller> {
  const { workspaceId, firstTaskId, lastTaskId, key } = bulk;
  const after = Math.floor((firstTaskId + lastTaskId) / 2);
  const shown = Object.entries(pathsOf(bulk)).map(([name, path]): [string, Caller] => [
    name,
    () => ({ method: 'GET', path, headers: { Cookie: cookie } }),
  ]);
  const list: Caller = () => ({
    method: 'GET',
    path: `/api/v1/items?workspaceId=${workspaceId}&after=${after}&limit=50`,
    headers: { 'X-API-Key': key },
  });
  return Object.fromEntries([[LIST, list], ...shown]);
}

interface Cost {
  web: number;
  database: number;
}
type Costs = Record<string, Cost>;

/** In turns, small and large, after a warm-up each: minutes apart the machine itself is another. */
async function measured(places: readonly [Place, Place], postmaster: number): Promise<[Costs, Costs]> {
  const samples = places.map(() => ({}) as Record<string, Cost[]>);
  for (let round = -1; round < ROUNDS; round++) {
    for (const name of Object.keys(callsOf(places[0]))) {
      for (const [n, place] of places.entries()) {
        const cost = await costOf(place.web, callsOf(place)[name]!, postmaster, round < 0 ? 3 : SECONDS);
        if (round >= 0) samples[n]![name] = [...(samples[n]![name] ?? []), cost];
      }
    }
  }
  const middleOf = (all: Cost[]): Cost => ({
    web: median(all.map(({ web }) => web)),
    database: median(all.map(({ database }) => database)),
  });
  return samples.map((one) => Object.fromEntries(Object.entries(one).map(([name, all]) => [name, middleOf(all)]))) as [Costs, Costs];
}

async function costOf(web: Server, calls: Caller, postmaster: number, seconds: number): Promise<Cost> {
  const database = () => childrenOf(postmaster).reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  const before = [cpuSeconds(web.pid), database()] as const;
  const { requests, statuses } = await load(web.port, calls, { connections: CONNECTIONS, seconds });
  const strange = Object.keys(statuses).filter((status) => status !== '200');
  if (strange.length) throw new Error(`answered ${JSON.stringify(statuses)}`);
  return { web: ((cpuSeconds(web.pid) - before[0]) * 1e6) / requests, database: ((database() - before[1]) * 1e6) / requests };
}

/** Counted in this process, by what it sends. */
async function tripsOf({ url, cookie }: Place, path: string): Promise<number> {
  const api = await startApi(url);
  const address = api.base.replace(/\/api\/v1$/, '') + path;
  const ask = async () => {
    const answer = await fetch(address, { headers: { Cookie: cookie, 'X-Forwarded-Proto': 'https' } });
    await answer.text();
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
  };
  await ask();
  const { length } = await capture(ask);
  await api.close();
  return length;
}

const sum = ({ web, database }: Cost) => web + database;

function printTable(small: Costs, large: Costs, trips: Record<string, number>): void {
  const floor = sum(small[LIST]!);
  const rows = Object.keys(small).map((name) => {
    const [few, many] = [small[name]!, large[name]!];
    return [
      name,
      {
        'web µs': Math.round(few.web),
        'PostgreSQL µs': Math.round(few.database),
        'web µs, 200,000': Math.round(many.web),
        'PostgreSQL µs, 200,000': Math.round(many.database),
        'round trips': trips[name] ?? '',
        [`x ${LIST}`]: Math.round((sum(few) / floor) * 100) / 100,
      },
    ];
  });
  console.log('\nPages at 1,000 and 200,000 items');
  console.table(Object.fromEntries(rows));
}

function goalsOf(small: Costs, large: Costs, trips: Record<string, number>): Goal[] {
  return Object.keys(trips).flatMap((name): Goal[] => [
    { text: `${name}: round trips`, value: trips[name]!, want: 'at most', bound: 2 },
    // Ten times as many rows as a list has, and half of what these would cost.
    {
      text: `${name}: CPU against ${LIST}`,
      value: sum(large[name]!) / sum(large[LIST]!),
      want: 'at most',
      bound: name === TIMELINE ? 20 : 4,
    },
    { text: `${name}: 200,000 items against 1,000, CPU`, value: sum(large[name]!) / sum(small[name]!), want: 'at most', bound: 1.15 },
  ]);
}
