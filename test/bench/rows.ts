/** `npm run bench -- rows`: PostgreSQL's cost of a call in a workspace of ROWS items (1,000,000 if unset) against one of 1,000. With
 *  WORKSPACES=500: that many workspaces of ROWS / 500 in one account, queried without naming one where a call allows it (NAMED=1: naming
 *  one). Then an import of IMPORT items (ROWS if unset, 0: none). CALLS=overdue,search runs only these. */

import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { memoryOf } from '../../src/start/services.ts';
import { addOwner, type Bulk, makeBulk, withoutIndexes } from '../support/bulk.ts';
import { cheapestFolder, temporaryFolder } from '../support/disposable.ts';
import { connect, openToAgents } from '../support/mcpWorld.ts';
import { childrenOf, isAlive, spawnNode } from '../support/processes.ts';
import { Fixtures } from '../support/restWorld.ts';
import { type Call, load } from './load.ts';
import { mostMegabytes, round } from './measure.ts';
import { benchDatabase, type Server, settingsOf, startWebProcess } from './servers.ts';

const SMALL = 1_000;
const LARGE = Number(process.env.ROWS ?? 1_000_000);
const WORKSPACES = Number(process.env.WORKSPACES ?? 1);
/** Name one of many workspaces, as REST does. */
const NAMED = Boolean(process.env.NAMED);
const CONNECTIONS = 4;
const ROUNDS = 3;
const SECONDS = 1;
const HOUR_MS = 3_600_000;

interface Place {
  bulk: Bulk;
  agent: string;
  cookie: string;
  web: Server;
  /** The ETag of the first workspace's forecast. */
  tag: string;
}

export async function rows(adminUrl: string, postmaster: number): Promise<void> {
  const places = [await startPlace(adminUrl, SMALL, 1), await startPlace(adminUrl, LARGE / WORKSPACES, WORKSPACES)] as const;
  try {
    await compareAll(places, postmaster);
  } finally {
    for (const { web } of places) await web.stop();
  }
  await importing(adminUrl);
}

async function startPlace(adminUrl: string, each: number, workspaces: number): Promise<Place> {
  const name = `bench_rows_${each}_${workspaces}`;
  const url = await benchDatabase(adminUrl, name);
  const started = performance.now();
  const bulk = await makeBulk(url, each);
  const fixtures = new Fixtures(url);
  const client = new pg.Client(url);
  await client.connect();
  const all = [bulk.workspaceId, ...(await repeat(client, bulk, workspaces - 1))];
  await fillChanges(client, bulk);
  await client.query('vacuum analyze');
  for (const workspaceId of all) await openToAgents(fixtures, workspaceId);
  const { key } = await connect(fixtures, bulk.userId, { workspaces: all });
  const cookie = `JSESSIONID=${await fixtures.session(bulk.userId)}`;
  await fixtures.close();
  console.log(`${workspaces} x ${each} items made in ${Math.round((performance.now() - started) / 1000)} s`);
  const web = await startWebProcess(url);
  const tag = await computeForecast(url, web, bulk);
  await client.end();
  return { bulk, agent: key, cookie, tag, web };
}

const capacityOf = ({ key, workspaceId }: Bulk, tag?: string) => ({
  method: 'GET' as const,
  path: `/api/v1/capacity?workspaceId=${workspaceId}`,
  headers: { 'X-API-Key': key, ...(tag ? { 'If-None-Match': tag } : {}) },
});

/** Computes by a worker that then exits. Resolves to the forecast's ETag. */
async function computeForecast(url: string, web: Server, bulk: Bulk): Promise<string> {
  const worker = spawnNode([...memoryOf.worker, 'workers/index.ts'], { env: settingsOf(url), unheard: true });
  try {
    for (;;) {
      const { path, headers } = capacityOf(bulk);
      const answer = await fetch(`http://127.0.0.1:${web.port}${path}`, { headers });
      await answer.arrayBuffer();
      if (answer.status === 200) return answer.headers.get('etag')!;
      if (answer.status !== 503) throw new Error(`GET /capacity answered ${answer.status}`);
    }
  } finally {
    worker.kill('SIGTERM');
    await worker.exit();
  }
}

const links = ['parent_id', 'parent_item_id', 'requirement_id', 'release_id', 'goal_id'];

/** Copies the items into further workspaces with new ids. */
async function repeat(client: pg.Client, { accountId, userId, workspaceId }: Bulk, times: number): Promise<number[]> {
  if (times === 0) return [];
  const made = await client.query(
    `insert into workspaces (account_id, name) select $1, 'Bulk ' || n from generate_series(1, $2::int) n returning id`,
    [accountId, times],
  );
  const ids = made.rows.map(({ id }) => Number(id));
  for (const id of ids) await addOwner(client, { accountId, userId, workspaceId: id });
  const [{ names, span }] = (
    await client.query(
      `select array_agg(column_name::text) as names, (select max(id) from items) as span from information_schema.columns
       where table_name = 'items' and is_generated = 'NEVER' and column_name not in ('id', 'workspace_id')`,
    )
  ).rows;
  const copied = names.map((name: string) => (links.includes(name) ? `i.${name} + w.n * ${span}` : `i.${name}`));
  await client.query('begin; set local session_replication_role = replica');
  await withoutIndexes(client, ['items', 'item_texts'], async () => {
    await client.query(
      `insert into items (id, workspace_id, ${names}) overriding system value
       select i.id + w.n * ${span}, w.id, ${copied} from unnest($2::bigint[]) with ordinality w (id, n), items i where i.workspace_id = $1`,
      [workspaceId, ids],
    );
    await client.query(
      `insert into item_texts (account_id, workspace_id, item_id, words)
       select t.account_id, w.id, t.item_id + w.n * ${span}, t.words
       from unnest($2::bigint[]) with ordinality w (id, n), item_texts t where t.workspace_id = $1`,
      [workspaceId, ids],
    );
  });
  await client.query('commit');
  return ids;
}

/** Adds `each` changes for each item of the account, as updates leave them. */
export async function fillChanges(client: pg.Client, { accountId, userId }: Bulk, each = 1): Promise<void> {
  // Without foreign key checks.
  await client.query('begin; set local session_replication_role = replica');
  await withoutIndexes(client, ['changes'], () =>
    client.query(
      `insert into changes (account_id, workspace_id, item_id, actor_id, via, kind, version, fields)
       select $1, i.workspace_id, i.id, $2, 'rest', 'item.updated', 1 + n, '{"title": ["Before", "After"]}'
       from items i, generate_series(1, $3::int) n where i.account_id = $1`,
      [accountId, userId, each],
    ),
  );
  await client.query('commit');
}

function callsOf({ bulk, agent, cookie, tag }: Place): Record<string, Call> {
  const { workspaceId, firstTaskId, lastTaskId, userId } = bulk;
  const count = lastTaskId - firstTaskId + 1;
  const requirement = firstTaskId - Math.max(1, Math.floor(count / 100));
  const release = requirement - Math.max(1, Math.floor(count / 1000));
  const after = Math.floor((firstTaskId + lastTaskId) / 2);
  const get = (path: string): Call => ({ method: 'GET', path: `/api/v1/${path}`, headers: { 'X-API-Key': bulk.key } });
  const find = (given: object): Call => ({
    method: 'POST',
    path: '/mcp',
    headers: { Authorization: `Bearer ${agent}`, Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'svc_find_work', arguments: { ...(WORKSPACES === 1 || NAMED ? { workspaceId } : {}), assignee: 'all', ...given } },
    }),
  });
  // Where a filter finds fewer than 50 in 1,000 items, query as many in the larger workspace.
  return {
    'GET /item': get(`item?workspaceId=${workspaceId}&id=${after}`),
    'GET /items': get(`items?workspaceId=${workspaceId}&limit=50`),
    'GET /items, from the middle': get(`items?workspaceId=${workspaceId}&limit=50&after=${after}`),
    'GET /changes': get(`changes?workspaceId=${workspaceId}&after=0&limit=50`),
    'GET /capacity, 304': capacityOf(bulk, tag),
    'page of capacity': { method: 'GET', path: `/capacity?workspaceId=${workspaceId}`, headers: { Cookie: cookie } },
    find_work: find({}),
    '… from the middle': find({ afterId: after }),
    '… mine': find({ assignee: 'me' }),
    '… of a person': find({ assignee: userId }),
    '… unassigned': find({ assignee: 'unassigned' }),
    '… one status': find({ status: 'planned' }),
    '… closed (there is none)': find({ status: 'closed' }),
    '… statusKey': find({ statusKey: 'planned' }),
    '… priorityKey': find({ priorityKey: 'normal' }),
    '… type': find({ type: 'requirement', limit: 10 }),
    '… requirementId': find({ requirementId: requirement }),
    '… releaseId': find({ releaseId: release }),
    '… underId': find({ underId: release }),
    '… ids': find({ ids: Array.from({ length: 50 }, (_, n) => firstTaskId + n) }),
    '… next 7 days': find({ dueWindow: 'next7Days', limit: 15 }),
    '… overdue': find({ dueWindow: 'overdue' }),
    '… a day': find({ dueFrom: '2026-12-01', dueTo: '2026-12-01', limit: 2 }),
    '… search, common': find({ search: 'task 7' }),
    '… search, one hit': find({ search: `number ${count - 1}` }),
    '… search, a number': find({ search: `#${after}` }),
    '… search in notes': find({ search: 'comment 2', searchIn: 'all' }),
  };
}

/** Alternates after a warm-up. Takes the lower round, because other load on the machine only adds. */
async function compareAll(places: readonly [Place, Place], postmaster: number): Promise<void> {
  const [small, large] = places.map(callsOf);
  const table: Record<string, object> = {};
  const beyond: string[] = [];
  const wanted = process.env.CALLS?.split(',') ?? [''];
  for (const name of Object.keys(small!).filter((one) => wanted.some((part) => one.includes(part)))) {
    const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let turn = -1; turn < ROUNDS; turn++) {
      for (const [n, calls] of [small!, large!].entries()) {
        if (least[n] === REFUSED) continue;
        const cost = await costOf(places[n]!.web, calls[name]!, postmaster);
        if (turn >= 0 || cost === REFUSED) least[n] = Math.min(least[n]!, cost);
      }
    }
    const ratio = least[1]! / least[0]!;
    console.log(`${name}: ${round(least[0]!)} µs, ${round(least[1]!)} µs, x ${round(ratio)}`);
    table[name] = { '1,000: µs': Math.round(least[0]!), [`${LARGE.toLocaleString('en')}: µs`]: Math.round(least[1]!), ratio: round(ratio) };
    if (!(ratio <= 1.3) || least.includes(REFUSED)) beyond.push(`${name} ${round(ratio)}`);
  }
  console.log('\nCPU of PostgreSQL for one call');
  console.table(table);
  console.log(`Wanted at most 1.3; beyond: ${beyond.join(', ') || 'none'}`);
}

/** The statement timed out. */
const REFUSED = Number.NEGATIVE_INFINITY;

async function costOf(web: Server, call: Call, postmaster: number): Promise<number> {
  const before = cpuOf(postmaster);
  const { requests, statuses } = await load(web.port, () => call, { connections: CONNECTIONS, seconds: SECONDS });
  if ('503' in statuses) return REFUSED;
  if (Object.keys(statuses).some((status) => !['200', '304'].includes(status)))
    throw new Error(`${call.path} answered ${JSON.stringify(statuses)}`);
  // Ignores processes that began or ended meanwhile: the call's connections stay open.
  const spent = [...cpuOf(postmaster)].reduce((sum, [pid, seconds]) => sum + seconds - (before.get(pid) ?? seconds), 0);
  return (spent * 1e6) / requests;
}

/** Seconds by process, to the nanosecond, because a round may have few calls. Leaves out processes that end meanwhile, such as
 *  autovacuum's. */
function cpuOf(postmaster: number): Map<number, number> {
  const found = new Map<number, number>();
  for (const pid of childrenOf(postmaster)) {
    try {
      found.set(pid, Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e9);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return found;
}

/** Imports a file as `stint export` writes it. */
async function importing(adminUrl: string): Promise<void> {
  const count = Number(process.env.IMPORT ?? LARGE);
  if (count === 0) return;
  const file = join(temporaryFolder(cheapestFolder()), 'import.json');
  const stream = createWriteStream(file);
  stream.write('{"accounts":[{"name":"Bulk","users":[{"ref":"ana","email":"ana@rows.example","name":"Ana","accountRole":"owner"}],');
  stream.write('"workspaces":[{"ref":"w","name":"Bulk","members":[{"user":"ana","role":"owner"}],"items":[');
  for (let n = 0; n < count; n++) {
    const item = { ref: `t${n}`, type: 'task', title: `Task number ${n}`, description: 'What it is about, in a few plain words.' };
    if (!stream.write(`${n ? ',' : ''}${JSON.stringify({ ...item, fields: { assigneeId: { ref: 'ana' }, estimatedHours: n % 40 } })}`))
      await once(stream, 'drain');
  }
  stream.end(']}]}]}');
  await once(stream, 'close');
  const url = await benchDatabase(adminUrl, 'bench_rows_import');
  const started = performance.now();
  // As package.json starts it.
  const command = spawnNode(['--max-semi-space-size=4', 'src/cli.ts', 'import', file, '--json'], {
    env: { DATABASE_URL: url, SECRET_KEY: 'bench'.repeat(8) },
    unheard: true,
  });
  const exit = command.exit(HOUR_MS);
  let most = 0;
  while (isAlive(command.pid)) {
    most = Math.max(most, mostMegabytes(command.pid));
    await Promise.race([exit, new Promise((resolve) => setTimeout(resolve, 200))]);
  }
  const { code } = await exit;
  console.log(
    `\nImport of ${count.toLocaleString('en')} items: ended with ${code} after ${Math.round((performance.now() - started) / 1000)} s, at most ${Math.round(most)} MB`,
  );
}
