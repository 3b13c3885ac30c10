/** The REST API against bare node:http and Koa with the same rows, at 1,000 and at 200,000 items. */
import { hashSecret } from '../../src/access/secrets.ts';
import { connectDb } from '../../src/db.ts';
import { listItems } from '../../src/items/listItems.ts';
import { perform } from '../../src/perform.ts';
import { type Bulk, makeBulk } from '../support/bulk.ts';
import { capture, type Statement } from './capture.ts';
import type { Caller } from './load.ts';
import { compare, type Figure, printFigures, printGoals, residentMegabytes } from './measure.ts';
import { newTitle, saves } from './saves.ts';
import { benchDatabase, startFloors, startWebProcess } from './servers.ts';

const sizes = [1_000, 200_000];

export async function rest(adminUrl: string): Promise<void> {
  const url = await benchDatabase(adminUrl, 'bench_rest');
  const ours: Record<string, Figure[]> = {};
  for (const size of sizes) {
    const bulk = await makeBulk(url, size);
    const web = await startWebProcess(url);
    const floors = await startFloors(url, await floorStatements(url, bulk));
    try {
      for (const row of rows(bulk)) {
        const figures = await compare([
          { name: 'bare node:http + pg', ...floors.bare, calls: row.floor },
          { name: 'Koa + pg', ...floors.koa, calls: row.floor },
          { name: `Stint ${row.name}`, ...web, calls: row.ours },
        ]);
        printFigures(`${row.name}, ${size.toLocaleString('en')} items`, figures);
        ours[row.name] = [...(ours[row.name] ?? []), ...figures];
      }
      console.log(`Resident memory of the web process: ${Math.round(residentMegabytes(web.pid))} MB`);
    } finally {
      await web.stop();
      await floors.bare.stop();
    }
  }
  goals(ours);
}

interface Row {
  name: string;
  floor: () => Caller;
  ours: () => Caller;
}

function rows(bulk: Bulk): Row[] {
  const headers = { 'X-API-Key': bulk.key };
  const { workspaceId, firstTaskId, lastTaskId } = bulk;
  const middle = Math.floor((firstTaskId + lastTaskId) / 2);
  const get = (path: string) => () => () => ({ method: 'GET' as const, path: `/api/v1${path}`, headers });
  const floor = (name: string) => () => () => ({ method: 'GET' as const, path: `/${name}` });
  return [
    { name: 'GET /item', floor: floor('item'), ours: get(`/item?workspaceId=${workspaceId}&id=${lastTaskId}`) },
    { name: 'GET /items?limit=50', floor: floor('items'), ours: get(`/items?workspaceId=${workspaceId}&after=${middle}&limit=50`) },
    { name: 'GET /comments', floor: floor('comments'), ours: get(`/comments?workspaceId=${workspaceId}&id=${firstTaskId}`) },
    { name: 'POST /items/save', floor: () => floorSaves(bulk), ours: () => saves(bulk, 10, newTitle) },
    { name: 'POST /comments', floor: () => floorComments(bulk), ours: () => comments(bulk, headers) },
  ];
}

function floorSaves({ firstTaskId }: Bulk): Caller {
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

function floorComments({ accountId, workspaceId, firstTaskId, userId }: Bulk): Caller {
  const body = JSON.stringify([accountId, workspaceId, firstTaskId + 1, userId, 'One more comment, a sentence long.']);
  return () => ({ method: 'POST', path: '/comment', body });
}

/** Plain statements that do the same without any rule: the very page statement, and the shortest ones for the rest. */
async function floorStatements(url: string, bulk: Bulk): Promise<Record<string, Statement>> {
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
    items: { text: page!.text.replace(/select\s+access\.rights,\s*found\.items/, 'select found.items as json'), values: page!.values },
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

function goals(figures: Record<string, Figure[]>) {
  const ratio = (name: string, from: number) => figures[name]![from + 2]!.perSecond / figures[name]![from]!.perSecond;
  const growth = (name: string) => figures[name]![5]!.cpuMicros / figures[name]![2]!.cpuMicros;
  printGoals([
    { text: 'GET /item against the floor', value: ratio('GET /item', 0), want: 'at least', bound: 0.55 },
    { text: 'GET /items?limit=50 against the same SQL', value: ratio('GET /items?limit=50', 0), want: 'at least', bound: 0.6 },
    { text: 'POST /items/save against one bare statement', value: ratio('POST /items/save', 0), want: 'at least', bound: 0.5 },
    ...Object.keys(figures).map((name) => ({
      text: `${name}: 200,000 items against 1,000, CPU`,
      value: growth(name),
      want: 'at most' as const,
      bound: 1.15,
    })),
  ]);
}
