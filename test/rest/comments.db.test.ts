/** Comments over REST: behaviour §5.1, §8.1. */
import { fileDatabase } from '../support/database.ts';
import { type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
test.before('a world', async () => {
  world = await restWorld(database.url);
});
test.after('stop', () => world?.end());

const draft = { type: 'task', title: 'T', description: '', status: 'planned', fields: {} };
const newItem = async () => (await world.owner.save(draft)).id as number;

test('a comment is returned as sent, with its time', async (t) => {
  const id = await newItem();
  const body = ' <i>"one"</i>\r\n\u0001 two 😀 \\ ';
  const before = Date.now();
  const answer = await world.owner.post('/comments', { id, body });
  t.is(answer.status, 200);
  t.deepEqual(Object.keys(answer.body), ['id', 'body', 'createdAt']);
  t.is(answer.body.body, body);
  const createdAt = Date.parse(answer.body.createdAt);
  t.true(before <= createdAt && createdAt <= Date.now());
  t.deepEqual((await world.owner.get('/comments', { id })).body, { comments: [answer.body], hasMore: false });
});

test('a body has 1 to 12,000 characters, counted in code points', async (t) => {
  const id = await newItem();
  for (const body of ['x', '😀'.repeat(12_000)]) t.is((await world.owner.post('/comments', { id, body })).status, 200);
  for (const body of ['', '😀'.repeat(12_001), 5, null]) t.is((await world.owner.post('/comments', { id, body })).status, 400);
});

test('a body of spaces and invisible characters is refused; one stored before that rule is still returned', async (t) => {
  const id = await newItem();
  for (const body of [' ', ' \r\n\t', '\u200b\u00a0']) {
    const { status, body: answer } = await world.owner.post('/comments', { id, body });
    t.is(status, 400);
    t.regex(answer.error, /^body: give at least one character that can be seen/);
  }
  await world.fixtures.sql(`insert into comments (account_id, workspace_id, item_id, author_id, body) values ($1, $2, $3, $4, ' ')`, [
    world.accountId,
    world.workspaceId,
    id,
    world.ownerId,
  ]);
  t.is((await world.owner.get('/comments', { id })).body.comments[0].body, ' ');
});

test('an item without comments has none', async (t) => {
  t.deepEqual((await world.owner.get('/comments', { id: await newItem() })).body, { comments: [], hasMore: false });
});

test('the latest 100 are returned, newest first, and `before` pages back to the first one', async (t) => {
  const id = await newItem();
  await world.fixtures.sql(
    `insert into comments (account_id, workspace_id, item_id, author_id, body, created_at)
     select $1, $2, $3, $4, n::text, '2026-01-01'::timestamptz + (n / 2) * interval '1 second' from generate_series(1, 105) n`,
    [world.accountId, world.workspaceId, id, world.ownerId],
  );
  const { body } = await world.owner.get('/comments', { id });
  t.deepEqual(
    body.comments.map((comment: { body: string }) => Number(comment.body)),
    Array.from({ length: 100 }, (_, index) => 105 - index),
  );
  t.true(body.hasMore);
  const rest = (await world.owner.get('/comments', { id, before: body.comments.at(-1).id })).body;
  t.deepEqual(
    rest.comments.map((comment: { body: string }) => Number(comment.body)),
    [5, 4, 3, 2, 1],
  );
  t.false(rest.hasMore);
  t.deepEqual((await world.owner.get('/comments', { id, before: rest.comments.at(-1).id })).body, { comments: [], hasMore: false });
});

test("`before` must be a comment of the item: other ids, and other items' comments, get the same error", async (t) => {
  const id = await newItem();
  const other = (await world.owner.post('/comments', { id: await newItem(), body: 'Elsewhere' })).body.id;
  const answers = await Promise.all([other, 2 ** 40].map((before) => world.owner.get('/comments', { id, before })));
  t.deepEqual(
    answers.map(({ status }) => status),
    [400, 400],
  );
  t.true(answers[0]!.body.error.startsWith('before: '));
  t.deepEqual(answers[0]!.body, answers[1]!.body);
});

test('the same comment twice is two comments, because without a key nothing is idempotent', async (t) => {
  const id = await newItem();
  const [one, two] = [await world.owner.post('/comments', { id, body: 'Same' }), await world.owner.post('/comments', { id, body: 'Same' })];
  t.not(one.body.id, two.body.id);
});

test('reading and writing comments need their own rights, in addition to reading the item', async (t) => {
  const id = await newItem();
  const expected: [Awaited<ReturnType<RestWorld['join']>>, number, number][] = [
    [await world.join('member'), 200, 200],
    [await world.join('viewer'), 200, 403],
    [await world.join('member', { comments: 'read' }), 200, 403],
    [await world.join('member', { comments: 'none' }), 403, 403],
    [await world.join('member', { tasks: 'none' }), 403, 403],
    [await world.join('member', {}, ['tasks:read', 'comments:write']), 200, 200],
    [await world.join('member', {}, ['tasks:read', 'comments:read']), 200, 403],
    [await world.join('member', {}, ['tasks:write']), 403, 403],
    [await world.join('member', {}, ['comments:write']), 403, 403],
  ];
  for (const [{ client }, read, write] of expected) {
    t.is((await client.get('/comments', { id })).status, read);
    t.is((await client.post('/comments', { id, body: 'Hello' })).status, write);
  }
});

test('comments of absent, archived and foreign items get the same error', async (t) => {
  const { fixtures, accountId, ownerId, owner } = world;
  const archived = await newItem();
  await fixtures.sql('update items set archived_at = now() where id = $1', [archived]);
  const elsewhere = await fixtures.workspace(accountId);
  await fixtures.member(elsewhere, ownerId);
  const foreign = (await owner.post('/items/save', { workspaceId: elsewhere, record: draft })).body.id;
  for (const id of [archived, foreign, 999_999]) {
    const [read, write] = [await owner.get('/comments', { id }), await owner.post('/comments', { id, body: 'Hello' })];
    t.deepEqual([read.status, write.status], [403, 403]);
    t.deepEqual(read.body, write.body);
  }
});
