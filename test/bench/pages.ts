/** `npm run bench -- pages`: My day, a list of 50, a board, a timeline of 500 bars, an item with 50 entries, capacity and a week's report,
 *  the tree of 200 goals, in a workspace of 1,000 and one of 200,000 items. Measures CPU of the web process and of PostgreSQL, round trips,
 *  and response time at 8 connections, against `GET /items?limit=50` and against the smaller workspace. */
import pg from 'pg';
import { possibleNeeds } from '../../src/access/rights.ts';
import { memoryOf } from '../../src/start/services.ts';
import { type Bulk, makeBulk } from '../support/bulk.ts';
import { spawnNode } from '../support/processes.ts';
import { Fixtures, startApi } from '../support/restWorld.ts';
import { capture } from './capture.ts';
import { type Caller, load } from './load.ts';
import { cpuOfChildren, cpuSeconds, type Goal, median, printGoals } from './measure.ts';
import { benchDatabase, type Server, settingsOf, startWebProcess } from './servers.ts';

const SMALL = 1_000;
const LARGE = 200_000;
const ROUNDS = 5;
const SECONDS = 2;
const CONNECTIONS = 4;
const LIST = 'GET /items?limit=50';
const TIMELINE = 'a timeline of 500 bars';
const GOALS = 'a tree of 200 goals';
/** Ten times as many rows as a list at half of their cost, and four times as many. */
const bounds: Record<string, number> = { [TIMELINE]: 20, [GOALS]: 16 };

export interface Place {
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
    // Sequential: all statements of this process are counted.
    for (const [name, path] of Object.entries(pathsOf(places[0].bulk))) trips[name] = await tripsOf(places[0], path);
    printTable(small, large, trips);
    printGoals(goalsOf(small, large, trips));
  } finally {
    for (const { web } of places) await web.stop();
  }
}

export async function startPlace(adminUrl: string, size: number): Promise<Place> {
  const url = await benchDatabase(adminUrl, `bench_pages_${size}`);
  const bulk = await makeBulk(url, size);
  const fixtures = new Fixtures(url);
  const cookie = `JSESSIONID=${await fixtures.session(bulk.userId)}`;
  await fixtures.close();
  await fill(url, bulk);
  const web = await startWebProcess(url);
  await computeForecast(url, web, bulk);
  return { url, bulk, cookie, web };
}

/** A typical person's content: work in all statuses, 30 things to do and decide, an item with 25 comments and 25 changes. */
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
  // The same plan at either size: bars beyond 500 are not shown, and items without dates have their own section.
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
  const colleague = await addColleague(client, { accountId, workspaceId });
  // Five entries a day are the reader's own: the report shows all entries, My day only these.
  await run(
    `with made as (
       insert into time_entries (account_id, workspace_id, user_id, item_id, kind, day, minutes)
       select $1, $2, case when n < 35 then $3::bigint else $5::bigint end, $4::bigint + n, 'manual', current_date - n % 7, 1
       from generate_series(0, 499) n returning id, user_id, day)
     insert into time_parts (account_id, workspace_id, user_id, entry_id, day, minutes) select $1, $2, user_id, id, day, 1 from made`,
    [accountId, workspaceId, userId, firstTaskId, colleague],
  );
  await addGoals(client, { accountId, workspaceId, userId: colleague, firstTaskId });
  await client.query('vacuum analyze');
  await client.end();
}

async function addColleague(client: pg.Client, { accountId, workspaceId }: Pick<Bulk, 'accountId' | 'workspaceId'>): Promise<number> {
  const { rows } = await client.query(
    `with made as (insert into users (account_id, email, name) values ($1, 'colleague@bulk.example', 'Bo Berg') returning id)
     insert into memberships (account_id, workspace_id, user_id, role) select $1, $2, id, 'member' from made returning user_id`,
    [accountId, workspaceId],
  );
  return Number(rows[0].user_id);
}

/** A tree of 200 goals, five below each, with two tasks and two recorded values of each. */
async function addGoals(
  client: pg.Client,
  { accountId, workspaceId, userId, firstTaskId }: Omit<Bulk, 'key' | 'lastTaskId'>,
): Promise<void> {
  const { rows } = await client.query(
    `insert into items (account_id, workspace_id, type, title, description, status, status_key, needs, owner_id, target, current, unit, target_date, version)
     select $1, $2, 'goal', 'Goal ' || n, '', 'in_progress', 'in_progress', ${possibleNeeds('goal')[0]!}, $3, 100, n % 100, '%', current_date + n, 3
     from generate_series(1, 200) n returning id`,
    [accountId, workspaceId, userId],
  );
  const first = Math.min(...rows.map(({ id }) => Number(id)));
  await client.query(
    `update items set parent_id = case when type = 'goal' then $2 + (id - $2 - 1) / 5 end, goal_id = case when type = 'task' then $2 + (id - $3) % 200 end
     where workspace_id = $1 and (type = 'goal' and id > $2 or type = 'task' and id >= $3 and id < $3 + 400)`,
    [workspaceId, first, firstTaskId],
  );
  await client.query(
    `insert into changes (account_id, workspace_id, item_id, actor_id, via, kind, version, fields)
     select $1, $2, $3::bigint + n / 2, $4, 'page', 'item.updated', 2 + n % 2, jsonb_build_object('current', jsonb_build_array(n, n + 1)) from generate_series(0, 399) n`,
    [accountId, workspaceId, first, userId],
  );
}

/** The forecast for the capacity page, computed by a worker that then exits, so that its jobs don't count. */
async function computeForecast(url: string, web: Server, { workspaceId, key }: Bulk): Promise<void> {
  const worker = spawnNode([...memoryOf.worker, 'workers/index.ts'], { env: settingsOf(url) });
  const call = { method: 'GET' as const, path: `/api/v1/capacity?workspaceId=${workspaceId}`, headers: { 'X-API-Key': key } };
  for (let computed = false; !computed; ) {
    const { statuses } = await load(web.port, () => call, { connections: 1, seconds: 1 });
    computed = Object.keys(statuses).join() === '200';
  }
  worker.kill('SIGTERM');
  await worker.exit();
}

const pathsOf = ({ workspaceId, lastTaskId }: Bulk): Record<string, string> => ({
  'My day': '/',
  'a list of 50': `/workspaces/${workspaceId}?type=task`,
  'a list of 50, later page': `/workspaces/${workspaceId}?type=task&group=none&after=${middle}`,
  'a board': `/workspaces/${workspaceId}?type=task&view=board`,
  [TIMELINE]: `/workspaces/${workspaceId}?view=timeline`,
  'an item with 50 entries': `/workspaces/${workspaceId}/items/${lastTaskId}`,
  capacity: `/capacity?workspaceId=${workspaceId}`,
  [GOALS]: `/workspaces/${workspaceId}?type=goal&view=tree`,
  'a report': `/reports/time?workspaceId=${workspaceId}`,
});
/** A cursor behind half a year of due days (overviews/workList/cursor.ts). */
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
  /** Median at 8 connections, in milliseconds. */
  p50: number;
}
type Costs = Record<string, Cost>;

/** Alternates small and large after a warm-up each, because the machine changes within minutes. */
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
    p50: median(all.map(({ p50 }) => p50)),
  });
  return samples.map((one) => Object.fromEntries(Object.entries(one).map(([name, all]) => [name, middleOf(all)]))) as [Costs, Costs];
}

async function costOf(web: Server, calls: Caller, postmaster: number, seconds: number): Promise<Cost> {
  const spent = () => [cpuSeconds(web.pid), cpuOfChildren(postmaster)] as const;
  const before = spent();
  const { requests, statuses } = await load(web.port, calls, { connections: CONNECTIONS, seconds });
  const after = spent();
  const strange = Object.keys(statuses).filter((status) => status !== '200');
  if (strange.length) throw new Error(`answered ${JSON.stringify(statuses)}`);
  const { p50 } = await load(web.port, calls, { connections: 8, seconds: 1 });
  const of = (which: 0 | 1) => ((after[which] - before[which]) * 1e6) / requests;
  return { web: of(0), database: of(1), p50 };
}

/** Counts the round trips of this process. */
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
        'answer at 200,000, ms': Math.round(many.p50 * 10) / 10,
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
    {
      text: `${name}: CPU against ${LIST}`,
      value: sum(large[name]!) / sum(large[LIST]!),
      want: 'at most',
      bound: bounds[name] ?? 4,
    },
    { text: `${name}: an answer at 8 connections, median ms`, value: large[name]!.p50, want: 'at most', bound: 15 },
    { text: `${name}: 200,000 items against 1,000, CPU`, value: sum(large[name]!) / sum(small[name]!), want: 'at most', bound: 1.15 },
  ]);
}
