/** The time limit of a request, and the waits that don't count (behaviour §13.1). */
import { setTimeout as sleep } from 'node:timers/promises';
import { Deadline } from '../../src/http/guard.ts';
import { Unavailable } from '../../src/values/errors.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const MOST_MS = 200;

test("excluded waits don't count, also several at once", async (t) => {
  const deadline = new Deadline(MOST_MS);
  await t.notThrowsAsync(deadline.race(Promise.all([deadline.apart(sleep(MOST_MS)), deadline.apart(sleep(2 * MOST_MS))])));
});

test('the time after an excluded wait counts', async (t) => {
  const deadline = new Deadline(MOST_MS);
  const work = async () => {
    await deadline.apart(sleep(MOST_MS));
    await sleep(60_000, undefined, { ref: false });
  };
  await t.throwsAsync(deadline.race(work()), { instanceOf: Unavailable });
});

test('an error in an excluded wait fails the work', async (t) => {
  const deadline = new Deadline(MOST_MS);
  await t.throwsAsync(deadline.race(deadline.apart(Promise.reject(new Error('No.')))), { message: 'No.' });
});
