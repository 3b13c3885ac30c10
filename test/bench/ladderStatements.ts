/** PostgreSQL's part of a call: each statement alone on one connection, compared with the shortest one that does the same. */
import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { accessTo } from '../../src/access/queries.ts';
import { hashSecret } from '../../src/access/secrets.ts';
import { addComment } from '../../src/comments/addComment.ts';
import { connections } from '../../src/database/connections.ts';
import { connectDb } from '../../src/database/db.ts';
import { sql } from '../../src/database/sql.ts';
import { getItem } from '../../src/items/getItem.ts';
import { listItems } from '../../src/items/listItems.ts';
import { saveItem } from '../../src/items/saveItem.ts';
import type { Work } from '../../src/items/schema.ts';
import { outputOf } from '../../src/operations/json.ts';
import { perform } from '../../src/operations/perform.ts';
import type { Bulk } from '../support/bulk.ts';
import { capture, type Statement } from './capture.ts';
import { percentile } from './measure.ts';
import { floorStatements } from './rest.ts';

const ROUNDS = 20;
const TIMES = 100;

type Rungs = Record<string, Statement>;

export async function statementLadder(url: string, bulk: Bulk): Promise<void> {
  const rungs = await rungsOf(url, bulk);
  const pool = connections(url, 1);
  const client = await pool.connect();
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const seen = new Map<string, number[]>(Object.keys(rungs).map((name) => [name, []]));
  for (let round = -1; round < ROUNDS; round++) {
    for (const [name, statement] of Object.entries(rungs)) {
      const micros = await costOf(client, rows[0].pid, name, statement);
      if (round >= 0) seen.get(name)!.push(micros);
    }
  }
  client.release();
  await pool.end();
  const best = (name: string) => percentile(seen.get(name)!, 0.1);
  const undone = best('begin and rollback alone');
  console.log('\nPostgreSQL, CPU of one statement on one connection, in a transaction that is undone');
  console.table(Object.fromEntries(Object.keys(rungs).map((name) => [name, { 'CPU µs': Math.round(best(name) - undone) }])));
}

async function costOf(client: pg.PoolClient, pid: number, name: string, { text, values }: Statement): Promise<number> {
  const nanoseconds = () => Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[0]);
  const before = nanoseconds();
  for (let n = 0; n < TIMES; n++) {
    await client.query('begin');
    if (text) await client.query({ name, text, values });
    await client.query('rollback');
  }
  return (nanoseconds() - before) / 1000 / TIMES;
}

async function rungsOf(url: string, bulk: Bulk): Promise<Rungs> {
  const { accountId, workspaceId, userId, firstTaskId, key } = bulk;
  const db = await connectDb(url, 1);
  const caller = { kind: 'key', hash: hashSecret(key) } as const;
  const id = firstTaskId + 60;
  const record = outputOf(await perform(db, caller, getItem, { workspaceId, id })) as Work;
  const sent = async (work: () => Promise<unknown>) =>
    (await capture(work)).filter(({ text }) => !/^(begin|commit)/i.test(text)) as [Statement, Statement];
  const [item] = await sent(() => perform(db, caller, getItem, { workspaceId, id }));
  const page = { workspaceId, type: 'task' as const, after: firstTaskId + 100, limit: 50 };
  const [items] = await sent(() => perform(db, caller, listItems, page));
  const [facts, save] = await sent(() => perform(db, caller, saveItem, { workspaceId, record: { ...record, title: 'Revised' } }));
  const body = 'One more comment, a sentence long.';
  const [, comment] = await sent(() => perform(db, caller, addComment, { workspaceId, id, body }));
  const access = sql.unsafe`with ${accessTo(caller, workspaceId)} select rights from access`;
  // Restore the row, so that the captured statement works again.
  await db.pool().query(sql.unsafe`update items set title = ${record.title}, version = ${record.version} where id = ${id}`);
  await db.close();
  const floors = await floorStatements(url, bulk);
  const floor = (name: string, values = floors[name]!.values): Statement => ({ text: floors[name]!.text, values });
  return {
    'begin and rollback alone': { text: '', values: [] },
    'access to a workspace alone': { text: access.sql, values: access.values as unknown[] },
    'GET /item: shortest': floor('item'),
    'GET /item': item,
    'GET /items: shortest': floor('items'),
    'GET /items': items,
    'POST /items/save: shortest': floor('save', [id, 'Revised', record.version]),
    'POST /items/save: reads rights and facts': facts,
    'POST /items/save: writes': save,
    'a row of changes alone': {
      text: `insert into changes (account_id, workspace_id, item_id, actor_id, via, kind, version, fields)
             values ($1, $2, $3, $4, 'rest', 'item.updated', 2, '{"title": ["a", "b"]}')`,
      values: [accountId, workspaceId, id, userId],
    },
    'POST /comments: shortest': floor('comment', [accountId, workspaceId, id, userId, body]),
    'POST /comments': comment,
  };
}
