/** Limits of simultaneous uploads (behaviour §35.4). */
import { withUploadSlot } from '../../src/http/upload.ts';
import { Unavailable } from '../../src/values/errors.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

test('a person has at most 4 uploads at once, a process 50; others are refused without waiting', async (t) => {
  const held = Promise.withResolvers<void>();
  const hold = (personId: number) => withUploadSlot(personId, () => held.promise);
  const refused = async (personId: number) => {
    const error = await t.throwsAsync(() => withUploadSlot(personId, async () => t.fail()), { instanceOf: Unavailable });
    t.regex(error!.message, /Too many uploads at once/);
  };
  const running = Array.from({ length: 4 }, () => hold(1));
  await refused(1);
  for (let n = 4; n < 50; n++) running.push(hold(n));
  await refused(2);
  held.resolve();
  await Promise.all(running);
  t.is(await withUploadSlot(1, async () => 'done'), 'done');
});
