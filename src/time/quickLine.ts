/** Parses one line about time (behaviour §20.4): `45m on words yesterday`, `9-11 tomorrow on #33`. Pure: it does not look up the item. */
import { addDays } from '../values/dates.ts';
import { type DayContext, daysIn } from '../values/writtenDays.ts';
import { type LineTime, takeTime } from './lineTimes.ts';

/** Finds the date in a line of time. Pure. */
type Cut = (before: string, after: string) => string | null;

const atStart: Cut = (before, after) => (/^(?:on )?$/i.test(before) && /^(?:[\s,;]|$)/.test(after) ? after.replace(/^[,;]/, '') : null);

const atEnd: Cut = (before, after) => {
  if (after !== '') return null;
  const on = /(?:^|\s)(?:on )?$/i.exec(before);
  return on && before.slice(0, on.index);
};

/** Looks next to the time and at the ends of the line; elsewhere such a word belongs to the item's title. `none`: the date does not
 *  exist. */
export function takeDay(before: string, after: string, around: DayContext): { day: string | null; rest: string } {
  const places: [text: string, cut: Cut, restOf: (left: string) => string][] = [
    [after, atStart, (left) => `${before} ${left}`],
    [after, atEnd, (left) => `${before} ${left}`],
    [before, atEnd, (left) => `${left} ${after}`],
    [before, atStart, (left) => `${left} ${after}`],
  ];
  for (const [text, cut, restOf] of places) {
    for (const { from, to, dayIn } of daysIn(text)) {
      const left = cut(text.slice(0, from), text.slice(to));
      if (left !== null) return { day: dayIn(around) ?? 'none', rest: restOf(left).replace(/\s+/g, ' ').trim() };
    }
  }
  return { day: null, rest: `${before} ${after}`.trim() };
}

interface NamedWork {
  id: number | null;
  words: string;
  note: string;
}

/** How clearly the line is about time. `said`: by a verb, or by `on` after the time. `leading`: the time comes first. */
type AboutTime = 'said' | 'leading' | 'inside';

export type QuickLine = NamedWork & { about: AboutTime } & (
    | { kind: 'duration'; minutes: number /** In the person's zone. */; date: string /** True if the line names a day. */; dated: boolean }
    /** YYYY-MM-DDTHH:mm in the user's time zone; `past`: it has ended. */
    | { kind: 'span'; startLocal: string; endLocal: string; past: boolean }
  );

export type ReadLine = { line: QuickLine } | { problem: string };

const DAY_MINUTES = 1_440;

export const durationHint = 'Type a duration or a start and end, such as 45m, 1:30, 1.5h or 9-11 tomorrow.';

/** `now`: local time in the user's time zone, YYYY-MM-DDTHH:mm. `usual`: the day of a line that names none. */
export function readLine(text: string, now: string, usual = now.slice(0, 10)): ReadLine {
  const quoted = /"([^"]*)"/.exec(text)?.[1]?.trim() ?? '';
  const said = (quoted ? text.replace(/"[^"]*"/, ' ') : text).replace(/[–—−]/g, '-').replace(/\s+/g, ' ').trim();
  const timed = takeTime(said);
  if (!timed) return { problem: durationHint };
  const today = now.slice(0, 10);
  const { time, before, after } = timed;
  const { day, rest } = takeDay(before, after, { today, past: time.kind === 'duration' });
  if (day === 'none') return { problem: 'This day does not exist. Type a day such as yesterday, Friday, 24 Nov or 2026-11-24.' };
  const work = { ...namedWork(rest, quoted), about: aboutTime(before, rest) };
  return time.kind === 'duration' ? durationOn(day, { today, usual }, time.minutes, work) : spanOn(day ?? usual, now, time, work);
}

type Named = NamedWork & { about: AboutTime };

const verb = /^(?:log|plan|book|spent|worked)\b\s*/i;

/** `before`: the text before the time; `rest`: the line without time and day. */
function aboutTime(before: string, rest: string): AboutTime {
  const lead = before.replace(verb, '');
  const first = lead === '' || daysIn(lead).some(({ from, to }) => from === 0 && to === lead.length);
  if (!first) return 'inside';
  return verb.test(before) || /^(?:on|for)\s/i.test(rest) ? 'said' : 'leading';
}

function durationOn(day: string | null, { today, usual }: { today: string; usual: string }, minutes: number, work: Named): ReadLine {
  if (minutes < 1 || minutes > DAY_MINUTES) return { problem: 'Type a duration from 1 minute to 24 hours.' };
  const date = day ?? usual;
  if (date > today) return { problem: 'This day is in the future. To plan time, type a start and end, such as 9-11 tomorrow.' };
  return { line: { kind: 'duration', minutes, date, dated: day !== null, ...work } };
}

function spanOn(day: string, now: string, { from, to }: Extract<LineTime, { kind: 'span' }>, work: Named): ReadLine {
  if (from >= DAY_MINUTES || to - from > DAY_MINUTES) return { problem: 'Type times from 0 to 24, such as 9-11 or 13:30-15.' };
  const [startLocal, endLocal] = [localTime(day, from), localTime(day, to)];
  return { line: { kind: 'span', startLocal, endLocal, past: endLocal <= now, ...work } };
}

const two = (number: number) => String(number).padStart(2, '0');

/** `minutes`: from 00:00 of the day; may reach the next day. */
function localTime(day: string, minutes: number): string {
  const inDay = minutes % DAY_MINUTES;
  return `${addDays(day, Math.floor(minutes / DAY_MINUTES))}T${two(Math.floor(inDay / 60))}:${two(inDay % 60)}`;
}

function namedWork(rest: string, quoted: string): NamedWork {
  const text = rest
    .replace(verb, '')
    .replace(/^(?:on|for)\b\s*/i, '')
    .replace(/\b(?:on|at)$/i, '')
    .trim();
  const alone = /^(\d{1,15})$/.exec(text);
  const marked = /(?:^|\s)#(\d{1,15})(?=\s|[:,;]|$)[:,;]?/.exec(text);
  const id = Number((marked ?? alone)?.[1] ?? 0);
  if (!id) return { id: null, words: quoted || text, note: '' };
  const beside = marked ? `${text.slice(0, marked.index)} ${text.slice(marked.index + marked[0].length)}` : '';
  return { id, words: '', note: [beside.replace(/^\s*(?:on|for)\b|\b(?:on|for)\s*$/gi, '').trim(), quoted].filter(Boolean).join(' ') };
}
