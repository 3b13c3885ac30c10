import fc from 'fast-check';
import { Calendar, minutesByWeekday } from '../../../src/capacity/forecast/calendar.ts';
import { simulate } from '../../../src/capacity/forecast/simulate.ts';
import { dayOf, WORKWEEK, weekdayOf } from '../../../src/values/workdays.ts';
import { suite } from '../../support/suite.ts';

const test = suite(import.meta.url);

const TODAY = dayOf('2026-03-04');

test('the five days of a week sum to its minutes', (t) => {
  fc.assert(
    fc.property(fc.nat(10_080), (weekly) => {
      const days = minutesByWeekday(weekly, WORKWEEK).slice(0, 5);
      t.is(
        days.reduce((sum, day) => sum + day, 0),
        weekly,
      );
      t.true(Math.max(...days) - Math.min(...days) <= 1);
    }),
  );
});

const queue = fc.array(fc.record({ minutes: fc.integer({ min: 1, max: 3000 }), start: fc.integer({ min: -10, max: 60 }) }), {
  maxLength: 15,
});

test("every task gets its minutes, after its start, on no weekend, and within each day's capacity", (t) => {
  fc.assert(
    fc.property(queue, fc.integer({ min: 200, max: 3000 }), (tasks, weekly) => {
      const spent = new Map<number, number>();
      const left = tasks.map(({ minutes }) => minutes);
      const finished: number[] = [];
      const queue = {
        minutes: Float64Array.from(left),
        startDays: Int32Array.from(tasks, ({ start }) => TODAY + start),
        persons: new Int32Array(tasks.length),
      };
      simulate({ queue, calendars: new Map([[0, new Calendar(weekly, null, TODAY)]]), nodes: [] }, TODAY, {
        work(place, day, minutes) {
          t.true(minutes > 0 && day >= TODAY && day >= TODAY + tasks[place]!.start);
          left[place]! -= minutes;
          spent.set(day, (spent.get(day) ?? 0) + minutes);
        },
        finish: (place) => finished.push(place),
        pass: () => t.fail('no node passes without dependencies'),
        hold: () => t.fail('nothing is held without dependencies'),
      });
      for (const [day, minutes] of spent) t.true(weekdayOf(day) < 5 && minutes <= minutesByWeekday(weekly, WORKWEEK)[weekdayOf(day)]!);
      t.true(left.every((minutes) => minutes === 0));
      t.deepEqual(
        finished.sort((a, b) => a - b),
        [...tasks.keys()],
      );
    }),
  );
});
