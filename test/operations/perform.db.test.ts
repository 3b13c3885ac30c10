/** The checks that `perform` adds to every operation. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type Caller, permitOutside } from '../../src/access/caller.ts';
import { charge } from '../../src/access/throttle/loopShare.ts';
import { connectDb } from '../../src/database/db.ts';
import { sql } from '../../src/database/sql.ts';
import type { Read, Write } from '../../src/operations/operation.ts';
import { perform } from '../../src/operations/perform.ts';
import { Unavailable } from '../../src/values/errors.ts';
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();

test('a number overflow in a read is an internal error with its cause in the log, not a bad request', async (t) => {
  const db = await connectDb(database.url, 1);
  t.teardown(() => db.close());
  const overflow: Read<object, unknown> = {
    name: 'overflow',
    input: z.strictObject({}),
    run: async (tx) => ({ sum: await tx.oneFirst(sql.type(z.object({ sum: z.number() }))`select 1e308::float8 * 10 as sum`) }),
  };
  const refusal = await t.throwsAsync(perform(db, { kind: 'agent', hash: Buffer.alloc(32) }, overflow, {}), { instanceOf: Unavailable });
  t.is((refusal!.cause as { code?: string }).code, '22003');
});

test('a user who has used up their share of the event loop waits for their write without holding a database connection', async (t) => {
  const db = await connectDb(database.url, 1);
  t.teardown(() => db.close());
  const order: string[] = [];
  const write = (name: string): Write<object, null> => ({
    name,
    input: z.strictObject({}),
    authorize: async (_tx, caller) => permitOutside(caller),
    async run() {
      order.push(name);
      return null;
    },
  });
  const callerOf = (userId: number): Caller => ({ kind: 'agent', hash: randomBytes(32), owner: { accountId: 1, userId } });
  // Others use the loop, too.
  charge(0, 1);
  charge(7, 400);
  await Promise.all([perform(db, callerOf(7), write('expensive user'), {}), perform(db, callerOf(8), write('other user'), {})]);
  t.deepEqual(order, ['other user', 'expensive user']);
});
