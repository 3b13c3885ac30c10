/** Months, days and spans of time as prose names them. Pure. */
import type { Word } from './words.ts';

/** Each word of a row stands for the row's key. */
export function table(rows: Record<string, string>): Map<string, string> {
  return new Map(Object.entries(rows).flatMap(([key, words]) => words.split(' ').map((word): [string, string] => [word, key])));
}

const months = table({
  jan: 'january jan',
  feb: 'february feb',
  mar: 'march mar',
  apr: 'april apr',
  may: 'may',
  jun: 'june jun',
  jul: 'july jul',
  aug: 'august aug',
  sep: 'september sept sep',
  oct: 'october oct',
  nov: 'november nov',
  dec: 'december dec',
});
const days = table({
  mon: 'monday mondays mon',
  tue: 'tuesday tuesdays tue tues',
  wed: 'wednesday wednesdays wed',
  thu: 'thursday thursdays thu thur thurs',
  fri: 'friday fridays fri',
  sat: 'saturday saturdays',
  sun: 'sunday sundays',
});
for (const word of 'today tomorrow yesterday tonight noon midnight eod eow eom daily nightly weekly monthly quarterly hourly yearly'.split(
  ' ',
)) {
  days.set(word, word);
}
const spans = new Set(
  'week weekend month quarter year sprint release morning afternoon evening night monday tuesday wednesday thursday friday saturday sunday'.split(
    ' ',
  ),
);
// "This morning" says no more than "the morning".
const partsOfDay = new Set('morning afternoon evening'.split(' '));
const spanWords = new Set('next last this previous coming'.split(' '));
const beforeMonth = new Set('in by until since of early late mid next last this to from before after end'.split(' '));
const dayOfMonth = /^\d{1,2}(?:st|nd|rd|th)?$/;
const year = /^(?:19|20)\d\d$/;
const dateShape = /^(?:\d{4}-\d{2}(?:-\d{2}.*)?|\d{1,4}[/.]\d{1,2}[/.]\d{1,4}|\d{1,2}\/\d{1,4}|\d{1,2}:\d{2}.*|q[1-4])$/;

export function hasDateShape(word: Word): boolean {
  return dateShape.test(word.lower);
}

/** "may", "march" and "mar" are months only with a capital, beside a figure or behind a word such as "in". */
function isMonth(words: Word[], i: number): boolean {
  const word = words[i]!;
  if (!months.has(word.lower)) return false;
  if (!/^(?:may|march|mar)$/.test(word.lower)) return true;
  const besideFigure = /^\d/.test(words[i - 1]?.text ?? '') || /^\d/.test(words[i + 1]?.text ?? '');
  return word.text.startsWith('M') && (besideFigure || beforeMonth.has(words[i - 1]?.lower ?? ''));
}

export interface CalendarDate {
  /** `may 3`, or `may` without a day. */
  key: string;
  hasDay: boolean;
  year: string | null;
  /** Indices of the words it is made of. */
  words: number[];
}

/** The date whose month is the word at `i`: "3 May", "May 3rd, 2026", "in May"; null when that word is no month. */
export function calendarDate(words: Word[], i: number): CalendarDate | null {
  if (!isMonth(words, i)) return null;
  const day = [i - 1, i + 1].find((beside) => dayOfMonth.test(words[beside]?.lower ?? ''));
  const next = Math.max(i, day ?? i) + 1;
  const hasYear = year.test(words[next]?.text ?? '');
  const month = months.get(words[i]!.lower)!;
  return {
    key: day === undefined ? month : `${month} ${Number.parseInt(words[day]!.text, 10)}`,
    hasDay: day !== undefined,
    year: hasYear ? words[next]!.text : null,
    words: [i, ...(day === undefined ? [] : [day]), ...(hasYear ? [next] : [])],
  };
}

/** `tomorrow`, `fri`: what a day's or rhythm's name stands for, or null. */
export function namedDay(word: Word): string | null {
  return days.get(word.lower) ?? null;
}

/** `next week`, `this sprint`, or null. */
export function namedSpan(words: Word[], i: number): string | null {
  const [before, span] = [words[i - 1]?.lower ?? '', words[i]!.lower];
  if (before === 'this' && partsOfDay.has(span)) return null;
  return spans.has(span) && spanWords.has(before) ? `${before} ${span}` : null;
}
