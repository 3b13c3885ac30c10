/** When a snoozed notification comes back: later today, tomorrow or next week, in the person's zone (behaviour §20.13). Pure. */
import { addDays, instantToLocal, isDate, localToInstant, mondayOf } from '../../values/dates.ts';

const names = ['later', 'tomorrow', 'next-week'] as const;
export type Snooze = (typeof names)[number];

interface SnoozeChoice {
  name: Snooze;
  label: string;
  /** Instant. */
  until: string;
}

const LATER_MS = 3 * 3_600_000;
const LAST_HOUR = 22;

/** A skipped hour of a clock change: the next hour. */
function instantAt(date: string, hour: number, zone: string): string {
  const local = (at: number) => `${date}T${String(at).padStart(2, '0')}:00`;
  const instant = localToInstant(local(hour), zone);
  return instant === 'skipped' ? instantAt(date, hour + 1, zone) : instant;
}

export const MOST_DAYS = 366;

/** 9:00 on a chosen day; null unless it is from tomorrow to a year ahead. */
export function snoozeDay(date: string, now: number, zone: string): string | null {
  const today = instantToLocal(now, zone).slice(0, 10);
  if (!isDate(date) || date <= today || date > addDays(today, MOST_DAYS)) return null;
  return instantAt(date, 9, zone);
}

/** Late in the evening there is no "later today". */
export function snoozeChoices(now: number, zone: string): SnoozeChoice[] {
  const today = instantToLocal(now, zone).slice(0, 10);
  const later = instantToLocal(now + LATER_MS, zone);
  const hour = Number(later.slice(11, 13));
  const isToday = later.startsWith(today) && hour <= LAST_HOUR;
  return [
    ...(isToday ? [{ name: 'later' as const, label: 'Later today', until: instantAt(today, hour, zone) }] : []),
    { name: 'tomorrow', label: 'Tomorrow', until: instantAt(addDays(today, 1), 9, zone) },
    { name: 'next-week', label: 'Next week', until: instantAt(addDays(mondayOf(today), 7), 9, zone) },
  ];
}
