/** A primary that dies, its synchronous standby that takes over, and the old primary that returns. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { connectDb } from '../../src/database/db.ts';
import { migrate } from '../../src/database/migrate.ts';
import { sql } from '../../src/database/sql.ts';
import { troubleOf } from '../../src/database/trouble.ts';
import { type Embedded, startEmbedded } from '../../src/embedded/startEmbedded.ts';
import type { Json } from '../chaos/calls.ts';
import { temporaryFolder } from '../support/disposable.ts';
import { eventually } from '../support/eventually.ts';
import { openLive } from '../support/liveStream.ts';
import { answered, spawnFor } from '../support/processes.ts';
import { startProxy } from '../support/proxy.ts';
import { draftOf, Fixtures, restWorld } from '../support/restWorld.ts';
import { rowsAt } from '../support/rowsAt.ts';
import { kill, promote, startStandby } from '../support/standby.ts';
import { suite } from '../support/suite.ts';
import { spawnWeb, TEST_SECRET } from '../support/world.ts';

const test = suite(import.meta.url);

/** Only the process is killed, never the machine, so commits may stay in memory. */
const settings = ['fsync=off', 'wal_writer_delay=10s'];
const above = temporaryFolder();
const [first, second] = [join(above, 'first'), join(above, 'second')];
const running = new Set<Embedded>();
let [primary, standby]: Embedded[] = [];
let proxy: Awaited<ReturnType<typeof startProxy>>;

test.before('a primary with a standby', async () => {
  primary = await startEmbedded(first, { settings });
  running.add(primary);
  await migrate(primary.url);
  standby = await startStandby(primary, first, second, { settings });
  running.add(standby);
  proxy = await startProxy(primary.url);
});
test.after('stop', async () => {
  proxy?.close();
  for (const server of running) await server.stop();
  rmSync(above, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

/** Web process, worker and an owner with a key, on the database behind the proxy. */
async function service(t: ExecutionContext) {
  const fixtures = new Fixtures(primary!.url);
  t.teardown(() => fixtures.close());
  const accountId = await fixtures.account();
  const ownerId = await fixtures.user(accountId);
  const workspaceId = await fixtures.workspace(accountId);
  await fixtures.member(workspaceId, ownerId);
  const headers = { 'X-API-Key': await fixtures.key(ownerId), 'Content-Type': 'application/json' };
  const cookie = await fixtures.session(ownerId);
  const worker = spawnFor(t, ['workers/index.ts'], {
    env: { SECRET_KEY: TEST_SECRET, BASE_URL: 'http://localhost/stint', DATABASE_URL: proxy.url },
  });
  const web = await spawnWeb(proxy.url);
  t.teardown(web.stop);
  await worker.log({ msg: 'listening' });
  const call = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${web.baseUrl}/api/v1${path}`, { ...init, headers: { ...headers, ...init.headers } });
    return { status: answer.status, body: (await answer.json()) as Json };
  };
  return {
    baseUrl: web.baseUrl,
    cookie,
    database: async () => ((await (await fetch(`${web.baseUrl}/readyz`)).json()) as Json).database,
    read: (id: number) => call(`/item?workspaceId=${workspaceId}&id=${id}`),
    changes: (after: string) => call(`/changes?workspaceId=${workspaceId}&after=${after}`),
    save(title: string, key: string = randomUUID()) {
      const body = JSON.stringify({ workspaceId, record: { ...draftOf('task'), title } });
      return call('/items/save', { method: 'POST', headers: { 'Idempotency-Key': key }, body });
    },
  };
}

test('a standby is refused as read-only', async (t) => {
  t.is(troubleOf(await t.throwsAsync(connectDb(standby!.url, 1))), 'read only');
});

test('receipts, cursors and live updates continue after a failover, and the returning old primary is refused', async (t) => {
  t.timeout(120_000);
  const stint = await service(t);
  const stream = await openLive(stint.baseUrl, { Cookie: `JSESSIONID=${stint.cookie}` });
  t.teardown(stream.close);
  const key = randomUUID();
  const saved = await stint.save('before', key);
  t.is(saved.status, 200);
  const told = await eventually(
    () => stint.changes('0'),
    ({ body }) => body.changes.length === 1,
  );
  const end = (await stint.changes('latest')).body.nextAfter;
  await kill(primary!);
  running.delete(primary!);
  await promote(standby!);
  proxy.retarget(standby!.url);
  await answered(`${stint.baseUrl}/readyz`, 10_000);

  t.deepEqual(await stint.save('before', key), saved);
  const count = await rowsAt(standby!.url, `select count(*)::int from items where title = 'before'`);
  t.is(count[0].count, 1);

  const { body: later } = await stint.save('after');
  for (const after of [told.body.nextAfter, end]) {
    const { body } = await eventually(
      () => stint.changes(after),
      ({ body }) => body.changes.length > 0,
    );
    t.deepEqual(
      body.changes.map(({ itemId }: Json) => itemId),
      [later.id],
    );
  }
  const isLive = await eventually(
    async () => stream.events.some(({ name, data }) => name === 'changes' && data.items?.includes(later.id)),
    (found) => found,
  );
  t.true(isLive);
  const listening = `select application_name as name from pg_stat_activity where query ilike 'listen%' order by 1`;
  const names = await eventually(
    async () => (await rowsAt(standby!.url, listening)).map(({ name }) => name),
    (found) => found.length === 2,
  );
  t.deepEqual(names, ['stint web', 'stint worker']);

  primary = await startEmbedded(first, { settings });
  running.add(primary);
  proxy.retarget(primary.url);
  proxy.reset();
  t.is(await eventually(stint.database, (found) => found === 'old primary'), 'old primary');
  t.is((await stint.read(saved.body.id)).status, 503);
  t.is((await stint.save('astray')).status, 503);
  const astray = await rowsAt(primary.url, `select from items where title = 'astray'`);
  t.is(astray.length, 0);

  proxy.retarget(standby!.url);
  await answered(`${stint.baseUrl}/readyz`, 10_000);
  t.is((await stint.read(later.id)).status, 200);
});

test('the first connection to a new primary ends connections to the old one', async (t) => {
  proxy.retarget(primary!.url);
  const db = await connectDb(proxy.url, 2);
  t.teardown(() => db.close());
  const select = () => db.pool().query(sql.unsafe`select 1`);
  const onOld = `select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
  await db
    .transaction(async (tx) => {
      await tx.query(sql.unsafe`select 1`);
      proxy.retarget(standby!.url);
      await select();
      await t.throwsAsync(tx.query(sql.unsafe`select 1`));
    })
    .catch(() => {});
  await t.notThrowsAsync(Promise.all([select(), select()]));
  const left = await eventually(
    () => rowsAt(primary!.url, onOld),
    (rows) => rows.length === 0,
  );
  t.is(left.length, 0);
});

test('a reader that began with after=latest misses nothing after a crash', async (t) => {
  proxy.retarget(standby!.url);
  const { api, owner, end } = await restWorld(proxy.url);
  t.teardown(end);
  await owner.save(draftOf('task'));
  await owner.get('/changes');
  // Transactions that change nothing: after the crash PostgreSQL reuses their numbers.
  await rowsAt(standby!.url, `do $$ begin for n in 1..10000 loop perform pg_current_xact_id(); rollback; end loop; end $$`);
  const { nextAfter } = (await owner.get('/changes', { after: 'latest' })).body;
  await kill(standby!);
  running.delete(standby!);
  standby = await startEmbedded(second, { settings });
  running.add(standby);
  proxy.retarget(standby.url);
  await answered(api.base.replace('/api/v1', '/readyz'));
  const { id } = await owner.save(draftOf('task'));
  const { body } = await eventually(
    () => owner.get('/changes', { after: nextAfter }),
    ({ body }) => body.changes.length > 0,
  );
  t.deepEqual(
    body.changes.map(({ itemId }: Json) => itemId),
    [id],
  );
});
