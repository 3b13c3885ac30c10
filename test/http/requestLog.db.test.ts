/** Log lines of requests and jobs in deployed processes. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Bulk, makeBulk } from '../support/bulk.ts';
import { fileDatabase } from '../support/database.ts';
import { answered, type Spawned, spawnNode } from '../support/processes.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let bulk: Bulk;
let web: Spawned;
let worker: Spawned;
let base: string;

test.before('some items, a web process and a worker', async () => {
  bulk = await makeBulk(database.url, 20);
  const env = { SECRET_KEY: 'test'.repeat(10), DATABASE_URL: database.url, PORT: '0', TRUST_PROXY: '1' };
  [web, worker] = ['src/web.ts', 'workers/index.ts'].map((script) => spawnNode([script], { env })) as [Spawned, Spawned];
  const [{ port }] = await Promise.all([web.log({ msg: 'listening' }), worker.log({ msg: 'listening' })]);
  base = `http://127.0.0.1:${port}`;
  // Without connections yet, a busy process may fail to look up the caller.
  await answered(`${base}/readyz`);
});
test.after('stop', () =>
  Promise.all(
    [web, worker].map(async (spawned) => {
      spawned?.kill('SIGKILL');
      await spawned?.exit();
    }),
  ),
);

/** The line of a request. Slow statements have lines with its id, too. */
const lineOf = (requestId: string) => web.log({ msg: 'request', requestId });

async function query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

test("a request's line has caller, operation, origin and result, as ids", async (t) => {
  const requestId = `edge.${randomUUID()}`;
  const path = `/api/v1/item?workspaceId=${bulk.workspaceId}&id=${bulk.firstTaskId}`;
  const headers = { 'X-API-Key': bulk.key, 'X-Request-Id': requestId, 'X-Forwarded-For': '198.51.100.7, 203.0.113.9' };
  const answer = await fetch(base + path, { headers });
  t.is(answer.headers.get('x-request-id'), requestId);
  const line = await lineOf(requestId);
  const [key] = await query<{ id: string; account_id: string; user_id: string }>('select id, account_id, user_id from rest_keys limit 1');
  t.like(line, {
    msg: 'request',
    operation: 'getItem',
    method: 'GET',
    path: '/api/v1/item',
    status: 200,
    address: '203.0.113.9',
    account: Number(key!.account_id),
    user: Number(key!.user_id),
    credential: `key ${key!.id}`,
    workspace: bulk.workspaceId,
    item: bulk.firstTaskId,
  });
  t.false(web.lines.join('\n').includes(bulk.key));
});

test("a page's line has the pattern of its path instead of its values", async (t) => {
  const requestId = randomUUID();
  await fetch(`${base}/workspaces/7/items/9?notice=secret-words`, { headers: { 'X-Request-Id': requestId }, redirect: 'manual' });
  const line = await lineOf(requestId);
  t.like(line, { path: '/workspaces/:id/items/:itemId', status: 303, workspace: 7, item: 9 });
  t.false('user' in line);
  t.false(web.lines.join('\n').includes('secret-words'));
});

test('a request id that is unsafe for a log is replaced, and a refused caller is not named', async (t) => {
  for (const given of ['short', 'x'.repeat(129), 'quoted"and{braced}']) {
    const answer = await fetch(`${base}/api/v1/workspaces`, { headers: { 'X-API-Key': 'stint_rest_unknown', 'X-Request-Id': given } });
    const requestId = answer.headers.get('x-request-id')!;
    t.regex(requestId, /^[0-9a-f-]{36}$/);
    t.false('user' in (await lineOf(requestId)));
  }
});

test('the application name in PostgreSQL has the kind of process', async (t) => {
  await fetch(`${base}/readyz`);
  const names = await query<{ application_name: string }>(
    `select distinct application_name from pg_stat_activity where datname = current_database() order by 1`,
  );
  for (const name of ['stint web', 'stint worker'])
    t.true(
      names.some((row) => row.application_name === name),
      name,
    );
});

test("a job's line names its user and its subject", async (t) => {
  await query(
    `select graphile_worker.add_job('snapshot_workspace', json_build_object('workspaceId', $1::bigint, 'about', json_build_object('account', 1)))`,
    [bulk.workspaceId],
  );
  t.like(await worker.log({ msg: 'job done', task: 'snapshot_workspace' }), { workspace: bulk.workspaceId, account: 1 });
});
