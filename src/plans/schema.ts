/** Plan blocks as stored and in responses (behaviour §10.1). */
import { z } from 'zod';
import { localToInstant, StoredInstant } from '../values/dates.ts';
import { Faults } from '../values/errors.ts';

export const blockStates = ['scheduled', 'running', 'finished', 'cancelled', 'missed'] as const;

export const RemindMinutes = z
  .int('give whole minutes from 0 to 120')
  .min(0, 'give whole minutes from 0 to 120')
  .max(120, 'give whole minutes from 0 to 120');
export const USUAL_REMIND_MINUTES = 10;

export const BlockRow = z.object({
  id: z.number(),
  revision: z.number(),
  account_id: z.number(),
  workspace_id: z.number(),
  user_id: z.number(),
  item_id: z.number(),
  /** null if the caller can't see the item. */
  item_title: z.string().nullable(),
  state: z.enum(blockStates),
  start_local: z.string(),
  end_local: z.string(),
  timezone: z.string(),
  starts_at: StoredInstant,
  ends_at: StoredInstant,
  note: z.string(),
  auto_start: z.boolean(),
  auto_stop: z.boolean(),
  remind_start: z.boolean(),
  remind_minutes: z.number(),
  remind_end: z.boolean(),
  reason: z.string().nullable(),
  entry_id: z.number().nullable(),
});
export type BlockRow = z.infer<typeof BlockRow>;

export interface PlanBlock {
  id: number;
  revision: number;
  workspaceId: number;
  itemId: number | null;
  title: string | null;
  state: (typeof blockStates)[number];
  /** YYYY-MM-DDTHH:mm in `timezone`. */
  startLocal: string;
  endLocal: string;
  timezone: string;
  startsAt: string;
  endsAt: string;
  note: string;
  autoStart: boolean;
  autoStop: boolean;
  remindStart: boolean;
  /** Minutes before the start; null if remindStart is false. */
  remindMinutes: number | null;
  remindEnd: boolean;
  reason: string | null;
}

export function asBlock(row: BlockRow): PlanBlock {
  return {
    id: row.id,
    revision: row.revision,
    workspaceId: row.workspace_id,
    itemId: row.item_title === null ? null : row.item_id,
    title: row.item_title,
    state: row.state,
    startLocal: row.start_local,
    endLocal: row.end_local,
    timezone: row.timezone,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    note: row.note,
    autoStart: row.auto_start,
    autoStop: row.auto_stop,
    remindStart: row.remind_start,
    remindMinutes: row.remind_start ? row.remind_minutes : null,
    remindEnd: row.remind_end,
    reason: row.reason,
  };
}

const DAY_MS = 86_400_000;

export interface LocalSpan {
  startLocal: string;
  endLocal: string;
}

/** A local time that occurs twice means the first. Throws InvalidRequest for a skipped time, an end before the start, or above 24 hours
 *  (behaviour §10.4). */
export function spanOf({ startLocal, endLocal }: LocalSpan, zone: string): { startsAt: string; endsAt: string } {
  const faults = new Faults();
  const [startsAt, endsAt] = [localToInstant(startLocal, zone), localToInstant(endLocal, zone)];
  if (startsAt === 'skipped') faults.add(['startLocal'], skips(zone, startLocal));
  if (endsAt === 'skipped') faults.add(['endLocal'], skips(zone, endLocal));
  faults.check();
  const ms = Date.parse(endsAt) - Date.parse(startsAt);
  if (ms <= 0) faults.add(['endLocal'], (nameOf) => `must be after ${nameOf(['startLocal'])}.`);
  if (ms > DAY_MS) faults.add(['endLocal'], 'a block is at most 24 hours long; plan several.');
  faults.check();
  return { startsAt, endsAt };
}

const skips = (zone: string, local: string) => `the clocks in ${zone} skip ${local}. Choose an earlier or later time.`;
