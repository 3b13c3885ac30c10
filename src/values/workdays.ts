/** A `Day` is the number of days since 1970-01-01 (UTC), in PostgreSQL `due_date - date '1970-01-01'`. Pure. */

export type Day = number;

const MS_PER_DAY = 86_400_000;
/** Working days are counted from Monday 1969-12-29, three days before 1970-01-01. */
const DAYS_SINCE_MONDAY_AT_EPOCH = 3;

/** Day number of YYYY-MM-DD. NaN if it is not a calendar date. */
export const dayOf = (date: string): Day => Date.parse(`${date}T00:00:00Z`) / MS_PER_DAY;

/** Cache: a million tasks use a few thousand different days, and formatting is slow. */
const dates = new Map<Day, string>();
const MOST_DATES = 10_000;

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

export const weekStartOf = (day: Day): Day => day - weekdayOf(day);

/** Working days of a week as bits: 1 for Monday … 64 for Sunday. */
export type Weekdays = number;
export const WORKWEEK: Weekdays = 0b11111;

/** Number of days in the set. */
export function weekdaysIn(weekdays: Weekdays): number {
  let days = 0;
  for (let rest = weekdays; rest > 0; rest &= rest - 1) days++;
  return days;
}

/** Like `workdayIndex`, for any working days. */
export function weekdaysBefore(weekdays: Weekdays, day: Day): number {
  if (weekdays === WORKWEEK) return workdayIndex(day);
  const weekday = weekdayOf(day);
  const weeks = (day - weekday + DAYS_SINCE_MONDAY_AT_EPOCH) / 7;
  return weeks * weekdaysIn(weekdays) + weekdaysIn(weekdays & ((1 << weekday) - 1));
}

/** Number of working days from Monday 1969-12-29 until before `day`. Negative for earlier days. */
export function workdayIndex(day: Day): number {
  const weekday = weekdayOf(day);
  return ((day - weekday + DAYS_SINCE_MONDAY_AT_EPOCH) / 7) * 5 + Math.min(weekday, 5);
}

/** The working day with that index. `workdayAt(workdayIndex(day))` is the first working day from `day` on. */
export function workdayAt(index: number): Day {
  const week = Math.floor(index / 5);
  return week * 7 - DAYS_SINCE_MONDAY_AT_EPOCH + (index - week * 5);
}

/** `day` itself if it is a working day, else the next Monday. */
export const firstWorkdayFrom = (day: Day): Day => workdayAt(workdayIndex(day));

/** The first working day after `day`, plus `lag` working days. */
export const workdayAfter = (day: Day, lag: number): Day => workdayAt(workdayIndex(day + 1) + lag);
