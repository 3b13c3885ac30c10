import type { Permit } from '../access/caller.ts';
import type { Tx } from '../database/db.ts';
import { markForecastOf } from '../queue/jobs.ts';
import type { Correction, TimeAction } from './arguments.ts';
import { decideCorrection, minutesByDay, refuseFuture, refuseOverfull } from './correction.ts';
import { type EntryState, type ItemReach, insertEntry, readDayMinutes, type TimeFacts, updateEntry } from './queries.ts';
import { type EntryRow, isRunning } from './schema.ts';
import { watchTimer } from './timer.ts';

type Log = Extract<TimeAction, { action: 'log' }>;

export async function logTime(tx: Tx, permit: Permit & TimeFacts, { itemId, date, minutes, note }: Log): Promise<EntryRow> {
  refuseFuture('date', date, permit.today);
  const others = await readDayMinutes(tx, permit.userId, [date], 0, permit.now);
  refuseOverfull('minutes', new Map(), new Map([[date, minutes]]), others);
  const times = { kind: 'manual' as const, started_at: null, ended_at: null, day: date, minutes };
  const entry = await insertEntry(tx, permit, { ...times, item_id: itemId, note, corrected: false });
  await markForecastOf(tx, permit.workspaceId);
  return entry;
}

/** Keeps the previous version with the reason. `target`: the item that the entry moves to. */
export async function correctEntry(
  tx: Tx,
  permit: Permit & TimeFacts,
  entry: EntryRow,
  correction: Correction,
  target: ItemReach | undefined,
): Promise<EntryRow> {
  const state = decideCorrection(entry, correction, permit);
  await checkDays(tx, permit, entry, state, fieldOf(correction));
  await updateEntry(tx, entry.id, state, correction.reason);
  const about = { account: permit.accountId, user: permit.userId, workspace: entry.workspace_id, item: entry.item_id };
  if (isRunning(entry) && state.started_at !== entry.started_at) await watchTimer(tx, entry.id, state.started_at!, about);
  await markForecastOf(tx, entry.workspace_id, target?.workspaceId ?? entry.workspace_id);
  const place = target ? { workspace_id: target.workspaceId, item_title: target.itemTitle } : {};
  return { ...entry, ...state, ...place, revision: entry.revision + 1 };
}

async function checkDays(tx: Tx, { userId, now }: Permit & TimeFacts, entry: EntryRow, state: EntryState, field: string): Promise<void> {
  const after = minutesByDay(state, now);
  const others = await readDayMinutes(tx, userId, [...after.keys()], entry.id, now);
  refuseOverfull(field, minutesByDay(entry, now), after, others);
}

const fieldOf = (correction: Correction) =>
  (['minutes', 'date', 'startedAt', 'endedAt'] as const).find((name) => correction[name] !== undefined) ?? 'minutes';
