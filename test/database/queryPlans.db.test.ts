/** Every read costs PostgreSQL index look-ups whose number does not grow with the workspace. */
import pg from 'pg';
import type { Caller } from '../../src/access/caller.ts';
import { hashSecret } from '../../src/access/secrets.ts';
import { listChanges } from '../../src/changes/listChanges.ts';
import { followersWithChanges } from '../../src/changes/readQueries.ts';
import { listComments } from '../../src/comments/addComment.ts';
import { connectDb, type Db } from '../../src/database/db.ts';
import { getItem } from '../../src/items/getItem.ts';
import { listItems } from '../../src/items/listItems.ts';
import { perform } from '../../src/operations/perform.ts';
import { myDay } from '../../src/overviews/myDay.ts';
import { showItem } from '../../src/overviews/openItem.ts';
import { getOptions } from '../../src/workspaces/listWorkspaces.ts';
import { capture, type Statement } from '../bench/capture.ts';
import { type Bulk, makeBulk } from '../support/bulk.ts';
import { cursorText } from '../support/cursorText.ts';
import { fileDatabase } from '../support/database.ts';
import { explain, wholeReads } from '../support/explain.ts';
import { suite } from '../support/suite.ts';
import { MANY } from '../support/thorough.ts';

const test = suite(import.meta.url);

/** All statements that `work` sends once connected. */
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
    return { whole: wholeReads(nodes, ['items', 'comments', 'changes']), blocks: nodes[0]!.blocks };
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
  'the comments before one': (db: Db, caller: Caller, { workspaceId, firstTaskId }: Bulk) =>
    perform(db, caller, listComments, { workspaceId, id: firstTaskId, before: secondComment.get(workspaceId)! }),
  'a page of changes': (db: Db, caller: Caller, { workspaceId }: Bulk) =>
    perform(db, caller, listChanges, { workspaceId, after: middle, limit: 50 }),
  'an idle poll of changes': (db: Db, caller: Caller, { workspaceId }: Bulk) =>
    perform(db, caller, listChanges, { workspaceId, after: end, limit: 50 }),
  'the changes of an item': (db: Db, caller: Caller, { workspaceId, firstTaskId }: Bulk) =>
    perform(db, caller, listChanges, { workspaceId, itemId: firstTaskId, after: '0', limit: 50 }),
  'a look for all followers': (db: Db) => followersWithChanges(db.pool(), ['webhooks', 'notifications', 'live']),
  'my day': (db: Db, caller: Caller) => perform(db, caller, myDay, { day: '2026-11-25', zone: 'Europe/Berlin' }),
  'the page of a task': (db: Db, caller: Caller, { workspaceId, firstTaskId: id }: Bulk) =>
    perform(db, caller, showItem, { workspaceId, id }),
  'the page of a requirement': (db: Db, caller: Caller, { workspaceId }: Bulk) =>
    perform(db, caller, showItem, { workspaceId, id: firstRequirement.get(workspaceId)! }),
  'the options': (db: Db, caller: Caller, { workspaceId }: Bulk) => perform(db, caller, getOptions, { workspaceId }),
};

const database = fileDatabase();
const secondComment = new Map<number, number>();
const firstRequirement = new Map<number, number>();
let middle: string;
/** A cursor behind all rows. */
const end = cursorText({ era: '1', xact: '1', id: '1' });
let small: Bulk;
let large: Bulk;

test.before('a workspace of 1,000 tasks and one of many', async () => {
  small = await makeBulk(database.url, 1_000);
  large = await makeBulk(database.url, MANY);
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query('set session_replication_role = replica');
  for (const { workspaceId, userId } of [small, large]) {
    // A user who is assigned every fifth task, owns every seventh, and decides every thousandth requirement.
    await client.query(
      `update items set assignee_id = case when id % 5 = 0 then $2::bigint end, owner_id = case when id % 7 = 0 then $2 end,
         due_date = case when type = 'task' and id % 3 = 0 then current_date - 200 + (id % 400)::int end,
         status = case when type = 'requirement' and id % 1000 = 0 then 'pending_approval' else status end,
         status_key = case when type = 'requirement' and id % 1000 = 0 then 'pending_approval' else status_key end
       where workspace_id = $1 and (id % 5 = 0 or id % 7 = 0)`,
      [workspaceId, userId],
    );
    // A workspace with earlier changes. Era 0 sorts before all others.
    await client.query(
      `insert into changes (account_id, workspace_id, item_id, actor_id, via, kind, version, fields, era, xact)
       select i.account_id, i.workspace_id, i.id, m.user_id, 'rest', 'item.updated', 2, '{"title": ["A", "B"]}', 0, i.id::text::xid8
       from items i join memberships m on m.workspace_id = i.workspace_id where i.workspace_id = $1 and i.type = 'task'`,
      [workspaceId],
    );
    const { rows } = await client.query('select id::int from comments where workspace_id = $1 order by item_id, id offset 1 limit 1', [
      workspaceId,
    ]);
    secondComment.set(workspaceId, rows[0].id);
    const up = await client.query(`select min(id)::int as id from items where workspace_id = $1 and type = 'requirement'`, [workspaceId]);
    firstRequirement.set(workspaceId, up.rows[0].id);
  }
  const { rows } = await client.query('select xact::text, id::text from changes where workspace_id = $1 order by id offset 500 limit 1', [
    small.workspaceId,
  ]);
  middle = cursorText({ era: '0', ...rows[0] });
  await client.query('vacuum analyze changes');
  await client.query('vacuum analyze items');
  await client.end();
});

for (const [name, read] of Object.entries(reads)) {
  test(`${name} is one statement of index look-ups, at the same cost for 1,000 and many items`, async (t) => {
    const costs: number[] = [];
    for (const bulk of [small, large]) {
      const statements = await statementsOf(database.url, (caller, db) => read(db, caller, bulk), bulk.key);
      t.is(statements.length, 1, 'round trips');
      const { whole, blocks } = await costOf(database.url, statements.at(-1)!);
      t.deepEqual(whole, []);
      costs.push(blocks);
    }
    // A deeper index adds only a block to each probe.
    t.true(costs[1]! <= costs[0]! * 1.5 + 12, `${costs[0]} blocks at 1,000 and ${costs[1]} at ${MANY}`);
  });
}

test('an idle poll of changes is two index probes and the key of cursors, about as cheap as reading an item', async (t) => {
  const blocks: number[] = [];
  for (const name of ['one item', 'an idle poll of changes'] as const) {
    const statements = await statementsOf(database.url, (caller, db) => reads[name](db, caller, large), large.key);
    blocks.push((await costOf(database.url, statements[0]!)).blocks);
  }
  // Rows of the workspace, the newest row of all and the key. The indexes of changes are one level deeper than that of items.
  t.true(blocks[1]! <= blocks[0]! + 6, blocks.join(' and '));
});

test('a page of a type whose other items are hidden probes the index and reads no hidden item', async (t) => {
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
