/** What every read costs in PostgreSQL: index look-ups whose number does not grow with the workspace. */
import test from 'ava';
import pg from 'pg';
import type { Caller } from '../../src/access/caller.ts';
import { hashSecret } from '../../src/access/secrets.ts';
import { addComment } from '../../src/comments/addComment.ts';
import { listComments } from '../../src/comments/listComments.ts';
import { connectDb, type Db } from '../../src/database/db.ts';
import { getItem } from '../../src/items/getItem.ts';
import { listItems } from '../../src/items/listItems.ts';
import { perform } from '../../src/operations/perform.ts';
import { getOptions } from '../../src/workspaces/getOptions.ts';
import { capture, type Statement } from '../bench/capture.ts';
import { type Bulk, makeBulk } from '../support/bulk.ts';
import { fileDatabase } from '../support/database.ts';
import { explain, wholeReads } from '../support/explain.ts';

/** Every statement that `work` sends once connected. */
async function statementsOf(url: string, work: (caller: Caller, db: Db) => Promise<unknown>, key: string): Promise<Statement[]> {
  const db = await connectDb(url, 1);
  const seen = await capture(() => work({ kind: 'key', hash: hashSecret(key) }, db));
  await db.close();
  return seen;
}

async function costOf(url: string, statement: Statement): Promise<{ whole: string[]; blocks: number }> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const nodes = await explain(client, statement);
    return { whole: wholeReads(nodes, ['items', 'comments']), blocks: nodes[0]!.blocks };
  } finally {
    await client.end();
  }
}

const reads = {
  'one item': (db: Db, caller: Caller, { workspaceId, lastTaskId }: Bulk) => perform(db, caller, getItem, { workspaceId, id: lastTaskId }),
  'a page from the middle': (db: Db, caller: Caller, { workspaceId, firstTaskId, lastTaskId }: Bulk) =>
    perform(db, caller, listItems, {
      workspaceId,
      type: 'task' as const,
      after: Math.floor((firstTaskId + lastTaskId) / 2),
      limit: 50,
    }),
  'the comments of an item': (db: Db, caller: Caller, { workspaceId, firstTaskId }: Bulk) =>
    perform(db, caller, listComments, { workspaceId, id: firstTaskId }),
  'the options': (db: Db, caller: Caller, { workspaceId }: Bulk) => perform(db, caller, getOptions, { workspaceId }),
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
      const { whole, blocks } = await costOf(database.url, statements[0]!);
      t.deepEqual(whole, []);
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
    const { blocks } = await costOf(database.url, statements[0]!);
    t.true(blocks < 400, `${blocks} blocks`);
  } finally {
    await client.query(`update memberships set overrides = '{}' where workspace_id = $1`, [large.workspaceId]);
    await client.end();
  }
});

test.serial('a comment takes two statements', async (t) => {
  const statements = await statementsOf(
    database.url,
    (caller, db) => perform(db, caller, addComment, { workspaceId: large.workspaceId, id: large.firstTaskId, body: 'Counted.' }),
    large.key,
  );
  t.is(statements.length, 2);
});
