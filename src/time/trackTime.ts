/** svc_time: start, stop, annotate, log and correct one's own time (behaviour §9.3). */
import type { Caller } from '../access/caller.ts';
import { bits, holds } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import type { Write } from '../operations/operation.ts';
import { Conflict, Forbidden, InvalidRequest } from '../values/errors.ts';
import { asTimeAction, TimeArguments } from './arguments.ts';
import { correctEntry, logTime } from './entries.ts';
import { type EntryReach, type ItemReach, lockPerson, readEntryReach, readItemReach, type TimeFacts, updateEntry } from './queries.ts';
import { asEntry, type EntryRow, isRunning, type TimeEntry } from './schema.ts';
import { closeTimer, openTimer } from './timer.ts';

/** The entry or the item of the change, or both if a correction moves an entry. */
interface Facts extends TimeFacts {
  entry?: EntryRow;
  item?: ItemReach;
}

export interface TimeResult {
  /** For a start: the running timer. */
  entry: TimeEntry;
}

export const trackTime: Write<TimeArguments, TimeResult, Facts> = {
  name: 'trackTime',
  input: TimeArguments,

  inputOf: async (_tx, { entry }: TimeResult) => ({ action: 'annotate', entryId: entry.id, revision: entry.revision, note: '' }),

  // Receipts of earlier versions contain the timer next to the entry.
  replay: async (_tx, _permit, { entry }: TimeResult) => ({ entry }),

  async authorize(tx, caller, input, { replay }) {
    if (!replay) await lockPerson(tx, caller);
    const action = asTimeAction(input);
    const item = 'itemId' in action && action.itemId !== undefined ? await reachItem(tx, caller, action.itemId) : undefined;
    if (!('entryId' in action)) return { ...item!, item: item! };
    const reach = await readEntryReach(tx, caller, action.entryId);
    if (!mayChange(caller, reach, action.action === 'stop')) throw new Forbidden();
    return item ? { ...reach, item } : reach;
  },

  async run(tx, permit, input) {
    const action = asTimeAction(input);
    switch (action.action) {
      case 'start':
        return { entry: asEntry(await openTimer(tx, permit, action.itemId, action.note), permit.now) };
      case 'stop': {
        const entry = atRevision(permit.entry!, action.revision);
        if (!isRunning(entry))
          throw new InvalidRequest(['entryId'], `entry ${entry.id} is not a running timer; read your time to see the one that runs.`);
        return { entry: asEntry(await closeTimer(tx, entry, permit.now, action.note), permit.now) };
      }
      case 'annotate': {
        const entry = atRevision(permit.entry!, action.revision);
        await updateEntry(tx, entry.id, { ...entry, note: action.note }, losesNote(entry, action.note) ? 'Another note.' : null);
        return { entry: asEntry({ ...entry, note: action.note, revision: entry.revision + 1 }, permit.now) };
      }
      case 'log':
        return { entry: asEntry(await logTime(tx, permit, action), permit.now) };
      case 'correct':
        return {
          entry: asEntry(await correctEntry(tx, permit, atRevision(permit.entry!, action.revision), action, permit.item), permit.now),
        };
    }
  },
};

/** True if a note is lost, so that the previous version must be kept (behaviour §28.6). A running timer keeps none. */
const losesNote = (entry: EntryRow, note: string): boolean => !isRunning(entry) && entry.note !== '' && entry.note !== note;

const TIME_WRITE = bits('time', 'write');

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

function atRevision(entry: EntryRow, revision: number): EntryRow {
  if (entry.revision === revision) return entry;
  throw new Conflict(`Entry ${entry.id} is at revision ${entry.revision}: read your time again and repeat your change.`, {
    currentRevision: entry.revision,
  });
}
