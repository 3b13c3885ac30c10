/** Time entries as stored and in responses (behaviour §9.4). Days are UTC. */
import { z } from 'zod';
import { addDays, CalendarDate, type DayRange, daysBetween, monthRange, StoredInstant, weekRange } from '../values/dates.ts';
import { AfterId } from '../values/text.ts';
import { takeTime } from './lineTimes.ts';

export const EntryRow = z.object({
  id: z.number(),
  revision: z.number(),
  workspace_id: z.number(),
  item_id: z.number(),
  /** null if the caller can't see the item. */
  item_title: z.string().nullable(),
  kind: z.enum(['timer', 'manual']),
  started_at: StoredInstant.nullable(),
  ended_at: StoredInstant.nullable(),
  day: z.string(),
  /** null while the timer runs. */
  minutes: z.number().nullable(),
  note: z.string(),
  corrected: z.boolean(),
});
export type EntryRow = z.infer<typeof EntryRow>;

export const TimeEntry = z.strictObject({
  id: z.int(),
  revision: z.int(),
  workspaceId: z.int(),
  itemId: z.int().nullable().meta({ description: 'null while you can not see the item.' }),
  itemTitle: z.string().nullable(),
  kind: z.enum(['timer', 'manual']),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  date: z.string().meta({ description: 'UTC day; of a timer the one it started on.' }),
  minutes: z.int().meta({ description: 'Of a running timer: up to now.' }),
  note: z.string(),
  corrected: z.boolean(),
});
export type TimeEntry = z.infer<typeof TimeEntry>;

/** An earlier version of an entry (behaviour §28.6). */
export const EarlierEntry = z.object({
  entryId: z.number(),
  kind: z.enum(['timer', 'manual']),
  startedAt: StoredInstant.nullable(),
  endedAt: StoredInstant.nullable(),
  date: z.string(),
  minutes: z.number().nullable(),
  note: z.string(),
  itemId: z.number(),
  itemTitle: z.string().nullable(),
  reason: z.string(),
  replacedAt: StoredInstant,
});
export type EarlierEntry = z.infer<typeof EarlierEntry>;

export function isRunning(row: EntryRow): boolean {
  return row.minutes === null;
}

/** The entry for its owner at `now`. Without details of a hidden item (behaviour §9.11). */
export function asEntry(row: EntryRow, now: string): TimeEntry {
  return {
    id: row.id,
    revision: row.revision,
    workspaceId: row.workspace_id,
    itemId: row.item_title === null ? null : row.item_id,
    itemTitle: row.item_title,
    kind: row.kind,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    date: row.day,
    minutes: row.minutes ?? wholeMinutes(row.started_at ?? now, now),
    note: row.note,
    corrected: row.corrected,
  };
}

/** Minutes between two instants, rounded down, never below 0. */
export function wholeMinutes(from: string, to: string): number {
  return Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / 60_000));
}

// Parses a length of time: 45, 45m, 1:30, 1.5h. Pure.

/** Returns minutes; a number alone means minutes. NaN if it is not a duration, which every schema refuses. */
export function minutesOf(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  const found = takeTime(text);
  return found?.time.kind === 'duration' && !found.before && !found.after ? found.time.minutes : Number.NaN;
}

export const periods = ['day', 'week', 'month', 'upcoming'] as const;
const MAX_DAYS = 366;
export const UPCOMING_DAYS = 90;

export const MyTimeArguments = z
  .strictObject({
    period: z.enum(periods, `give one of ${periods.join(', ')}`).optional(),
    date: CalendarDate.optional(),
    from: CalendarDate.optional(),
    to: CalendarDate.optional(),
    afterId: AfterId,
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
