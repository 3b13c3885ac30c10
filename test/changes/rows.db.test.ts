/** Each change commits with a row, however it was made (behaviour §15.1), and readers miss none. */
import pg from 'pg';
import type { Caller } from '../../src/access/caller.ts';
import { hashSecret } from '../../src/access/secrets.ts';
import { beginning, type Cursor } from '../../src/changes/cursor.ts';
import { type ChangeRow, readAllChanges } from '../../src/changes/readQueries.ts';
import { connectDb, type Db } from '../../src/database/db.ts';
import { migrate } from '../../src/database/migrate.ts';
import { approve, requestApproval } from '../../src/items/approval.ts';
import { saveItem } from '../../src/items/saveItem.ts';
import type { Work } from '../../src/items/schema.ts';
import { outputOf } from '../../src/operations/json.ts';
import { perform } from '../../src/operations/perform.ts';
import { stintHere } from '../support/cli.ts';
import { fileDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { ask, call, type McpWorld, mcpWorld, once } from '../support/mcpWorld.ts';
import { draftOf } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: McpWorld;
let db: Db;
let latest: Cursor;
test.before('a workspace and its owner', async () => {
  [world, db] = await Promise.all([mcpWorld(database.url), connectDb(database.url)]);
});
test.beforeEach(async () => {
  const [newest] = await world.fixtures.sql('select era::text, xact::text, c.id::text from changes c order by c.id desc limit 1');
  latest = newest ?? beginning;
});
test.after('stop', async () => {
  await world?.end();
  await db?.close();
});

/** All rows in this file fit into one page. */
const readWorkspaceChanges = async (workspaceId: number, after: Cursor, limit: number) =>
  (await readAllChanges(db.pool(), after, 1_000)).filter((row) => row.workspaceId === workspaceId).slice(0, limit);

/** The rows since the test began. Other databases of the cluster may hold the last ones back for a moment. */
async function newRows(count: number): Promise<readonly ChangeRow[]> {
  return eventually(
    () => readWorkspaceChanges(world.workspaceId, latest, 1_000),
    (rows) => rows.length >= count,
  );
}

const brief = ({ kind, itemId, version, via, credentialName, commentId, fields }: ChangeRow) => ({
  kind,
  itemId,
  version,
  via,
  credentialName,
  ...(commentId && { commentId }),
  fields,
});

const save = async (caller: Caller, record: object): Promise<Work> =>
  outputOf(await perform(db, caller, saveItem, { workspaceId: world.workspaceId, record } as never));

test('REST, a page, a session over REST and a job each leave a row with its channel', async (t) => {
  const { owner, fixtures, ownerId, api, workspaceId } = world;
  const made = await owner.save(draftOf('task', { estimatedHours: 2.5, dueDate: '2026-12-01' }, { title: 'Pier' }));
  const page: Caller = { kind: 'session', hash: hashSecret(await fixtures.session(ownerId)) };
  const second = await save(page, { ...made, title: 'Quay', fields: { dueDate: null } });
  const third = await save({ kind: 'user', userId: ownerId }, { ...second, ownerId });
  const secret = await fixtures.session(ownerId);
  const cookie = { Cookie: `JSESSIONID=${secret}`, 'Content-Type': 'application/json', 'X-Forwarded-Proto': 'https' };
  const { csrfToken } = await fetch(`${api.base}/capabilities`, { headers: cookie }).then(
    (answer) => answer.json() as Promise<{ csrfToken: string }>,
  );
  const body = JSON.stringify({ workspaceId, id: made.id, body: 'Seen.' });
  const comment = await fetch(`${api.base}/comments`, { method: 'POST', headers: { ...cookie, 'X-CSRF-Token': csrfToken }, body });
  const { id: commentId } = (await comment.json()) as { id: number };
  const rows = await newRows(4);
  t.deepEqual(rows.map(brief), [
    {
      kind: 'item.created',
      itemId: made.id,
      version: 1,
      via: 'rest',
      credentialName: 'Key',
      fields: {
        title: [null, 'Pier'],
        status: [null, 'planned'],
        statusKey: [null, 'planned'],
        priorityKey: [null, 'normal'],
        dueDate: [null, '2026-12-01'],
        estimatedHours: [null, 2.5],
      },
    },
    {
      kind: 'item.updated',
      itemId: made.id,
      version: 2,
      via: 'page',
      credentialName: null,
      fields: { title: ['Pier', 'Quay'], dueDate: ['2026-12-01', null] },
    },
    { kind: 'item.updated', itemId: made.id, version: 3, via: 'job', credentialName: null, fields: { ownerId: [null, ownerId] } },
    { kind: 'comment.created', itemId: made.id, version: third.version, via: 'rest', credentialName: null, commentId, fields: {} },
  ]);
  t.true(rows.every((row) => row.actorId === ownerId && row.accountId === world.accountId));
  t.deepEqual(
    rows.map(({ credentialId }) => credentialId !== null),
    [true, false, false, false],
  );
});

test("an agent leaves an ordered row for each item of a batch with its connection's name, and a retry leaves none", async (t) => {
  const { agent, make, workspaceId } = world;
  const made = await make(
    { type: 'requirement', title: 'R', description: 'Long' },
    { type: 'task', title: 'T' },
    { type: 'release', title: 'L' },
  );
  const update = once({ id: made[0].id, version: 1, description: 'Longer', fields: { acceptance: 'All of it' } });
  await ask(agent, 'svc_update_item', update);
  t.true((await call(agent, 'svc_update_item', update)).replayed);
  await ask(agent, 'svc_update_item', once({ id: made[0].id, version: 2, description: 'Longer' }));
  const { note } = await ask(agent, 'svc_add_note', once({ id: made[1].id, body: 'Begun.' }));
  await ask(agent, 'svc_remove_item', once({ id: made[1].id, version: 1 }));
  const rows = await newRows(6);
  t.deepEqual(
    rows.map(({ kind, itemId, version, commentId }) => [kind, itemId, version, commentId]),
    [
      ['item.created', made[0].id, 1, null],
      ['item.created', made[1].id, 1, null],
      ['item.created', made[2].id, 1, null],
      ['item.updated', made[0].id, 2, null],
      ['comment.created', made[1].id, 1, note.id],
      ['item.archived', made[1].id, 2, null],
    ],
  );
  t.deepEqual(rows[0]!.fields.title, [null, 'R']);
  t.true(rows[0]!.fields.description);
  t.deepEqual(rows[3]!.fields, { description: true, acceptance: true });
  t.true(rows.every((row) => row.via === 'agent' && row.credentialId === agent.id && row.credentialName === 'Agent'));
  const texts = await world.fixtures.sql('select name, before, account_id::int from change_texts where change_id = $1 order by name', [
    rows[3]!.id,
  ]);
  t.deepEqual(texts, [
    { name: 'acceptance', before: null, account_id: world.accountId },
    { name: 'description', before: 'Long', account_id: world.accountId },
  ]);
  t.is((await readWorkspaceChanges(workspaceId + 1, latest, 10)).length, 0);
});

test('a step of approval is one row of its kind with the resulting status', async (t) => {
  const { owner, fixtures, ownerId, workspaceId } = world;
  const caller: Caller = { kind: 'session', hash: hashSecret(await fixtures.session(ownerId)) };
  let item = await owner.save(draftOf('release'));
  for (const step of [requestApproval, approve]) {
    item = outputOf(await perform(db, caller, step, { workspaceId, id: item.id, version: item.version, comment: '' }));
  }
  const rows = await newRows(3);
  t.deepEqual(
    rows.slice(1).map(({ kind, version, fields }) => ({ kind, version, fields })),
    [
      {
        kind: 'approval.requested',
        version: 2,
        fields: { status: ['planned', 'pending_approval'], statusKey: ['planned', 'pending_approval'] },
      },
      {
        kind: 'approval.approved',
        version: 3,
        fields: { status: ['pending_approval', 'approved'], statusKey: ['pending_approval', 'approved'] },
      },
    ],
  );
});

test('the command line writes the changes since a moment, one per line', async (t) => {
  const { owner, workspaceId } = world;
  const made = await owner.save(draftOf('task', {}, { title: 'For the log' }));
  await newRows(1);
  const run = (since: string, workspace = workspaceId) =>
    stintHere(database.url, ['changes', '--workspace', String(workspace), '--since', since, '--json']);
  const all = (await run('2020-01-01T00:00:00Z')).stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.true(all.length > 1);
  t.like(all.at(-1), {
    kind: 'item.created',
    itemId: made.id,
    title: 'For the log',
    version: 1,
    via: 'rest',
    keyName: 'Key',
    actor: { name: 'Ana' },
  });
  t.deepEqual(
    (await run(all.at(-1).at)).stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
    [all.at(-1)],
  );
  t.like(await run('2999-01-01T00:00:00Z'), { code: 0, stdout: '' });
  t.regex((await run('yesterday')).stderr, /--since/);
  t.regex((await run('2020-01-01T00:00:00Z', 2 ** 40)).stderr, /--workspace/);
});

test('refused writes and saves without a change leave no row, and changes that follow from a rule leave one', async (t) => {
  const { owner } = world;
  const made = await owner.save(draftOf('milestone', { progressPercent: 30 }));
  await owner.save(made);
  t.is((await owner.post('/items/save', { record: { ...made, title: '' } })).status, 400);
  const done = await owner.save({ ...made, status: 'done', fields: {} });
  t.is((await owner.post('/items/save', { record: { ...made, title: 'Late' } })).status, 409);
  const rows = await newRows(2);
  t.deepEqual(rows.slice(1).map(brief), [
    {
      kind: 'item.updated',
      itemId: made.id,
      version: 2,
      via: 'rest',
      credentialName: 'Key',
      fields: {
        status: ['planned', 'done'],
        statusKey: ['planned', 'done'],
        actualDate: [null, done.fields.actualDate],
        progressPercent: [30, 100],
      },
    },
  ]);
});

test('readers wait for an open transaction and return its row before later ones, in order', async (t) => {
  const { owner, workspaceId } = world;
  const first = await owner.save(draftOf('task'));
  await newRows(1);
  const slow = new pg.Client(database.url);
  await slow.connect();
  await slow.query('begin');
  // As a save does: the id is assigned now, and the row appears with the commit.
  await slow.query(
    `insert into changes (account_id, workspace_id, item_id, actor_id, via, kind, version, fields)
     select account_id, workspace_id, id, $2, 'job', 'item.updated', 7, '{}' from items where id = $1`,
    [first.id, world.ownerId],
  );
  const from = (await newRows(1)).at(-1)!.place;
  const behind = await owner.save(draftOf('task'));
  const [before] = await world.fixtures.sql(
    `select change_era()::text as era, pg_snapshot_xmin(pg_current_snapshot())::text as xact, '0' as id`,
  );
  for (let poll = 0; poll < 3; poll++) {
    t.deepEqual(await readWorkspaceChanges(workspaceId, from, 10), []);
    t.deepEqual(await readAllChanges(db.pool(), from, 10), []);
  }
  await slow.query('commit');
  await slow.end();
  const rows = await eventually(
    () => readAllChanges(db.pool(), from, 10),
    (found) => found.length === 2,
  );
  t.deepEqual(
    rows.map(({ itemId, version }) => [itemId, version]),
    [
      [first.id, 7],
      [behind.id, 1],
    ],
  );
  t.deepEqual(await readAllChanges(db.pool(), before, 10), rows, 'a reader that began meanwhile gets both');
  t.deepEqual(await readAllChanges(db.pool(), rows[0]!.place, 10), rows.slice(1));
});

test('after a restore into a cluster with lower transaction numbers, new rows sort after the restored ones', async (t) => {
  const { owner, workspaceId, fixtures } = world;
  const item = await owner.save(draftOf('task'));
  const [restored] = await newRows(1);
  const before = restored!.place;
  // Rows from a dump of a busier cluster.
  await fixtures.sql(`update changes set xact = '1000000000000'::xid8 where id = $1`, [restored!.id]);
  t.deepEqual(await readWorkspaceChanges(workspaceId, latest, 10), []);
  await migrate(database.url);
  await migrate(database.url);
  await owner.save({ ...item, title: 'Here' });
  const rows = await newRows(2);
  t.deepEqual(
    rows.map(({ version, place }) => [version, place.era]),
    [
      [1, before.era],
      [2, String(Number(before.era) + 1)],
    ],
    'one era more, however often the release step runs',
  );
  t.deepEqual(await readWorkspaceChanges(workspaceId, rows[0]!.place, 10), rows.slice(1));
});
