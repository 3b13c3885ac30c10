import fc from 'fast-check';
import { type QuickLine, readLine } from '../../src/time/quickLine.ts';
import { addDays } from '../../src/values/dates.ts';
import { suite } from '../support/suite.ts';
import { runs } from '../support/thorough.ts';

const test = suite(import.meta.url);

/** A Wednesday. */
const now = '2026-11-25T11:42';
const today = now.slice(0, 10);

function read(text: string, at = now): QuickLine {
  const found = readLine(text, at);
  if ('problem' in found) throw new Error(`${text}: ${found.problem}`);
  return found.line;
}
const problem = (text: string) => {
  const found = readLine(text, now);
  return 'problem' in found ? found.problem : null;
};
const minutes = (text: string) => {
  const line = read(text);
  return line.kind === 'duration' ? line.minutes : null;
};
const span = (text: string) => {
  const line = read(text);
  return line.kind === 'span' ? [line.startLocal, line.endLocal, line.past ? 'past' : 'ahead'].join(' ') : null;
};
const date = (text: string) => {
  const line = read(text);
  return line.kind === 'duration' ? line.date : line.startLocal.slice(0, 10);
};

test('durations can be written in many ways', (t) => {
  const ways: Record<string, number> = {
    '45m': 45,
    '45 min': 45,
    '90 minutes': 90,
    '1:30': 90,
    '1h30': 90,
    '1h 30m': 90,
    '1 h 30 min': 90,
    '1.5h': 90,
    '1,5 h': 90,
    '2 hours': 120,
    '0.25h': 15,
    '24h': 1440,
    '30m standup': 30,
    'log 20m on #33': 20,
  };
  for (const [text, expected] of Object.entries(ways)) t.is(minutes(text), expected, text);
});

test('a past range of a day is recorded, and a future or current one planned', (t) => {
  const ways: Record<string, string> = {
    '9-11': '2026-11-25T09:00 2026-11-25T11:00 past',
    '9–11 tomorrow on 33': '2026-11-26T09:00 2026-11-26T11:00 ahead',
    '9:15 to 10:30': '2026-11-25T09:15 2026-11-25T10:30 past',
    'from 13 until 14.30': '2026-11-25T13:00 2026-11-25T14:30 ahead',
    '11-12': '2026-11-25T11:00 2026-11-25T12:00 ahead',
    '9-11am yesterday': '2026-11-24T09:00 2026-11-24T11:00 past',
    '1-3pm': '2026-11-25T13:00 2026-11-25T15:00 ahead',
    '11-1pm': '2026-11-25T11:00 2026-11-25T13:00 ahead',
    '9-5': '2026-11-25T09:00 2026-11-25T17:00 ahead',
    '22-1': '2026-11-25T22:00 2026-11-26T01:00 ahead',
    '20-24': '2026-11-25T20:00 2026-11-26T00:00 ahead',
    '45m at 9 yesterday': '2026-11-24T09:00 2026-11-24T09:45 past',
    '12am-1am tomorrow': '2026-11-26T00:00 2026-11-26T01:00 ahead',
  };
  for (const [text, expected] of Object.entries(ways)) t.is(span(text), expected, text);
});

test('a weekday is the last one for recorded time, and the next one for planned time', (t) => {
  const ways: Record<string, string> = {
    '45m': '2026-11-25',
    '45m on words yesterday': '2026-11-24',
    '45m friday': '2026-11-20',
    '45m wednesday': '2026-11-25',
    '45m last wed': '2026-11-18',
    '9-11 friday': '2026-11-27',
    '9-11 next wed': '2026-12-02',
    '9-11 last friday': '2026-11-20',
    '45m 24 nov': '2026-11-24',
    '45m Nov 24': '2026-11-24',
    '45m 31 dec': '2025-12-31',
    '9-11 2 jan': '2027-01-02',
    '45m 24.11.': '2026-11-24',
    '45m 3.2.2025': '2025-02-03',
    '45m 2026-11-02': '2026-11-02',
    '45m 3 days ago': '2026-11-22',
    '9-11 in 2 days': '2026-11-27',
    'yesterday 45m on words': '2026-11-24',
    'monday 9-11 on words': '2026-11-30',
  };
  for (const [text, expected] of Object.entries(ways)) t.is(date(text), expected, text);
});

test('an item is a number or words of its title, and words next to a number are the note', (t) => {
  const ways: Record<string, [number | null, string, string]> = {
    '45m': [null, '', ''],
    '45m on words for every message yesterday': [null, 'words for every message', ''],
    '1.5h on #33': [33, '', ''],
    '9-11 tomorrow on 33': [33, '', ''],
    '1.5h #33: wrote the words': [33, '', 'wrote the words'],
    'standup 30m #33': [33, '', 'standup'],
    '30m standup': [null, 'standup', ''],
    '30m on "Plan for Friday"': [null, 'Plan for Friday', ''],
    '30m on "Plan for Friday" monday': [null, 'Plan for Friday', ''],
    '45m on report of monday morning': [null, 'report of monday morning', ''],
    '45m monday on report': [null, 'report', ''],
    '45m on monday': [null, '', ''],
  };
  for (const [text, [id, words, note]] of Object.entries(ways)) {
    const line = read(text);
    t.deepEqual([line.id, line.words, line.note], [id, words, note], text);
  }
});

test('words that are not understood are reported with the reason', (t) => {
  for (const text of ['', 'words', 'on #33', '33', '2-3h', 'monday']) t.regex(problem(text) ?? text, /^Type a duration/, text);
  t.regex(problem('2h tomorrow')!, /in the future/);
  t.regex(problem('25h')!, /24 hours/);
  t.regex(problem('0m')!, /24 hours/);
  t.regex(problem('25-26')!, /Type times from 0 to 24/);
  t.regex(problem('45m 31 feb')!, /day does not exist/);
  t.regex(problem('45m 2026-02-30')!, /day does not exist/);
});

test('every line gets a result, and understood values are valid', (t) => {
  const words = fc.constantFrom(
    '45m',
    '9-11',
    '1:30',
    'on',
    '#33',
    'yesterday',
    'next',
    'friday',
    'nov',
    '31',
    'words',
    '"',
    'at',
    '-',
    '.',
    '1h',
    'pm',
  );
  const lines = fc.oneof(
    fc.string(),
    fc.array(words, { maxLength: 8 }).map((parts) => parts.join(' ')),
  );
  fc.assert(
    fc.property(lines, (text) => {
      const found = readLine(text, now);
      if ('problem' in found) return found.problem.length > 0;
      const { line } = found;
      if (line.kind === 'duration') return line.minutes >= 1 && line.minutes <= 1440 && line.date <= today;
      return (
        line.startLocal < line.endLocal && line.endLocal <= addDays(line.startLocal.slice(0, 10), 2) && line.past === line.endLocal <= now
      );
    }),
    { numRuns: runs(2_000) },
  );
  t.pass();
});

test('hours and minutes are read back as written', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 1, max: 59 }), (h, m) => {
      const expected = h * 60 + m;
      const two = String(m).padStart(2, '0');
      return [`${h}:${two}`, `${h}h${two}`, `${h}h ${m}m`, `${expected}m`].every((text) => minutes(text) === expected);
    }),
  );
  t.pass();
});

test('a line says that it is about time by its beginning, a verb or `on`', (t) => {
  const ways: Record<string, QuickLine['about']> = {
    '45m on words': 'said',
    '45m yesterday on words': 'said',
    'log 45m #33 standup': 'said',
    'yesterday 45m words': 'leading',
    '45m words': 'leading',
    '45m #33': 'leading',
    'Order paper friday 4h': 'inside',
    'Plan the party 4h': 'inside',
    'Call Bo on the deck 9-11': 'inside',
  };
  for (const [text, expected] of Object.entries(ways)) t.is(read(text).about, expected, text);
});
