/** Parses dates as people write them: tomorrow, last Friday, 24 Nov, 24.11., 2026-11-24, in 3 days. Pure. */
import { addDays, daysBetween, isDate, weekday } from './dates.ts';

export interface DayContext {
  today: string;
  /** A weekday without "last" or "next" means the last one, not the next. */
  past: boolean;
}

type DayOf = (match: RegExpExecArray, around: DayContext) => string | null;

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const near: Record<string, number> = { yesterday: -1, today: 0, tomorrow: 1 };

const ways: [RegExp, DayOf][] = [
  [/(\d{4}-\d{2}-\d{2})/gi, ([, date = '']) => (isDate(date) ? date : null)],
  [/(yesterday|today|tomorrow)/gi, ([, word = ''], { today }) => addDays(today, near[word.toLowerCase()] ?? 0)],
  [/(\d{1,3}) days? ago/gi, ([, n], { today }) => addDays(today, -Number(n))],
  [/in (\d{1,3}) days?/gi, ([, n], { today }) => addDays(today, Number(n))],
  [
    /(?:(last|next|this) )?(mon(?:day)?|tues?(?:day)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)/gi,
    ([, which, name = ''], around) => weekdayOf(name, which, around),
  ],
  [
    /(\d{1,2})\.? (jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?: (\d{4}))?/gi,
    ([, day, month = '', year], around) => dateOf(Number(day), monthOf(month), year, around),
  ],
  [
    /(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?) (\d{1,2})(?:,? (\d{4}))?/gi,
    ([, month = '', day, year], around) => dateOf(Number(day), monthOf(month), year, around),
  ],
  [/(\d{1,2})\.(\d{1,2})\.(\d{4})?/gi, ([, day, month, year], around) => dateOf(Number(day), Number(month), year, around)],
];

interface WrittenDay {
  from: number;
  to: number;
  /** null for a date that does not exist. */
  dayIn(around: DayContext): string | null;
}

export function* daysIn(text: string): Generator<WrittenDay> {
  for (const [way, dayOf] of ways) {
    for (const match of text.matchAll(way)) {
      yield { from: match.index, to: match.index + match[0].length, dayIn: (around) => dayOf(match, around) };
    }
  }
}

const monthOf = (name: string) => months.indexOf(name.slice(0, 3).toLowerCase()) + 1;

function weekdayOf(name: string, which: string | undefined, { today, past }: DayContext): string {
  const ahead = (weekdays.indexOf(name.slice(0, 3).toLowerCase()) - weekday(today) + 7) % 7;
  switch (which?.toLowerCase()) {
    case 'last':
      return addDays(today, ahead - 7);
    case 'next':
      return addDays(today, ahead || 7);
    case 'this':
      return addDays(today, weekdays.indexOf(name.slice(0, 3).toLowerCase()) - weekday(today));
    default:
      return addDays(today, past && ahead ? ahead - 7 : ahead);
  }
}

/** The date. If no year was written: the one nearest to today, or with `past` the latest that is not after today. */
function dateOf(day: number, month: number, year: string | undefined, { today, past }: DayContext): string | null {
  const of = (inYear: number) => `${String(inYear).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  const thisYear = Number(today.slice(0, 4));
  const years = year ? [Number(year)] : [thisYear - 1, thisYear, thisYear + 1];
  const known = years.map(of).filter((date) => isDate(date) && (year !== undefined || !past || date <= today));
  const distance = (date: string) => Math.abs(daysBetween(today, date));
  return known.sort((one, other) => distance(one) - distance(other))[0] ?? null;
}

/** The date if all of `text` is one; otherwise, or if it does not exist, null. */
export function dayIn(text: string, around: DayContext): string | null {
  for (const day of daysIn(text)) if (day.from === 0 && day.to === text.length) return day.dayIn(around);
  return null;
}
