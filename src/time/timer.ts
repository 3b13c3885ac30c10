/** Starts and stops a user's only timer, for tools, pages and plan blocks. */

import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import { holds, TIME_WRITE } from '../access/rights.ts';
import { aboutUser } from '../audit/line.ts';
import type { Db, Tx } from '../database/db.ts';
import { notify } from '../notifications/queries.ts';
import type { Write } from '../operations/operation.ts';
import { type About, aboutRow, dequeue, enqueue, markForecastOf } from '../queue/jobs.ts';
import { Conflict, Forbidden, InvalidRequest } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { readMembership } from '../workspaces/queries.ts';
import { EntryNote, Revision } from './arguments.ts';
import {
  type EntryReach,
  type ItemReach,
  insertEntry,
  lockPerson,
  lockRunningTimer,
  lockUser,
  ownsTimerOf,
  readClock,
  readEntryReach,
  readItemReach,
  readRunning,
  type TimeFacts,
  updateEntry,
} from './queries.ts';
import { asEntry, type EntryRow, isRunning, type TimeEntry, wholeMinutes } from './schema.ts';

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
    const item = itemTitle === null ? 'an item that you cannot see here' : `item ${itemId}`;
    super(`Timer ${id} (revision ${revision}) has been running on ${item} since ${startedAt}: nothing was switched, stop it first.`);
  }
}

export async function closeTimer(tx: Tx, entry: EntryRow, now: string, note = entry.note): Promise<EntryRow> {
  const startedAt = entry.started_at ?? now;
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

// Reminds of a timer that has run for long. Never stops it (behaviour §9.9).

/** Harmless if it runs twice, or if the timer has stopped or its start has changed. */
export async function remindLongTimer(db: Db, { entryId }: { entryId: number }): Promise<void> {
  await db.transaction(async (tx) => {
    const timer = await lockRunningTimer(tx, entryId, LONG_TIMER_HOURS);
    if (!timer) return;
    if (!timer.is_due) return watchTimer(tx, entryId, timer.started_at, aboutRow(timer));
    const { account_id: accountId, workspace_id: workspaceId, user_id: userId, due_at: dueAt } = timer;
    await notify(tx, { accountId, workspaceId, userId, kind: 'timer_long', entryId, dueAt });
  });
}

/** A workspace owner stops another user's timer on an item there (behaviour §9.16). The entry stays that user's. */
const StopMembersTimerInput = z.strictObject({ workspaceId: Id, id: Id.describe('The item.'), userId: Id });

export const stopMembersTimer: Write<z.infer<typeof StopMembersTimerInput>, void, ItemReach> = {
  name: 'stopMembersTimer',
  input: StopMembersTimerInput,
  audit: [{ kind: 'timer.stopped', about: aboutUser, event: true }],
  async authorize(tx, caller, { workspaceId, id, userId }) {
    if (caller.kind === 'key' || caller.kind === 'agent') throw new Forbidden();
    const { role } = await readMembership(tx, caller, workspaceId);
    const reach = await readItemReach(tx, caller, id);
    if (reach.workspaceId !== workspaceId) throw new Forbidden();
    if (role !== 'owner' && !(await ownsTimerOf(tx, caller, workspaceId, id, userId))) throw new Forbidden();
    return reach;
  },
  async run(tx, { caller, workspaceId }, { id, userId }) {
    const isOwned = () => ownsTimerOf(tx, caller, workspaceId, id, userId);
    // Checked before, too: a caller can't make the writes of any other user wait.
    if (await isOwned()) {
      await lockUser(tx, userId);
      if ((await isOwned()) && (await stopTimerOf(tx, userId, ({ item_id: itemId }) => itemId === id))) return;
    }
    throw new Conflict('This timer has already stopped. Reload the page.');
  },
};

/** Stops the given timer and starts another at the same instant (behaviour §20.8). Only on request (§9.2). */
const SwitchTimerInput = z.strictObject({
  itemId: Id,
  entryId: Id,
  revision: Revision,
  note: EntryNote.default(''),
});

interface Switched {
  entry: TimeEntry;
  stopped: TimeEntry;
}

export const switchTimer: Write<z.infer<typeof SwitchTimerInput>, Switched, { from: EntryReach; to: ItemReach }> = {
  name: 'switchTimer',
  input: SwitchTimerInput,

  async authorize(tx, caller, { itemId, entryId }, { replay }) {
    if (caller.kind === 'agent') throw new Forbidden();
    if (!replay) await lockPerson(tx, caller);
    // A user may stop their timer in any workspace (behaviour §9.8).
    const from = await readEntryReach(tx, caller, entryId);
    const to = await readItemReach(tx, caller, itemId);
    if (!holds(to.rights, TIME_WRITE)) throw new Forbidden();
    return { ...to, from, to };
  },

  async run(tx, { from, to }, { itemId, entryId, revision, note }) {
    const { entry } = from;
    if (entry.revision !== revision || !isRunning(entry))
      throw new Conflict(`Timer ${entryId} has changed, so nothing was switched. Check which timer is running.`, {
        currentRevision: entry.revision,
      });
    if (entry.item_id === itemId) throw new InvalidRequest(['itemId'], 'the timer is already running on this item; choose another item.');
    const stopped = await closeTimer(tx, entry, to.now);
    const started = await openTimer(tx, { ...to, running: null }, itemId, note);
    return { entry: asEntry(started, to.now), stopped: asEntry(stopped, to.now) };
  },
};
