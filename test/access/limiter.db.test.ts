/** Limits hold across processes; a key far below its limit costs no round trip (behaviour §13.3). */
import test from 'ava';
import fc from 'fast-check';
import { type Allowance, Limiter } from '../../src/access/limiter.ts';
import { connectDb, type Db, openDb } from '../../src/database/db.ts';
import { capture } from '../bench/capture.ts';
import { fileDatabase } from '../support/database.ts';

const database = fileDatabase();
let db: Db;
test.serial.before('connect', async () => {
  db = await connectDb(database.url, 4);
});
test.after.always('disconnect', () => db?.close());

/** A minute that no other test uses. */
let minute = 1_000_000;
const freshMinute = () => ++minute * 60_000 + 1_000;

test.serial('one process lets through exactly the limit, then refuses until the minute is over', async (t) => {
  const limiter = new Limiter(db, 10);
  const now = freshMinute();
  const allowances: Allowance[] = [];
  for (let i = 0; i < 13; i++) allowances.push(await limiter.admit('a', now));
  t.deepEqual(
    allowances.map((allowance) => allowance.admitted),
    [...Array(10).fill(true), false, false, false],
  );
  t.deepEqual(
    allowances.map((allowance) => allowance.remaining),
    [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0],
  );
  t.is(allowances[0]!.reset, 59);
  t.true((await limiter.admit('a', now + 60_000)).admitted);
});

test.serial('keys do not share a count', async (t) => {
  const limiter = new Limiter(db, 1);
  const now = freshMinute();
  t.true((await limiter.admit('x', now)).admitted);
  t.false((await limiter.admit('x', now)).admitted);
  t.true((await limiter.admit('y', now)).admitted);
});

test.serial('below a quarter of its limit a key costs no statement', async (t) => {
  const limiter = new Limiter(db, 400);
  const now = freshMinute();
  const statements = await capture(async () => {
    for (let i = 0; i < 100; i++) await limiter.admit('b', now);
  });
  t.is(statements.length, 0);
  t.is((await capture(async () => limiter.admit('b', now))).length, 1);
});

test.serial(
  'several processes together let through at most a quarter of the limit more for each further one, and never less than the limit',
  async (t) => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 4 }),
        fc.infiniteStream(fc.nat(3)),
        async (limit, processes, turns) => {
          const limiters = Array.from({ length: processes }, () => new Limiter(db, limit));
          const now = freshMinute();
          const key = `k${minute}`;
          let admitted = 0;
          for (let i = 0; i < limit * 3; i++) {
            const turn: number = turns.next().value;
            if ((await limiters[turn % processes]!.admit(key, now)).admitted) admitted++;
          }
          t.true(admitted <= limit + Math.floor(limit / 4) * (processes - 1), `${admitted} of ${limit} by ${processes}`);
          t.true(admitted >= limit, `${admitted} of ${limit} by ${processes}`);
        },
      ),
      { numRuns: 40 },
    );
  },
);

test.serial('a hundred calls at once are counted each', async (t) => {
  const limiter = new Limiter(db, 20);
  const now = freshMinute();
  const all = await Promise.all(Array.from({ length: 100 }, () => limiter.admit('burst', now)));
  t.is(all.filter((allowance) => allowance.admitted).length, 20);
});

test.serial('without a database nobody is called over the limit: the operation itself says what is wrong', async (t) => {
  const away = openDb('postgres://nobody@127.0.0.1:1/none', 1);
  const limiter = new Limiter(away, 4);
  t.true((await limiter.admit('a')).admitted);
  t.true((await limiter.admit('a')).admitted);
  await away.close();
});
