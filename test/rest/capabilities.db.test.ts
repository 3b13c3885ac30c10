/** Capabilities of a credential, and its rate limit (behaviour §5.11, §5.17). */
import { grants } from '../../src/access/rights.ts';
import { fileDatabase, freshDatabase } from '../support/database.ts';
import { clientOf, type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
test.before('a world', async () => {
  world = await restWorld(database.url);
});
test.after('stop', () => world?.end());

test('capabilities return the key, its user, its grants and its expiry', async (t) => {
  const { fixtures, api, workspaceId, ownerId, owner } = world;
  t.deepEqual((await owner.get('/capabilities')).body, {
    apiVersion: '1.0.0',
    authentication: { mode: 'key', keyName: 'Key', expiresAt: null },
    actor: { id: ownerId, name: 'Ana' },
    grants,
    csrfToken: null,
  });
  const key = await fixtures.key(ownerId, ['tasks:write', 'comments:read'], '2090-01-01T00:00:00Z');
  t.like((await clientOf(api, key, workspaceId).get('/capabilities')).body, {
    authentication: { expiresAt: '2090-01-01T00:00:00.000Z' },
    grants: ['tasks:read', 'tasks:write', 'comments:read'],
  });
});

test('a key over its limit gets a time to retry, and other keys work', async (t) => {
  const limited = await restWorld(await freshDatabase(t), { RATE_LIMIT_REST: '6' });
  t.teardown(limited.end);
  const answers = [];
  for (let i = 0; i < 8; i++) answers.push(await limited.owner.get('/workspaces'));
  // The minute may change in between: then fewer are refused.
  const refused = answers.filter(({ status }) => status === 429);
  t.true(refused.length <= 2);
  for (const { code, headers, body } of refused) {
    t.is(code, 'rate_limited');
    t.is(headers.get('ratelimit-remaining'), '0');
    t.regex(body.error, /Wait/);
  }
  t.is(answers[0]!.headers.get('ratelimit-limit'), '6');
  t.is(answers[0]!.headers.get('ratelimit-remaining'), '5');
  t.is((await (await limited.join('member')).client.get('/workspaces')).status, 200);
});
