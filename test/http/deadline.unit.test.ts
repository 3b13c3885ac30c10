/** The time limit of a request, and the waits that don't count (behaviour §13.1). */
import { Deadline } from '../../src/http/guard.ts';
import { Unavailable } from '../../src/values/errors.ts';
import { stopClock } from '../support/stoppedClock.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const MOST_MS = 200;

test("excluded waits don't count, also several at once", async (t) => {
  const clock = stopClock(t);
  const deadline = new Deadline(MOST_MS);
  const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const work = deadline.race(Promise.all([deadline.apart(one.promise), deadline.apart(other.promise)]));
  for (const { resolve } of [one, other]) {
    clock.pass(MOST_MS);
    resolve();
  }
  await t.notThrowsAsync(work);
});

test('the time after an excluded wait counts', async (t) => {
  const clock = stopClock(t);
  const deadline = new Deadline(MOST_MS);
  const [excluded, after] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const work = async () => {
    await deadline.apart(excluded.promise);
    after.resolve();
    await new Promise(() => {});
  };
  const refused = t.throwsAsync(deadline.race(work()), { instanceOf: Unavailable });
  clock.pass(MOST_MS);
  excluded.resolve();
  await after.promise;
  clock.pass(MOST_MS);
  await refused;
});

test('an error in an excluded wait fails the work', async (t) => {
  const deadline = new Deadline(MOST_MS);
  await t.throwsAsync(deadline.race(deadline.apart(Promise.reject(new Error('No.')))), { message: 'No.' });
});
