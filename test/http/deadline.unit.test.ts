/** The time that a request may take, and what does not count towards it (behaviour §13.1). */
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { Deadline } from '../../src/http/deadline.ts';
import { Unavailable } from '../../src/values/errors.ts';

const MOST_MS = 200;

test('waiting apart does not count, several at once neither', async (t) => {
  const deadline = new Deadline(MOST_MS);
  await t.notThrowsAsync(deadline.race(Promise.all([deadline.apart(sleep(MOST_MS)), deadline.apart(sleep(2 * MOST_MS))])));
});

test('what comes after the waiting counts', async (t) => {
  const deadline = new Deadline(MOST_MS);
  const work = async () => {
    await deadline.apart(sleep(MOST_MS));
    await sleep(60_000, undefined, { ref: false });
  };
  await t.throwsAsync(deadline.race(work()), { instanceOf: Unavailable });
});

test('waiting that fails apart fails the work', async (t) => {
  const deadline = new Deadline(MOST_MS);
  await t.throwsAsync(deadline.race(deadline.apart(Promise.reject(new Error('No.')))), { message: 'No.' });
});
