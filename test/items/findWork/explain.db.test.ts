/** svc_find_work's cost in PostgreSQL: look-ups whose number does not grow with the workspace, for any filters. */
import pg from 'pg';
import { connectDb, type Db } from '../../../src/database/db.ts';
import { findWork } from '../../../src/items/findWork/findWork.ts';
import { parseInput } from '../../../src/operations/input.ts';
import { outputOf } from '../../../src/operations/json.ts';
import { perform } from '../../../src/operations/perform.ts';
import { searchEverywhere } from '../../../src/overviews/searchEverywhere.ts';
import { addDays } from '../../../src/values/dates.ts';
import { capture } from '../../bench/capture.ts';
import { fileDatabase } from '../../support/database.ts';
import { explain, wholeReads } from '../../support/explain.ts';
import { suite } from '../../support/suite.ts';
import { isThorough, MANY } from '../../support/thorough.ts';
import { type BulkWorkspace, workBulk } from '../../support/workBulk.ts';

const test = suite(import.meta.url);

// biome-ignore lint/suspicious/noExplicitAny: plans and results are JSON, looked into freely
type Json = any;

const database = fileDatabase();
let world: Awaited<ReturnType<typeof workBulk>>;
let client: pg.Client;
let db: Db;

test.before('a workspace of 1,000 tasks and one of many', async (t) => {
  t.timeout(300_000);
  world = await workBulk(database.url, [1_000, MANY]);
  client = new pg.Client(database.url);
  await client.connect();
  db = await connectDb(database.url, 1);
});
test.after('close', () => Promise.all([client?.end(), db?.close()]));

const anybody = { assignee: 'all' };
const today = new Date().toISOString().slice(0, 10);
const far = { dueFrom: addDays(today, 380), dueTo: addDays(today, 420) };

/** Filters that find a page of rows, or the same few rows, in both workspaces: they must cost the same. */
const alike: Record<string, (place: BulkWorkspace) => Json> = {
  nothing: () => ({}),
  'any assignee': () => anybody,
  'every status': () => ({ ...anybody, status: 'all' }),
  closed: () => ({ ...anybody, status: 'closed' }),
  'a canonical status': () => ({ ...anybody, status: 'done' }),
  'a type': () => ({ ...anybody, type: 'task' }),
  'a type without work': () => ({ ...anybody, type: 'milestone' }),
  statusKey: () => ({ ...anybody, statusKey: 'planned' }),
  'a rare statusKey': () => ({ ...anybody, statusKey: 'rare' }),
  priorityKey: () => ({ ...anybody, priorityKey: 'normal' }),
  'a rare priorityKey': () => ({ ...anybody, priorityKey: 'urgent' }),
  requirementId: ({ smallRequirement }) => ({ ...anybody, requirementId: smallRequirement }),
  releaseId: ({ bigRelease }) => ({ ...anybody, releaseId: bigRelease }),
  overdue: () => ({ ...anybody, dueWindow: 'overdue' }),
  'a window that contains everything': () => ({ ...anybody, dueWindow: 'all' }),
  'few in a long range': () => ({ ...anybody, ...far }),
  'a part of every text': () => ({ ...anybody, search: 'TASK' }),
  'a part of few texts': () => ({ ...anybody, search: 'needle' }),
  'letters beyond ASCII, in any case': () => ({ ...anybody, search: 'gRÖSSE' }),
  'letters of another script': () => ({ ...anybody, search: 'адач' }),
  'two characters of three bytes': () => ({ ...anybody, search: '会議' }),
  'a number': ({ firstIds }) => ({ ...anybody, search: `#${firstIds[3]}` }),
  'a part of few notes': () => ({ ...anybody, search: 'PRÜFEN', searchIn: 'all', status: 'all' }),
  'a part of few texts, looked for in notes too': () => ({ ...anybody, search: 'needle', searchIn: 'all' }),
  'a part of no note': () => ({ ...anybody, search: 'zebra', searchIn: 'all' }),
  'a part of no text': () => ({ ...anybody, search: 'zebra' }),
  'a common word and the beginning of many': () => ({ ...anybody, search: 'task 7' }),
  'two common words that are never adjacent': () => ({ ...anybody, search: '"task medium"' }),
  'one of two parts of few texts': () => ({ ...anybody, search: 'needle or zebra' }),
  'two words of few texts': () => ({ ...anybody, search: 'needle task' }),
  'two words of few texts and notes': () => ({ ...anybody, search: 'task zebra', searchIn: 'all' }),
  'a common short part': () => ({ ...anybody, search: 'ta' }),
  'mine and a rare priority': () => ({ priorityKey: 'urgent' }),
  'mine and a rare status': () => ({ statusKey: 'rare' }),
  'a rare priority and a rare status': () => ({ ...anybody, statusKey: 'rare', priorityKey: 'urgent' }),
  'mine, overdue': () => ({ dueWindow: 'overdue' }),
  'mine, few in a long range': () => far,
  'mine, a part of few texts': () => ({ search: 'needle' }),
  'a requirement and a text': ({ smallRequirement }) => ({ ...anybody, requirementId: smallRequirement, search: 'task' }),
  'below few items': ({ smallRequirement }) => ({ underId: smallRequirement }),
  'below few items, and a text': ({ smallRequirement }) => ({ underId: smallRequirement, search: 'needle' }),
  'below half of all items, and a text': ({ bigRelease }) => ({ underId: bigRelease, search: 'task' }),
  ids: ({ firstIds }) => ({ ids: firstIds }),
  'ids, of a rare status': ({ firstIds }) => ({ ids: firstIds, statusKey: 'rare' }),
  'a release and a priority': ({ bigRelease }) => ({ ...anybody, releaseId: bigRelease, priorityKey: 'high' }),
};

/** Filters that find many times as many, at a bounded cost. */
const more: Record<string, (place: BulkWorkspace) => Json> = {
  'below half of all items': ({ bigRelease }) => ({ underId: bigRelease }),
  'mine and a priority': () => ({ priorityKey: 'normal' }),
  unassigned: () => ({ assignee: 'unassigned' }),
  today: () => ({ ...anybody, dueWindow: 'today' }),
  next7Days: () => ({ ...anybody, dueWindow: 'next7Days' }),
  nextWeek: () => ({ ...anybody, dueWindow: 'nextWeek' }),
  'mine, today': () => ({ dueWindow: 'today' }),
  'mine, next7Days': () => ({ dueWindow: 'next7Days' }),
  'the last days of a range': () => ({ ...anybody, dueFrom: addDays(today, 150), dueTo: addDays(today, 184) }),
  'from a day on, without end': () => ({ ...anybody, dueFrom: addDays(today, 100) }),
  'a part of one text in 67': () => ({ ...anybody, search: 'medium' }),
  'a common word and a part of one text in 67': () => ({ ...anybody, search: 'task medium' }),
};

interface Cost {
  blocks: number;
  rows: number;
  scans: string[];
}

/** Blocks that all statements of a call touch, with a generic and with a custom plan. */
async function costOf(given: Json, plan: 'generic' | 'custom'): Promise<Cost> {
  const input = parseInput(findWork.input, given);
  let rows = 0;
  const statements = await capture(async () => {
    rows = (outputOf(await perform(db, world.caller, findWork, input)) as Json).items.length;
  });
  const plans = [];
  for (const statement of statements) plans.push(await explain(client, statement, plan));
  return {
    blocks: plans.reduce((sum, [top]) => sum + top!.blocks, 0),
    rows,
    scans: wholeReads(plans.flat(), ['items', 'item_texts', 'comments']),
  };
}

/** Few items match, and only the index of the order knows: it is read to its end. */
const rare = new Set([
  ...['a rare statusKey', 'a rare priorityKey', 'few in a long range', 'mine and a rare priority', 'mine and a rare status'],
  ...['a rare priority and a rare status', 'mine, few in a long range', 'a common word and the beginning of many'],
]);

const MOST_BLOCKS = 4_000;
/** A whole page, or what a smaller workspace has. */
const FEWEST = isThorough ? 50 : 10;

for (const [name, filters] of Object.entries(alike)) {
  test(`${name}: ${rare.has(name) ? 'has a bounded cost' : 'costs the same at 1,000 and'} at many items`, async (t) => {
    for (const plan of ['generic', 'custom'] as const) {
      const [small, large] = [await costAt(0, filters, plan), await costAt(1, filters, plan)];
      t.deepEqual(large.scans, []);
      t.is(small.rows === 50, large.rows === 50, `${small.rows} and ${large.rows} rows`);
      // A deeper index adds only a block to each probe.
      if (!rare.has(name))
        t.true(large.blocks <= small.blocks * 1.3 + 200, `${plan}: ${small.blocks} blocks at 1,000 and ${large.blocks} at ${MANY}`);
      t.true(large.blocks <= MOST_BLOCKS, `${plan}: ${large.blocks} blocks`);
    }
  });
}

for (const [name, filters] of Object.entries(more)) {
  test(`${name}: a bounded number of look-ups finds a page among many items`, async (t) => {
    for (const plan of ['generic', 'custom'] as const) {
      const { scans, rows, blocks } = await costAt(1, filters, plan);
      t.deepEqual(scans, []);
      t.true(rows >= FEWEST, `${rows} rows`);
      t.true(blocks <= 20_000, `${plan}: ${blocks} blocks`);
    }
  });
}

const costAt = (at: number, filters: (place: BulkWorkspace) => Json, plan: 'generic' | 'custom') => {
  const place = world.places[at]!;
  return costOf({ workspaceId: place.workspaceId, ...filters(place) }, plan);
};

test('a hundred spread ids, and rare matches below half of all items, are bounded too', async (t) => {
  const bounded: [number, (place: BulkWorkspace) => Json][] = [
    [100, ({ spreadIds }) => ({ ids: spreadIds })],
    [0, ({ bigRelease }) => ({ underId: bigRelease, priorityKey: 'urgent', status: 'all' })],
    [20, ({ bigRelease }) => ({ underId: bigRelease, ...far, status: 'all' })],
  ];
  for (const [wanted, filters] of bounded) {
    for (const plan of ['generic', 'custom'] as const) {
      const { scans, rows, blocks } = await costAt(1, filters, plan);
      t.deepEqual(scans, []);
      t.is(rows, wanted);
      t.true(blocks <= MOST_BLOCKS, `${plan}: ${blocks} blocks`);
    }
  }
});

test('a search over both workspaces costs at most the sum of a search in each', async (t) => {
  for (const given of [{}, { statusKey: 'rare' }, { ...anybody, search: 'needle' }, { ...anybody, dueWindow: 'overdue' }]) {
    const { scans, blocks } = await costOf(given, 'generic');
    t.deepEqual(scans, []);
    t.true(blocks <= 2 * MOST_BLOCKS, `${blocks} blocks`);
  }
});

test('work that the caller may not read adds no cost', async (t) => {
  const rights = (bits: number) => client.query('update connections set rights = $1', [bits]);
  const { rows } = await client.query('select rights from connections');
  await rights(1);
  try {
    const { rows: found, blocks } = await costAt(1, () => anybody, 'generic');
    t.is(found, 50);
    t.true(blocks <= 500, `${blocks} blocks`);
  } finally {
    await rights(rows[0].rights);
  }
});

/** Blocks that searching everywhere touches for a user of only that workspace. */
async function everywhere(at: number, q: string, plan: 'generic' | 'custom') {
  const { rows } = await client.query(
    `with person as (insert into users (account_id, email, name) select account_id, $1, 'Reader' from workspaces where id = $2 returning account_id, id)
     insert into memberships (account_id, workspace_id, user_id, role) select account_id, $2, id, 'owner' from person returning user_id`,
    [`${at}.${Math.random()}@bulk.example`, world.places[at]!.workspaceId],
  );
  let found = 0;
  const [statement, ...others] = await capture(async () => {
    const caller = { kind: 'user', userId: Number(rows[0].user_id) } as const;
    found = (outputOf(await perform(db, caller, searchEverywhere, parseInput(searchEverywhere.input, { q }))) as Json).items.length;
  });
  const nodes = await explain(client, statement!, plan);
  return { found, others, blocks: nodes[0]!.blocks, scans: wholeReads(nodes, ['items', 'item_texts']) };
}

for (const q of ['task', 'TASK 1', 'needle', 'zebra', 'GRÖßE 会議', 'medium', 'ta', '77']) {
  test(`search everywhere for ${q} is one statement with the same cost at 1,000 and many items`, async (t) => {
    for (const plan of ['generic', 'custom'] as const) {
      const [small, large] = [await everywhere(0, q, plan), await everywhere(1, q, plan)];
      t.deepEqual([...large.others, ...large.scans], []);
      if (q !== 'zebra') t.true(large.found > 0);
      t.true(large.blocks <= 3_000, `${plan}: ${small.blocks} and ${large.blocks} blocks`);
    }
  });
}
