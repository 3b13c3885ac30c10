/** Plain developer language end to end: agent, web process, worker, model (behaviour §8). */
import { randomUUID } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import pg from 'pg';
import { readConfig } from '../../../src/config.ts';
import { makeLogger } from '../../../src/log.ts';
import { startWorker, type Worker } from '../../../workers/worker.ts';
import { fileDatabase } from '../../support/database.ts';
import { type ModelServer, startModelServer } from '../../support/modelServer.ts';
import { spawnNode } from '../../support/processes.ts';
import { suite } from '../../support/suite.ts';
import { oneWorkspace, startWeb, TEST_SECRET, type Web, type WorldRefs, world } from '../../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const WAIT_MS = 4_000;
const MANY = 8;
const LONG = 'I basically think the import of 3 files is really done, but export is not: ask Ana about #12 next.';
const SHORT = 'I think the import of 3 files is done, but export is not: ask Ana about #12 next.';
let web: Web;
let other: Web;
let model: ModelServer;
let client: pg.Client;
let refs: WorldRefs;
let worker: Worker;

function workerEnv(more: Record<string, string> = {}): Record<string, string> {
  return {
    DATABASE_URL: database.url,
    SECRET_KEY: TEST_SECRET,
    OPENAI_API_KEY: 'test-key',
    OPENAI_BASE_URL: model.baseUrl,
    REWRITE_TIMEOUT_MS: String(WAIT_MS),
    ...more,
  };
}

function work(more: Record<string, string | undefined> = {}): Promise<Worker> {
  return new Promise((resolve) => {
    const started = startWorker(readConfig({ ...workerEnv(), ...more }), makeLogger('silent', 'worker'), () => resolve(started));
  });
}

/** The suite's worker stops until the test ends. */
async function stopWorker(t: ExecutionContext): Promise<void> {
  await worker.stop();
  t.teardown(async () => {
    worker = await work();
  });
}

test.before('two web processes, one worker and a model', async () => {
  model = await startModelServer('good');
  const tasks = Array.from({ length: MANY }, (_, n) => ({ ref: `t${n + 1}`, type: 'task' as const, title: 'Import' }));
  const file = oneWorkspace(
    {
      items: tasks.map((task) => ({ ...task, description: '', status: 'planned' as const, fields: {} })),
      members: [{ user: 'bo', role: 'owner' }],
    },
    {
      users: [{ ref: 'bo', email: 'bo@rewriting.example', name: 'Bo' }],
      connections: [{ ref: 'c2', user: 'bo', name: 'Agent of Bo', workspaces: ['apollo'], permissions: { tasks: 'write' } }],
    },
  );
  for (const connection of file.accounts[0]!.connections!) connection.plainLanguage = true;
  refs = await world(database.url, file);
  [web, other] = (await Promise.all([1, 2].map(() => startWeb(database.url, { REWRITE_TIMEOUT_MS: String(WAIT_MS) })))) as [Web, Web];
  client = new pg.Client(database.url);
  client.on('error', () => {});
  await client.connect();
  worker = await work();
});

test.beforeEach(async () => {
  model.requests.length = 0;
  model.mode = 'good';
  await client.query('delete from comments; delete from receipts');
});

interface ToolAnswer {
  isError?: boolean;
  structuredContent: {
    note?: { id: number; body: string; rewritten: boolean };
    notes?: Record<string, unknown>[];
    error?: { code: string };
  };
  _meta?: { replayed?: boolean };
}

async function call(name: string, args: object, at: Web = web, agent = 'c1'): Promise<ToolAnswer> {
  const response = await fetch(`${at.baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${refs.key(agent)}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  const text = await response.text();
  return JSON.parse(text.startsWith('{') ? text : /data: (.*)/.exec(text)![1]!).result;
}

const addNote = (body: string, at: Web = web, requestId: string = randomUUID()) =>
  call('svc_add_note', { requestId, id: refs.id('t1'), body }, at);

async function nothingIsLeft(t: ExecutionContext) {
  t.is((await client.query('select from comments')).rowCount, 0);
  t.is((await client.query('select from note_rewrites')).rowCount, 0);
  t.is((await client.query('select from receipts')).rowCount, 0);
}

test('a note is rewritten, and both texts are stored', async (t) => {
  const { structuredContent } = await addNote(LONG);
  t.is(structuredContent.note?.body, SHORT);
  t.true(structuredContent.note?.rewritten);
  const { structuredContent: read } = await call('svc_get_item', { id: refs.id('t1'), includeOriginals: true });
  t.is(read.notes![0]!.originalBody, LONG);
  t.is((await client.query('select from note_rewrites')).rowCount, 0);
});

test("the model gets one system message and only this note's text", async (t) => {
  await addNote(`${LONG}\n\n\`\`\`\nsecret code\n\`\`\``);
  t.is(model.requests.length, 1);
  const { messages } = model.requests[0]!.body;
  t.deepEqual(
    messages!.map((message) => message.role),
    ['system', 'user'],
  );
  t.false(JSON.stringify(model.requests[0]!.body).includes('secret code'));
});

test('passages that bypass the model are returned byte for byte', async (t) => {
  const code = '```ts\nconst really = "basically";\n```';
  const { structuredContent } = await addNote(`${LONG}\n\n${code}\n`);
  t.true(structuredContent.note!.body.includes(code));
});

test('a note with only code is saved unchanged, without a call and without a worker', async (t) => {
  await stopWorker(t);
  const { structuredContent } = await addNote('```\njust code\n```');
  t.is(structuredContent.note?.body, '```\njust code\n```');
  t.false(structuredContent.note?.rewritten);
  t.is(model.requests.length, 0);
});

for (const mode of [
  'dropsNumbers',
  'longer',
  'obeysInjection',
  'failed',
  'limited',
  'malformed',
  'refusal',
  'truncated',
  'closesSocket',
  'redirect',
] as const) {
  test(`a bad answer of the model (${mode}) is refused with rewrite_unavailable and stores nothing`, async (t) => {
    model.mode = mode;
    const answer = await addNote(LONG);
    t.true(answer.isError);
    t.is(answer.structuredContent.error?.code, 'rewrite_unavailable');
    t.true(model.requests.length <= 1, 'asked once');
    await nothingIsLeft(t);
  });
}

test('a hanging model times out, and its late answer is not saved', async (t) => {
  model.mode = 'hang';
  const answer = await addNote(LONG);
  t.is(answer.structuredContent.error?.code, 'rewrite_unavailable');
  await nothingIsLeft(t);
});

test('after a failure the same request can be retried and succeeds once', async (t) => {
  const requestId = randomUUID();
  model.mode = 'failed';
  t.is((await addNote(LONG, web, requestId)).structuredContent.error?.code, 'rewrite_unavailable');
  model.mode = 'good';
  const first = await addNote(LONG, web, requestId);
  t.is(first.structuredContent.note?.body, SHORT);
  const again = await addNote(LONG, other, requestId);
  t.true(again._meta?.replayed);
  t.deepEqual(again.structuredContent, first.structuredContent);
  t.is((await client.query('select from comments')).rowCount, 1);
});

test('twenty identical requests on two processes make one note and call the model once', async (t) => {
  const requestId = randomUUID();
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => addNote(LONG, i % 2 ? web : other, requestId)));
  t.deepEqual([...new Set(answers.map((answer) => answer.structuredContent.note?.id))].length, 1);
  t.is((await client.query('select from comments')).rowCount, 1);
  t.is(model.requests.length, 1);
});

const withNotes = (requestId: string) =>
  call('svc_update_items', {
    requestId,
    workspaceId: refs.id('apollo'),
    items: Array.from({ length: MANY }, (_, n) => ({ id: refs.id(`t${n + 1}`), version: 1, note: `${n + 1}. ${LONG}` })),
  });

/** Pending notes with their jobs, in the order in which workers take them. */
const waitingNotes = async (): Promise<{ body: string; user: number; started: string }[]> =>
  (
    await client.query(
      `select r.body, c.user_id::int as user, r.xmin::text as started
       from graphile_worker._private_jobs j join note_rewrites r on r.id = (j.payload ->> 'rewriteId')::bigint
       join connections c on c.id = r.connection_id order by j.priority, j.run_at, j.id`,
    )
  ).rows;

async function untilWaiting(count: number): Promise<Awaited<ReturnType<typeof waitingNotes>>> {
  for (;;) {
    const rows = await waitingNotes();
    if (rows.length >= count) return rows;
  }
}

test('the notes of one call are requested in one transaction; people take turns, note by note', async (t) => {
  await stopWorker(t);
  const mine = withNotes(randomUUID());
  t.is(new Set((await untilWaiting(MANY)).map(({ started }) => started)).size, 1);
  const theirs = call('svc_add_note', { requestId: randomUUID(), id: refs.id('t1'), body: LONG }, web, 'c2');
  const rows = await untilWaiting(MANY + 1);
  t.is(
    rows.findIndex(({ user }) => user === refs.id('bo')),
    1,
  );
  t.deepEqual(
    rows.filter(({ user }) => user !== refs.id('bo')).map(({ body }) => Number.parseInt(body, 10)),
    Array.from({ length: MANY }, (_, n) => n + 1),
  );
  for (const { structuredContent } of await Promise.all([mine, theirs])) t.is(structuredContent.error?.code, 'rewrite_unavailable');
  await client.query(`delete from graphile_worker._private_jobs where payload ->> 'rewriteId' is not null`);
  await nothingIsLeft(t);
});

test('if one note of a call is refused, none is saved, no other is rewritten later, and a retry saves all', async (t) => {
  const requestId = randomUUID();
  model.mode = 'failed';
  t.is((await withNotes(requestId)).structuredContent.error?.code, 'rewrite_unavailable');
  await nothingIsLeft(t);
  model.mode = 'good';
  t.falsy((await withNotes(requestId)).isError);
  const { rows } = await client.query('select body from comments order by item_id');
  t.deepEqual(
    rows.map(({ body }) => body),
    Array.from({ length: MANY }, (_, n) => `${n + 1}. ${SHORT}`),
  );
  await client.query('update items set version = 1');
});

test('at most four requests of a person wait for the model in a process; some wait for them, and more are refused', async (t) => {
  await stopWorker(t);
  const [most, inLine, more] = [4, 12, 3];
  const refused: string[] = [];
  const enough = Promise.withResolvers<void>();
  const all = Array.from({ length: most + inLine + more }, async () => {
    const code = (await addNote(LONG)).structuredContent.error?.code;
    if (code) refused.push(code);
    if (refused.length === more) enough.resolve();
  });
  await enough.promise;
  t.deepEqual(refused, Array(more).fill('rate_limited'));
  t.is((await waitingNotes()).length, most);
  const next = await work();
  t.teardown(() => next.stop());
  await Promise.all(all);
  t.is(refused.filter((code) => code === 'rate_limited').length, more);
  t.is((await client.query('select from note_rewrites')).rowCount, 0);
});

test('a note is not saved if its author loses the right during the call', async (t) => {
  model.mode = 'hang';
  const requested = model.requested();
  const pending = addNote(LONG);
  await requested;
  await client.query(`update memberships set overrides = '{"comments": "read"}'`);
  // The outcome as a worker would store it.
  await client.query(
    `with settled as (update note_rewrites set state = 'done', rewritten = 'x' returning id) select pg_notify('note_rewritten', id::text) from settled`,
  );
  const answer = await pending;
  await client.query(`update memberships set overrides = '{}'`);
  t.is(answer.structuredContent.error?.code, 'forbidden');
  // The rewriting has no note now: pruning deletes its row.
  await client.query('delete from note_rewrites');
  await nothingIsLeft(t);
});

test('while outgoing messages are held, notes are not rewritten and the model is not called', async (t) => {
  await stopWorker(t);
  const holding = await work({ STINT_OUTBOUND: 'off' });
  t.teardown(() => holding.stop());
  t.is((await addNote(LONG)).structuredContent.error?.code, 'rewrite_unavailable');
  t.is(model.requests.length, 0);
  await nothingIsLeft(t);
});

test('without a key, and without a worker, the note is refused', async (t) => {
  await stopWorker(t);
  t.is((await addNote(LONG)).structuredContent.error?.code, 'rewrite_unavailable');
  const keyless = await work({ OPENAI_API_KEY: undefined });
  t.teardown(() => keyless.stop());
  t.is((await addNote(LONG)).structuredContent.error?.code, 'rewrite_unavailable');
  t.is(model.requests.length, 0);
  await nothingIsLeft(t);
});

test('killing a worker during a call does not cause a second call', async (t) => {
  await stopWorker(t);
  model.mode = 'hang';
  const spawned = spawnNode(['workers/index.ts'], { env: workerEnv() });
  await spawned.log({ msg: 'listening' });
  const requested = model.requested();
  const pending = addNote(LONG);
  await requested;
  spawned.kill('SIGKILL');
  await spawned.exit();
  await client.query(`update graphile_worker._private_jobs set locked_at = null, locked_by = null, run_at = now()`);
  model.mode = 'good';
  const next = await work();
  t.teardown(() => next.stop());
  t.is((await pending).structuredContent.error?.code, 'rewrite_unavailable');
  t.is(model.requests.length, 1);
  await nothingIsLeft(t);
});

test('a model that does not answer delays no mails', async (t) => {
  await stopWorker(t);
  model.mode = 'hang';
  // Its call does not end before the test does.
  const spawned = spawnNode(['workers/index.ts'], { env: workerEnv({ WORKER_CONCURRENCY: '1', REWRITE_TIMEOUT_MS: '120000' }) });
  t.teardown(async () => {
    spawned.kill('SIGKILL');
    await spawned.exit();
    await client.query('delete from note_rewrites; delete from graphile_worker._private_jobs');
  });
  await spawned.log({ msg: 'listening' });
  const requested = model.requested();
  await client.query(
    `with r as (
       insert into note_rewrites (account_id, connection_id, request_id, body, deadline_at)
       select account_id, id, gen_random_uuid(), $1, now() + interval '10 minutes' from connections limit 1 returning id)
     select graphile_worker.add_job('rewrite_note', json_build_object('rewriteId', id)) from r`,
    [LONG],
  );
  await requested;
  await client.query(`select graphile_worker.add_job('mail_notification', '{"notificationId": 1}')`);
  const waiting = () => client.query(`select from graphile_worker.jobs where task_identifier = 'mail_notification'`);
  while ((await waiting()).rowCount !== 0);
  t.is((await client.query(`select from note_rewrites where state = 'asked'`)).rowCount, 1);
});

test('the worker leaves no job locked, and all processes stop', async (t) => {
  await worker.stop();
  t.is((await client.query('select from graphile_worker._private_jobs where locked_at is not null')).rowCount, 0);
  await Promise.all([web.stop(), other.stop(), client.end(), model.close()]);
});
