/** A user whose requests block the event loop waits while others are served (behaviour §13.15). */
import { awaitOwnTurn, charge, mustWait, runCharged, threadMs, turnOf } from '../../../src/access/throttle/loopShare.ts';
import { Unavailable } from '../../../src/values/errors.ts';
import { passTime } from '../../support/stoppedClock.ts';
import { suite } from '../../support/suite.ts';

const test = suite(import.meta.url);

/** As a write does it. */
async function runInTurn<T>(userId: number, work: () => T, wanted = () => true): Promise<T> {
  await turnOf(userId, wanted);
  await awaitOwnTurn(userId);
  return runCharged(userId, work);
}

test("saturation: a few expensive requests run at once; further ones wait, and other users' requests run before them", async (t) => {
  const order: string[] = [];
  const work = (name: string) => () => void order.push(name);
  charge(1, 300);
  await runInTurn(1, work('few'));
  charge(1, 100);
  await Promise.all([runInTurn(1, work('next')), runInTurn(2, work('other'))]);
  t.deepEqual(order, ['few', 'other', 'next']);
});

test('saturation: waiting requests of one user start one at a time', async (t) => {
  charge(4, 340);
  let begun = 0;
  const all = [1, 2, 3].map(() => turnOf(4).then(() => begun++));
  await Promise.race(all);
  t.is(begun, 1);
  await Promise.all(all);
  t.is(begun, 3);
});

test('saturation: failed work counts, and work whose client has disconnected is not started', async (t) => {
  const costly = () => {
    for (const end = threadMs() + 400; threadMs() < end; );
    throw new Error('refused');
  };
  await t.throwsAsync(runInTurn(3, costly), { message: 'refused' });
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
  charge(5, 60_000);
  const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => turnOf(5)));
  t.is(outcomes[0]!.status, 'fulfilled');
  const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  t.true(refused.length > 0);
  t.true(refused.every((error) => error instanceof Unavailable && /too many expensive requests/.test(error.message)));
});

test('saturation: expensive requests of one user that are ready together start in different turns of the event loop', async (t) => {
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

test('saturation: a user who has sent nothing expensive for an hour has no larger allowance than others', (t) => {
  charge(8, 100);
  passTime(3_600_000);
  t.false(mustWait(8));
  for (const userId of [8, 9]) {
    charge(userId, 300);
    t.false(mustWait(userId));
    charge(userId, 100);
    t.true(mustWait(userId));
  }
});
