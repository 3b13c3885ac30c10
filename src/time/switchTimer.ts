/** Stops the given timer and starts another at the same instant (behaviour §20.8). Only on request (§9.2). */
import { z } from 'zod';
import { bits, holds } from '../access/rights.ts';
import type { Write } from '../operations/operation.ts';
import { Conflict, Forbidden, InvalidRequest } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { EntryNote, Revision } from './arguments.ts';
import { type EntryReach, type ItemReach, lockPerson, readEntryReach, readItemReach } from './queries.ts';
import { asEntry, isRunning, type TimeEntry } from './schema.ts';
import { closeTimer, openTimer } from './timer.ts';

const Input = z.strictObject({
  itemId: Id,
  entryId: Id,
  revision: Revision,
  note: EntryNote.default(''),
});

interface Switched {
  entry: TimeEntry;
  stopped: TimeEntry;
}

export const switchTimer: Write<z.infer<typeof Input>, Switched, { from: EntryReach; to: ItemReach }> = {
  name: 'switchTimer',
  input: Input,

  async authorize(tx, caller, { itemId, entryId }, { replay }) {
    if (caller.kind === 'agent') throw new Forbidden();
    if (!replay) await lockPerson(tx, caller);
    // A user may stop their timer in any workspace (behaviour §9.8).
    const from = await readEntryReach(tx, caller, entryId);
    const to = await readItemReach(tx, caller, itemId);
    if (!holds(to.rights, bits('time', 'write'))) throw new Forbidden();
    return { ...to, from, to };
  },

  async run(tx, { from, to }, { itemId, entryId, revision, note }) {
    const { entry } = from;
    if (entry.revision !== revision || !isRunning(entry))
      throw new Conflict(`Timer ${entryId} has changed, so nothing was switched. Check which timer is running.`, {
        currentRevision: entry.revision,
      });
    if (entry.item_id === itemId) throw new InvalidRequest(['itemId'], 'the timer is already running on this item.');
    const stopped = await closeTimer(tx, entry, to.now);
    const started = await openTimer(tx, { ...to, running: null }, itemId, note);
    return { entry: asEntry(started, to.now), stopped: asEntry(stopped, to.now) };
  },
};
