import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import {
  addDays,
  CalendarDate,
  daysBetween,
  dueWindow,
  instantToLocal,
  isDate,
  isLocalDateTime,
  isZone,
  LocalDateTime,
  localToInstant,
  mondayOf,
  monthRange,
  splitByUtcDay,
  todayIn,
  weekday,
  weekRange,
  Zone,
  zoneName,
} from '../../src/values/dates.ts';
import { InvalidRequest } from '../../src/values/errors.ts';
import { suite } from '../support/suite.ts';
import { runs } from '../support/thorough.ts';

const test = suite(import.meta.url);

const dayMs = 86_400_000;
const days = fc.integer({ min: 14, max: 3_652_058 - 14 }).map((n) => Temporal.PlainDate.from('0001-01-01').add({ days: n }));
/** Daylight saving on both hemispheres, half-hour saving, odd offsets, the far east and west, a skipped day. */
const zones = fc.constantFrom(
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'America/St_Johns', 'America/Santiago', 'Australia/Lord_Howe', 'Australia/Sydney'],
  ...['Asia/Kathmandu', 'Asia/Kolkata', 'Pacific/Chatham', 'Pacific/Apia', 'Pacific/Kiritimati', 'Africa/Casablanca', 'America/Sao_Paulo'],
  ...['Antarctica/Troll', 'Pacific/Niue', 'Asia/Tehran'],
);
const instants = fc.integer({ min: Date.parse('1972-01-01T00:00Z'), max: Date.parse('2060-01-01T00:00Z') });

test('a date is an existing day, written YYYY-MM-DD', (t) => {
  for (const date of ['2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31', '2026-04-30']) t.true(isDate(date), date);
  for (const date of ['2026-02-29', '1900-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00', '2026-01-32', '0000-01-01', '']) {
    t.false(isDate(date), date);
  }
  for (const text of [
    '2026-1-1',
    '20260101',
    '2026-01-01\n',
    ' 2026-01-01',
    '2026-01-01T00:00',
    '+12026-01-01',
    '-001-01-01',
    '２０２６-01-01',
  ]) {
    t.false(isDate(text), text);
  }
});

test('isDate agrees with the calendar on every well-formed string', (t) => {
  const part = (max: number, width: number) => fc.nat(max).map((n) => String(n).padStart(width, '0'));
  fc.assert(
    fc.property(part(9999, 4), part(13, 2), part(32, 2), (y, m, d) => {
      const real = (() => {
        try {
          return Temporal.PlainDate.from({ year: Number(y), month: Number(m), day: Number(d) }, { overflow: 'reject' }).year > 0;
        } catch {
          return false;
        }
      })();
      return isDate(`${y}-${m}-${d}`) === real;
    }),
    { numRuns: runs(1000) },
  );
  t.pass();
});

test('days are added and counted as in the calendar', (t) => {
  fc.assert(
    fc.property(days, days, (a, b) => {
      const count = a.until(b, { largestUnit: 'day' }).days;
      return daysBetween(String(a), String(b)) === count && addDays(String(a), count) === String(b);
    }),
  );
  t.is(addDays('2024-02-28', 1), '2024-02-29');
  t.is(addDays('2025-12-31', 1), '2026-01-01');
  t.is(addDays('2026-01-01', -1), '2025-12-31');
});

test('days beyond the calendar are refused, not wrapped', (t) => {
  t.throws(() => addDays('9999-12-31', 1), { instanceOf: InvalidRequest });
  t.throws(() => addDays('0001-01-01', -1), { instanceOf: InvalidRequest });
  t.throws(() => weekRange('9999-12-31'), { instanceOf: InvalidRequest });
  t.is(mondayOf('0001-01-01'), '0001-01-01');
});

test('weeks run from Monday to Sunday and months over all their days', (t) => {
  fc.assert(
    fc.property(days, (day) => {
      const date = String(day);
      const week = weekRange(date);
      const month = monthRange(date);
      t.is(weekday(date), day.dayOfWeek - 1);
      t.is(week.from, mondayOf(date));
      t.is(weekday(week.from), 0);
      t.is(daysBetween(week.from, week.to), 6);
      t.true(week.from <= date && date <= week.to);
      t.deepEqual(month, { from: String(day.with({ day: 1 })), to: String(day.with({ day: 31 })) });
    }),
  );
  t.deepEqual(monthRange('2024-02-10'), { from: '2024-02-01', to: '2024-02-29' });
  t.deepEqual(weekRange('2026-01-01'), { from: '2025-12-29', to: '2026-01-04' });
});

test('zones have names, and offsets or invalid texts are refused without throwing', (t) => {
  for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'Asia/Calcutta', 'Etc/GMT+5', 'America/Argentina/Buenos_Aires'])
    t.true(isZone(zone), zone);
  for (const zone of [
    '',
    '+01:00',
    '-05',
    '+00:00',
    'Z',
    'UTC+1',
    'GMT+1',
    'Mars/Olympus',
    'Europe/Berlin ',
    'Europe/Berlin\n',
    'Europe/Berl\u0131n',
  ]) {
    t.false(isZone(zone), zone);
  }
  for (const zone of ['SystemV/EST5', 'Etc/Unknown', 'local', 'x'.repeat(100_000), '__proto__', '2026-01-01', '\0', '[UTC]'])
    t.false(isZone(zone), zone.slice(0, 20));
  fc.assert(fc.property(fc.string(), (text) => typeof isZone(text) === 'boolean'));
  t.is(zoneName('america/port-au-prince'), 'America/Port-au-Prince');
  for (const zone of Intl.supportedValuesOf('timeZone')) t.is(zoneName(zone.toUpperCase()), zone);
});

test('today is the local day in the zone', (t) => {
  const now = '2026-03-01T10:30:00Z';
  t.is(todayIn('UTC', now), '2026-03-01');
  t.is(todayIn('Pacific/Kiritimati', now), '2026-03-02');
  t.is(todayIn('Pacific/Niue', '2026-03-01T10:30:00Z'), '2026-02-28');
  t.is(todayIn('Asia/Kathmandu', '2026-03-01T18:14:59.999Z'), '2026-03-01');
  t.is(todayIn('Asia/Kathmandu', new Date('2026-03-01T18:15:00Z')), '2026-03-02');
  // Samoa crossed the date line and skipped 30 December 2011.
  t.is(todayIn('Pacific/Apia', '2011-12-30T09:59:59Z'), '2011-12-29');
  t.is(todayIn('Pacific/Apia', '2011-12-30T10:00:00Z'), '2011-12-31');
  t.throws(() => todayIn('+01:00', now), { instanceOf: InvalidRequest });
});

test('the date in a zone is the date of its local time', (t) => {
  fc.assert(fc.property(zones, instants, (zone, at) => todayIn(zone, at) === instantToLocal(at, zone).slice(0, 10)));
  t.pass();
});

test('local times become instants, the first one if they occur twice', (t) => {
  t.is(localToInstant('2026-07-01T09:00', 'Europe/Berlin'), '2026-07-01T07:00:00.000Z');
  t.is(localToInstant('2026-10-25T02:30', 'Europe/Berlin'), '2026-10-25T00:30:00.000Z');
  t.is(localToInstant('2026-11-01T01:30', 'America/New_York'), '2026-11-01T05:30:00.000Z');
  t.is(localToInstant('2026-04-05T01:45', 'Australia/Lord_Howe'), '2026-04-04T14:45:00.000Z');
  t.is(localToInstant('2024-02-29T00:00', 'Asia/Kathmandu'), '2024-02-28T18:15:00.000Z');
});

test('local times that the zone skips are reported', (t) => {
  t.is(localToInstant('2026-03-29T02:00', 'Europe/Berlin'), 'skipped');
  t.is(localToInstant('2026-03-29T02:59', 'Europe/Berlin'), 'skipped');
  t.is(localToInstant('2026-03-29T03:00', 'Europe/Berlin'), '2026-03-29T01:00:00.000Z');
  t.is(localToInstant('2026-10-04T02:15', 'Australia/Lord_Howe'), 'skipped');
  t.is(localToInstant('2026-10-04T02:30', 'Australia/Lord_Howe'), '2026-10-03T15:30:00.000Z');
  t.is(localToInstant('2018-11-04T00:30', 'America/Sao_Paulo'), 'skipped');
  t.is(localToInstant('2011-12-30T12:00', 'Pacific/Apia'), 'skipped');
  t.throws(() => localToInstant('2026-01-01T00:00', 'nowhere'), { instanceOf: InvalidRequest });
});

test('an instant converted to local time and back is the same or its earlier duplicate', (t) => {
  fc.assert(
    fc.property(zones, instants, (zone, at) => {
      const minute = Math.floor(at / 60_000) * 60_000;
      const back = localToInstant(instantToLocal(minute, zone), zone);
      const lead = minute - Date.parse(back);
      return back !== 'skipped' && (lead === 0 || (lead > 0 && lead <= 3 * 3_600_000));
    }),
    { numRuns: runs(500) },
  );
  t.pass();
});

test('a local time is either skipped or equal to the clock at its instant', (t) => {
  fc.assert(
    fc.property(zones, instants, (zone, at) => {
      const local = new Date(at).toISOString().slice(0, 16);
      const instant = localToInstant(local, zone);
      return instant === 'skipped' || instantToLocal(instant, zone) === local;
    }),
    { numRuns: runs(500) },
  );
  t.pass();
});

test('the earliest and latest local times give storable instants in every zone', (t) => {
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    for (const local of ['0002-01-01T00:00', '9998-12-31T23:59']) {
      const instant = localToInstant(local, zone);
      t.regex(instant, /^(0001|0002|9998|9999)-/);
      t.is(instantToLocal(instant, zone), local);
    }
  }
});

test('due windows have the days of their names', (t) => {
  // 2026-03-01 is a Sunday, 2026-03-02 a Monday.
  t.deepEqual(dueWindow('today', '2026-03-01'), { from: '2026-03-01', to: '2026-03-01' });
  t.deepEqual(dueWindow('next7Days', '2026-02-27'), { from: '2026-02-27', to: '2026-03-05' });
  t.deepEqual(dueWindow('thisWeek', '2026-03-01'), { from: '2026-02-23', to: '2026-03-01' });
  t.deepEqual(dueWindow('thisWeek', '2026-03-02'), { from: '2026-03-02', to: '2026-03-08' });
  t.deepEqual(dueWindow('nextWeek', '2026-03-01'), { from: '2026-03-02', to: '2026-03-08' });
  t.deepEqual(dueWindow('nextWeek', '2026-03-02'), { from: '2026-03-09', to: '2026-03-15' });
  t.deepEqual(dueWindow('nextWeek', '2025-12-31'), { from: '2026-01-05', to: '2026-01-11' });
  t.deepEqual(dueWindow('overdue', '2024-03-01'), { from: null, to: '2024-02-29' });
  t.deepEqual(dueWindow('all', '2026-03-01'), { from: null, to: null });
});

test('next week is always the Monday to Sunday after this week', (t) => {
  fc.assert(
    fc.property(days, (day) => {
      const { from, to } = dueWindow('nextWeek', String(day));
      return weekday(from!) === 0 && daysBetween(from!, to!) === 6 && daysBetween(mondayOf(String(day)), from!) === 7;
    }),
  );
  t.pass();
});

test('time is cut at 00:00 UTC without loss', (t) => {
  t.deepEqual(splitByUtcDay('2026-03-01T23:59:30Z', '2026-03-02T00:00:30Z'), [
    { date: '2026-03-01', ms: 30_000 },
    { date: '2026-03-02', ms: 30_000 },
  ]);
  t.deepEqual(splitByUtcDay('2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z'), [{ date: '2026-03-01', ms: dayMs }]);
  t.deepEqual(splitByUtcDay('2026-03-01T09:00:00Z', '2026-03-01T09:00:00Z'), [{ date: '2026-03-01', ms: 0 }]);
  t.throws(() => splitByUtcDay('2026-03-02T09:00:00Z', '2026-03-01T09:00:00Z'), { instanceOf: RangeError });
});

test('the parts of a range are consecutive days and sum exactly', (t) => {
  fc.assert(
    fc.property(instants, fc.integer({ min: 1, max: 40 * dayMs }), (start, length) => {
      const parts = splitByUtcDay(start, start + length);
      t.is(
        parts.reduce((sum, part) => sum + part.ms, 0),
        length,
      );
      t.true(parts.every((part, i) => part.ms > 0 && part.ms <= dayMs && part.date === addDays(parts[0]!.date, i)));
      t.is(parts[0]!.date, new Date(start).toISOString().slice(0, 10));
    }),
  );
});

test('schemas accept existing dates, name the expected format, and appear in JSON Schema', (t) => {
  t.true(CalendarDate.safeParse('2026-03-31').success);
  t.regex(CalendarDate.safeParse('2026-02-30').error!.issues[0]!.message, /YYYY-MM-DD/);
  t.regex(CalendarDate.safeParse(20260331).error!.issues[0]!.message, /YYYY-MM-DD/);
  for (const local of ['2026-03-31T00:00', '2024-02-29T23:59']) t.true(LocalDateTime.safeParse(local).success);
  for (const local of [
    '2026-03-31T24:00',
    '2026-03-31T09:60',
    '2026-03-31T09:00:00',
    '2026-03-31T09:00Z',
    '2026-02-30T09:00',
    '2026-03-31 09:00',
    '0001-01-01T00:00',
  ]) {
    t.false(isLocalDateTime(local));
    t.regex(LocalDateTime.safeParse(local).error!.issues[0]!.message, /YYYY-MM-DDTHH:mm/);
  }
  t.is(Zone.parse('europe/berlin'), 'Europe/Berlin');
  t.regex(Zone.safeParse('+01:00').error!.issues[0]!.message, /IANA/);
  t.deepEqual(
    z.toJSONSchema(z.strictObject({ date: CalendarDate, local: LocalDateTime, zone: Zone.optional() }), { io: 'input' }).properties,
    {
      date: { type: 'string', format: 'date' },
      local: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$' },
      zone: { type: 'string', maxLength: 64 },
    },
  );
});
