/** Day numbers and Monday–Friday arithmetic, in UTC. Pure. A `Day` is the count of days since 1970-01-01 (a Thursday),
 *  which PostgreSQL gives as `due_date - date '1970-01-01'`: an integer costs less to hold and to compare than a string. */

export type Day = number;

const MS_PER_DAY = 86_400_000;
/** Thursday 1970-01-01 lies three days after the Monday that working days are counted from. */
const DAYS_SINCE_MONDAY_AT_EPOCH = 3;

/** YYYY-MM-DD to its day number. NaN when it is no calendar date. */
export const dayOf = (date: string): Day => Date.parse(`${date}T00:00:00Z`) / MS_PER_DAY;

/** The same few thousand days come up a million times, and formatting one is dear. */
const dates = new Map<Day, string>();
const MOST_DATES = 10_000;

/** Day number to YYYY-MM-DD. */
export function dateOf(day: Day): string {
  const known = dates.get(day);
  if (known !== undefined) return known;
  if (dates.size === MOST_DATES) dates.clear();
  const date = new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
  dates.set(day, date);
  return date;
}

/** 0 for Monday … 6 for Sunday. */
export function weekdayOf(day: Day): number {
  const rest = (day + DAYS_SINCE_MONDAY_AT_EPOCH) % 7;
  return rest < 0 ? rest + 7 : rest;
}

/** The Monday of the day's week. */
export const mondayOf = (day: Day): Day => day - weekdayOf(day);

/** How many working days lie before `day`, counted from the epoch's Monday (negative before it). */
export function workdayIndex(day: Day): number {
  const weekday = weekdayOf(day);
  return ((day - weekday + DAYS_SINCE_MONDAY_AT_EPOCH) / 7) * 5 + Math.min(weekday, 5);
}

/** The working day with that index: `workdayAt(workdayIndex(day))` is the first working day from `day` on. */
export function workdayAt(index: number): Day {
  const week = Math.floor(index / 5);
  return week * 7 - DAYS_SINCE_MONDAY_AT_EPOCH + (index - week * 5);
}

/** `day` itself when it is a working day, else the Monday after it. */
export const firstWorkdayFrom = (day: Day): Day => workdayAt(workdayIndex(day));

/** Working days from `first` to `last`, both included; 0 when there is none. */
export const workdaysBetween = (first: Day, last: Day): number => Math.max(0, workdayIndex(last + 1) - workdayIndex(first));
