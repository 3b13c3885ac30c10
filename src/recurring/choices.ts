/** Plain choices of how a task repeats, as rules and back (behaviour §37.10). Pure. */
import type { WorkFields } from '../items/schema.ts';
import { weekday } from '../values/dates.ts';
import { elementAt } from '../values/records.ts';
import { type Freq, partsOf, untilOf, type Weekday, weekdays } from './parts.ts';

export const units = ['day', 'weekday', 'week', 'month', 'year'] as const;
export type Unit = (typeof units)[number];

export interface Choice {
  unit: Unit;
  every: number;
  /** For weeks; at least one. */
  days: readonly Weekday[];
  /** For months: 1 to 31. */
  monthDay: number;
  until: string | null;
  count: number | null;
}

const workdays = 'MO,TU,WE,TH,FR';
const freqs: Record<Exclude<Unit, 'weekday'>, Freq> = { day: 'DAILY', week: 'WEEKLY', month: 'MONTHLY', year: 'YEARLY' };

/** BYMONTHDAY for a day of the month; in shorter months, their last day. RFC 5545 would skip those months. */
function monthDays(day: number): string {
  if (day <= 28) return `BYMONTHDAY=${day}`;
  return `BYMONTHDAY=${Array.from({ length: day - 27 }, (_, n) => 28 + n).join(',')};BYSETPOS=-1`;
}

/** `startsOn` gives the day of a year. */
export function ruleOf({ unit, every, days, monthDay, until, count }: Choice, startsOn: string): string {
  if (unit === 'weekday') return [`FREQ=WEEKLY;BYDAY=${workdays}`, ...endOf(until, count)].join(';');
  const own = {
    day: [],
    week: [`BYDAY=${weekdays.filter((day) => days.includes(day)).join(',')}`],
    month: [monthDays(monthDay)],
    year: startsOn.endsWith('-02-29') ? ['BYMONTH=2', monthDays(29)] : [],
  }[unit];
  return [`FREQ=${freqs[unit]}`, ...(every > 1 ? [`INTERVAL=${every}`] : []), ...own, ...endOf(until, count)].join(';');
}

const endOf = (until: string | null, count: number | null): string[] => [
  ...(until ? [`UNTIL=${until.replaceAll('-', '')}`] : []),
  ...(count ? [`COUNT=${count}`] : []),
];

/** The day from which a new rule of a task counts: its start date or due date, else today. */
export const baseOf = ({ startDate, dueDate }: Pick<WorkFields, 'startDate' | 'dueDate'>, today: string): string =>
  startDate ?? dueDate ?? today;

export const usualChoice = (startsOn: string): Choice => ({
  unit: 'week',
  every: 1,
  days: [elementAt(weekdays, weekday(startsOn))],
  monthDay: Number(startsOn.slice(8)),
  until: null,
  count: null,
});

/** The choice that makes this rule; null for a rule that an expert wrote. */
export function choiceOf(rule: string, startsOn: string): Choice | null {
  const { FREQ, INTERVAL = '1', COUNT, BYDAY = '', BYMONTHDAY = '' } = partsOf(rule);
  const found: Choice = {
    unit: units.find((unit) => unit !== 'weekday' && freqs[unit] === FREQ) ?? 'day',
    every: Number(INTERVAL),
    days: weekdays.filter((day) => BYDAY.split(',').includes(day)),
    monthDay: Number(BYMONTHDAY.split(',').at(-1)),
    until: untilOf(rule),
    count: COUNT ? Number(COUNT) : null,
  };
  const sorted = (text: string) => text.split(';').sort().join(';');
  const same = (choice: Choice) => sorted(ruleOf(choice, startsOn)) === sorted(rule);
  return [{ ...found, unit: 'weekday' as const }, found].find(same) ?? null;
}

const dayNames: Record<Weekday, string> = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
};
export const dayName = (day: Weekday): string => dayNames[day];

const plurals: Record<Unit, string> = { day: 'days', weekday: 'weekdays', week: 'weeks', month: 'months', year: 'years' };

const listed = new Intl.ListFormat('en-GB');

/** Continues after "Repeats". `dayWords` shows a date. */
export function ruleWords(rule: string, startsOn: string, dayWords: (date: string) => string): string {
  const choice = choiceOf(rule, startsOn);
  if (!choice) return `by the rule ${rule}`;
  const { unit, every, days, monthDay, until, count } = choice;
  const each = every === 1 ? `every ${unit}` : `every ${every} ${plurals[unit]}`;
  const names = listed.format(days.map(dayName));
  const on = {
    day: '',
    weekday: '',
    week: every === 1 ? '' : ` on ${names}`,
    month: ` on day ${monthDay}`,
    year: ` on ${dayWords(startsOn)}`,
  }[unit];
  const base = unit === 'week' && every === 1 ? `every ${names}` : `${each}${on}`;
  return `${base}${until ? `, until ${dayWords(until)}` : ''}${count ? `, ${count} times` : ''}`;
}
