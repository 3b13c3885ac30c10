/** Answers that are sent while they are read (behaviour §13.21). */
import { beginStream } from '../../../src/access/throttle/streams.ts';
import { RateLimited } from '../../../src/values/errors.ts';
import { suite } from '../../support/suite.ts';

const test = suite(import.meta.url);

test('a person has at most four open, others are not affected, and an ended one makes room once', (t) => {
  const ends = [1, 2, 3, 4].map(() => beginStream(1));
  t.throws(() => beginStream(1), { instanceOf: RateLimited });
  beginStream(2)();
  ends[0]!();
  ends[0]!();
  ends.push(beginStream(1));
  t.throws(() => beginStream(1), { instanceOf: RateLimited });
  for (const end of ends) end();
  beginStream(1)();
});

test('a process has at most 40 open', (t) => {
  const ends = Array.from({ length: 40 }, (_, n) => beginStream(10 + n));
  t.throws(() => beginStream(9), { instanceOf: RateLimited });
  for (const end of ends) end();
  beginStream(9)();
});
