/** The count of free hours (behaviour §40.3). Today is Wednesday 2 December 2026. */
import { demandOf, freeOf, overloadedWeeks, type PersonLine } from '../../../src/capacity/forecast/outline.ts';
import type { Week } from '../../../src/capacity/forecast/schema.ts';
import { suite } from '../../support/suite.ts';

const test = suite(import.meta.url);

const TODAY = '2026-12-02';

function week(monday: string, hours: { allocated?: number; recorded?: number; planned?: number; demand?: number } = {}): Week {
  const { allocated = 0, recorded = 0, planned = 0, demand = Math.max(allocated + recorded, planned) } = hours;
  return {
    ...{ week: monday, availableHours: 40, allocatedHours: allocated, recordedHours: recorded, plannedHours: planned },
    ...{ overHours: Math.max(0, demand - 40), overextended: demand > 40, loadPercent: Math.round(demand * 25) / 10 },
  };
}

const DAY = 480;
const whole = [DAY, DAY, DAY, DAY, DAY, 0, 0];
/** 40 hours a week; Wednesday to Friday are left of this one. */
const person = (...[now, next]: [Parameters<typeof week>[1], Parameters<typeof week>[1]]): PersonLine => ({
  ...{ id: 1, name: 'Ana', weeklyHours: 40, confirmed: true },
  weeks: [week('2026-11-30', now), week('2026-12-07', next)],
  days: [...whole.slice(2), ...whole],
});
const free = (line: PersonLine, until: string, from?: string, today = TODAY) => freeOf(line, today, { from, until })?.hours ?? null;

test('free are the working hours from today, less what is left to do: recorded time takes none of them', (t) => {
  t.is(free(person({ allocated: 16, recorded: 10 }, {}), '2026-12-04'), 8);
  t.is(free(person({ planned: 20, recorded: 10 }, {}), '2026-12-04'), 14);
  t.is(free(person({ allocated: 16, recorded: 10 }, { allocated: 30 }), '2026-12-11'), 18);
  t.deepEqual(freeOf(person({}, {}), TODAY, { until: '2026-12-11' }), { hours: 64, of: 64 });
});

test('within a week the demand counts evenly', (t) => {
  t.is(free(person({ allocated: 12 }, {}), '2026-12-03'), 8);
  t.is(free(person({}, { allocated: 20 }), '2026-12-09', '2026-12-07'), 12);
});

test('too much work of one week takes the time of others, and nothing is below 0', (t) => {
  const busy = person({ allocated: 60 }, { allocated: 10 });
  t.is(free(busy, '2026-12-04'), 0);
  t.is(free(busy, '2026-12-11'), 0);
  t.is(free(busy, '2026-12-11', '2026-12-07'), 30, 'of that week alone');
});

test('there is no count for past days, beyond the weeks, or from a forecast without days', (t) => {
  const idle = person({}, {});
  t.is(free(idle, '2026-12-01'), null);
  t.is(free(idle, '2026-12-14'), null);
  t.is(free(idle, '2026-12-04', '2026-11-30'), 24, 'from today');
  t.is(freeOf({ ...idle, days: [] }, TODAY, { until: '2026-12-04' }), null);
});

test('a week is overloaded if its work takes more than the time from today', (t) => {
  t.deepEqual(overloadedWeeks(person({ allocated: 16, recorded: 30 }, { allocated: 41 }), TODAY), ['2026-12-07']);
  t.deepEqual(overloadedWeeks(person({ allocated: 25 }, {}), TODAY), ['2026-11-30']);
});

test('the demand of a week is exact, although its load is rounded', (t) => {
  t.is(demandOf(week('2026-12-07', { allocated: 12.33 })), 12.33);
  t.is(demandOf(week('2026-11-23', { allocated: 5, recorded: 8.2, demand: 8.2 })), 8.2, 'only recorded time of a past week');
});
