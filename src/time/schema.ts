/** Time entries as stored and in responses (behaviour §9.4). Days are UTC. */
import { z } from 'zod';
import { StoredInstant } from '../values/dates.ts';

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
    minutes: row.minutes ?? wholeMinutes(row.started_at!, now),
    note: row.note,
    corrected: row.corrected,
  };
}

/** Rounded down, never below 0. */
export function wholeMinutes(from: string, to: string): number {
  return Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / 60_000));
}
