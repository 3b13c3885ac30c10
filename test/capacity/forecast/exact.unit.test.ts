import fc from 'fast-check';
import {
  bufferedMinutes,
  decimalOf,
  ExactSum,
  hoursOf,
  percentOf,
  remainingMinutes,
  rounded,
  shareOf,
} from '../../../src/capacity/forecast/exact.ts';
import { suite } from '../../support/suite.ts';

const test = suite(import.meta.url);

test('remaining minutes are exact where floating point is not', (t) => {
  t.is(remainingMinutes(1.1, 0, 0), 66);
  t.is(remainingMinutes(0.1, 0, 0), 6);
  t.is(remainingMinutes(16, 50, 0), 480);
  t.is(remainingMinutes(1, 33.3, 0), 41);
  t.is(remainingMinutes(0.0001, 0, 0), 1);
  t.is(remainingMinutes(1e-300, 0, 0), 1);
  t.is(remainingMinutes(0, 0, 0), 0);
  t.is(remainingMinutes(7, 100, 0), 0);
  t.is(remainingMinutes(1.0000000001, 0, 0), 61);
});

test('without a given progress, recorded minutes lower what is left; with one they do not', (t) => {
  t.is(remainingMinutes(20, null, 17 * 60), 180);
  t.is(remainingMinutes(1.0000000001, null, 60), 1);
  t.is(remainingMinutes(20, null, 1_200), 0);
  t.is(remainingMinutes(20, null, 5_000), 0);
  t.is(remainingMinutes(20, 0, 5_000), 1_200);
});

test('remaining minutes are ceil(60·e·(100−p)/100), as fractions count it', (t) => {
  const decimals = fc.oneof(fc.constantFrom(0, 2, 4, 7), fc.nat(12));
  fc.assert(
    fc.property(fc.nat(1e7), decimals, fc.nat(1e6), (digits, scale, millionths) => {
      const numerator = 60n * BigInt(digits) * BigInt(1e6 - millionths);
      const denominator = 10n ** BigInt(scale) * BigInt(1e6);
      const expected = Number((numerator + denominator - 1n) / denominator);
      t.is(remainingMinutes(digits / 10 ** scale, millionths / 1e4, 0), expected);
    }),
  );
});

test('a number is parsed as the exact decimal it is written as', (t) => {
  t.deepEqual(decimalOf(12.5), { digits: 125n, scale: 1 });
  t.deepEqual(decimalOf(1e21), { digits: 10n ** 21n, scale: 0 });
  t.deepEqual(decimalOf(1.5e-7), { digits: 15n, scale: 8 });
});

test('a sum is exact in any order of its terms', (t) => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1e15, noNaN: true })), (terms) => {
      const [there, back] = [new ExactSum(), new ExactSum()];
      for (const term of terms) there.add(term);
      for (const term of terms.toReversed()) back.add(term);
      t.is(hoursOf(there.total()), hoursOf(back.total()));
    }),
  );
  const tenths = new ExactSum();
  for (let n = 0; n < 10; n++) tenths.add(0.1);
  tenths.add(1e300);
  t.is(tenths.total().digits, BigInt(1e4) * (10n ** 300n + 1n));
});

test('rounding is half up', (t) => {
  t.deepEqual([rounded(1n, 8n, 2), rounded(5n, 1000n, 2), rounded(-1n, 3n, 1), rounded(-6n, 5n, 0)], [0.13, 0.01, -0.3, -1]);
});

test('a percentage of zero is unknown', (t) => {
  t.deepEqual([percentOf(5, 0), percentOf(0, 5), percentOf(1, 3)], [null, 0, 33.3]);
});

test('the buffer is a quarter, rounded up to a minute', (t) => {
  t.deepEqual([0, 1, 4, 5, 480].map(bufferedMinutes), [0, 2, 5, 7, 600]);
});

test('shares add up to the whole, also beyond 2^53', (t) => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.integer({ min: 1, max: 4000 }), (minutes, parts) => {
      t.is(shareOf(minutes, 0, parts), 0);
      t.is(shareOf(minutes, parts, parts), minutes);
      t.is(shareOf(minutes, 1, parts), Number(BigInt(minutes) / BigInt(parts)));
    }),
  );
});
