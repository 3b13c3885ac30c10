/** Undo of a time entry on a page: it stays with 0 minutes and its earlier version (behaviour §28.4, §28.6). */
import { z } from 'zod';
import { bits, holds } from '../access/rights.ts';
import type { Write } from '../operations/operation.ts';
import { markForecastOf } from '../queue/jobs.ts';
import { Conflict, Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { Revision } from './arguments.ts';
import { type EntryReach, lockPerson, readEntryReach, updateEntry } from './queries.ts';
import { isRunning } from './schema.ts';
import { atRevision } from './trackTime.ts';

const Input = z.strictObject({ entryId: Id, revision: Revision });
type Input = z.infer<typeof Input>;

export const undoEntry: Write<Input, { entryId: number }, EntryReach> = {
  name: 'undoEntry',
  input: Input,

  async authorize(tx, caller, { entryId }, { replay }) {
    if (caller.kind !== 'session') throw new Forbidden();
    if (!replay) await lockPerson(tx, caller);
    const reach = await readEntryReach(tx, caller, entryId);
    if (!holds(reach.rights, bits('time', 'write'))) throw new Forbidden();
    return reach;
  },

  async run(tx, permit, { entryId, revision }) {
    const entry = atRevision(permit.entry, revision);
    if (isRunning(entry)) throw new Conflict('This timer is still running. Stop it first.');
    const none = { kind: 'manual' as const, started_at: null, ended_at: null, minutes: 0, corrected: true };
    await updateEntry(tx, entryId, { ...entry, ...none }, 'Undone.');
    await markForecastOf(tx, entry.workspace_id);
    return { entryId };
  },
};
