import { randomUUID } from 'node:crypto';
import test from 'ava';
import { z } from 'zod';
import { type Caller, permitOutside } from '../../src/access/caller.ts';
import { connectDb, type Tx } from '../../src/database/db.ts';
import { sql } from '../../src/database/sql.ts';
import { begin } from '../../src/operations/begin.ts';
import type { Write } from '../../src/operations/operation.ts';
import { fileDatabase } from '../support/database.ts';

const database = fileDatabase();
const Row = z.object({ n: z.number() });
const caller: Caller = { kind: 'agent', hash: Buffer.alloc(32) };
const call = { accountId: 1, userId: 1, connectionId: 1, requestId: randomUUID(), tool: 'svc_time', startedAt: 0 };
const request = { call, fingerprintOf: () => Buffer.alloc(32), isFingerprintOf: () => false };

/** Asks in every way there is, before and after the one that looks for a receipt. */
const asking = {
  async authorize(tx: Tx) {
    const one = sql.type(Row)`select 1 as n`;
    const found = [await tx.one(one), ...(await tx.any(one)), await tx.maybeOne(one), await tx.maybeOne(one)].map((row) => row!.n);
    const alone = [await tx.oneFirst(one), ...(await tx.anyFirst(one)), await tx.maybeOneFirst(one)].map(Number);
    await tx.query(sql.unsafe`select 1`);
    return { ...permitOutside(caller), found: [...found, ...alone] };
  },
} as unknown as Write<object, { found: number[] }, object, unknown, object>;

test('a write asks its rules by any kind of statement, outside a transaction and inside, while the receipt is looked for', async (t) => {
  const db = await connectDb(database.url, 1);
  t.teardown(() => db.close());
  const begun = [await begin(db.pool(), caller, asking, {}, request), await db.transaction((tx) => begin(tx, caller, asking, {}, request))];
  for (const one of begun) t.deepEqual('permit' in one && one.permit?.found, [1, 1, 1, 1, 1, 1, 1]);
});
