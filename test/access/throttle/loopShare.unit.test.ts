/** A user whose requests block the event loop waits while others are served (behaviour §13.15). */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { awaitOwnTurn, charge, metered, turnOf } from '../../../src/access/throttle/loopShare.ts';
import { RateLimited, Unavailable } from '../../../src/values/errors.ts';
import { threadMs, unmetered } from '../../../src/values/meter.ts';
import { passTime, type StoppedClock, stopClock } from '../../support/stoppedClock.ts';
import { suite } from '../../support/suite.ts';

const test = suite(import.meta.url);

/** As an operation does it. */
async function runInTurn<T>(userId: number, work: () => T, wanted = () => true): Promise<T> {
  await turnOf(userId, wanted);
  return metered({ accountId: 1, userId }, async () => work());
}

const isWaiting = async (userId: number): Promise<boolean> => {
  let begun = false;
  const turn = turnOf(userId).then(() => {
    begun = true;
  });
  await new Promise(setImmediate);
  const waiting = !begun;
  await turn;
  return waiting;
};

/** Who of them waits, on a stopped clock: a busy machine would pay debts meanwhile. */
async function waitingOf(clock: StoppedClock, ...userIds: number[]): Promise<boolean[]> {
  const asked = userIds.map(isWaiting);
  await nextTurn();
  clock.pass(10_000);
  return Promise.all(asked);
}

/** Uses this thread's CPU. */
const use = (ms: number) => {
  for (const end = threadMs() + ms; threadMs() < end; );
};

/** Somebody else uses the loop, too. */
const besides = () => charge(98, 1);

test('short steps cost their own time, long ones nine times as much', async (t) => {
  besides();
  for (let n = 0; n < 2_000; n++) charge(20, 1);
  t.false(await isWaiting(20));
  besides();
  for (let n = 0; n < 14; n++) charge(21, 30);
  t.true(await isWaiting(21));
});

test('a user who is alone does not wait, until others come', async (t) => {
  passTime(10_000);
  charge(28, 60_000);
  t.false(await isWaiting(28));
  besides();
  charge(28, 1_000);
  t.true(await isWaiting(28));
});

test('each step between waits is charged, however long; the waits and the steps of others are not', async (t) => {
  const clock = stopClock(t);
  besides();
  const owner = (userId: number) => ({ accountId: 1, userId });
  let freed = () => {};
  const free = new Promise<void>((resolve) => {
    freed = resolve;
  });
  const waits = metered(owner(22), async () => {
    use(10);
    await unmetered(free);
    use(10);
  });
  const works = metered(owner(23), async () => {
    for (let n = 0; n < 5; n++) {
      use(150);
      await unmetered(nextTurn());
    }
  });
  await works;
  freed();
  await waits;
  t.deepEqual(await waitingOf(clock, 22, 23), [false, true]);
});

test('a step that ends in a wait of another kind is charged to its end only, and inner work to its own payer', async (t) => {
  const clock = stopClock(t);
  besides();
  const owner = (userId: number) => ({ accountId: 1, userId });
  const idle = metered(owner(24), () => nextTurn());
  await nextTurn();
  use(400);
  await metered(owner(25), async () => use(1));
  await idle;
  await metered(owner(26), async () => {
    await metered(owner(27), async () => use(400));
    use(1);
  });
  t.deepEqual(await waitingOf(clock, 24, 25, 26, 27), [false, false, false, true]);
});

test("saturation: a few expensive requests run at once; further ones wait, and other users' requests run before them", async (t) => {
  besides();
  const order: string[] = [];
  const work = (name: string) => () => void order.push(name);
  charge(1, 300);
  await runInTurn(1, work('few'));
  charge(1, 200);
  await Promise.all([runInTurn(1, work('next')), runInTurn(2, work('other'))]);
  t.deepEqual(order, ['few', 'other', 'next']);
});

test('saturation: waiting requests of one user start one at a time', async (t) => {
  besides();
  charge(4, 340);
  let begun = 0;
  const all = [1, 2, 3].map(() => turnOf(4).then(() => begun++));
  await Promise.race(all);
  t.is(begun, 1);
  await Promise.all(all);
  t.is(begun, 3);
});

test('saturation: failed work counts, and work whose client has disconnected is not started', async (t) => {
  besides();
  const costly = () => {
    use(500);
    throw new Error('refused');
  };
  await t.throwsAsync(runInTurn(3, costly), { message: 'refused' });
  // The costly work may take long on a busy machine.
  besides();
  const order: string[] = [];
  await Promise.all([runInTurn(3, () => void order.push('next')), runInTurn(2, () => void order.push('other'))]);
  t.deepEqual(order, ['other', 'next']);
  await t.throwsAsync(
    runInTurn(
      3,
      () => void order.push('unwanted'),
      () => false,
    ),
    { instanceOf: Unavailable },
  );
  t.is(order.length, 2);
});

test('saturation: the next request runs however expensive the last one was; beyond a limit, the last requests are refused', async (t) => {
  besides();
  const others = setInterval(() => charge(98, 100), 200);
  t.teardown(() => clearInterval(others));
  charge(5, 60_000);
  const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => turnOf(5)));
  t.true(outcomes.some(({ status }) => status === 'fulfilled'));
  const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  t.true(refused.length > 0);
  t.true(refused.every((error) => error instanceof RateLimited && /too many expensive requests/.test(error.message)));
});

test('saturation: expensive requests of one user that are ready together start in different turns of the event loop', async (t) => {
  besides();
  let turns = 0;
  let counting = true;
  const count = () => {
    turns++;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  charge(6, 10);
  const begun = await Promise.all([1, 2, 3].map(() => awaitOwnTurn(6).then(() => turns)));
  t.is(new Set(begun).size, 3);
  const free = await Promise.all([1, 2, 3].map(() => awaitOwnTurn(7).then(() => turns)));
  t.is(new Set(free).size, 1, 'a person who owes nothing does not wait');
  counting = false;
});

test('saturation: a user who has sent nothing expensive for an hour has no larger allowance than others', async (t) => {
  charge(8, 100);
  passTime(3_600_000);
  for (const userId of [8, 9]) {
    besides();
    charge(userId, 300);
    t.false(await isWaiting(userId));
    charge(userId, 100);
    t.true(await isWaiting(userId));
  }
});
