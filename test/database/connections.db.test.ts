/** Statements whose connection, server or caller disappears leave nothing behind. */
import { randomUUID } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import pg from 'pg';
import { z } from 'zod';
import { connectDb, type Db, type openDb } from '../../src/database/db.ts';
import { sql } from '../../src/database/sql.ts';
import { troubleOf } from '../../src/database/trouble.ts';
import { Unavailable } from '../../src/values/errors.ts';
import { Random } from '../chaos/random.ts';
import { fileDatabase, freshDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { startProxy } from '../support/proxy.ts';
import { draftOf, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const Pid = z.object({ pid: z.number() });
const pidOf = (db: Db) => db.pool().oneFirst(sql.type(Pid)`select pg_backend_pid() as pid`);

let operator: pg.Pool;
test.before('tables, and an operator with a separate connection', async () => {
  operator = new pg.Pool({ connectionString: database.url, max: 2 });
  operator.on('error', () => {});
  // nextval is not rolled back, so it counts how often a statement was started.
  await operator.query(`create table kept (by_whom text); create sequence tries;
    create function fail_once(state text) returns text language plpgsql as
      'begin if nextval(''tries'') = 1 then raise exception ''as told'' using errcode = state; end if; return ''done''; end'`);
});
test.after('disconnect', () => operator?.end());

const keep = (name: string) => sql.unsafe`insert into kept values (${name})`;
const timesKept = async (name: string) => (await operator.query('select from kept where by_whom = $1', [name])).rowCount;

async function pool(t: ExecutionContext, size: number, settings: Parameters<typeof openDb>[2] = {}, url = database.url): Promise<Db> {
  const db = await connectDb(url, size, settings);
  t.teardown(() => db.close());
  return db;
}

/** Holds a connection of the pool until the returned function is called. */
async function holdOne(db: Db): Promise<() => Promise<void>> {
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = db.transaction(async (tx) => {
    await tx.query(sql.unsafe`select 1`);
    begun.resolve();
    await over.promise;
  });
  await begun.promise;
  return () => {
    over.resolve();
    return held;
  };
}

test('work whose client has left before a connection is free is not started, as a statement or a transaction', async (t) => {
  const db = await pool(t, 1);
  const release = await holdOne(db);
  let waiting = true;
  const wanted = () => waiting;
  const late = [db.pool(wanted).query(keep('late')), db.transaction((tx) => tx.query(keep('late')), wanted)];
  const others = db.pool(() => true).query(keep('others'));
  waiting = false;
  await release();
  for (const each of late) await t.throwsAsync(each, { instanceOf: Unavailable });
  await others;
  t.is(await timesKept('late'), 0);
  t.is(await timesKept('others'), 1);
});

test('a write whose client left while waiting for a connection is not started, with an Idempotency-Key or without', async (t) => {
  const { api, key, owner, workspaceId, end } = await restWorld(database.url, { DATABASE_POOL_SIZE: '1' });
  t.teardown(end);
  const { id } = await owner.save(draftOf('task'));
  const blocker = await operator.connect();
  await blocker.query('begin; lock table comments');
  const say = (body: string) => owner.post('/comments', { id, body });
  const first = say('waits for the lock');
  const waits = async () =>
    (await operator.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).rowCount;
  await eventually(waits, (count) => count === 1);
  const leaving = new AbortController();
  const left = [{}, { 'Idempotency-Key': randomUUID() }].map((headers) =>
    fetch(`${api.base}/comments`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ workspaceId, id, body: 'has left' }),
      signal: leaving.signal,
    }),
  );
  // Requests behind them are answered in turn.
  const behind = [say('behind'), say('behind')];
  for (let n = 0; n < 3; n++) await fetch(`${api.base}/openapi.json`).then((answer) => answer.text());
  leaving.abort();
  for (const each of left) await t.throwsAsync(each, { name: 'AbortError' });
  // By then the process has noticed that the clients left.
  for (let n = 0; n < 3; n++) await fetch(`${api.base}/openapi.json`).then((answer) => answer.text());
  await blocker.query('rollback');
  blocker.release();
  t.deepEqual(
    (await Promise.all([first, ...behind])).map(({ status }) => status),
    [200, 200, 200],
  );
  t.is(await operator.query(`select from comments where body = 'has left'`).then(({ rowCount }) => rowCount), 0);
});

test('a caller that waited too long for a connection leaves the queue, and the next one gets it', async (t) => {
  const db = await pool(t, 1, { mostWaitMs: 2_000 });
  const release = await holdOne(db);
  await Promise.all([1, 2].map(() => t.throwsAsync(db.pool().query(keep('too long')))));
  t.deepEqual(db.load(), { inUse: 1, waiting: 0 });
  await release();
  await db.pool().query(keep('in time'));
  t.is(await timesKept('too long'), 0);
  t.is(await timesKept('in time'), 1);
});

test('a statement prepared before a migration, or unknown to the session, is executed once', async (t) => {
  const url = await freshDatabase(t, { migrated: false });
  const db = await pool(t, 3, {}, url);
  await db.pool().query(sql.unsafe`create table shapes (a int)`);
  const insert = () => db.pool().query(sql.unsafe`insert into shapes values (1) returning *`);
  await Promise.all([insert(), insert(), insert()]);
  const migrating = await pool(t, 1, {}, url);
  await migrating.pool().query(sql.unsafe`alter table shapes add b text default 'new'`);
  for (let n = 0; n < 4; n++) t.deepEqual((await insert()).rows, [{ a: 1, b: 'new' }]);
  await Promise.all([1, 2, 3].map(() => db.pool().query(sql.unsafe`deallocate all`)));
  await Promise.all([insert(), insert(), insert()]);
  t.is(await db.pool().oneFirst(sql.unsafe`select count(*)::int from shapes`), 10);
});

test('a started statement is not repeated when its answer is lost, its connection ends, or its end is unknown', async (t) => {
  const proxy = await startProxy(database.url);
  t.teardown(proxy.close);
  const db = await pool(t, 1, {}, proxy.url);
  proxy.dropAnswers(1);
  await t.throwsAsync(db.pool().query(keep('unanswered')));
  t.is(await timesKept('unanswered'), 1);
  const ended = sql.unsafe`insert into kept select 'ended' from nextval('tries'), pg_terminate_backend(pg_backend_pid())`;
  await t.throwsAsync(db.pool().query(ended));
  t.is(await timesKept('ended'), 0);
  for (const through of [db.pool(), { query: (one: never) => db.transaction((tx) => tx.query(one)) }]) {
    await operator.query('alter sequence tries restart');
    await t.throwsAsync(through.query(sql.unsafe`select fail_once('40003')` as never));
    t.is((await operator.query('select last_value::int as tries from tries')).rows[0].tries, 1);
  }
  t.deepEqual(db.load().waiting, 0);
});

test('a failed transaction is not reported as committed, even if the code ignored the failure', async (t) => {
  const db = await pool(t, 1);
  const swallowed = db.transaction(async (tx) => {
    await tx.query(keep('swallowed'));
    await tx.query(sql.unsafe`select 1 / 0`).catch(() => {});
    return 'saved';
  });
  await t.throwsAsync(swallowed);
  t.is(await timesKept('swallowed'), 0);
  await db.transaction((tx) => tx.query(keep('after it')));
  t.is(await timesKept('after it'), 1);
});

test('a server that became read-only is reported, and replaced as soon as another one is available', async (t) => {
  const url = await freshDatabase(t, { migrated: false });
  const turn = (state: string) =>
    operator.query(`alter database "${new URL(url).pathname.slice(1)}" set default_transaction_read_only = ${state}`);
  await (await pool(t, 1, {}, url)).pool().query(sql.unsafe`create table written (a int)`);
  await turn('on');
  const db = await pool(t, 1, {}, url);
  const write = () => db.pool().query(sql.unsafe`insert into written values (1)`);
  const before = await pidOf(db);
  t.is(troubleOf(await t.throwsAsync(write())), 'read only');
  t.not(await pidOf(db), before);
  t.is(troubleOf(await t.throwsAsync(db.transaction((tx) => tx.query(sql.unsafe`insert into written values (1)`)))), 'read only');
  await turn('off');
  await t.notThrowsAsync(write());
});

test('closing ends waiting callers, even if a connection is held forever', async (t) => {
  const proxy = await startProxy(database.url);
  t.teardown(proxy.close);
  const db = await connectDb(proxy.url, 1);
  const release = await holdOne(db);
  proxy.blackhole();
  const waits = [db.pool().query(keep('at the end')), db.transaction((tx) => tx.query(keep('at the end')))];
  for (const each of waits) each.catch(() => {});
  const hung = release().catch(() => 'hung');
  t.is(await Promise.race([db.close().then(() => 'closed'), hung]), 'closed');
  proxy.reset();
  await hung;
  t.is(await timesKept('at the end'), 0);
});

test('after three hundred statements and transactions with random faults, no connection stays in use or keeps session state', async (t) => {
  const proxy = await startProxy(database.url);
  t.teardown(proxy.close);
  const db = await pool(t, 4, {}, proxy.url);
  const random = new Random(7);
  const [statements, acknowledged] = [[] as Promise<unknown>[], [] as string[]];
  const write = async (run: (statement: ReturnType<typeof keep>) => Promise<unknown>, n: number) => {
    await run(keep(`storm ${n}`));
    acknowledged.push(`storm ${n}`);
  };
  const ways: ((n: number) => unknown)[] = [
    (n) => write((one) => db.pool().query(one), n),
    (n) => write((one) => db.transaction((tx) => tx.query(one)), n),
    () => db.pool().query(sql.unsafe`select 1 / 0`),
    () => db.pool().query(sql.unsafe`select * from nowhere`),
    () => db.pool().one(sql.type(Pid)`select 'none' as pid`),
    () => db.pool().query(sql.unsafe`select ${2 ** 53}::int8 * 2`),
    () => db.transaction((tx) => tx.query(sql.unsafe`select 1 / 0`)),
    () => db.transaction(() => Promise.reject(new Unavailable())),
    () => db.transaction((tx) => tx.query(sql.unsafe`select pg_terminate_backend(pg_backend_pid())`)),
    () => db.pool(() => false).query(sql.unsafe`select 1`),
    () => db.pool().query(sql.unsafe`select pg_cancel_backend(pg_backend_pid())`),
    () => proxy.reset(),
    () => proxy.dropAnswers(1),
    () => proxy.dropCommits(1),
  ];
  for (let n = 0; n < 300; n++) {
    // Half of them are writes, so that data could be lost.
    const way = random.pick(random.pick([ways, ways.slice(0, 2)]));
    statements.push(Promise.try(() => way(n)));
    if (n % 10 === 9) await Promise.allSettled(statements.slice(-6));
  }
  await Promise.allSettled(statements);
  proxy.heal();
  proxy.dropAnswers(0);
  proxy.dropCommits(0);
  const idle = { inUse: 0, waiting: 0 };
  t.deepEqual(
    await eventually(
      async () => db.load(),
      ({ inUse }) => inUse === 0,
    ),
    idle,
  );
  await Promise.all(Array.from({ length: 8 }, () => pidOf(db)));
  const kept = (await operator.query(`select by_whom as name from kept where by_whom like 'storm %'`)).rows.map(({ name }) => name);
  t.true(acknowledged.length > 30);
  t.deepEqual(
    acknowledged.filter((name) => !kept.includes(name)),
    [],
  );
  t.is(new Set(kept).size, kept.length);
  const open = async () =>
    (await operator.query(`select query from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`))
      .rows;
  t.deepEqual(await eventually(open, (rows) => rows.length === 0), []);
});
