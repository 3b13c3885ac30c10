/** Limits hold across processes. A key far below its limit costs no round trip (behaviour §13.3). */
import fc from 'fast-check';
import pg from 'pg';
import { type Allowance, Limiter } from '../../../src/access/throttle/perMinute.ts';
import { connectDb, type Db, openDb } from '../../../src/database/db.ts';
import { capture } from '../../bench/capture.ts';
import { fileDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { type StoppedDatabaseClock, stopClock, stopDatabaseClock } from '../../support/stoppedClock.ts';
import { suite } from '../../support/suite.ts';
import { runs } from '../../support/thorough.ts';
import { oneWorkspace, spawnWeb, world } from '../../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let db: Db;
let databaseClock: StoppedDatabaseClock;
test.before('connect', async () => {
  databaseClock = await stopDatabaseClock(database.url);
  db = await connectDb(database.url, 4);
});
test.after('disconnect', () => db?.close());

/** A limiter that has read the database's clock. */
async function limiterOf(limit: number): Promise<Limiter> {
  const limiter = new Limiter(db, limit);
  await limiter.admit('another key');
  return limiter;
}

test('one process allows exactly the limit, then refuses until the minute is over', async (t) => {
  const clock = stopClock(t);
  const limiter = await limiterOf(10);
  const allowances: Allowance[] = [];
  for (let i = 0; i < 13; i++) allowances.push(await limiter.admit('a'));
  t.deepEqual(
    allowances.map((allowance) => allowance.admitted),
    [...Array(10).fill(true), false, false, false],
  );
  t.deepEqual(
    allowances.map((allowance) => allowance.remaining),
    [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0],
  );
  t.true(allowances.every(({ reset }) => Number.isInteger(reset) && reset >= 1 && reset <= 60));
  await databaseClock.passMinute();
  clock.pass(60_000);
  t.like(await limiter.admit('a'), { admitted: true, remaining: 9 });
  t.like(await new Limiter(db, 10).admit('a'), { admitted: true, remaining: 9 });
});

test('each key has its own count', async (t) => {
  const limiter = new Limiter(db, 1);
  t.true((await limiter.admit('x')).admitted);
  t.false((await limiter.admit('x')).admitted);
  t.true((await limiter.admit('y')).admitted);
});

test('a key below a quarter of its limit costs no statement', async (t) => {
  const limiter = await limiterOf(400);
  const statements = await capture(async () => {
    for (let i = 0; i < 100; i++) await limiter.admit('b');
  });
  t.is(statements.length, 0);
  t.is((await capture(async () => limiter.admit('b'))).length, 1);
});

test('a look at the allowance tells what the next request gets, and counts nothing', async (t) => {
  const limiter = await limiterOf(8);
  for (let n = 0; n < 12; n++) {
    const looks = [limiter.peek('looked at'), limiter.peek('looked at')];
    const { reset, ...next } = await limiter.admit('looked at');
    for (const look of looks) t.like(look, next, `request ${n + 1}`);
  }
});

test('each further process allows at most a quarter of the limit more, and never less than the limit', async (t) => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 4 }),
      fc.infiniteStream(fc.nat(3)),
      async (limit, processes, turns) => {
        const limiters = await Promise.all(Array.from({ length: processes }, () => limiterOf(limit)));
        const key = `k${run++}`;
        let admitted = 0;
        for (let i = 0; i < limit * 3; i++) {
          const turn: number = turns.next().value;
          if ((await limiters[turn % processes]!.admit(key)).admitted) admitted++;
        }
        t.true(admitted <= limit + Math.floor(limit / 4) * (processes - 1), `${admitted} of ${limit} by ${processes}`);
        t.true(admitted >= limit, `${admitted} of ${limit} by ${processes}`);
      },
    ),
    { numRuns: runs(40) },
  );
});

test('a hundred concurrent calls count as a hundred', async (t) => {
  for (const [limiter, key] of [
    [new Limiter(db, 20), 'first'],
    [await limiterOf(20), 'later'],
  ] as const) {
    const all = await Promise.all(Array.from({ length: 100 }, () => limiter.admit(key)));
    t.is(all.filter((allowance) => allowance.admitted).length, 20, key);
  }
});

test('calls do not overtake the count of the first quarter', async (t) => {
  const limiter = await limiterOf(20);
  const client = new pg.Client(database.url);
  await client.connect();
  t.teardown(() => client.end());
  await client.query(`create function wait() returns trigger language plpgsql as $$ begin
      if new.count > 1 then perform pg_advisory_xact_lock(1); end if; return new; end $$;
    create trigger wait before insert on rate_windows for each row execute function wait();
    select pg_advisory_lock(1)`);
  const calls = Promise.all(Array.from({ length: 100 }, () => limiter.admit('quick')));
  const waits = `select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`;
  t.is(
    await eventually(
      async () => (await client.query(waits)).rowCount,
      (count) => count === 1,
    ),
    1,
  );
  await client.query('select pg_advisory_unlock(1)');
  t.is((await calls).filter(({ admitted }) => admitted).length, 20);
  await client.query('drop trigger wait on rate_windows');
});

test('without a database the limiter refuses nothing: the operation itself reports the error', async (t) => {
  const away = openDb('postgres://nobody@127.0.0.1:1/none', 1);
  const limiter = new Limiter(away, 4);
  t.true((await limiter.admit('a')).admitted);
  t.true((await limiter.admit('a')).admitted);
  await away.close();
});

test.long("web processes with wrong clocks count in the database's minutes", async (t) => {
  const LIMIT = 40;
  const refs = await world(database.url, oneWorkspace());
  const webs = await Promise.all(
    [-90_000, -30_000, 30_000].map((offset) =>
      spawnWeb(database.url, {
        NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=./test/support/wrongClock.ts`,
        CLOCK_OFFSET_MS: String(offset),
        RATE_LIMIT_REST: String(LIMIT),
      }),
    ),
  );
  t.teardown(() => Promise.all(webs.map((web) => web.stop())));
  let admitted = 0;
  for (let n = 0; n < 4 * LIMIT; n++) {
    const answer = await fetch(`${webs[n % webs.length]!.baseUrl}/api/v1/workspaces`, { headers: { 'X-API-Key': refs.key('k1') } });
    await answer.arrayBuffer();
    if (answer.status === 200) admitted++;
    else t.is(answer.status, 429);
  }
  t.true(admitted >= LIMIT && admitted <= LIMIT + (webs.length - 1) * (LIMIT / 4), String(admitted));
});
