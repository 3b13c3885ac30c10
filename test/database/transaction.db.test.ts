/** Refused transactions. */
import { sql as slonik } from 'slonik';
import { z } from 'zod';
import { connectDb, type Tx } from '../../src/database/db.ts';
import { Forbidden } from '../../src/values/errors.ts';
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const Pid = z.object({ pid: z.number() });
const pidOf = (tx: Tx) => tx.oneFirst(slonik.type(Pid)`select pg_backend_pid() as pid`);

test('a refusal rolls the transaction back and keeps the connection for the next one', async (t) => {
  const db = await connectDb(database.url, 1);
  t.teardown(() => db.close());
  const before = await pidOf(db.pool());
  for (let n = 0; n < 3; n++) {
    const refused = db.transaction(async (tx) => {
      await tx.query(slonik.unsafe`insert into accounts (name) values ('never')`);
      throw new Forbidden();
    });
    await t.throwsAsync(refused, { instanceOf: Forbidden });
  }
  t.is(await pidOf(db.pool()), before);
  t.is(await db.pool().oneFirst(slonik.unsafe`select count(*)::int from accounts where name = 'never'`), 0);
});

test('any other failure rolls the transaction back, too', async (t) => {
  const db = await connectDb(database.url, 1);
  t.teardown(() => db.close());
  const failed = db.transaction(async (tx) => {
    await tx.query(slonik.unsafe`insert into accounts (name) values ('never either')`);
    await tx.query(slonik.unsafe`select 1 / 0`);
  });
  await t.throwsAsync(failed);
  t.is(await db.pool().oneFirst(slonik.unsafe`select count(*)::int from accounts where name = 'never either'`), 0);
});
