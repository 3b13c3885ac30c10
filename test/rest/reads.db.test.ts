/** Paging, ETags, workspaces and options: behaviour §5.1, §5.3, §5.12, §5.18. */
import { fileDatabase } from '../support/database.ts';
import { clientOf, draftOf, type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
test.before('a world', async () => {
  world = await restWorld(database.url);
});
test.after('stop', () => world?.end());

const draft = (fields: object = {}, more: object = {}) => draftOf('task', fields, more);
const idsOf = (items: { id: number }[]) => items.map(({ id }) => id);

/** A separate workspace with its owner's client. */
async function elsewhere() {
  const workspaceId = await world.fixtures.workspace(world.accountId);
  await world.fixtures.member(workspaceId, world.ownerId);
  return { workspaceId, client: clientOf(world.api, world.key, workspaceId) };
}

test('pages are in id order, without gaps or repetitions, at any length', async (t) => {
  const { client } = await elsewhere();
  const ids: number[] = [];
  for (let i = 0; i < 7; i++) ids.push((await client.save(draft())).id);
  for (const limit of [1, 2, 3, 6, 7, 8, 100]) {
    const found: number[] = [];
    let after = 0;
    for (let more = true; more; ) {
      const { body } = await client.get('/items', { after, limit });
      found.push(...idsOf(body.items));
      t.is(body.nextAfter, body.items.at(-1).id);
      t.is(body.hasMore, found.length < ids.length);
      ({ nextAfter: after, hasMore: more } = body);
    }
    t.deepEqual(found, ids);
  }
});

test('an empty page repeats the requested cursor', async (t) => {
  const { client } = await elsewhere();
  t.deepEqual((await client.get('/items')).body, { items: [], hasMore: false, nextAfter: 0 });
  t.deepEqual((await client.get('/items', { after: 2 ** 53 - 1 })).body, { items: [], hasMore: false, nextAfter: 2 ** 53 - 1 });
});

test('by default a page has tasks, up to 50', async (t) => {
  const { client, workspaceId } = await elsewhere();
  await world.fixtures.sql(
    `insert into items (account_id, workspace_id, type, title, status, status_key)
     select $1, $2, 'task', 'T' || n, 'planned', 'planned' from generate_series(1, 51) n`,
    [world.accountId, workspaceId],
  );
  await client.save(draft({}, { type: 'goal' }));
  const { body } = await client.get('/items');
  t.is(body.items.length, 50);
  t.true(body.hasMore && body.items.every(({ type }: { type: string }) => type === 'task'));
  t.is((await client.get('/items', { limit: 100 })).body.items.length, 51);
  t.is((await client.get('/items', { type: 'goal' })).body.items.length, 1);
});

test('hidden and archived items affect neither a page nor its flag for more', async (t) => {
  const { client, workspaceId } = await elsewhere();
  const reader = await world.fixtures.user(world.accountId);
  await world.fixtures.member(workspaceId, reader, 'member', { releases: 'none' });
  const seen = clientOf(world.api, await world.fixtures.key(reader), workspaceId);
  const release = await client.save(draft({}, { type: 'release' }));
  const [first, second] = [await client.save(draft()), await client.save(draft())];
  await client.save(draft({ releaseId: release.id }));
  const archived = await client.save(draft());
  await world.fixtures.sql('update items set archived_at = now() where id = $1', [archived.id]);
  t.deepEqual((await seen.get('/items', { limit: 2 })).body, { items: [first, second], hasMore: false, nextAfter: second.id });
  t.is((await seen.get('/items', { type: 'release' })).status, 403);
});

test('a current ETag gets 304, only for callers who may read', async (t) => {
  const { join, owner, fixtures } = world;
  const saved = await owner.save(draft());
  const first = await owner.get('/item', { id: saved.id });
  const etag = first.headers.get('etag')!;
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const answer = await owner.get('/item', { id: saved.id }, { 'If-None-Match': known });
    t.deepEqual([answer.status, answer.body, answer.headers.get('etag')], [304, null, etag], known);
  }
  const { client, userId } = await join('member');
  t.is((await client.get('/item', { id: saved.id }, { 'If-None-Match': etag })).status, 304);
  await fixtures.sql('delete from memberships where user_id = $1', [userId]);
  t.is((await client.get('/item', { id: saved.id }, { 'If-None-Match': etag })).status, 403);
  await owner.save({ ...saved, title: 'U' });
  const changed = await owner.get('/item', { id: saved.id }, { 'If-None-Match': etag });
  t.is(changed.status, 200);
  t.not(changed.headers.get('etag'), etag);
});

test('the ETag differs between callers who see different data', async (t) => {
  const goal = await world.owner.save(draft({}, { type: 'goal' }));
  const { id } = await world.owner.save(draft({ goalId: goal.id }));
  const { client } = await world.join('member', { goals: 'none' });
  const etags = await Promise.all([world.owner, client].map(async (caller) => (await caller.get('/item', { id })).headers.get('etag')));
  t.not(etags[0], etags[1]);
});

test("workspaces are the member's active ones, in id order", async (t) => {
  const { fixtures, accountId } = world;
  const userId = await fixtures.user(accountId);
  const [one, two, archived] = [
    await fixtures.workspace(accountId, 'One'),
    await fixtures.workspace(accountId, 'Two'),
    await fixtures.workspace(accountId),
  ];
  for (const id of [two, one, archived]) await fixtures.member(id, userId, 'viewer');
  await fixtures.sql('update workspaces set archived_at = now() where id = $1', [archived]);
  const client = clientOf(world.api, await fixtures.key(userId), one);
  const { body } = await client.get('/workspaces');
  t.deepEqual(
    body.workspaces.map(({ id, name, sample }: { id: number; name: string; sample: boolean }) => ({ id, name, sample })),
    [
      { id: one, name: 'One', sample: false },
      { id: two, name: 'Two', sample: false },
    ],
  );
  for (const path of ['/items', '/options']) t.is((await client.get(path, { workspaceId: archived })).status, 403);
  t.is((await clientOf(world.api, await fixtures.key(userId, ['tasks:read']), one).get('/workspaces')).status, 403);
  t.deepEqual((await clientOf(world.api, await fixtures.key(await fixtures.user(accountId)), one).get('/workspaces')).body, {
    workspaces: [],
  });
});

test("options have the workspace's statuses and priorities, for readable types", async (t) => {
  const { body } = await world.owner.get('/options');
  t.deepEqual(
    body.priorities.map(({ key }: { key: string }) => key),
    ['low', 'normal', 'high', 'urgent'],
  );
  t.deepEqual(body.priorities[1], { key: 'normal', label: 'Normal', rank: 2, default: true });
  const types = ['task', 'requirement', 'goal', 'release', 'milestone'];
  t.deepEqual(body.statuses[0], { key: 'planned', label: 'Planned', status: 'planned', types, closed: false, approval: false });
  const flags = (name: string) => body.statuses.filter((row: Record<string, unknown>) => row[name]).map(({ key }: { key: string }) => key);
  t.deepEqual(flags('closed'), ['done', 'cancelled']);
  t.deepEqual(flags('approval'), ['pending_approval', 'approved']);
  t.true(body.assignees.some(({ id, name }: { id: number; name: string }) => id === world.ownerId && name === 'Ana'));

  const { client } = await world.join('member', {}, ['workspaces:read', 'tasks:read']);
  const narrow = (await client.get('/options')).body;
  t.true(narrow.statuses.every((row: { types: string[] }) => row.types.join() === 'task'));
  t.false(narrow.statuses.some((row: { approval: boolean }) => row.approval));
});

test('options need workspaces:read and one type of work', async (t) => {
  for (const only of [['tasks:read'], ['workspaces:read'], ['workspaces:read', 'comments:read']] as const) {
    const { client } = await world.join('member', {}, [...only]);
    t.is((await client.get('/options')).status, 403);
  }
});

test("options omit people who can't be assigned", async (t) => {
  const viewer = await world.join('viewer');
  const member = await world.join('member');
  const assignees = idsOf((await world.owner.get('/options')).body.assignees);
  t.true(assignees.includes(member.userId));
  t.false(assignees.includes(viewer.userId));
});

test('a page of megabytes is complete, with any characters', async (t) => {
  const { client } = await elsewhere();
  const written: string[] = [];
  for (let n = 0; n < 12; n++) {
    const description = 'x'.repeat(n) + '😀ä'.repeat(16_000);
    written.push(description);
    await client.save({ ...draft(), description });
  }
  const { body, headers } = await client.get('/items', { limit: 100 });
  t.true(Number(headers.get('content-length')) > 1_000_000);
  t.deepEqual(
    body.items.map(({ description }: { description: string }) => description),
    written,
  );
});

test('a long body arrives unchanged, in pieces of any size, with its length and without', async (t) => {
  const { client, workspaceId } = await elsewhere();
  const description = Array.from({ length: 49_000 }, (_, n) => ['a', 'ä', '漢', '😀', '"', '\\'][(n * n) % 6]).join('');
  const text = new TextEncoder().encode(JSON.stringify({ workspaceId, record: { ...draft(), description } }));
  for (const piece of [text.length, 70_000, 4_096, 333]) {
    const pieces = Array.from({ length: Math.ceil(text.length / piece) }, (_, n) => text.slice(n * piece, (n + 1) * piece));
    for (const body of [ReadableStream.from(pieces), text]) {
      const headers = { 'X-API-Key': world.key, 'Content-Type': 'application/json' };
      const answer = await fetch(`${world.api.base}/items/save`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
      t.is(answer.status, 200);
      const { id } = (await answer.json()) as { id: number };
      t.is((await client.get('/item', { id })).body.description, description);
    }
  }
});
