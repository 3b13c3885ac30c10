/** What every read costs in PostgreSQL: index look-ups whose number does not grow with the workspace. */
import test from 'ava';
import pg from 'pg';
import type { Caller } from '../src/access/caller.ts';
import { hashSecret } from '../src/access/secrets.ts';
import { addComment } from '../src/comments/addComment.ts';
import { listComments } from '../src/comments/listComments.ts';
import { connectDb, type Tx } from '../src/db.ts';
import { getItem } from '../src/items/getItem.ts';
import { listItems } from '../src/items/listItems.ts';
import { perform } from '../src/perform.ts';
import { getOptions } from '../src/workspaces/getOptions.ts';
import { type Bulk, makeBulk } from './support/bulk.ts';
import { fileDatabase } from './support/database.ts';

interface Statement {
  sql: string;
  values: unknown[];
}

/** Every statement that `work` sends, taken at the pool. */
async function statementsOf(
  url: string,
  work: (caller: Caller, db: Awaited<ReturnType<typeof connectDb>>) => Promise<unknown>,
  key: string,
): Promise<Statement[]> {
  const seen: Statement[] = [];
  const query = pg.Client.prototype.query;
  // biome-ignore lint/suspicious/noExplicitAny: node-postgres' overloads
  pg.Client.prototype.query = function (this: pg.Client, config: any, values: any, ...rest: any[]) {
    const text = typeof config === 'string' ? config : config?.text;
    if (typeof text === 'string' && !/pg_type/.test(text)) seen.push({ sql: text, values: values ?? config.values ?? [] });
    // biome-ignore lint/suspicious/noExplicitAny: node-postgres' overloads
    return (query as any).call(this, config, values, ...rest);
    // biome-ignore lint/suspicious/noExplicitAny: node-postgres' overloads
  } as any;
  try {
    const db = await connectDb(url, 1);
    await work({ kind: 'key', hash: hashSecret(key) }, db);
    await db.close();
  } finally {
    pg.Client.prototype.query = query;
  }
  return seen;
}

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Node[];
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

async function explain(url: string, statement: Statement): Promise<{ nodes: Node[]; blocks: number }> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query('set timezone = utc');
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${statement.sql}`, statement.values);
    const plan = rows[0]['QUERY PLAN'][0].Plan as Node;
    return { nodes: nodesOf(plan), blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] };
  } finally {
    await client.end();
  }
}

const reads = {
  'one item': (db: { pool(): Tx }, caller: Caller, { workspaceId, lastTaskId }: Bulk) =>
    perform(db as never, caller, getItem, { workspaceId, id: lastTaskId }),
  'a page from the middle': (db: { pool(): Tx }, caller: Caller, { workspaceId, firstTaskId, lastTaskId }: Bulk) =>
    perform(db as never, caller, listItems, {
      workspaceId,
      type: 'task' as const,
      after: Math.floor((firstTaskId + lastTaskId) / 2),
      limit: 50,
    }),
  'the comments of an item': (db: { pool(): Tx }, caller: Caller, { workspaceId, firstTaskId }: Bulk) =>
    perform(db as never, caller, listComments, { workspaceId, id: firstTaskId }),
  'the options': (db: { pool(): Tx }, caller: Caller, { workspaceId }: Bulk) => perform(db as never, caller, getOptions, { workspaceId }),
};

const database = fileDatabase();
let small: Bulk;
let large: Bulk;

test.serial.before('a workspace of 1,000 tasks and one of 200,000', async () => {
  small = await makeBulk(database.url, 1_000);
  large = await makeBulk(database.url, 200_000);
});

for (const [name, read] of Object.entries(reads)) {
  test.serial(`${name} is one statement of index look-ups that costs the same at 1,000 and at 200,000 items`, async (t) => {
    const costs: number[] = [];
    for (const bulk of [small, large]) {
      const statements = await statementsOf(database.url, (caller, db) => read(db, caller, bulk), bulk.key);
      t.is(statements.length, 1, 'one round trip');
      const { nodes, blocks } = await explain(database.url, statements[0]!);
      t.deepEqual(
        nodes.filter((node) => node['Node Type'] === 'Seq Scan' && ['items', 'comments'].includes(node['Relation Name'] ?? '')),
        [],
      );
      costs.push(blocks);
    }
    // A deeper index adds a block to each probe, and that is all.
    t.true(costs[1]! <= costs[0]! * 1.5 + 12, `${costs[0]} blocks at 1,000 and ${costs[1]} at 200,000`);
  });
}

test.serial('a page of a type whose other items are hidden probes the index and reads none of the hidden ones', async (t) => {
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query(
    `update memberships set overrides = '{"releases": "none", "requirements": "none", "milestones": "none"}' where workspace_id = $1`,
    [large.workspaceId],
  );
  try {
    const statements = await statementsOf(database.url, (caller, db) => reads['a page from the middle'](db, caller, large), large.key);
    const { blocks } = await explain(database.url, statements[0]!);
    t.true(blocks < 400, `${blocks} blocks`);
  } finally {
    await client.query(`update memberships set overrides = '{}' where workspace_id = $1`, [large.workspaceId]);
    await client.end();
  }
});

test.serial('a comment takes two statements', async (t) => {
  const statements = await statementsOf(
    database.url,
    (caller, db) => perform(db as never, caller, addComment, { workspaceId: large.workspaceId, id: large.firstTaskId, body: 'Counted.' }),
    large.key,
  );
  t.is(statements.length, 2);
});
