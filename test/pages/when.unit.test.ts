/** Days, times and durations in words (behaviour §18.2, §18.3). */
import fc from 'fast-check';
import { clockAt } from '../../src/pages/frame/clock.ts';
import { dueState, dueWords } from '../../src/pages/frame/components/due.ts';
import * as when from '../../src/pages/frame/components/when.ts';
import { addDays, isDate } from '../../src/values/dates.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

/** Wednesday 25 November 2026, 11:42 in Berlin. */
const now = Date.parse('2026-11-25T10:42:00Z');
const clock = clockAt(now, 'Europe/Berlin', 'en-GB');
const american = clockAt(now, 'America/New_York', 'en-US');

test('a day is named by its distance, with its year if it differs', (t) => {
  const words = [
    '2026-11-24',
    '2026-11-25',
    '2026-11-26',
    '2026-11-27',
    '2026-12-01',
    '2026-12-02',
    '2026-11-20',
    '2027-01-18',
    '2025-12-31',
  ];
  t.deepEqual(
    words.map((date) => when.dayWords(date, clock)),
    ['Yesterday', 'Today', 'Tomorrow', 'Friday', 'Tuesday', 'Wed 2 Dec', 'Fri 20 Nov', '18 Jan 2027', '31 Dec 2025'],
  );
  t.is(when.dayWords('2026-12-10', american), 'Thu Dec 10');
});

test('a full date and a month have the regional format, unshortened', (t) => {
  const inFull = (date: string) => [clock, american].map((one) => when.fullDay(date, one));
  t.deepEqual(inFull('2026-11-27'), ['Friday 27 November', 'Friday November 27']);
  t.deepEqual(inFull('2027-01-18'), ['Monday 18 January 2027', 'Monday January 18, 2027']);
  t.deepEqual(
    [clock, american].map((one) => when.monthWords('2026-11-01', one)),
    ['November 2026', 'November 2026'],
  );
});

test("a time is in the reader's zone, and exact in the title", (t) => {
  t.is(when.momentWords('2026-11-25T08:14:00.000Z', clock), 'Today 09:14');
  t.is(when.momentWords('2026-11-24T23:30:00.000Z', clock), 'Today 00:30');
  t.is(when.momentWords('2026-11-24T22:30:00.000Z', clock), 'Yesterday 23:30');
  t.is(when.momentWords('2026-11-27T13:20:00.000Z', clock), 'Fri 27 Nov 14:20');
  t.is(when.momentWords('2025-11-12T08:14:00.000Z', clock), '12 Nov 2025');
  t.is(when.momentWords('2026-11-25T02:14:00.000Z', american).replace(/\s/g, ' '), 'Yesterday 9:14 PM');
  t.is(
    when.moment('2026-11-27T13:20:00.000Z', clock).text,
    '<time datetime="2026-11-27T13:20:00.000Z" title="Friday 27 November 2026 14:20, Europe/Berlin">Fri 27 Nov 14:20</time>',
  );
  t.is(when.moment(null, clock, 'not yet').text, 'not yet');
});

test('a recent time is described by its distance', (t) => {
  const before = (minutes: number) => when.agoWords(new Date(now - minutes * 60_000).toISOString(), clock);
  t.deepEqual([0, 1, 59, 60, 719].map(before), ['just now', '1 min ago', '59 min ago', '1 h ago', '11 h ago']);
  t.is(before(720), 'Yesterday 23:42');
  t.is(before(-1), 'just now');
  t.is(before(-10), 'Today 11:52');
});

test('durations read naturally', (t) => {
  t.deepEqual([0, 45, 60, 172, 600, -75].map(when.hours), ['0 min', '45 min', '1 h', '2 h 52 min', '10 h', '−1 h 15 min']);
  t.deepEqual([4, 0.5, 0.25, 1240, 12.345, 8.2, 0.33].map(when.estimate), [
    '4 h',
    '30 min',
    '15 min',
    '1,240 h',
    '12 h 21 min',
    '8 h 12 min',
    '20 min',
  ]);
  t.deepEqual([0, 20, 90, 6 * 60].map(when.figure), ['', '0:20', '1:30', '6:00']);
  t.is(when.running(3432), '0:57:12');
  t.is(when.distance('2026-12-09', clock.today), 'in 14 days');
});

test('a due date says how late it is, until the item is closed', (t) => {
  const words = (date: string, closed = false) => dueWords(date, { closed }, clock);
  t.deepEqual(
    ['2026-11-20', '2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27', '2026-11-30', '2026-12-10'].map((date) => words(date)),
    ['5 days late', '1 day late', 'Today', 'Tomorrow', 'Friday', 'Monday', 'Thu 10 Dec'],
  );
  t.is(words('2026-11-20', true), 'Fri 20 Nov');
  t.is(dueState('2026-11-25', clock.today), 'today');
  t.is(dueState('2026-11-25', clock.today, true), 'later');
  t.is(dueState(null, clock.today), 'none');
});

test('an unknown language or a distant zone still gives words', (t) => {
  for (const locale of ['', '???', 'xx', 'de', 'fa-IR-u-ca-persian-nu-arab', 'th-TH', 'ar-EG'])
    t.regex(
      when.momentWords('2026-12-12T08:14:00.000Z', clockAt(now, 'Pacific/Kiritimati', locale)),
      /^Sat .*\b12\b.*\b(22:14|10:14.PM)$/,
      locale,
    );
});

const date = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }).map((one) => one.toISOString());
const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia', 'Asia/Kathmandu', 'America/Sao_Paulo');

test("a time's day is the local day in the zone, and words and days correspond within a year", (t) => {
  fc.assert(
    fc.property(date, zone, (iso, name) => {
      const here = clockAt(now, name);
      return when.dateIn(iso, here) === clockAt(Date.parse(iso), name).today && isDate(when.dateIn(iso, here));
    }),
  );
  const year = Array.from({ length: 365 }, (_, i) => when.dayWords(addDays('2026-01-01', i), clock));
  t.is(new Set(year).size, 365);
});

test('a time is never described with a day that it is not on', (t) => {
  fc.assert(
    fc.property(date, zone, (iso, name) => {
      const here = clockAt(now, name);
      const words = when.momentWords(iso, here);
      return words.startsWith('Today') === (when.dateIn(iso, here) === here.today);
    }),
  );
  t.pass();
});
