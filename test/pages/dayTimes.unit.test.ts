import type { DayItem } from '../../src/overviews/myDay.ts';
import { clockAt } from '../../src/pages/frame/clock.ts';
import { groupNames, groupsOf } from '../../src/pages/my/dayGroups.ts';
import { timesOf, weekOf } from '../../src/pages/my/dayTimes.ts';
import { utcDays } from '../../src/pages/my/utcDays.ts';
import type { PlanBlock } from '../../src/plans/schema.ts';
import type { TimeEntry } from '../../src/time/schema.ts';
import { addDays, startOfDay } from '../../src/values/dates.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const ZONE = 'Europe/Berlin';
const entry = (startedAt: string | null, endedAt: string | null, minutes: number, date = (startedAt ?? '2026-11-25').slice(0, 10)) =>
  ({ id: 1, startedAt, endedAt, minutes, date }) as TimeEntry;
const block = (startsAt: string, endsAt: string, state: PlanBlock['state'] = 'scheduled') =>
  ({ id: 1, startsAt, endsAt, state }) as PlanBlock;
const day = (date: string, now: string, more: object = {}) => ({
  ...{ starts: startOfDay(date, ZONE), ends: startOfDay(addDays(date, 1), ZONE), now, entries: [], timer: null, blocks: [] },
  ...more,
});

test("a day has its length in the person's zone, and its contents are at local times", (t) => {
  const entries = [entry('2026-03-29T00:30:00Z', '2026-03-29T02:00:00Z', 90)];
  const spring = timesOf(day('2026-03-29', '2026-03-29T12:00:00Z', { entries }));
  t.is(spring.length, 1380);
  t.like(spring.recorded[0], { from: 90, to: 180 }, 'from 01:30 over the hour that is skipped to 04:00');
  t.is(spring.now, 780);
  t.is(timesOf(day('2026-10-25', '2026-10-24T12:00:00Z')).length, 1500);
  t.is(timesOf(day('2026-10-25', '2026-10-24T12:00:00Z')).now, null, 'the present is on another day');
});

test('an entry over midnight is on both days, cut there; a running one ends now', (t) => {
  const night = { entries: [entry('2026-11-25T22:00:00Z', '2026-11-26T00:30:00Z', 150)] };
  const [before, after] = ['2026-11-25', '2026-11-26'].map((date) => timesOf(day(date, '2026-11-26T08:00:00Z', night)));
  t.like(before!.recorded[0], { from: 1380, to: 1440, before: false, after: true });
  t.like(after!.recorded[0], { from: 0, to: 90, before: true, after: false });
  t.deepEqual([before!.recordedMinutes, after!.recordedMinutes], [60, 90]);
  const timer = entry('2026-11-26T07:00:00Z', null, 60);
  t.like(timesOf(day('2026-11-26', '2026-11-26T08:00:00Z', { timer })).recorded[0], { from: 480, to: 540 });
});

test('a break that may have been work is a gap; overlaps leave none; entries without times have no place', (t) => {
  const entries = [
    entry('2026-11-25T08:00:00Z', '2026-11-25T10:00:00Z', 120),
    entry('2026-11-25T09:00:00Z', '2026-11-25T09:30:00Z', 30),
    entry('2026-11-25T10:20:00Z', '2026-11-25T11:00:00Z', 40),
    entry('2026-11-25T15:00:00Z', '2026-11-25T15:10:00Z', 10),
    entry(null, null, 45),
  ];
  const times = timesOf(day('2026-11-25', '2026-11-25T16:00:00Z', { entries }));
  t.deepEqual(times.gaps, [{ from: 660, to: 680 }]);
  t.deepEqual([times.byHand.length, times.recordedMinutes], [1, 245]);
});

test("a week has recorded minutes by UTC day, planned ones by the person's day, and the rest of the plan", (t) => {
  const week = {
    day: '2026-11-25',
    now: '2026-11-25T12:00:00Z',
    days: new Map([
      ['2026-11-24', 385],
      ['2026-11-25', 60],
    ]),
    blocks: [
      block('2026-11-24T22:00:00Z', '2026-11-25T00:00:00Z', 'finished'),
      block('2026-11-25T11:00:00Z', '2026-11-25T13:00:00Z', 'running'),
      block('2026-11-27T08:00:00Z', '2026-11-27T10:00:00Z'),
      block('2026-11-26T08:00:00Z', '2026-11-26T10:00:00Z', 'missed'),
    ],
  };
  const { days, recorded, ahead } = weekOf(week, ZONE);
  t.deepEqual(
    days.map(({ recorded, planned }) => [recorded, planned]),
    [
      [0, 0],
      [385, 60],
      [60, 180],
      [0, 0],
      [0, 120],
      [0, 0],
      [0, 0],
    ],
  );
  t.deepEqual([recorded, ahead], [445, 180]);
});

test("the rule of UTC days names both days where the person's own one differs, and nothing where it does not", (t) => {
  const at = (zone: string) => clockAt(Date.parse('2026-11-26T12:00:00Z'), zone);
  t.is(
    utcDays('2026-11-25', at('America/New_York')),
    'Recorded time counts on UTC days: Wed 25 Nov in UTC is Tue 24 Nov 19:00 to Wed 25 Nov 19:00 in America/New_York.',
  );
  t.is(utcDays('2026-11-25', at('Europe/London')), null);
  t.regex(utcDays('2026-07-01', at('Europe/London'))!, /Wed 1 Jul 01:00 to Thu 2 Jul 01:00/);
});

const item = (id: number, more: Partial<DayItem> = {}) =>
  ({ id, due: null, asked: false, estimatedHours: null, progressPercent: null, leftHours: null, ...more }) as DayItem;

test("items are grouped by the earlier of due date and plan; decisions are today's; hours are the remaining ones", (t) => {
  const items = [
    item(1, { due: '2026-11-20', leftHours: 2 }),
    item(2, { due: '2026-11-25' }),
    item(3, { due: '2026-12-08', leftHours: 3 }),
    item(4, { due: '2026-11-29', leftHours: 1 }),
    item(5, { due: '2026-11-30' }),
    item(6),
    item(7, { due: '2026-12-24', asked: true }),
    item(8, { due: '2026-11-19', asked: true }),
    item(9),
  ];
  const planned = new Map([
    [3, '2026-11-25'],
    [9, '2026-11-27'],
  ]);
  const groups = groupsOf(items, planned, { day: '2026-11-25', today: '2026-11-25' });
  t.deepEqual(
    groups.map(({ key, items, hoursLeft }) => [key, items.map(({ id }) => id), hoursLeft]),
    [
      ['overdue', [8, 1], 2],
      ['today', [7, 2, 3], 3],
      ['week', [9, 4], 1],
      ['later', [5], null],
      ['none', [6], null],
    ],
  );
});

test('groups of another day are relative to that day and named after it; decisions keep to their dates', (t) => {
  const items = [item(1, { due: '2026-11-25' }), item(2, { due: '2026-11-30' }), item(3, { due: '2026-12-06' }), item(4, { asked: true })];
  const planned = new Map([[1, '2026-11-30']]);
  const groups = groupsOf(items, planned, { day: '2026-11-30', today: '2026-11-25' });
  t.deepEqual(
    groups.map(({ key, items }) => [groupNames('Mon 30 Nov')[key], items.map(({ id }) => id)]),
    [
      ['Before Mon 30 Nov', [1]],
      ['Mon 30 Nov', [2]],
      ['Later that week', [3]],
      ['No date', [4]],
    ],
  );
});
