/** Recorded time counts on UTC days (behaviour §9.1). Says once on a page where the user's own days differ (behaviour §20.3). */
import { addDays, startOfDay, todayIn } from '../../values/dates.ts';
import type { Clock } from '../frame/clock.ts';
import { shortDay, timeWords } from '../frame/components/when.ts';

/** Both days in a sentence; null if the user's day is the UTC day. */
export function utcDays(date: string, clock: Clock): string | null {
  const starts = `${date}T00:00:00.000Z`;
  const ends = `${addDays(date, 1)}T00:00:00.000Z`;
  if (startOfDay(date, clock.zone) === starts) return null;
  const local = (at: string) => `${shortDay(todayIn(clock.zone, at), clock)} ${timeWords(at, clock)}`;
  return `Recorded time counts on UTC days: ${shortDay(date, clock)} in UTC is ${local(starts)} to ${local(ends)} in ${clock.zone}.`;
}
