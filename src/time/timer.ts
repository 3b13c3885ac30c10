/** Starts and stops a user's only timer, for tools, pages and plan blocks. */
import type { Permit } from '../access/caller.ts';
import type { Tx } from '../database/db.ts';
import type { About } from '../queue/about.ts';
import { dequeue, enqueue, markForecastOf } from '../queue/jobs.ts';
import { Conflict } from '../values/errors.ts';
import { insertEntry, lockUser, readClock, readRunning, type TimeFacts, updateEntry } from './queries.ts';
import { type EntryRow, wholeMinutes } from './schema.ts';

export const LONG_TIMER_HOURS = 8;

const reminderKey = (entryId: number) => `long_timer:${entryId}`;

/** Schedules the reminder of a long timer. Call again when `startedAt` changes. */
export async function watchTimer(tx: Tx, entryId: number, startedAt: string, about: About): Promise<void> {
  const runAt = new Date(Date.parse(startedAt) + LONG_TIMER_HOURS * 3_600_000).toISOString();
  await enqueue(tx, 'remind_long_timer', { entryId }, { runAt, key: reminderKey(entryId), about });
}

/** Starts the user's timer now. Throws Conflict with the running timer if there is one; it is never switched (behaviour §9.2). */
export async function openTimer(tx: Tx, permit: Permit & TimeFacts, itemId: number, note: string): Promise<EntryRow> {
  const { now, today, running } = permit;
  if (running) throw new TimerRuns(running);
  const times = { kind: 'timer' as const, started_at: now, ended_at: null, day: today, minutes: null };
  const entry = await insertEntry(tx, permit, { ...times, item_id: itemId, note, corrected: false });
  await watchTimer(tx, entry.id, now, { account: permit.accountId, user: permit.userId, workspace: permit.workspaceId, item: itemId });
  return entry;
}

export class TimerRuns extends Conflict {
  constructor({ id, revision, item_id: itemId, item_title: itemTitle, started_at: startedAt }: EntryRow) {
    const item = itemTitle === null ? 'an item that is out of reach here' : `item ${itemId}`;
    super(`Timer ${id} (revision ${revision}) has been running on ${item} since ${startedAt}: nothing was switched, stop it first.`);
  }
}

export async function closeTimer(tx: Tx, entry: EntryRow, now: string, note = entry.note): Promise<EntryRow> {
  const startedAt = entry.started_at!;
  // The clock may have been set back, but an entry must not end before its start.
  const endedAt = now > startedAt ? now : startedAt;
  const state = { ...entry, ended_at: endedAt, minutes: wholeMinutes(startedAt, endedAt), note };
  await updateEntry(tx, entry.id, state);
  await dequeue(tx, reminderKey(entry.id));
  await markForecastOf(tx, entry.workspace_id);
  return { ...state, revision: entry.revision + 1 };
}

export async function stopTimerOf(tx: Tx, userId: number, isMeant: (timer: EntryRow) => boolean): Promise<boolean> {
  await lockUser(tx, userId);
  const timer = await readRunning(tx, userId);
  if (!timer || !isMeant(timer)) return false;
  await closeTimer(tx, timer, await readClock(tx));
  return true;
}
