/** svc_time: start, stop, annotate, log and correct one's own time (behaviour §9.3). */
import type { Caller, Permit } from '../access/caller.ts';
import { holds, TIME_WRITE } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import type { Write } from '../operations/operation.ts';
import { markForecastOf } from '../queue/jobs.ts';
import { Conflict, Forbidden, InvalidRequest } from '../values/errors.ts';
import { asTimeAction, type Correction, type TimeAction, TimeArguments } from './arguments.ts';
import { decideCorrection, minutesByDay, refuseFuture, refuseOverfull } from './correction.ts';
import {
  type EntryReach,
  type EntryState,
  type ItemReach,
  insertEntry,
  lockItemOf,
  lockPerson,
  readDayMinutes,
  readEntryReach,
  readItemReach,
  type TimeFacts,
  updateEntry,
} from './queries.ts';
import { asEntry, type EntryRow, isRunning, type TimeEntry } from './schema.ts';
import { closeTimer, openTimer, watchTimer } from './timer.ts';

type Log = Extract<TimeAction, { action: 'log' }>;

async function logTime(
  tx: Tx,
  permit: Permit & TimeFacts,
  { itemId, date, minutes, note }: Log,
): Promise<{ entry: EntryRow; dayMinutes: number }> {
  refuseFuture('date', date, permit.today);
  const others = await readDayMinutes(tx, permit.userId, [date], 0, permit.now);
  refuseOverfull('minutes', new Map(), new Map([[date, minutes]]), others);
  const times = { kind: 'manual' as const, started_at: null, ended_at: null, day: date, minutes };
  const entry = await insertEntry(tx, permit, { ...times, item_id: itemId, note, corrected: false });
  await markForecastOf(tx, permit.workspaceId);
  return { entry, dayMinutes: (others.get(date) ?? 0) + minutes };
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
  if (target) await lockItemOf(tx, { item_id: state.item_id, workspace_id: target.workspaceId });
  await checkDays(tx, permit, entry, state, fieldOf(correction));
  await updateEntry(tx, entry.id, state, correction.reason);
  const about = { account: permit.accountId, user: permit.userId, workspace: entry.workspace_id, item: entry.item_id };
  if (isRunning(entry) && state.started_at !== null && state.started_at !== entry.started_at)
    await watchTimer(tx, entry.id, state.started_at, about);
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

/** The entry or the item of the change, or both if a correction moves an entry. */
interface Facts extends TimeFacts {
  entry?: EntryRow;
  item?: ItemReach;
}

export interface TimeResult {
  /** After a start, the running timer. */
  entry: TimeEntry;
  /** After a log: all minutes of that day. */
  dayMinutes?: number | undefined;
}

export const trackTime: Write<TimeArguments, TimeResult, Facts> = {
  name: 'trackTime',
  input: TimeArguments,

  inputOf: async (_tx, { entry }: TimeResult) => ({ action: 'annotate', entryId: entry.id, revision: entry.revision, note: '' }),

  // Receipts of earlier versions contain the timer next to the entry.
  // They name the item as of then: the entry may have been corrected to another one, and the first be hidden by now.
  async replay(tx, permit, { entry, dayMinutes }: TimeResult) {
    if (entry.itemId !== null && entry.itemId !== permit.entry?.item_id) await readItemReach(tx, permit.caller, entry.itemId);
    return dayMinutes === undefined ? { entry } : { entry, dayMinutes };
  },

  async authorize(tx, caller, input, { replay }) {
    if (!replay) await lockPerson(tx, caller);
    const action = asTimeAction(input);
    if (!('entryId' in action)) {
      const item = await reachItem(tx, caller, action.itemId);
      return { ...item, item };
    }
    const item = 'itemId' in action && action.itemId !== undefined ? await reachItem(tx, caller, action.itemId) : undefined;
    const reach = await readEntryReach(tx, caller, action.entryId);
    if (!mayChange(caller, reach, action.action === 'stop')) throw new Forbidden();
    return item ? { ...reach, item } : reach;
  },

  async run(tx, permit, input) {
    const action = asTimeAction(input);
    const entryAt = (revision: number) => {
      if (!permit.entry) throw new Forbidden();
      return atRevision(permit.entry, revision);
    };
    switch (action.action) {
      case 'start':
        return { entry: asEntry(await openTimer(tx, permit, action.itemId, action.note), permit.now) };
      case 'stop': {
        const entry = entryAt(action.revision);
        if (!isRunning(entry))
          throw new InvalidRequest(['entryId'], `entry ${entry.id} is not a running timer; read your time to see the one that runs.`);
        return { entry: asEntry(await closeTimer(tx, entry, permit.now, action.note), permit.now) };
      }
      case 'annotate': {
        const entry = entryAt(action.revision);
        await updateEntry(tx, entry.id, { ...entry, note: action.note }, losesNote(entry, action.note) ? 'Another note.' : null);
        return { entry: asEntry({ ...entry, note: action.note, revision: entry.revision + 1 }, permit.now) };
      }
      case 'log': {
        const { entry, dayMinutes } = await logTime(tx, permit, action);
        return { entry: asEntry(entry, permit.now), dayMinutes };
      }
      case 'correct':
        return {
          entry: asEntry(await correctEntry(tx, permit, entryAt(action.revision), action, permit.item), permit.now),
        };
    }
  },
};

/** True if a note is lost, so that the previous version must be kept (behaviour §28.6). A running timer keeps none. */
const losesNote = (entry: EntryRow, note: string): boolean => !isRunning(entry) && entry.note !== '' && entry.note !== note;

async function reachItem(tx: Tx, caller: Caller, itemId: number): Promise<ItemReach> {
  const reach = await readItemReach(tx, caller, itemId);
  if (!holds(reach.rights, TIME_WRITE)) throw new Forbidden();
  return reach;
}

/** An agent needs access to the entry's item. A user needs only the right to record time, and may stop their timer anywhere (behaviour
 *  §9.8): it prevents every other timer. */
function mayChange({ kind }: Caller, { rights, entry }: EntryReach, stops: boolean): boolean {
  const isPerson = kind === 'session' || kind === 'user';
  if (isPerson && stops && isRunning(entry)) return true;
  return holds(rights, TIME_WRITE) && (isPerson || entry.item_title !== null);
}

export function atRevision(entry: EntryRow, revision: number): EntryRow {
  if (entry.revision === revision) return entry;
  throw new Conflict(`Entry ${entry.id} is at revision ${entry.revision}: read your time again and repeat your change.`, {
    currentRevision: entry.revision,
  });
}
