import fc from 'fast-check';
import { dateOf, dayOf, firstWorkdayFrom, weekdayOf, weekStartOf, workdayAt, workdayIndex } from '../../src/values/workdays.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

/** All of the years 1 to 9999. */
const anyDay = fc.integer({ min: dayOf('0001-01-01'), max: dayOf('9999-12-31') });

test('dates and day numbers convert to each other and back', (t) => {
  t.is(dayOf('1970-01-01'), 0);
  t.is(dayOf('2024-02-29') + 1, dayOf('2024-03-01'));
  fc.assert(fc.property(anyDay, (day) => t.is(dayOf(dateOf(day)), day)));
});

test('an invalid date has no day number', (t) => {
  t.deepEqual([dayOf('2025-02-30x'), dayOf('soon'), dayOf('2025-13-01')], [Number.NaN, Number.NaN, Number.NaN]);
});

test('a week begins on its Monday', (t) => {
  t.is(dateOf(weekStartOf(dayOf('2026-03-08'))), '2026-03-02');
  t.is(dateOf(weekStartOf(dayOf('2026-03-02'))), '2026-03-02');
  fc.assert(fc.property(anyDay, (day) => t.true(weekdayOf(weekStartOf(day)) === 0 && day - weekStartOf(day) === weekdayOf(day))));
});

test('the first working day after a weekend is Monday', (t) => {
  const from = (date: string) => dateOf(firstWorkdayFrom(dayOf(date)));
  t.deepEqual(['2026-03-06', '2026-03-07', '2026-03-08', '2026-03-09'].map(from), ['2026-03-06', '2026-03-09', '2026-03-09', '2026-03-09']);
});

test('counted working days equal a walk over the days', (t) => {
  fc.assert(
    fc.property(anyDay, fc.integer({ min: -3, max: 40 }), (first, length) => {
      const days = Array.from({ length: Math.max(0, length + 1) }, (_, n) => first + n);
      const working = days.filter((day) => weekdayOf(day) < 5);
      t.is(Math.max(0, workdayIndex(first + length + 1) - workdayIndex(first)), working.length);
      t.deepEqual(
        working.map((_, n) => workdayAt(workdayIndex(first) + n)),
        working,
      );
    }),
  );
});
