import { parseInput } from '../../src/operations/input.ts';
import { MyTimeArguments, rangeOf } from '../../src/time/schema.ts';
import { AppError } from '../../src/values/errors.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const range = (given: object) => rangeOf(parseInput(MyTimeArguments, given), '2026-03-04');

test('without arguments it is the current week, Monday to Sunday', (t) => {
  t.deepEqual(range({}), { from: '2026-03-02', to: '2026-03-08' });
  t.deepEqual(range({ period: 'week' }), range({}));
});

test('a period contains its date, or today', (t) => {
  t.deepEqual(range({ period: 'day' }), { from: '2026-03-04', to: '2026-03-04' });
  t.deepEqual(range({ period: 'month', date: '2024-02-10' }), { from: '2024-02-01', to: '2024-02-29' });
  t.deepEqual(range({ date: '2026-03-01' }), { from: '2026-02-23', to: '2026-03-01' });
});

test('explicit days are both included, 366 at most', (t) => {
  t.deepEqual(range({ from: '2024-01-01', to: '2024-12-31' }), { from: '2024-01-01', to: '2024-12-31' });
  t.throws(() => range({ from: '2024-01-01', to: '2025-01-01' }), { instanceOf: AppError, message: /^to: give at most 366 days/ });
});

test('contradictory arguments are refused by name', (t) => {
  const cases: [object, RegExp][] = [
    [{ from: '2026-03-02' }, /^to: /],
    [{ to: '2026-03-02' }, /^from: /],
    [{ from: '2026-03-03', to: '2026-03-02' }, /^from: must not be after to/],
    [{ period: 'day', from: '2026-03-02', to: '2026-03-03' }, /^period: /],
    [{ date: '2026-03-02', from: '2026-03-02', to: '2026-03-03' }, /^date: /],
    [{ period: 'year' }, /^period: /],
    [{ from: '2026-02-30', to: '2026-03-03' }, /^from: /],
  ];
  for (const [given, message] of cases) t.throws(() => range(given), { instanceOf: AppError, message });
});
