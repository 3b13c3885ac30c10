/** The REST API against bare node:http and Koa with the same rows, and with 200,000 items against 1,000. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { hashSecret } from '../../src/access/secrets.ts';
import { connectDb } from '../../src/database/db.ts';
import { listItems } from '../../src/items/listItems.ts';
import { perform } from '../../src/operations/perform.ts';
import { type Bulk, makeBulk } from '../support/bulk.ts';
import { capture, type Statement } from './capture.ts';
import { idlePoll } from './idlePoll.ts';
import type { Caller } from './load.ts';
import { compare, type Figure, type Goal, printFigures, printGoals, residentMegabytes } from './measure.ts';
import { newTitle, saves } from './saves.ts';
import { benchDatabase, type Server, startFloors, startWebProcess } from './servers.ts';

const SMALL = 1_000;
const LARGE = 200_000;

export async function rest(adminUrl: string): Promise<void> {
  const small = await startPlace(adminUrl, SMALL);
  const large = await startPlace(adminUrl, LARGE);
  try {
    // Both servers are equally new: code that has run longer runs faster.
    const grown = await growth(small, large);
    await analyze(small.url);
    printGoals([...(await againstFloors(small)), await replay(small), await idlePoll(small.web, small.bulk), ...grown]);
    console.log(
      `Resident memory of the web processes: ${[small, large].map(({ web }) => Math.round(residentMegabytes(web.pid))).join(' and ')} MB`,
    );
  } finally {
    await small.web.stop();
    await large.web.stop();
  }
}

/** A database with a number of items, and a web process on it. */
interface Place {
  url: string;
  bulk: Bulk;
  web: Server;
}

async function startPlace(adminUrl: string, size: number): Promise<Place> {
  const url = await benchDatabase(adminUrl, `bench_rest_${size}`);
  return { url, bulk: await makeBulk(url, size), web: await startWebProcess(url) };
}

/** Does what autovacuum would have done by now. */
async function analyze(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('vacuum analyze');
  await client.end();
}

async function againstFloors({ url, bulk, web }: Place): Promise<Goal[]> {
  const floors = await startFloors(url, await floorStatements(url, bulk));
  const goals: Goal[] = [];
  try {
    for (const { name, floor, ours, bound } of rows(bulk)) {
      const figures = await compare([
        { name: 'bare node:http + pg', ...floors.bare, calls: floor },
        { name: 'Koa + pg', ...floors.koa, calls: floor },
        { name: `Stint ${name}`, ...web, calls: ours },
      ]);
      printFigures(name, figures);
      const [bare, , own] = figures as [Figure, Figure, Figure];
      if (bound) goals.push({ text: `${name} against the floor`, value: own.perSecond / bare.perSecond, want: 'at least', bound });
    }
  } finally {
    await floors.bare.stop();
  }
  return goals;
}

/** Alternates small and large, because the machine changes within minutes. */
async function growth(small: Place, large: Place): Promise<Goal[]> {
  const goals: Goal[] = [];
  const largeRows = rows(large.bulk);
  for (const [n, { name, ours }] of rows(small.bulk).entries()) {
    const figures = await compare([
      { name: `${SMALL.toLocaleString('en')} items`, ...small.web, calls: ours },
      { name: `${LARGE.toLocaleString('en')} items`, ...large.web, calls: largeRows[n]!.ours },
    ]);
    printFigures(`${name} as a place grows`, figures);
    const [few, many] = figures as [Figure, Figure];
    const text = `${name}: 200,000 items against 1,000, CPU`;
    goals.push({ text, value: many.cpuMicros / few.cpuMicros, want: 'at most', bound: 1.15 });
  }
  return goals;
}

/** A retry with a stored receipt, against a first call. */
async function replay({ web, bulk }: Place): Promise<Goal> {
  const comment = comments(bulk, { 'X-API-Key': bulk.key });
  const keyed = (keyOf: (connection: number) => string) => () => (connection: number) => {
    const call = comment(connection, undefined);
    return { ...call, headers: { ...call.headers, 'Idempotency-Key': keyOf(connection) } };
  };
  const keys = Array.from({ length: 64 }, () => randomUUID());
  const figures = await compare([
    { name: 'first calls', ...web, calls: keyed(() => randomUUID()) },
    { name: 'replays', ...web, calls: keyed((connection) => keys[connection]!) },
  ]);
  printFigures('POST /comments with an Idempotency-Key', figures);
  const [first, again] = figures as [Figure, Figure];
  return {
    text: 'a replayed POST /comments against its first call, CPU',
    value: again.cpuMicros / first.cpuMicros,
    want: 'at most',
    bound: 1,
  };
}

interface Row {
  name: string;
  floor: () => Caller;
  ours: () => Caller;
  /** Lowest allowed share of the floor's rate. */
  bound?: number;
}

function rows(bulk: Bulk): Row[] {
  const headers = { 'X-API-Key': bulk.key };
  const { workspaceId, firstTaskId, lastTaskId } = bulk;
  const middle = Math.floor((firstTaskId + lastTaskId) / 2);
  const get = (path: string) => () => () => ({ method: 'GET' as const, path: `/api/v1${path}`, headers });
  const floor = (name: string) => () => () => ({ method: 'GET' as const, path: `/${name}` });
  return [
    { name: 'GET /item', floor: floor('item'), ours: get(`/item?workspaceId=${workspaceId}&id=${lastTaskId}`), bound: 0.55 },
    {
      name: 'GET /items?limit=50',
      floor: floor('items'),
      ours: get(`/items?workspaceId=${workspaceId}&after=${middle}&limit=50`),
      bound: 0.6,
    },
    { name: 'GET /comments', floor: floor('comments'), ours: get(`/comments?workspaceId=${workspaceId}&id=${firstTaskId}`) },
    { name: 'POST /items/save', floor: () => floorSaves(bulk), ours: () => saves(bulk, 10, newTitle), bound: 0.5 },
    { name: 'POST /comments', floor: () => floorComments(bulk), ours: () => comments(bulk, headers), bound: 0.5 },
  ];
}

export function floorSaves({ firstTaskId }: Bulk): Caller {
  let count = 0;
  return (connection, last) => {
    const id = firstTaskId + 30 + connection;
    const version = last ? JSON.parse(last.body).version : null;
    return { method: 'POST', path: '/save', body: JSON.stringify([id, `Revised ${count++}`, version]) };
  };
}

function comments({ workspaceId, firstTaskId }: Bulk, headers: Record<string, string>): Caller {
  const body = JSON.stringify({ workspaceId, id: firstTaskId + 1, body: 'One more comment, a sentence long.' });
  return () => ({ method: 'POST', path: '/api/v1/comments', headers, body });
}

export function floorComments({ accountId, workspaceId, firstTaskId, userId }: Bulk): Caller {
  const body = JSON.stringify([accountId, workspaceId, firstTaskId + 1, userId, 'One more comment, a sentence long.']);
  return () => ({ method: 'POST', path: '/comment', body });
}

/** The shortest plain statements that do the same without any rule. A page's rows are serialized as ours are. */
export async function floorStatements(url: string, bulk: Bulk): Promise<Record<string, Statement>> {
  const db = await connectDb(url, 1);
  const middle = Math.floor((bulk.firstTaskId + bulk.lastTaskId) / 2);
  const [page] = await capture(() =>
    perform(db, { kind: 'key', hash: hashSecret(bulk.key) }, listItems, {
      workspaceId: bulk.workspaceId,
      type: 'task',
      after: middle,
      limit: 50,
    }),
  );
  await db.close();
  return {
    item: { text: 'select row_to_json(i)::text as json from items i where id = $1', values: [bulk.lastTaskId] },
    items: {
      text: `select string_agg(row_to_json(work)::text, ',' order by i.id) as json
             from (select * from items where workspace_id = $1 and type = 'task' and id > $2 order by id limit 51) i left join users a on a.id = i.assignee_id
             ${/cross join lateral \(select i\.id, i\.type[\s\S]*?\) work/.exec(page!.text)![0]}`,
      values: [bulk.workspaceId, middle],
    },
    comments: {
      text: `select coalesce(json_agg(json_build_object('id', id, 'body', body, 'createdAt', created_at)), '[]')::text as json
             from (select * from comments where item_id = $1 order by created_at desc, id desc limit 100) c`,
      values: [bulk.firstTaskId],
    },
    save: {
      text: `with saved as (update items set title = $2, version = version + 1 where id = $1 and version = coalesce($3, version) returning *),
             mark as (insert into capacity_marks (account_id, workspace_id) select account_id, workspace_id from saved on conflict do nothing)
             select row_to_json(saved)::text as json from saved`,
      values: [],
    },
    comment: {
      text: `insert into comments (account_id, workspace_id, item_id, author_id, body) values ($1, $2, $3, $4, $5)
             returning json_build_object('id', id, 'body', body, 'createdAt', created_at)::text as json`,
      values: [],
    },
  };
}
