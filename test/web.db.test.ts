/** The deployed web process: starting, draining, and an unreachable database. */
import { createServer } from 'node:net';
import type { ExecutionContext } from 'ava';
import pg from 'pg';
import { type Bulk, makeBulk } from './support/bulk.ts';
import { fileDatabase, freshDatabase } from './support/database.ts';
import { eventually } from './support/eventually.ts';
import { limitedRole } from './support/limitedRole.ts';
import { answered, spawnFor } from './support/processes.ts';
import { startProxy } from './support/proxy.ts';
import { suite } from './support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let bulk: Bulk;
test.before('some items', async () => {
  bulk = await makeBulk(database.url, 20);
});

const secrets = { SECRET_KEY: 'test'.repeat(10), NODE_ENV: 'production' };

async function startWeb(t: ExecutionContext, databaseUrl: string, env: Record<string, string> = {}) {
  const web = spawnFor(t, ['src/web.ts'], { env: { ...secrets, DATABASE_URL: databaseUrl, PORT: '0', ...env } });
  const { port } = await web.log({ msg: 'listening' });
  return { web, base: `http://127.0.0.1:${port}` };
}

const getItem = (base: string) =>
  fetch(`${base}/api/v1/item?workspaceId=${bulk.workspaceId}&id=${bulk.firstTaskId}`, {
    headers: { 'X-API-Key': bulk.key },
    signal: AbortSignal.timeout(15_000),
  });

test('a wrong environment stops the process with one message that lists every fault', async (t) => {
  const web = spawnFor(t, ['src/web.ts'], {
    env: { DATABASE_URL: 'mysql://x', SECRET_KEY: 'short', PORT: '99999', BASE_URL: 'http://example.com' },
  });
  t.is((await web.exit()).code, 1);
  const said = web.lines.join('\n');
  for (const name of ['DATABASE_URL', 'SECRET_KEY', 'PORT', 'BASE_URL']) t.true(said.includes(`${name}:`), `${name} in ${said}`);
});

test('a process that starts without a database answers 503, serves once the database is up, and replaces reset connections', async (t) => {
  const proxy = await startProxy(database.url);
  t.teardown(proxy.close);
  proxy.refuse();
  const { base } = await startWeb(t, proxy.url);
  t.is((await fetch(`${base}/healthz`)).status, 200);
  t.is((await fetch(`${base}/readyz`)).status, 503);
  const away = await getItem(base);
  t.is(away.status, 503);
  t.is(away.headers.get('x-error-code'), 'unavailable');
  t.true(Number(away.headers.get('retry-after')) >= 1);
  for (const change of [proxy.heal, proxy.reset]) {
    change();
    await answered(`${base}/readyz`);
    t.is((await getItem(base)).status, 200);
  }
});

test('unlikely settings cause warnings in the log at start', async (t) => {
  const env = {
    ...secrets,
    DATABASE_URL: database.url,
    PORT: '0',
    SMTP_URL: 'smtp://127.0.0.1:1',
    BASE_URL: 'https://stint.example',
    HOST: '127.0.0.1',
  };
  for (const script of ['src/web.ts', 'workers/index.ts']) {
    const started = spawnFor(t, [script], { env });
    t.truthy(await started.log({ about: 'mail sender' }));
    t.truthy(await started.log({ about: 'proxy' }));
  }
});

test('a database without tables is reported as unmigrated, and one without permissions as that', async (t) => {
  const empty = await freshDatabase(t, { migrated: false });
  const { base } = await startWeb(t, empty);
  const state = async () => ((await (await fetch(`${base}/readyz`)).json()) as { database: string }).database;
  t.is(await eventually(state, (found) => found !== 'unreachable'), 'unmigrated');
  const client = new pg.Client(empty);
  await client.connect();
  t.teardown(() => client.end());
  await client.query(`create function closed() returns setof int language plpgsql as $$ begin raise insufficient_privilege; end $$;
    create view migrations as select * from closed()`);
  t.is(await state(), 'permission denied');
  t.is((await fetch(`${base}/readyz`)).status, 503);
});

test.long('with an unreachable database requests get 503 instead of hanging, and the process recovers', async (t) => {
  const proxy = await startProxy(database.url);
  t.teardown(proxy.close);
  const { base } = await startWeb(t, proxy.url, { DATABASE_POOL_SIZE: '3' });
  t.is((await getItem(base)).status, 200);
  proxy.blackhole();
  const answers = await Promise.all(Array.from({ length: 6 }, () => getItem(base)));
  t.deepEqual([...new Set(answers.map((answer) => answer.status))], [503]);
  proxy.heal();
  await answered(`${base}/readyz`);
  t.is((await getItem(base)).status, 200);
});

test('without a free connection /readyz reports it, and requests wait for one', async (t) => {
  const role = await limitedRole(t, database.url, 1);
  const release = await role.hold();
  const proxy = await startProxy(role.url);
  t.teardown(proxy.close);
  const { base } = await startWeb(t, proxy.url);
  const readiness = await fetch(`${base}/readyz`);
  t.is(readiness.status, 503);
  t.deepEqual(await readiness.json(), { status: 'not ready', database: 'too many connections' });
  const tried = proxy.connected();
  const waiting = getItem(base);
  await tried;
  // Its second try: the first was refused.
  await proxy.connected();
  await release();
  t.is((await waiting).status, 200);
});

test('SIGTERM lets a running request finish, a second one changes nothing, and the process exits 0', async (t) => {
  const proxy = await startProxy(database.url);
  t.teardown(proxy.close);
  const { web, base } = await startWeb(t, proxy.url);
  t.is((await getItem(base)).status, 200);
  const held = proxy.hold();
  const running = getItem(base);
  await held;
  web.kill('SIGTERM');
  await web.log({ msg: 'draining' });
  web.kill('SIGTERM');
  proxy.heal();
  t.is((await running).status, 200);
  t.is((await web.exit()).code, 0);
});

test('a port in use ends the process with a message', async (t) => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  t.teardown(() => taken.close());
  const web = spawnFor(t, ['src/web.ts'], {
    env: { ...secrets, DATABASE_URL: database.url, PORT: String((taken.address() as { port: number }).port) },
  });
  t.is((await web.exit()).code, 1);
  t.true(web.lines.some((line) => line.includes('EADDRINUSE')));
});

test('neither keys nor texts are logged, and metrics need the token', async (t) => {
  const { web, base } = await startWeb(t, database.url, { METRICS_TOKEN: 'a-token-of-some-length' });
  await getItem(base);
  const comment = { workspaceId: bulk.workspaceId, id: bulk.firstTaskId, body: 'secret-comment-text' };
  await fetch(`${base}/api/v1/comments`, {
    method: 'POST',
    headers: { 'X-API-Key': bulk.key, 'Content-Type': 'application/json' },
    body: JSON.stringify(comment),
  });
  await fetch(`${base}/api/v1/item?workspaceId=1&id=1&key=${bulk.key}`);
  await web.log({ operation: 'addComment' });
  t.false(web.lines.join('\n').includes(bulk.key));
  t.false(web.lines.join('\n').includes('secret-comment-text'));
  const request = await web.log({ operation: 'getItem' });
  t.regex(String(request.requestId), /^[0-9a-f-]{36}$/);
  t.is((await fetch(`${base}/metrics`)).status, 401);
  const answer = await fetch(`${base}/metrics`, { headers: { Authorization: 'Bearer a-token-of-some-length' } });
  t.regex(await answer.text(), /stint_request_duration_seconds_count\{operation="getItem"/);
});
