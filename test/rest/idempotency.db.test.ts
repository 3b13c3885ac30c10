/** Writes over REST with an Idempotency-Key: behaviour §5.20. */
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import type { ExecutionContext } from 'ava';
import { fileDatabase } from '../support/database.ts';
import { type Answer, type Client, clientOf, draftOf, type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
test.before('a world', async () => {
  world = await restWorld(database.url);
});
test.after('stop', () => world?.end());

const keyed = (key: string) => ({ 'Idempotency-Key': key });
const replayed = ({ headers }: Answer) => headers.get('idempotent-replayed');

/** Each write: a body, another body, and a count of its effects. */
const writes = {
  '/items/save': {
    body: async (title: string) => ({ record: draftOf('task', { estimatedHours: 1.5 }, { title }) }),
    other: () => ({ record: draftOf('task', {}, { title: 'Another' }) }),
    counted: 'select count(*)::int as n from items where title = $1',
  },
  '/comments': {
    body: async (body: string) => ({ id: (await world.owner.save(draftOf('task'))).id, body }),
    other: (given: object) => ({ ...given, body: 'Another' }),
    counted: 'select count(*)::int as n from comments where body = $1',
  },
};

for (const [path, { body, other, counted }] of Object.entries(writes)) {
  const effects = async (text: string) => (await world.fixtures.sql(counted, [text]))[0].n;

  test(`${path}: a retry returns the first answer and changes nothing; another body or address with the key gets 409`, async (t) => {
    const [key, text] = [randomUUID(), `Once ${path}`];
    const given = await body(text);
    const first = await world.owner.post(path, given, keyed(key));
    t.is(first.status, 200);
    t.is(replayed(first), null);
    const again = await world.owner.post(path, Object.fromEntries(Object.entries(given).reverse()), keyed(key.toUpperCase()));
    t.is(again.status, 200);
    t.is(replayed(again), 'true');
    t.deepEqual(again.body, first.body);
    t.is(await effects(text), 1);
    const changed = await world.owner.post(path, other(given), keyed(key));
    t.deepEqual([changed.status, changed.code], [409, 'version_conflict']);
    t.regex(changed.body.error, /^This Idempotency-Key was already used for another change/);
    const elsewhere = path === '/comments' ? '/items/save' : '/comments';
    t.is((await world.owner.post(elsewhere, await writes[elsewhere].body('Elsewhere'), keyed(key))).status, 409);
    t.is((await world.owner.post(path, given, keyed(randomUUID()))).status, 200);
    t.is(await effects(text), 2);
  });

  test(`${path}: of twenty concurrent copies one takes effect, and all get the same answer`, async (t) => {
    const [key, text] = [randomUUID(), `Twins ${path}`];
    const given = await body(text);
    // A copy that waited too long for the other gets 409 or 503, and is sent again.
    const send = async (): Promise<Answer> => {
      const answer = await world.owner.post(path, given, keyed(key));
      return answer.status === 503 ? send() : answer;
    };
    const answers = await Promise.all(Array.from({ length: 20 }, send));
    t.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    t.is(new Set(answers.map((answer) => JSON.stringify(answer.body))).size, 1);
    t.is(answers.filter((answer) => replayed(answer) === null).length, 1);
    t.is(await effects(text), 1);
  });

  test(`${path}: a replay restores no access, and lost access is reported before a reused key`, async (t) => {
    const { client, userId } = await world.join('member');
    const [key, given] = [randomUUID(), await body(`Lost ${path}`)];
    t.is((await client.post(path, given, keyed(key))).status, 200);
    await world.fixtures.sql(`update memberships set role = 'viewer' where user_id = $1`, [userId]);
    t.is((await client.post(path, given, keyed(key))).status, 403);
    t.is((await client.post(path, other(given), keyed(key))).status, 403);
    await world.fixtures.sql('update rest_keys set revoked_at = now() where user_id = $1', [userId]);
    t.is((await client.post(path, given, keyed(key))).status, 401);
    t.is(await effects(`Lost ${path}`), 1);
  });

  test(`${path}: a failure leaves no receipt, so the same key works once the cause is gone`, async (t) => {
    const { client, userId } = await world.join('viewer');
    const [key, given] = [randomUUID(), await body(`Later ${path}`)];
    t.is((await client.post(path, given, keyed(key))).status, 403);
    await world.fixtures.sql(`update memberships set role = 'member' where user_id = $1`, [userId]);
    const answer = await client.post(path, given, keyed(key));
    t.deepEqual([answer.status, replayed(answer)], [200, null]);
  });

  test(`${path}: a header other than one UUID gets 400, only with a valid key`, async (t) => {
    const given = await body(`Never ${path}`);
    for (const key of ['', 'not-a-uuid', `"${randomUUID()}"`, `${randomUUID()}, ${randomUUID()}`]) {
      const answer = await world.owner.post(path, given, keyed(key));
      t.deepEqual([answer.status, answer.code], [400, 'invalid_request'], key);
      t.regex(answer.body.error, /^Idempotency-Key: give one UUID/);
    }
    t.is(await sentTwice(path, given), 400);
    const nobody = clientOf(world.api, 'stint_rest_unknown', world.workspaceId);
    t.is((await nobody.post(path, given, keyed('no'))).status, 401);
    t.is(await effects(`Never ${path}`), 0);
  });
}

test('the retry of a comment that has been deleted since gets 409, which says so', async (t) => {
  const [key, given] = [randomUUID(), await writes['/comments'].body('Deleted later')];
  const { id } = (await world.owner.post('/comments', given, keyed(key))).body;
  await world.fixtures.sql('delete from comments where id = $1', [id]);
  const again = await world.owner.post('/comments', given, keyed(key));
  t.is(again.status, 409);
  t.is(again.body.error, `This call added comment ${id}, which has been deleted since: do not send it again.`);
});

/** The status of a request with the header twice. */
function sentTwice(path: string, body: object): Promise<number | undefined> {
  const text = JSON.stringify({ workspaceId: world.workspaceId, ...body });
  return new Promise((resolve, reject) => {
    const headers = ['X-API-Key', world.key, 'Content-Type', 'application/json', 'X-Forwarded-Proto', 'https'];
    const twice = ['Idempotency-Key', randomUUID(), 'Idempotency-Key', randomUUID()];
    const length = ['Host', new URL(world.api.base).host, 'Content-Length', String(Buffer.byteLength(text))];
    const sent = request(world.api.base + path, { method: 'POST', headers: [...headers, ...twice, ...length] }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.on('error', reject).end(text);
  });
}

test('an update runs once, and its retry returns its version, however many changes follow', async (t) => {
  const { id } = await world.owner.save(draftOf('task'));
  const key = randomUUID();
  const update = { record: draftOf('task', {}, { id, version: 1, title: 'Second' }) };
  const first = await world.owner.post('/items/save', update, keyed(key));
  t.is(first.body.version, 2);
  await world.owner.save(draftOf('task', {}, { id, version: 2, title: 'Third' }));
  const again = await world.owner.post('/items/save', update, keyed(key));
  t.is(replayed(again), 'true');
  t.deepEqual(again.body, first.body);
  t.is((await world.owner.post('/items/save', update)).status, 409);
});

test('the replay of a receipt from before ownerId was omitted omits it, too', async (t) => {
  const key = randomUUID();
  const given = { record: draftOf('task') };
  const first = await world.owner.post('/items/save', given, keyed(key));
  await world.fixtures.sql(
    `update rest_receipts set result = (result::jsonb || '{"ownerId": null}')::json where (result ->> 'id')::bigint = $1`,
    [first.body.id],
  );
  const again = await world.owner.post('/items/save', given, keyed(key));
  t.deepEqual([replayed(again), again.body], ['true', first.body]);
});

test('creating with null is the same request as omitting; updating with null is a different one', async (t) => {
  const bare = { record: draftOf('task') };
  const written = { record: draftOf('task', { dueDate: null, goalId: null }, { ownerId: null }) };
  for (const [one, other] of [
    [bare, written],
    [written, bare],
  ]) {
    const key = randomUUID();
    const first = await world.owner.post('/items/save', one, keyed(key));
    const again = await world.owner.post('/items/save', other, keyed(key));
    t.deepEqual([again.status, replayed(again), again.body], [200, 'true', first.body]);
  }
  const { id } = await world.owner.save(draftOf('task'));
  const key = randomUUID();
  const update = (fields: object) => ({ record: draftOf('task', fields, { id, version: 1, title: 'New' }) });
  t.is((await world.owner.post('/items/save', update({}), keyed(key))).status, 200);
  t.is((await world.owner.post('/items/save', update({ dueDate: null }), keyed(key))).status, 409);
});

test('idempotency keys of different API keys and sessions are independent', async (t) => {
  const { fixtures, ownerId, workspaceId, api } = world;
  const key = randomUUID();
  const cookie = { Cookie: `JSESSIONID=${await fixtures.session(ownerId)}` };
  const session = clientOf({ ...api, fetch: withoutKey(api.fetch) }, '', workspaceId);
  const { csrfToken } = (await session.get('/capabilities', {}, cookie)).body;
  const given = { record: draftOf('task', {}, { title: 'Whose' }) };
  const clients: [Client, Record<string, string>][] = [
    [world.owner, {}],
    [clientOf(api, await fixtures.key(ownerId), workspaceId), {}],
    [session, { ...cookie, 'X-CSRF-Token': csrfToken }],
  ];
  const ids = new Set<number>();
  for (const [client, headers] of clients) {
    const first = await client.post('/items/save', given, { ...keyed(key), ...headers });
    t.deepEqual([first.status, replayed(first)], [200, null]);
    const again = await client.post('/items/save', given, { ...keyed(key), ...headers });
    t.deepEqual([replayed(again), again.body], ['true', first.body]);
    ids.add(first.body.id);
  }
  t.is(ids.size, 3);
  t.is((await session.post('/items/save', given, { ...keyed(key), ...cookie })).status, 403);
  await fixtures.sql('delete from sessions where user_id = $1', [ownerId]);
  t.is((await session.post('/items/save', given, { ...keyed(key), ...cookie, 'X-CSRF-Token': csrfToken })).status, 401);
});

function withoutKey(fetching: typeof fetch): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.delete('X-API-Key');
    return fetching(input, { ...init, headers });
  };
}

test('a replay does not return a created item after its parent became inaccessible, and omits an invisible goal', async (t) => {
  const { client, userId } = await world.join('owner');
  const [above, goal] = [await world.owner.save(draftOf('requirement')), await world.owner.save(draftOf('goal'))];
  const send = (key: string, fields: object) => client.post('/items/save', { record: draftOf('task', fields) }, keyed(key));
  const [below, linked] = [randomUUID(), randomUUID()];
  t.is((await send(below, { requirementId: above.id })).status, 200);
  t.is((await send(linked, { goalId: goal.id })).body.fields.goalId, goal.id);
  await hide(t, userId, ['requirements', 'goals']);
  t.is((await send(below, { requirementId: above.id })).status, 403);
  t.false('goalId' in (await send(linked, { goalId: goal.id })).body.fields);
});

async function hide(t: ExecutionContext, userId: number, resources: string[]) {
  const overrides = JSON.stringify(Object.fromEntries(resources.map((name) => [name, 'none'])));
  const rows = await world.fixtures.sql('update memberships set overrides = $2 where user_id = $1 returning 1', [userId, overrides]);
  t.is(rows.length, 1);
}

test("a comment's receipt contains no text, and reads ignore the header", async (t) => {
  const key = randomUUID();
  await world.owner.post('/comments', await writes['/comments'].body('A secret of the house'), keyed(key));
  const rows = await world.fixtures.sql('select r::text as row from rest_receipts r where idempotency_key = $1', [key]);
  t.is(rows.length, 1);
  t.notRegex(rows[0].row, /secret of the house/);
  t.is((await world.owner.get('/workspaces', {}, keyed('no UUID'))).status, 200);
});
