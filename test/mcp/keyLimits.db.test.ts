/** The limit that a call at the agent endpoint uses: its key's until the key is verified, then its connection's. */
import { newSecret } from '../../src/access/secrets.ts';
import { fileDatabase } from '../support/database.ts';
import { Fixtures } from '../support/restWorld.ts';
import { stopDatabaseClock } from '../support/stoppedClock.ts';
import { suite } from '../support/suite.ts';
import { oneWorkspace, startWeb, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const LIMIT = 8;

// A test's requests must count in the same minute.
test.before('stop the clock', () => stopDatabaseClock(database.url));

const messages = {
  tool: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'svc_context', arguments: {} } },
  ping: { jsonrpc: '2.0', id: 1, method: 'ping' },
  wrong: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'svc_context', arguments: { odd: true } } },
};

for (const message of Object.keys(messages) as (keyof typeof messages)[]) {
  test(`issue 12.6: a rotated key uses nothing of its connection's limit, and rotating does not reset it (${message})`, async (t) => {
    const refs = await world(database.url, oneWorkspace());
    const fixtures = new Fixtures(database.url);
    const web = await startWeb(database.url, { RATE_LIMIT_MCP: String(LIMIT) });
    t.teardown(async () => {
      await Promise.all([web.stop(), fixtures.close()]);
    });
    const call = async (key: string) => {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Accept: 'application/json' };
      const { status, headers: said } = await fetch(`${web.baseUrl}/mcp`, {
        method: 'POST',
        headers,
        body: JSON.stringify(messages[message]),
      });
      return { status, limit: said.get('ratelimit-limit'), left: Number(said.get('ratelimit-remaining')) };
    };
    const statuses = async (key: string, times: number) => {
      const found: number[] = [];
      for (let n = 0; n < times; n++) found.push((await call(key)).status);
      return found;
    };
    const nTimes = (n: number, status: number) => Array.from({ length: n }, () => status);

    t.deepEqual(await statuses(refs.key('c1'), 2), [200, 200]);
    const next = newSecret('agent');
    await fixtures.sql('update connections set key_hash = $2 where id = $1', [refs.id('c1'), next.hash]);
    // This process knew the old key, which now has its own limit.
    t.deepEqual(await statuses(refs.key('c1'), LIMIT), [...nTimes(LIMIT - 2, 401), 429, 429]);
    t.deepEqual(await call(next.secret), { status: 200, limit: String(LIMIT), left: LIMIT - 3 });
    t.deepEqual(await statuses(next.secret, LIMIT - 2), [...nTimes(LIMIT - 3, 200), 429]);
  });
}

test("issue 12.6: an unknown key gets its own limit's headers with each refusal, and reaches it", async (t) => {
  const web = await startWeb(database.url, { RATE_LIMIT_MCP: '4' });
  t.teardown(web.stop);
  const headers = { Authorization: `Bearer ${newSecret('agent').secret}`, 'Content-Type': 'application/json' };
  const seen: unknown[] = [];
  for (let n = 0; n < 5; n++) {
    const answer = await fetch(`${web.baseUrl}/mcp`, { method: 'POST', headers, body: JSON.stringify(messages.ping) });
    seen.push([answer.status, answer.headers.get('ratelimit-remaining')]);
  }
  t.deepEqual(seen, [
    [401, '3'],
    [401, '2'],
    [401, '1'],
    [401, '0'],
    [429, '0'],
  ]);
});
