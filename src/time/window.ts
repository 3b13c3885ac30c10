import { z } from 'zod';
import { addDays, CalendarDate, type DayRange, daysBetween, monthRange, weekRange } from '../values/dates.ts';

export const periods = ['day', 'week', 'month', 'upcoming'] as const;
const MAX_DAYS = 366;
export const UPCOMING_DAYS = 90;

export const MyTimeArguments = z
  .strictObject({
    period: z.enum(periods, `give one of ${periods.join(', ')}`).optional(),
    date: CalendarDate.optional(),
    from: CalendarDate.optional(),
    to: CalendarDate.optional(),
  })
  .check(({ value, issues }) => {
    const { period, date, from, to } = value;
    const fault = (path: 'period' | 'date' | 'from' | 'to', message: string) =>
      issues.push({ code: 'custom', path: [path], message, input: value[path] ?? null });
    if (period === 'upcoming' && date !== undefined) fault('date', 'upcoming begins now; leave it out, or give another period');
    if (from === undefined && to === undefined) return;
    if (period !== undefined) fault('period', 'give either a period with a date in it, or from and to');
    else if (date !== undefined) fault('date', 'give either a date with its period, or from and to');
    else if (from === undefined) fault('from', 'give it together with to');
    else if (to === undefined) fault('to', 'give it together with from');
    else if (from > to) fault('from', 'must not be after to');
    else if (daysBetween(from, to) >= MAX_DAYS) fault('to', `give at most ${MAX_DAYS} days`);
  });
export type MyTimeArguments = z.infer<typeof MyTimeArguments>;

/** The requested days, both included. Default: the week of `today`. Throws InvalidRequest beyond year 9999. */
export function rangeOf({ period, date, from, to }: MyTimeArguments, today: string): DayRange {
  if (from !== undefined && to !== undefined) return { from, to };
  const day = date ?? today;
  switch (period) {
    case 'day':
      return { from: day, to: day };
    case 'month':
      return monthRange(day);
    case 'upcoming':
      return { from: today, to: addDays(today, UPCOMING_DAYS) };
    default:
      return weekRange(day);
  }
}
