/** Single statements: when a connection is reused, and how deadlocks are retried. */
import { z } from 'zod';
import { ProgressNote } from '../../src/comments/schema.ts';
import { connectDb, type Tx } from '../../src/database/db.ts';
import { sql } from '../../src/database/sql.ts';
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const Pid = z.object({ pid: z.number() });
const pidOf = (tx: Tx) => tx.oneFirst(sql.type(Pid)`select pg_backend_pid() as pid`);

test('a data error keeps the connection for the next statement; any other error closes it', async (t) => {
  const db = await connectDb(database.url, 1);
  t.teardown(() => db.close());
  const before = await pidOf(db.pool());
  const twin = () => db.pool().query(sql.unsafe`insert into accounts (id, name) overriding system value values (990001, 'twin')`);
  await twin();
  await t.throwsAsync(twin(), { code: '23505' });
  await t.throwsAsync(db.pool().query(sql.unsafe`select 1 / 0`));
  t.is(await pidOf(db.pool()), before);
  await t.throwsAsync(db.pool().query(sql.unsafe`select * from nowhere`));
  t.not(await pidOf(db.pool()), before);
});

test('a connection is reused after its failed transaction was rolled back', async (t) => {
  const db = await connectDb(database.url, 1);
  t.teardown(() => db.close());
  const before = await pidOf(db.pool());
  await t.throwsAsync(db.transaction((tx) => tx.query(sql.unsafe`select 1 / 0`)));
  t.is(await pidOf(db.pool()), before);
});

test('a row of an unexpected shape is refused', async (t) => {
  const db = await connectDb(database.url, 1);
  t.teardown(() => db.close());
  await t.throwsAsync(db.pool().one(sql.type(Pid)`select 'none' as pid`), { message: /do not conform/ });
  const renamed = sql.type(z.object({ note: ProgressNote }))`
    select json_build_object('id', 1, 'body', '', 'createdAt', '', 'authorName', '', 'rewritten', true, 'original', 'renamed') as note`;
  await t.throwsAsync(db.pool().one(renamed), { message: /do not conform/ });
  await t.throwsAsync(db.pool().maybeOne(sql.type(Pid)`select n as pid from generate_series(1, 2) n`), { message: /multiple rows/ });
  await t.throwsAsync(db.pool().one(sql.type(Pid)`select 1 as pid where false`), { message: /no rows/ });
  t.is(await db.pool().maybeOneFirst(sql.type(Pid)`select 1 as pid where false`), null);
  t.deepEqual(await db.pool().anyFirst(sql.type(Pid)`select n as pid from generate_series(1, 2) n`), [1, 2]);
});

test('a statement that lost a deadlock is executed again', async (t) => {
  const db = await connectDb(database.url, 2);
  t.teardown(() => db.close());
  await db.pool().query(sql.unsafe`create sequence tries`);
  // The client sees this state for any loser of a deadlock. nextval is not rolled back.
  await db
    .pool()
    .query(
      sql.unsafe`create function lose_once() returns int language plpgsql as 'begin if nextval(''tries'') = 1 then raise sqlstate ''40P01''; end if; return 7; end'`,
    );
  t.is(await db.pool().oneFirst(sql.unsafe`select lose_once()`), 7);
});

const Name = z.object({ name: z.string() });
const preparedTexts = (tx: Tx) => tx.anyFirst(sql.type(Name)`select statement as name from pg_prepared_statements order by prepare_time`);

test('a connection prepares each text once, inside transactions and outside, and is replaced after 500 texts', async (t) => {
  const db = await connectDb(database.url, 1);
  t.teardown(() => db.close());
  const other = (n: number) => sql.type(Name)`select 'x' as ${sql.identifier(['name'])} /* ${sql.identifier([`text${n}`])} */`;
  const pid = await pidOf(db.pool());
  for (let n = 0; n < 400; n++) await (n % 2 ? db.pool().any(other(n % 200)) : db.transaction((tx) => tx.any(other(n % 200))));
  const texts = await preparedTexts(db.pool());
  t.is(texts.length, new Set(texts).size);
  t.is(texts.filter((text) => text.includes('"text')).length, 200);
  t.is(await pidOf(db.pool()), pid);
  for (let n = 200; n < 500; n++) await db.pool().any(other(n));
  t.not(await pidOf(db.pool()), pid);
});

test('a transaction that a deadlock has undone is carried out again, and its first try leaves nothing', async (t) => {
  const db = await connectDb(database.url, 1);
  t.teardown(() => db.close());
  await db.pool().query(sql.unsafe`create sequence attempts`);
  await db.transaction(async (tx) => {
    await tx.query(sql.unsafe`insert into accounts (name) values ('carried out')`);
    await tx.query(sql.unsafe`do $$ begin if nextval('attempts') = 1 then raise sqlstate '40P01'; end if; end $$`);
  });
  t.is(await db.pool().oneFirst(sql.unsafe`select count(*)::int from accounts where name = 'carried out'`), 1);
});
