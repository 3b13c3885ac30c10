/** Exactly one credential, in a header: behaviour §5.4. */
import { newSecret } from '../../src/access/secrets.ts';
import { fileDatabase } from '../support/database.ts';
import { asJson, badRequest, forbidden, refused, send, unauthenticated } from '../support/refusals.ts';
import { type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
test.before('a world', async () => {
  world = await restWorld(database.url);
});
test.after('stop', () => world?.end());

const target = '/workspaces';

test('a key is accepted in X-API-Key or in Authorization: ApiKey, in any letter case of the scheme', async (t) => {
  const { key } = world;
  for (const header of [
    ['X-API-Key', key],
    ['x-api-key', key],
    ['Authorization', `ApiKey ${key}`],
    ['authorization', `apikey ${key}`],
  ] as const) {
    t.is((await send(world, { target, headers: [header] })).status, 200);
  }
});

test('a missing credential gets 401, which says what to send', async (t) => {
  await refused(t, world, { target, headers: [] }, unauthenticated(/X-API-Key/));
  await refused(t, world, { target, headers: [['Cookie', 'theme=dark']] }, unauthenticated(/X-API-Key/));
});

test('an empty, unknown or malformed key gets 401', async (t) => {
  const { key } = world;
  const wrong = [
    '',
    'x',
    key.slice(0, -1),
    `${key}x`,
    key.toUpperCase(),
    `"${key}"`,
    'stint_rest_',
    newSecret('rest').secret,
    'ключ',
    'x'.repeat(4_000),
  ];
  for (const value of wrong) await refused(t, world, { target, headers: [['X-API-Key', value]] }, unauthenticated());
  const headers = ['', key, 'ApiKey', 'ApiKey ', `Bearer ${key}`, `Basic ${btoa(`key:${key}`)}`, `Token ${key}`, `ApiKey\t${key}`];
  for (const value of headers) await refused(t, world, { target, headers: [['Authorization', value]] }, unauthenticated());
});

test('an agent key gets 401, in either header', async (t) => {
  const { secret } = newSecret('agent');
  await refused(t, world, { target, headers: [['X-API-Key', secret]] }, unauthenticated());
  await refused(t, world, { target, headers: [['Authorization', `ApiKey ${secret}`]] }, unauthenticated());
  await refused(t, world, { target, headers: [['Authorization', `Bearer ${secret}`]] }, unauthenticated());
});

test('two credential headers, or a repeated one, get 401 even if each is valid', async (t) => {
  const { key } = world;
  const pairs: [string, string][][] = [
    [
      ['X-API-Key', key],
      ['Authorization', `ApiKey ${key}`],
    ],
    [
      ['Authorization', `ApiKey ${key}`],
      ['X-API-Key', key],
    ],
    [
      ['X-API-Key', key],
      ['X-API-Key', key],
    ],
    [
      ['X-API-Key', key],
      ['x-api-KEY', 'other'],
    ],
    [
      ['Authorization', `ApiKey ${key}`],
      ['Authorization', `ApiKey ${key}`],
    ],
    [
      ['Authorization', `ApiKey ${key}`],
      ['Authorization', ''],
    ],
    [
      ['X-API-Key', key],
      ['Authorization', 'Bearer x'],
    ],
    [
      ['X-API-Key', ''],
      ['Authorization', `ApiKey ${key}`],
    ],
  ];
  for (const headers of pairs) await refused(t, world, { target, headers }, unauthenticated(/exactly one/i));
  await refused(t, world, { target, headers: [['X-API-Key', `${key}, ${key}`]] }, unauthenticated());
});

test('a key in the URL gets 401, also with a valid header', async (t) => {
  const { key } = world;
  for (const query of [`key=${key}`, `api_key=${key}`, `x-api-key=${key}`, `token=${key}`, `anything=${key}`, 'apiKey=guess', key]) {
    await refused(t, world, { target: `${target}?${query}`, headers: [] }, unauthenticated(/URL/));
    await refused(t, world, { target: `${target}?${query}`, headers: [['X-API-Key', key]] }, unauthenticated(/URL/));
  }
});

test('a key takes precedence over a cookie', async (t) => {
  const { key, fixtures, ownerId } = world;
  const session: [string, string] = ['Cookie', `JSESSIONID=${await fixtures.session(ownerId)}`];
  t.is((await send(world, { target, headers: [['X-API-Key', key], session] })).status, 200);
  t.is(
    (
      await send(world, {
        target,
        headers: [
          ['X-API-Key', key],
          ['Cookie', 'JSESSIONID=nonsense'],
        ],
      })
    ).status,
    200,
  );
  await refused(t, world, { target, headers: [['X-API-Key', 'nonsense'], session] }, unauthenticated());
  await refused(t, world, { target, headers: [['Authorization', 'Bearer x'], session] }, unauthenticated());
  await refused(t, world, { target, headers: [['X-API-Key', ''], session] }, unauthenticated());
});

test('an unknown session gets 401, and a second cookie of the same name signs no user out', async (t) => {
  const session = await world.fixtures.session(world.ownerId);
  for (const cookie of ['JSESSIONID=', 'JSESSIONID=x', `jsessionid=${session}`, 'JSESSIONID=x; JSESSIONID=y']) {
    await refused(t, world, { target, headers: [['Cookie', cookie]] }, unauthenticated());
  }
  for (const cookie of [`JSESSIONID=${session}; JSESSIONID=x`, `JSESSIONID=x; JSESSIONID=${session}`]) {
    t.is((await send(world, { target, headers: [['Cookie', cookie]] })).status, 200, cookie);
  }
});

// Serial: it creates a user, which the other tests would count as a change.
test('an expired, revoked or ownerless key gets 401', async (t) => {
  const { fixtures, accountId, workspaceId, ownerId } = world;
  const expired = await fixtures.key(ownerId, ['workspaces:read'], '2020-01-01T00:00:00Z');
  await refused(t, world, { target, headers: [['X-API-Key', expired]] }, unauthenticated());
  const revoked = await fixtures.key(ownerId);
  await fixtures.sql('update rest_keys set revoked_at = now() where key_hash = sha256($1::bytea)', [revoked]);
  await refused(t, world, { target, headers: [['X-API-Key', revoked]] }, unauthenticated());
  const gone = await fixtures.user(accountId, 'Gone', false);
  await fixtures.member(workspaceId, gone);
  await refused(t, world, { target, headers: [['X-API-Key', await fixtures.key(gone)]] }, unauthenticated());
});

test('a POST by session without the right CSRF value gets 403 and changes nothing', async (t) => {
  const { fixtures, ownerId, workspaceId } = world;
  const cookie = ['Cookie', `JSESSIONID=${await fixtures.session(ownerId)}`] as const;
  const other = await send(world, { target: '/capabilities', headers: [['Cookie', `JSESSIONID=${await fixtures.session(ownerId)}`]] });
  const record = { type: 'task', title: 'A task', description: '', status: 'planned', fields: {} };
  const request = { method: 'POST', target: '/items/save', body: JSON.stringify({ workspaceId, record }) };
  for (const value of [null, '', 'x', JSON.parse(other.text).csrfToken as string]) {
    const csrf = value === null ? [] : [['X-CSRF-Token', value] as const];
    const headers = [['Content-Type', 'application/json'], cookie, ...csrf] as const;
    await refused(t, world, { ...request, headers }, { ...forbidden, says: /X-CSRF-Token.*\/capabilities/ });
  }
});

test('a POST by an invalid session gets 401, whatever its CSRF value', async (t) => {
  const cookie = ['Cookie', `JSESSIONID=${newSecret('session').secret}`] as const;
  const request = { method: 'POST', target: '/comments', body: JSON.stringify({ workspaceId: world.workspaceId, id: 1, body: 'Hello' }) };
  for (const csrf of [[], [['X-CSRF-Token', 'x'] as const]]) {
    await refused(t, world, { ...request, headers: [['Content-Type', 'application/json'], cookie, ...csrf] }, unauthenticated());
  }
});

test('callers without a valid credential get no validation errors', async (t) => {
  const unknown = newSecret('rest').secret;
  await refused(t, world, { target: '/items?nonsense=1', headers: [['X-API-Key', unknown]] }, unauthenticated());
  await refused(t, world, { method: 'POST', target: '/comments', headers: asJson(unknown), body: '{' }, unauthenticated());
  await refused(t, world, { method: 'POST', target: '/comments', headers: asJson(world.key), body: '{' }, badRequest());
});
