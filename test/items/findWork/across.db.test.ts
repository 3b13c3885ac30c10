/** svc_find_work's cost in PostgreSQL for callers who reach a hundred workspaces and name none. Hidden work does not affect it. */
import pg from 'pg';
import type { Caller } from '../../../src/access/caller.ts';
import { bits, possibleNeeds, rightsOfLevels } from '../../../src/access/rights.ts';
import { newSecret } from '../../../src/access/secrets.ts';
import { connectDb, type Db } from '../../../src/database/db.ts';
import { findWork } from '../../../src/items/findWork/findWork.ts';
import { parseInput } from '../../../src/operations/input.ts';
import { outputOf } from '../../../src/operations/json.ts';
import { perform } from '../../../src/operations/perform.ts';
import { addDays } from '../../../src/values/dates.ts';
import { capture } from '../../bench/capture.ts';
import { fileDatabase } from '../../support/database.ts';
import { explain, wholeReads } from '../../support/explain.ts';
import { suite } from '../../support/suite.ts';

const test = suite(import.meta.url);

// biome-ignore lint/suspicious/noExplicitAny: results are JSON, looked into freely
type Json = any;

const WORKSPACES = 100;
const EACH = 40;
const everything = rightsOfLevels({ tasks: 'delete', requirements: 'delete', releases: 'delete', milestones: 'delete' });
const anybody = { assignee: 'all' };
const today = new Date().toISOString().slice(0, 10);

const database = fileDatabase();
let client: pg.Client;
let db: Db;
let caller: Caller;
let places: number[];
let lastId: number;

async function value(text: string, values: unknown[] = []): Promise<number> {
  return Number(Object.values((await client.query(text, values)).rows[0])[0]);
}

async function makeAccount(workspaces: number) {
  const accountId = await value(`insert into accounts (name) values ('Many') returning id`);
  const userId = await value(`insert into users (account_id, email, name) values ($1, $2, 'Ana') returning id`, [
    accountId,
    `${accountId}@many.example`,
  ]);
  const { rows } = await client.query(
    `insert into workspaces (account_id, name, mcp_enabled, mcp_rights) select $1, 'One of many', true, $2 from generate_series(1, $3::int) returning id`,
    [accountId, everything, workspaces],
  );
  return { accountId, userId, workspaces: rows.map(({ id }) => Number(id)) };
}

/** Tasks spread over the workspaces, as they would be created over time. One in four belongs to the person, one in 200 is urgent. */
const addTasks = (accountId: number, workspaces: number[], userId: number, count: number) =>
  client.query(
    `insert into items (account_id, workspace_id, type, title, status, status_key, priority_key, assignee_id, due_date, needs)
     select $1, ($2::bigint[])[1 + n % $5::int], 'task', 'Task ' || n, 'planned', 'planned', case when n % 200 = 0 then 'urgent' else 'normal' end,
       case when n % 4 = 0 then $3::bigint end, date '${today}' + n % 90, (array[${possibleNeeds('task').join(', ')}])[1 + (n / $5) % 8]
     from generate_series(0, $4::int - 1) n`,
    [accountId, workspaces, userId, count, workspaces.length],
  );

test.before('a hundred workspaces of an agent, with a few items each', async () => {
  client = new pg.Client(database.url);
  await client.connect();
  const { accountId, userId, workspaces } = await makeAccount(WORKSPACES);
  const { hash } = newSecret('agent');
  await client.query(
    `insert into memberships (account_id, workspace_id, user_id, role) select $1, w, $2, 'owner' from unnest($3::bigint[]) w`,
    [accountId, userId, workspaces],
  );
  await client.query(
    `with c as (insert into connections (account_id, user_id, name, key_hash, rights) values ($1, $2, 'Agent', $3, $4) returning account_id, id)
     insert into connection_workspaces (account_id, connection_id, workspace_id) select c.account_id, c.id, w from c, unnest($5::bigint[]) w`,
    [accountId, userId, hash, everything, workspaces],
  );
  await client.query('set session_replication_role = replica');
  await addTasks(accountId, workspaces, userId, WORKSPACES * EACH);
  // Another account's items, hidden items of the same account, and then one page of visible ones.
  const other = await makeAccount(1);
  await addTasks(other.accountId, other.workspaces, other.userId, 150);
  lastId = await value('select max(id) from items');
  await addTasks(accountId, workspaces, userId, 60);
  await client.query('vacuum analyze');
  places = workspaces;
  caller = { kind: 'agent', hash };
  db = await connectDb(database.url, 1);
});
test.after('close', async () => {
  await db?.close();
  await client?.end();
});

interface Cost {
  found: Json;
  statements: string[];
  blocks: number;
  scans: string[];
}

async function costOf(given: Json): Promise<Cost> {
  let found: Json;
  const statements = await capture(async () => {
    found = outputOf(await perform(db, caller, findWork, parseInput(findWork.input, given)));
  });
  const plans = [];
  for (const statement of statements) plans.push(await explain(client, statement));
  return {
    found,
    statements: statements.map(({ text }) => text),
    blocks: plans.reduce((sum, [top]) => sum + top!.blocks, 0),
    scans: wholeReads(plans.flat(), ['items']),
  };
}

const common: Record<string, Json> = {
  nothing: anybody,
  'from the middle': { ...anybody, afterId: 2_000 },
  mine: {},
  unassigned: { assignee: 'unassigned' },
  'a status': { ...anybody, status: 'planned' },
  'a priority': { ...anybody, priorityKey: 'normal' },
  'overdue and later': { ...anybody, dueFrom: today },
  'a week with one in 13 of the tasks': { ...anybody, dueWindow: 'next7Days' },
};

for (const [name, given] of Object.entries(common)) {
  test(`${name}: common matches cost little more in a hundred workspaces than in one`, async (t) => {
    const { found, blocks, scans } = await costOf(given);
    t.is(found.items.length, 50);
    t.true(new Set(found.items.map(({ workspaceId }: Json) => workspaceId)).size > 10);
    t.deepEqual(scans, []);
    // Fifty rows with their assignees are 250, rights in each of a hundred workspaces 700, and each has four types.
    t.true(blocks <= 6_000, `${blocks} blocks`);
  });
}

test('with given ids, also of parents, only their workspaces are searched', async (t) => {
  const above = await value(
    `insert into items (account_id, workspace_id, type, title, status, status_key, needs)
     select account_id, id, 'requirement', 'Above', 'planned', 'planned', $2 from workspaces where id = $1 returning id`,
    [places[7], bits('requirements', 'read')],
  );
  const named = [{ ids: [lastId + 1, lastId + 2] }, { workspaceId: places[7] }, { requirementId: above }, { underId: above }];
  for (const given of [...named, { workspaceId: places[8], requirementId: above }]) {
    const { found, blocks, scans } = await costOf({ ...anybody, ...given });
    t.deepEqual(scans, []);
    t.is(found.items.length, 'ids' in given ? 2 : 'requirementId' in given || 'underId' in given ? 0 : EACH + 2);
    t.true(blocks <= 400, `${JSON.stringify(given)}: ${blocks} blocks`);
  }
});

test('rare matches cost one look-up for each stream', async (t) => {
  const rare: [number, Json][] = [
    [20, { ...anybody, priorityKey: 'urgent' }],
    [20, { priorityKey: 'urgent' }],
    [0, { ...anybody, priorityKey: 'low' }],
    [0, { ...anybody, status: 'closed' }],
    [0, { ...anybody, type: 'milestone' }],
    [0, { ...anybody, dueFrom: addDays(today, 200), dueTo: addDays(today, 202) }],
    [0, { afterId: lastId + 100 }],
  ];
  for (const [most, given] of rare) {
    const { found, blocks, scans } = await costOf(given);
    t.deepEqual(scans, []);
    t.true(found.items.length <= 50 && found.items.length >= most, `${found.items.length} rows`);
    // Three blocks for each of 15 sets of needs, which a second filter or three days repeat.
    t.true(blocks <= WORKSPACES * 15 * 3 * 4, `${JSON.stringify(given)}: ${blocks} blocks`);
  }
});

test('pages across workspaces are as consistent as in one, without hidden kinds', async (t) => {
  await client.query('update connections set rights = $1', [bits('tasks', 'read') | bits('releases', 'read')]);
  try {
    const seen: number[] = [];
    let afterId = 0;
    for (let more = true; more; ) {
      const page: Json = outputOf(await perform(db, caller, findWork, parseInput(findWork.input, { ...anybody, limit: 100, afterId })));
      seen.push(...page.items.map(({ id }: Json) => id));
      [more, afterId] = [page.hasMore, page.nextAfterId];
    }
    const { rows } = await client.query('select id from items where workspace_id = any($1) and needs & ~$2::int = 0 order by id', [
      places,
      bits('tasks', 'read') | bits('releases', 'read'),
    ]);
    t.deepEqual(
      seen,
      rows.map(({ id }) => Number(id)),
    );
  } finally {
    await client.query('update connections set rights = $1', [everything]);
  }
});

test("hidden work of one's own account runs the same statements at the same cost as another account's", async (t) => {
  const given = { ...anybody, afterId: lastId - 150 };
  const before = await costOf(given);
  const [accountId, hidden] = [
    await value('select account_id from workspaces where id = $1', [places[0]]),
    await value(
      `insert into workspaces (account_id, name, mcp_enabled, mcp_rights) select account_id, 'Hidden', true, $2 from workspaces where id = $1 returning id`,
      [places[0], everything],
    ),
  ];
  await client.query('update items set account_id = $1, workspace_id = $2 where id > $3 and id <= $4', [
    accountId,
    hidden,
    lastId - 150,
    lastId,
  ]);
  await client.query('vacuum analyze items');
  const after = await costOf(given);
  t.deepEqual(after.found, before.found);
  t.deepEqual(after.statements, before.statements);
  t.true(Math.abs(after.blocks - before.blocks) <= 150, `${before.blocks} and ${after.blocks} blocks`);
});
