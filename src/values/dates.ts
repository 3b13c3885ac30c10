/** Calendar and IANA time zone arithmetic. Pure. Days are YYYY-MM-DD in the proleptic Gregorian calendar, years 0001–9999. Weeks start on
 *  Monday. Ranges include both ends. */
import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import { InvalidRequest } from './errors.ts';

/** An instant: an ISO string with an offset, a Date, or milliseconds since 1970. */
export type Instant = string | Date | number;

/** An instant from a column or PostgreSQL's JSON, converted to ISO 8601 in UTC with milliseconds. */
export const StoredInstant = z.string().transform((text) => new Date(text).toISOString());

export interface DayRange {
  from: string;
  to: string;
}

const dayMs = 86_400_000;
const firstDayMs = Date.parse('0001-01-01');
const lastDayMs = Date.parse('9999-12-31');
const dayShape = /^\d{4}-\d{2}-\d{2}$/;
const localShape = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d$/;
// PostgreSQL does not know ICU's SystemV names. Offsets are not accepted, because they have no daylight saving time.
const zoneShape = /^(?!systemv\/)[a-z][a-z0-9_+/-]{1,63}$/i;

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** True if `text` is an existing day. Uses no Temporal, because every request calls it. */
export function isDate(text: string): boolean {
  if (!dayShape.test(text)) return false;
  const year = Number(text.slice(0, 4));
  const month = Number(text.slice(5, 7));
  const day = Number(text.slice(8));
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** True if `text` is YYYY-MM-DDTHH:mm. Years 0002–9998, so that the instant has a storable year in every zone. */
export function isLocalDateTime(text: string): boolean {
  const day = localShape.exec(text)?.[1];
  return day !== undefined && isDate(day) && day >= '0002' && day < '9999';
}

// Keys are lower case, so there are at most as many entries as zones.
const zoneNames = new Map<string, string>();

/** The zone's name in its usual spelling, or null (`europe/berlin` -> `Europe/Berlin`). Links such as Asia/Calcutta stay. */
export function zoneName(text: string): string | null {
  if (!zoneShape.test(text)) return null;
  const key = text.toLowerCase();
  const known = zoneNames.get(key);
  if (known) return known;
  try {
    const name = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text).timeZoneId;
    zoneNames.set(key, name);
    return name;
  } catch {
    return null;
  }
}

/** True if `text` names an IANA zone; false for offsets such as +01:00. Never throws. */
export function isZone(text: string): boolean {
  return zoneName(text) !== null;
}

function toMs(instant: Instant): number {
  const ms = new Date(instant).getTime();
  if (Number.isNaN(ms)) throw new RangeError('not an instant');
  return ms;
}

function toDay(ms: number): string {
  if (!(ms >= firstDayMs && ms < lastDayMs + dayMs))
    throw new InvalidRequest([], 'Give dates between 0001-01-01 and 9999-12-31: this range goes beyond.');
  return new Date(ms).toISOString().slice(0, 10);
}

function knownZone(zone: string): string {
  const name = zoneName(zone);
  if (!name) throw new InvalidRequest([], 'Give timezone as an IANA name such as Europe/Berlin or UTC.');
  return name;
}

const toZoned = (instant: Instant, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(toMs(instant)).toZonedDateTimeISO(knownZone(zone));

/** The local date in `zone` at `now`. Throws InvalidRequest for an unknown zone. */
export function todayIn(zone: string, now: Instant): string {
  return zone === 'UTC' ? toDay(toMs(now)) : toZoned(now, zone).toPlainDate().toString();
}

export function addDays(date: string, days: number): string {
  return toDay(Date.parse(date) + days * dayMs);
}

/** Days from `from` to `to`; negative if `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs;
}

/** 0 for Monday to 6 for Sunday. */
export function weekday(date: string): number {
  return (new Date(Date.parse(date)).getUTCDay() + 6) % 7;
}

export function mondayOf(date: string): string {
  return addDays(date, -weekday(date));
}

export function weekRange(date: string): DayRange {
  const from = mondayOf(date);
  return { from, to: addDays(from, 6) };
}

export function monthRange(date: string): DayRange {
  const month = date.slice(0, 8);
  return { from: `${month}01`, to: month + daysInMonth(Number(date.slice(0, 4)), Number(date.slice(5, 7))) };
}

/** The instant of a local time (YYYY-MM-DDTHH:mm) as ISO 8601 in UTC, the first one if it occurs twice. Returns 'skipped' if the zone's
 *  clocks jump over it (behaviour §10.4). Throws InvalidRequest for an unknown zone. */
export function localToInstant(local: string, zone: string): string | 'skipped' {
  const wanted = Temporal.PlainDateTime.from(local);
  const found = wanted.toZonedDateTime(knownZone(zone), { disambiguation: 'earlier' });
  return found.toPlainDateTime().equals(wanted) ? new Date(found.epochMilliseconds).toISOString() : 'skipped';
}

/** The first instant of a day in `zone` as ISO 8601 in UTC, usually 00:00. Throws InvalidRequest for an unknown zone. */
export function startOfDay(date: string, zone: string): string {
  return new Date(Temporal.PlainDate.from(date).toZonedDateTime(knownZone(zone)).epochMilliseconds).toISOString();
}

/** Local time in `zone` at `instant`: YYYY-MM-DDTHH:mm, without seconds. */
export function instantToLocal(instant: Instant, zone: string): string {
  return toZoned(instant, zone).toPlainDateTime().toString({ smallestUnit: 'minute' });
}

export const dueWindows = ['today', 'next7Days', 'thisWeek', 'nextWeek', 'overdue', 'all'] as const;
export type DueWindow = (typeof dueWindows)[number];

/** First and last due date of a window, null for no limit. Weeks run from Monday to Sunday. behaviour §7.24. */
export function dueWindow(name: DueWindow, today: string): { from: string | null; to: string | null } {
  switch (name) {
    case 'today':
      return { from: today, to: today };
    case 'next7Days':
      return { from: today, to: addDays(today, 6) };
    case 'thisWeek':
      return weekRange(today);
    case 'nextWeek':
      return weekRange(addDays(today, 7));
    case 'overdue':
      return { from: null, to: addDays(today, -1) };
    case 'all':
      return { from: null, to: null };
  }
}

/** Splits a time range at 00:00 UTC, oldest day first. An empty range is one part of 0 ms. Throws RangeError if it ends before it
 *  starts. */
export function splitByUtcDay(startedAt: Instant, endedAt: Instant): { date: string; ms: number }[] {
  const end = toMs(endedAt);
  let at = toMs(startedAt);
  if (end < at) throw new RangeError('ends before it starts');
  const parts: { date: string; ms: number }[] = [];
  do {
    const cut = Math.min(end, (Math.floor(at / dayMs) + 1) * dayMs);
    parts.push({ date: toDay(at), ms: cut - at });
    at = cut;
  } while (at < end);
  return parts;
}

export const CalendarDate = z
  .string({ error: 'give a calendar date such as 2026-03-31 (YYYY-MM-DD)' })
  .refine(isDate, 'give a calendar date that exists, such as 2026-03-31 (YYYY-MM-DD)')
  .meta({ format: 'date' });

/** A local time without zone. localToInstant finds out if a zone skips it. */
export const LocalDateTime = z
  .string({ error: 'give a local date and time such as 2026-03-31T09:30 (YYYY-MM-DDTHH:mm)' })
  .refine(isLocalDateTime, 'give a local date and time that exists, such as 2026-03-31T09:30 (YYYY-MM-DDTHH:mm)')
  .meta({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$' });

/** An IANA zone name in any case, converted to its usual spelling. */
export const Zone = z
  .string({ error: 'give an IANA timezone such as Europe/Berlin or UTC' })
  .refine(isZone, 'give an IANA timezone such as Europe/Berlin or UTC, not an offset')
  .overwrite((text) => zoneName(text) ?? text)
  .meta({ maxLength: 64 });
