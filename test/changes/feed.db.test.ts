/** GET /changes (behaviour §15.6 to §15.9): pages miss nothing and show only what the caller may read now. */
import { createSecretKey } from 'node:crypto';
import { LAST_ID, unsealed } from '../../src/changes/cursor.ts';
import { listChanges } from '../../src/changes/listChanges.ts';
import { connectDb } from '../../src/database/db.ts';
import { outputOf } from '../../src/operations/json.ts';
import { perform } from '../../src/operations/perform.ts';
import { capture } from '../bench/capture.ts';
import { cursorText } from '../support/cursorText.ts';
import { fileDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { ask, type McpWorld, mcpWorld, once } from '../support/mcpWorld.ts';
import { type Client, clientOf, draftOf, startApi } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

// biome-ignore lint/suspicious/noExplicitAny: bodies are JSON, looked into freely
type Json = any;

const database = fileDatabase();
let world: McpWorld;
test.before('a workspace and its owner', async () => {
  world = await mcpWorld(database.url);
});
test.after('stop', () => world?.end());

async function read(client: Client, query: Record<string, string | number> = {}): Promise<Json> {
  const answer = await client.get('/changes', query);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

/** A cursor behind everything written so far. Other databases of the cluster may hold the last rows back for a moment. */
async function end(): Promise<string> {
  const marker = await world.owner.save(draftOf('task', {}, { title: 'Marker' }));
  await eventually(
    () => read(world.owner, { itemId: marker.id }),
    (page) => page.changes.length === 1,
  );
  return (await read(world.owner, { after: 'latest' })).nextAfter;
}

/** Every row since the cursor, read in pages of this size. */
async function all(client: Client, after: string, limit = 200): Promise<Json[]> {
  await end();
  const rows: Json[] = [];
  for (let at = after; ; ) {
    const page = await read(client, { after: at, limit });
    rows.push(...page.changes);
    if (page.changes.length === 0) return rows;
    at = page.nextAfter;
  }
}
const notMarkers = (rows: Json[]) => rows.filter(({ title }) => title !== 'Marker');

test('pages of any size return the same rows in the same order, with actor and action', async (t) => {
  const { owner, agent, ownerId } = world;
  const from = await end();
  const made = await owner.save(draftOf('requirement', {}, { title: 'Pier' }));
  await ask(agent, 'svc_update_item', once({ id: made.id, version: 1, title: 'Quay', description: 'New', fields: { reach: 3 } }));
  const comment = (await owner.post('/comments', { id: made.id, body: 'Seen.' })).body;
  const rows = notMarkers(await all(owner, from));
  t.deepEqual(rows, [
    {
      id: rows[0].id,
      at: rows[0].at,
      kind: 'item.created',
      itemId: made.id,
      type: 'requirement',
      title: 'Quay',
      version: 1,
      actor: { id: ownerId, name: 'Ana' },
      via: 'rest',
      keyName: 'Key',
      fields: { title: [null, 'Pier'], status: [null, 'planned'], statusKey: [null, 'planned'] },
    },
    {
      ...rows[0],
      id: rows[1].id,
      at: rows[1].at,
      kind: 'item.updated',
      version: 2,
      via: 'agent',
      keyName: null,
      fields: { title: ['Pier', 'Quay'], description: true, reach: [null, 3] },
    },
    { ...rows[0], id: rows[2].id, at: rows[2].at, kind: 'comment.created', version: 2, commentId: comment.id, fields: {} },
  ]);
  const whole = await all(owner, '0');
  for (const limit of [1, 2, 3]) t.deepEqual((await all(owner, '0', limit)).slice(0, whole.length), whole);
  t.deepEqual((await read(owner, { itemId: made.id })).changes, rows);
});

test("only the caller's own key or agent gets keyName, whatever ids they share", async (t) => {
  const { owner, agent, agentOf, join, fixtures, ownerId } = world;
  const { client, userId } = await join('manager');
  const otherAgent = await agentOf(userId);
  const made = await owner.save(draftOf('task'));
  await client.save({ ...made, title: 'By the other key' });
  await ask(agent, 'svc_update_item', once({ id: made.id, version: 2, title: 'By the agent' }));
  await ask(otherAgent, 'svc_update_item', once({ id: made.id, version: 3, title: 'By the other agent' }));
  await end();
  const namesIn = (rows: Json[]) => rows.map(({ keyName = null }) => keyName);
  const names = async (of: Client) => namesIn((await read(of, { itemId: made.id })).changes);
  const history = async (of: typeof agent) => namesIn((await ask(of, 'svc_get_item', { id: made.id, history: true })).history).reverse();
  t.deepEqual(await names(owner), ['Key', null, null, null]);
  t.deepEqual(await names(client), [null, 'Key', null, null]);
  t.deepEqual(await history(agent), [null, null, 'Agent', null]);
  t.deepEqual(await history(otherAgent), [null, null, null, 'Agent']);
  // Makes ids of keys, connections and sessions overlap.
  const haveId = (id: number) => fixtures.sql('update changes set credential_id = $2 where item_id = $1', [made.id, id]);
  await haveId(agent.id);
  t.deepEqual(await history(agent), [null, null, 'Agent', 'Agent']);
  const cookie = await fixtures.session(ownerId);
  const [session] = await fixtures.sql('select max(id)::int as id from sessions');
  await haveId(session.id);
  t.deepEqual(namesIn(await bySession(cookie, made.id)), [null, null, null, null]);
});

async function bySession(cookie: string, itemId: number): Promise<Json[]> {
  const { api, workspaceId } = world;
  const answer = await fetch(`${api.base}/changes?workspaceId=${workspaceId}&itemId=${itemId}`, {
    headers: { Cookie: `JSESSIONID=${cookie}`, 'X-Forwarded-Proto': 'https' },
  });
  return ((await answer.json()) as Json).changes;
}

test('keys, agents and sessions over REST see an approval as an update without actor; the page names the person', async (t) => {
  const { owner, agent, visitor, join, fixtures, workspaceId } = world;
  const made = await owner.save(draftOf('release', {}, { title: 'Spring' }));
  const { userId } = await join('manager');
  await fixtures.sql(`update users set name = 'Decider' where id = $1`, [userId]);
  const decider = await visitor(userId);
  const decide = async (decision: string) => {
    await decider.go(`/workspaces/${workspaceId}/items/${made.id}`);
    await decider.send('/approval', { decision, comment: 'Secret words.' });
  };
  for (const decision of ['request', 'reject', 'request', 'approve']) await decide(decision);
  await end();
  const steps = [
    ['planned', 'pending_approval'],
    ['pending_approval', 'planned'],
    ['planned', 'pending_approval'],
    ['pending_approval', 'approved'],
  ];
  const expected = steps.map((status, n) => ({
    ...{ kind: 'item.updated', version: n + 2, actor: null, via: 'page', keyName: null },
    fields: { status, statusKey: status },
  }));
  const told = (rows: Json[]) =>
    rows.map(({ kind, version, actor, via, keyName, fields }) => ({ kind, version, actor, via, keyName, fields }));
  const ofKey = await read(owner, { itemId: made.id });
  t.deepEqual(told(ofKey.changes.slice(1)), expected);
  t.deepEqual(told((await bySession(decider.cookie!, made.id)).slice(1)), expected);
  const found = await ask(agent, 'svc_get_item', { id: made.id, history: true });
  t.deepEqual(
    found.history.slice(0, 4),
    ofKey.changes
      .slice(1)
      .reverse()
      .map(({ actor: _actor, keyName: _name, itemId: _id, type: _type, title: _title, ...row }: Json) => row),
  );
  for (const answer of [ofKey, found]) t.notRegex(JSON.stringify(answer), /Decider|Secret words|approval\./);
  t.regex((await decider.go(`/workspaces/${workspaceId}/items/${made.id}`)).text, /Decider.*Secret words/s);
});

test('a page says whether more follows, and each page has a sealed cursor of its own', async (t) => {
  const { owner } = world;
  const from = await end();
  const item = await owner.save(draftOf('task'));
  await owner.save({ ...item, title: 'Second' });
  await end();
  const first = await read(owner, { after: from, itemId: item.id, limit: 1 });
  t.true(first.hasMore);
  const second = await read(owner, { after: first.nextAfter, itemId: item.id, limit: 1 });
  t.false(second.hasMore);
  t.deepEqual(
    [...first.changes, ...second.changes].map(({ version }) => version),
    [1, 2],
  );
  const ends = [];
  for (let after = second.nextAfter; ends.length < 3; after = ends.at(-1)) {
    const { nextAfter, ...empty } = await read(owner, { after, itemId: item.id });
    t.deepEqual(empty, { changes: [], hasMore: false });
    ends.push(nextAfter);
  }
  const cursors = [first.nextAfter, second.nextAfter, ...ends];
  for (const cursor of cursors) t.regex(cursor, /^s-[\w-]{64}$/);
  t.is(new Set(cursors).size, cursors.length);
  t.is((await read(owner, { after: from, limit: 200 })).hasMore, false);
});

/** As an upgrade from 1.2.0 leaves the database (sql/0137). Resolves to what 1.2.0 answered to `after=latest` before. */
async function upgrade(): Promise<string> {
  const { fixtures } = world;
  const [place] = await fixtures.sql(`select change_era()::text as era, pg_snapshot_xmin(pg_current_snapshot())::text as xact, '0' as id`);
  await fixtures.sql('update cursor_key set plain_era = change_era(), plain_xact = pg_current_xact_id()');
  return cursorText(place);
}

test('cursors of 1.2.0, which were not sealed, continue at their row or at the end, also if the caller no longer sees that row', async (t) => {
  const { owner, join, fixtures } = world;
  const { client } = await join('member', { releases: 'none' });
  const item = await owner.save(draftOf('task'));
  await owner.save({ ...item, title: 'Second' });
  const release = await owner.save(draftOf('release'));
  await end();
  const latest = await upgrade();
  const third = await owner.save({ ...item, version: 2, title: 'Third' });
  await end();
  const versions = async (after: string) => (await read(client, { after, itemId: item.id })).changes.map(({ version }: Json) => version);
  const rowOf = async (id: number) =>
    cursorText((await fixtures.sql('select era::text, xact::text, id::text from changes where item_id = $1 order by id limit 1', [id]))[0]);
  t.deepEqual(await versions(await rowOf(item.id)), [2, 3]);
  t.deepEqual(await versions(await rowOf(release.id)), [3]);
  t.deepEqual(await versions(latest), [third.version]);
});

test('made-up cursors do not tell the numbers of transactions since the upgrade', async (t) => {
  const { owner, fixtures, join } = world;
  await upgrade();
  const [first, hidden, last] = [
    await owner.save(draftOf('task')),
    await owner.save(draftOf('release')),
    await owner.save(draftOf('task')),
  ];
  await end();
  const { client } = await join('member', { releases: 'none' });
  const places = await fixtures.sql('select era::text, xact::text, id::text from changes where item_id = any($1) order by xact', [
    [first.id, hidden.id, last.id],
  ]);
  const invalid = await client.get('/changes', { after: `s-${'A'.repeat(64)}` });
  t.is(invalid.status, 400);
  for (const place of places)
    for (const id of [place.id, '0', '1', LAST_ID])
      for (const more of [{}, { itemId: first.id }, { limit: 1 }] as Record<string, number>[]) {
        const answer = await client.get('/changes', { ...more, after: cursorText({ ...place, id }) });
        t.deepEqual([answer.status, answer.body], [400, invalid.body], `${place.xact} ${id}`);
      }
  const foreign = await client.get('/changes', { after: cursorText(places[0]), itemId: hidden.id });
  t.is(foreign.status, 403);
});

/** The row at a sealed cursor. */
const rowAt = async (cursor: string): Promise<number> => Number(unsealed(createSecretKey(await cursorKey(), 'base64'), cursor)!.id);
const cursorKey = async () => (await world.fixtures.sql(`select encode(key, 'base64') as key from cursor_key`))[0].key;

test('a poll sends the same statements whether hidden rows follow or none; the next one begins after them', async (t) => {
  const { owner, join, workspaceId } = world;
  const { userId } = await join('member', { releases: 'none' });
  const db = await connectDb(database.url, 1);
  t.teardown(() => db.close());
  const poll = async (after: string) => {
    let page: Json;
    const caller = { kind: 'user', userId } as const;
    const statements = await capture(async () => {
      page = outputOf(await perform(db, caller, listChanges, { workspaceId, after, limit: 50 }));
    });
    t.deepEqual([page.changes, page.hasMore], [[], false]);
    return { sent: statements.map(({ text }) => text), nextAfter: page.nextAfter };
  };
  const after = await end();
  await poll(after);
  const idle = await poll(after);
  const hidden = await owner.save(draftOf('release'));
  await eventually(
    () => read(owner, { itemId: hidden.id }),
    ({ changes }) => changes.length === 1,
  );
  const { sent, nextAfter } = await poll(after);
  t.deepEqual(sent, idle.sent);
  const [{ id }] = await world.fixtures.sql('select id::int from changes where item_id = $1', [hidden.id]);
  t.is(await rowAt(nextAfter), id);
  t.is(await rowAt((await poll(nextAfter)).nextAfter), id);
});

test('the feed returns and counts only what the caller may read now', async (t) => {
  const { owner, join } = world;
  const from = await end();
  const release = await owner.save(draftOf('release'));
  const task = await owner.save(draftOf('task', { releaseId: release.id }));
  const free = await owner.save(draftOf('task'));
  await owner.post('/comments', { id: free.id, body: 'Hidden from some.' });
  const { client: noReleases } = await join('member', { releases: 'none' });
  const { client: noComments } = await join('member', { comments: 'none' });
  const itemsOf = async (client: Client) => notMarkers(await all(client, from, 1)).map(({ itemId, kind }) => [itemId, kind]);
  t.deepEqual(await itemsOf(noReleases), [
    [free.id, 'item.created'],
    [free.id, 'comment.created'],
  ]);
  t.deepEqual(await itemsOf(noComments), [
    [release.id, 'item.created'],
    [task.id, 'item.created'],
    [free.id, 'item.created'],
  ]);
  const absent = await owner.get('/changes', { itemId: 2 ** 40 });
  const hidden = await noReleases.get('/changes', { itemId: task.id });
  t.is(absent.status, 403);
  t.deepEqual(hidden.body, absent.body);
  t.is((await noReleases.get('/changes', { itemId: task.id, after: 'latest' })).status, 403);
});

test('`latest` tells nothing about changes that the caller cannot see, and loses none that it can', async (t) => {
  const { owner, join, workspaceId } = world;
  const { client: noComments, userId } = await join('member', { comments: 'none' });
  const task = await owner.save(draftOf('task'));
  await end();
  const latest = () => noComments.get('/changes', { after: 'latest' });
  const hide = async () => {
    await owner.post('/comments', { id: task.id, body: 'Hidden.' });
    await end();
  };
  const answers = [await latest(), await latest()];
  await hide();
  answers.push(await latest());
  const cursors = answers.map(({ body }) => body.nextAfter);
  t.is(new Set(cursors).size, 3, 'each is sealed anew, whether something has happened or not');
  for (const cursor of cursors) t.regex(cursor, /^s-[\w-]{64}$/);
  // The markers of end() are visible, so the poll begins after the last one.
  const after = cursors[2];
  await owner.post('/comments', { id: task.id, body: 'Hidden, too.' });
  await eventually(
    async () => (await read(owner, { after })).changes.length,
    (count) => count === 1,
  );
  await owner.save({ ...task, title: 'Seen' });
  await end();
  const rows = notMarkers(await all(noComments, after));
  t.deepEqual(
    rows.map(({ itemId, kind }) => [itemId, kind]),
    [[task.id, 'item.updated']],
  );
  // A key of another process: only the database's key counts.
  const rotated = await startApi(database.url, { SECRET_KEY: 'r'.repeat(64) });
  const later = clientOf(rotated, await world.fixtures.key(userId), workspaceId);
  t.deepEqual(notMarkers((await later.get('/changes', { after })).body.changes), rows);
  await rotated.close();
  const forged = await noComments.get('/changes', { after: `s-${'A'.repeat(64)}` });
  t.is(forged.status, 400);
  t.regex(JSON.stringify(forged.body), /give 0, latest, or the nextAfter/);
});

test('only callers who read goals get their names, and hidden links are omitted', async (t) => {
  const { owner, join } = world;
  const from = await end();
  const goal = await owner.save(draftOf('goal'));
  const [secret, open] = [await owner.save(draftOf('release')), await owner.save(draftOf('requirement'))];
  const task = await owner.save(draftOf('task', { goalId: goal.id, releaseId: secret.id }));
  await owner.save({ ...task, fields: { releaseId: null, requirementId: open.id, estimatedHours: 3 } });
  const fieldsFor = async (client: Client) =>
    (await all(client, from)).filter(({ itemId, version }) => itemId === task.id && version === 2).map(({ fields }) => fields);
  t.deepEqual(await fieldsFor(owner), [{ releaseId: [secret.id, null], requirementId: [null, open.id], estimatedHours: [null, 3] }]);
  const { client: noReleases } = await join('member', { releases: 'none', goals: 'none' });
  t.deepEqual(await fieldsFor(noReleases), [{ releaseId: [null, null], requirementId: [null, open.id], estimatedHours: [null, 3] }]);
  const goals = async (client: Client) => (await all(client, from)).filter(({ itemId }) => itemId === task.id)[0].fields.goalId;
  t.deepEqual(await goals(owner), [null, goal.id]);
  t.is(await goals(noReleases), undefined);
  await world.fixtures.sql('update items set archived_at = now() where id = $1', [goal.id]);
  t.deepEqual(await goals(owner), [null, null], 'an archived goal is out of sight, like every link');
  const { history } = await ask(world.agent, 'svc_get_item', { id: task.id, history: true });
  t.deepEqual(history.at(-1).fields.goalId, [null, null]);
  t.is(await goals(noReleases), undefined);
});

test('callers who could read an item get its archiving and no later change', async (t) => {
  const { owner, agent, join } = world;
  const from = await end();
  const release = await owner.save(draftOf('release'));
  const task = await owner.save(draftOf('task', { releaseId: release.id, progressPercent: 5 }, { status: 'done' }));
  await ask(agent, 'svc_remove_item', once({ id: release.id, version: 1 }));
  await end();
  const { client: noReleases } = await join('member', { releases: 'none' });
  t.deepEqual(
    notMarkers(await all(owner, from)).map(({ itemId, kind, version, fields }) => ({ itemId, kind, version, fields })),
    [{ itemId: release.id, kind: 'item.archived', version: 2, fields: {} }],
    'the feed omits the hidden task',
  );
  t.deepEqual(notMarkers(await all(noReleases, from)), []);
  t.is((await owner.get('/changes', { itemId: release.id })).status, 403);
  t.is((await owner.get('/changes', { itemId: task.id })).status, 403);
});

test('a key needs workspaces:read and read access to a type; a foreign workspace gets 403', async (t) => {
  const { fixtures, join, owner, workspaceId, accountId } = world;
  for (const grants of [['workspaces:read', 'comments:read'], ['tasks:read']] as const) {
    const { client } = await join('member', {}, grants);
    for (const after of ['0', 'latest']) t.is((await client.get('/changes', { after })).status, 403, grants.join());
  }
  const { client } = await join('member', {}, ['workspaces:read', 'goals:read']);
  t.is((await client.get('/changes')).status, 200);
  const elsewhere = await fixtures.workspace(accountId);
  t.is((await owner.get('/changes', { workspaceId: elsewhere })).status, 403);
  await fixtures.sql('update workspaces set archived_at = now() where id = $1', [workspaceId]);
  t.is((await owner.get('/changes')).status, 403);
  await fixtures.sql('update workspaces set archived_at = null where id = $1', [workspaceId]);
});

test('a faulty query parameter is named', async (t) => {
  for (const [name, value] of Object.entries({ after: 'yesterday', limit: 201, itemId: 0, since: '0' })) {
    const answer = await world.owner.get('/changes', { [name]: value });
    t.is(answer.status, 400, name);
    t.true(answer.body.error.startsWith(`${name}: `), answer.body.error);
  }
  t.is((await world.owner.get('/changes', { limit: 0 })).status, 400);
  t.is((await world.owner.get('/changes', { after: '-1' })).status, 400);
});

test("svc_get_item returns the item's history on request: the latest 50, newest first, without the item's current values", async (t) => {
  const { owner, agent, agentOf, join } = world;
  const goal = await owner.save(draftOf('goal'));
  let item = await owner.save(draftOf('task', { goalId: goal.id }));
  for (let n = 1; n <= 50; n++) item = await owner.save({ ...item, title: `Title ${n}` });
  const { note } = await ask(agent, 'svc_add_note', once({ id: item.id, body: 'Done so far.' }));
  t.is((await ask(agent, 'svc_get_item', { id: item.id })).history, undefined);
  const { history } = await ask(agent, 'svc_get_item', { id: item.id, history: true });
  t.is(history.length, 50);
  t.deepEqual(history[0], {
    id: history[0].id,
    at: history[0].at,
    kind: 'comment.created',
    version: 51,
    actor: { id: world.ownerId, name: 'Ana' },
    via: 'agent',
    keyName: 'Agent',
    commentId: note.id,
    fields: {},
  });
  t.deepEqual(
    history.slice(1).map(({ version, fields }: Json) => [version, fields.title[1]]),
    Array.from({ length: 49 }, (_, n) => [51 - n, `Title ${50 - n}`]),
  );
  const { userId } = await join('member', { comments: 'none', goals: 'none' });
  const limited = await agentOf(userId);
  const fresh = await owner.save(draftOf('task', { goalId: goal.id }));
  await owner.post('/comments', { id: fresh.id, body: 'Not for all.' });
  const told = (await ask(limited, 'svc_get_item', { id: fresh.id, history: true })).history;
  t.deepEqual(
    told.map(({ kind, fields }: Json) => [kind, 'goalId' in fields]),
    [['item.created', false]],
  );
});
