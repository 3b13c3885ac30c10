import fc from 'fast-check';
import rrule from 'rrule';
import { Temporal } from 'temporal-polyfill';
import { type Choice, choiceOf, ruleOf, ruleWords, units, usualChoice } from '../../src/recurring/choices.ts';
import { latestBetween, nextAfter } from '../../src/recurring/expand.ts';
import { partsOf, weekdays } from '../../src/recurring/parts.ts';
import { Rule } from '../../src/recurring/rule.ts';
import { addDays, startOfDay, todayIn, weekday } from '../../src/values/dates.ts';
import { suite } from '../support/suite.ts';
import { runs } from '../support/thorough.ts';

const test = suite(import.meta.url);

const day = fc.integer({ min: 0, max: 4_000 }).map((n) => addDays('2020-01-01', n));
const choice: fc.Arbitrary<Choice> = fc.record({
  unit: fc.constantFrom(...units),
  every: fc.integer({ min: 1, max: 5 }),
  days: fc.subarray([...weekdays], { minLength: 1 }),
  monthDay: fc.integer({ min: 1, max: 31 }),
  until: fc.constant(null),
  count: fc.constant(null),
});

/** The next date of a choice, written plainly with Temporal: day by day, without rules. */
function plainNext({ unit, every, days, monthDay }: Choice, startsOn: string, after: string): string {
  const start = Temporal.PlainDate.from(startsOn);
  const monday = (date: Temporal.PlainDate) => date.subtract({ days: date.dayOfWeek - 1 });
  const fits = (date: Temporal.PlainDate): boolean => {
    const months = (date.year - start.year) * 12 + date.month - start.month;
    switch (unit) {
      case 'day':
        return start.until(date, { largestUnit: 'day' }).days % every === 0;
      case 'weekday':
        return date.dayOfWeek <= 5;
      case 'week':
        return (
          days.includes(weekdays[date.dayOfWeek - 1]!) && monday(start).until(monday(date), { largestUnit: 'day' }).days % (7 * every) === 0
        );
      case 'month':
        return months % every === 0 && date.day === Math.min(monthDay, date.daysInMonth);
      case 'year':
        return months % (12 * every) === 0 && date.day === Math.min(start.day, date.daysInMonth);
    }
  };
  let date = Temporal.PlainDate.from(after < startsOn ? startsOn : after);
  if (after >= startsOn) date = date.add({ days: 1 });
  while (!fits(date)) date = date.add({ days: 1 });
  return date.toString();
}

test('plain choices give the dates of the calendar, also at ends of months and in leap years', (t) => {
  fc.assert(
    fc.property(choice, day, fc.integer({ min: -3, max: 800 }), (chosen, startsOn, days) => {
      const after = addDays(startsOn, days);
      t.is(nextAfter(ruleOf(chosen, startsOn), startsOn, after), plainNext(chosen, startsOn, after));
    }),
    { numRuns: runs(1000) },
  );
  t.is(nextAfter(ruleOf({ ...usualChoice('2026-01-31'), unit: 'month' }, '2026-01-31'), '2026-01-31', '2026-01-31'), '2026-02-28');
  t.is(nextAfter(ruleOf({ ...usualChoice('2024-02-29'), unit: 'year' }, '2024-02-29'), '2024-02-29', '2024-02-29'), '2025-02-28');
});

const rule = fc
  .record({
    FREQ: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'),
    INTERVAL: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
    COUNT: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
    UNTIL: fc.option(
      day.map((date) => date.replaceAll('-', '')),
      { nil: undefined },
    ),
    BYDAY: fc.option(fc.subarray(['MO', 'WE', 'FR', 'SU', '1TU', '-1TH', '2SA'], { minLength: 1 }), { nil: undefined }),
    BYMONTHDAY: fc.option(fc.subarray([1, 13, 28, 29, 30, 31, -1], { minLength: 1 }), { nil: undefined }),
    BYMONTH: fc.option(fc.subarray([1, 2, 6, 12], { minLength: 1 }), { nil: undefined }),
    BYSETPOS: fc.option(fc.constantFrom(1, 2, -1), { nil: undefined }),
  })
  .map((parts) =>
    Object.entries(parts)
      .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
      .join(';'),
  )
  .filter((text) => Rule.safeParse(text).success);

test('rules have the dates that rrule lists, one after the other and the latest at a day', (t) => {
  fc.assert(
    fc.property(rule, day, fc.integer({ min: 0, max: 900 }), (text, startsOn, days) => {
      const today = addDays(startsOn, days);
      // rrule alone searches a rule without dates for seconds.
      fc.pre(nextAfter(text.replace(/;(COUNT|UNTIL)=\d+/g, ''), startsOn, startsOn) !== null);
      const instants = new rrule.RRule({ ...rrule.RRule.parseString(text), dtstart: new Date(`${startsOn}T00:00:00Z`) }).between(
        new Date(`${startsOn}T00:00:00Z`),
        new Date(`${today}T00:00:00Z`),
        true,
      );
      const listed = instants.map((instant) => instant.toISOString().slice(0, 10));
      const found: string[] = [];
      for (let at = nextAfter(text, startsOn, addDays(startsOn, -1)); at !== null && at <= today; at = nextAfter(text, startsOn, at))
        found.push(at);
      t.deepEqual(found, listed);
      t.is(latestBetween(text, startsOn, addDays(startsOn, -1), today), listed.at(-1) ?? null);
    }),
    { numRuns: runs(800) },
  );
});

test('UNTIL and COUNT end a rule; UNTIL is the last date, and COUNT counts dates that were missed', (t) => {
  const daily = (end: string) => `FREQ=DAILY;${end}`;
  t.is(nextAfter(daily('UNTIL=20261203'), '2026-12-01', '2026-12-02'), '2026-12-03');
  t.is(nextAfter(daily('UNTIL=20261203'), '2026-12-01', '2026-12-03'), null);
  t.is(nextAfter(daily('COUNT=3'), '2026-12-01', '2026-12-02'), '2026-12-03');
  t.is(nextAfter(daily('COUNT=3'), '2026-12-01', '2026-12-03'), null);
  t.is(latestBetween(daily('COUNT=3'), '2026-12-01', '2026-12-01', '2026-12-20'), '2026-12-03');
});

test('a date begins once in each zone, also where clocks change at midnight', (t) => {
  const days = ['2025-12-31'];
  for (let n = 0; n < 366; n++) days.push(nextAfter('FREQ=DAILY', '2025-12-31', days.at(-1)!)!);
  for (const zone of ['Europe/Berlin', 'America/New_York', 'America/Santiago', 'Africa/Cairo', 'Pacific/Apia', 'Australia/Lord_Howe']) {
    for (const [n, day] of days.entries()) {
      const [before, begins] = [addDays('2025-12-31', n - 1), startOfDay(day, zone)];
      t.is(day, addDays(before, 1));
      t.is(todayIn(zone, begins), day, zone);
      t.is(todayIn(zone, Date.parse(begins) - 1), before, zone);
    }
  }
});

test('a rule without dates ends the search at its horizon', (t) => {
  const rules = [
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=WEEKLY;BYDAY=MO;BYSETPOS=2',
    'FREQ=MONTHLY;BYDAY=1MO;BYMONTHDAY=20',
    'FREQ=YEARLY;BYYEARDAY=1;BYSETPOS=2',
  ];
  for (const text of rules) {
    t.true(Rule.safeParse(text).success, text);
    t.is(nextAfter(text, '2026-01-31', '2026-01-31'), null, text);
  }
  t.is(nextAfter('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', '2096-02-29', '2096-02-29'), '2104-02-29');
});

test('wrong, timed and hostile rules are refused with the part that is wrong', (t) => {
  const messageOf = (text: unknown) => Rule.safeParse(text).error?.issues[0]?.message ?? '';
  t.regex(messageOf('FREQ=HOURLY'), /wrong FREQ; give DAILY, WEEKLY, MONTHLY, YEARLY/);
  t.regex(messageOf('FREQ=DAILY;BYHOUR=9'), /has 'BYHOUR'/);
  t.regex(messageOf('DTSTART:20260101T000000Z\nRRULE:FREQ=DAILY'), /without times and DTSTART/);
  t.regex(messageOf('FREQ=DAILY;INTERVAL=0'), /INTERVAL; give 1 to 366/);
  t.regex(messageOf('FREQ=DAILY;COUNT=1001'), /COUNT/);
  t.regex(messageOf('FREQ=DAILY;UNTIL=20260230'), /UNTIL; give a date such as/);
  t.regex(messageOf('FREQ=DAILY;COUNT=2;UNTIL=20260228'), /COUNT and UNTIL/);
  t.regex(messageOf('FREQ=WEEKLY;BYDAY=1MO'), /number in BYDAY/);
  t.regex(messageOf('FREQ=DAILY;FREQ=DAILY'), /twice/);
  t.regex(messageOf('INTERVAL=2'), /needs FREQ/);
  t.regex(messageOf('constructor=1'), /has 'CONSTRUCTOR'/);
  t.regex(messageOf('FREQ=MONTHLY;BYSETPOS=1'), /BYSETPOS/);
  t.regex(messageOf('FREQ=MONTHLY;BYMONTHDAY=1,+1'), /gives a value of BYMONTHDAY twice; give each once/);
  const places = Array.from({ length: 100 }, (_, n) => 366 - n).join(',');
  t.regex(messageOf(`FREQ=DAILY;BYMONTHDAY=1;BYSETPOS=${places}`), /BYSETPOS that no period of FREQ=DAILY has; give places up to 1/);
  t.regex(messageOf('FREQ=WEEKLY;BYDAY=MO;BYSETPOS=-8'), /up to 7/);
  t.regex(messageOf(`FREQ=WEEKLY;BYDAY=${'MO,'.repeat(500)}`), /at most 500/);
  for (const wrong of ['', ';', '=', 'FREQ', 'FREQ==DAILY', 'FREQ=DAILY=', 7, null]) t.not(messageOf(wrong), '', String(wrong));
  t.is(Rule.parse(' rrule:freq=weekly;byday=fr; '), 'FREQ=WEEKLY;BYDAY=FR');
});

test('a plain choice is found again in its rule, in any order of parts; other rules stay as written', (t) => {
  fc.assert(
    fc.property(choice, day, (chosen, startsOn) => {
      const text = ruleOf(chosen, startsOn);
      const found = choiceOf(text.split(';').reverse().join(';'), startsOn);
      t.is(ruleOf(found!, startsOn), text);
    }),
    { numRuns: runs(1000) },
  );
  t.is(choiceOf('FREQ=MONTHLY;BYDAY=1MO', '2026-12-07'), null);
  t.is(choiceOf('FREQ=YEARLY;BYMONTH=3', '2026-12-07'), null);
});

test('rules are written in words', (t) => {
  const words = (text: string) => ruleWords(text, '2026-12-04', (date) => date);
  t.is(weekday('2026-12-04'), 4);
  t.is(words('FREQ=WEEKLY;BYDAY=FR'), 'every Friday');
  t.is(words('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR'), 'every 2 weeks on Monday and Friday');
  t.is(words('FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;COUNT=10'), 'every weekday, 10 times');
  t.is(words('FREQ=DAILY;INTERVAL=3;UNTIL=20261231'), 'every 3 days, until 2026-12-31');
  t.is(words('FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1'), 'every month on day 31');
  t.is(words('FREQ=YEARLY'), 'every year on 2026-12-04');
  t.is(words('FREQ=MONTHLY;BYDAY=1MO'), 'by the rule FREQ=MONTHLY;BYDAY=1MO');
  t.deepEqual(partsOf('FREQ=DAILY;COUNT=2'), { FREQ: 'DAILY', COUNT: '2' });
});
