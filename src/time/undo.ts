/** Undo of time on pages (behaviour §23.10, §28.4). */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { holds, TIME_WRITE } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import type { Write } from '../operations/operation.ts';
import { markForecastOf } from '../queue/jobs.ts';
import { Conflict, Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { Revision } from './arguments.ts';
import { type EntryReach, lockItemOf, lockPerson, readEntryReach, updateEntry } from './queries.ts';
import { asEntry, isRunning, type TimeEntry } from './schema.ts';
import { TimerRuns, watchTimer } from './timer.ts';
import { atRevision } from './trackTime.ts';

const Input = z.strictObject({ entryId: Id, revision: Revision });
type Input = z.infer<typeof Input>;

async function authorize(tx: Tx, caller: Caller, { entryId }: Input, { replay }: { replay: boolean }): Promise<EntryReach> {
  if (caller.kind !== 'session') throw new Forbidden();
  if (!replay) await lockPerson(tx, caller);
  const reach = await readEntryReach(tx, caller, entryId);
  if (!holds(reach.rights, TIME_WRITE)) throw new Forbidden();
  return reach;
}

/** The entry stays with 0 minutes and its earlier version (behaviour §28.6). */
export const undoEntry: Write<Input, { entryId: number }, EntryReach> = {
  name: 'undoEntry',
  input: Input,
  authorize,

  async run(tx, permit, { entryId, revision }) {
    const entry = atRevision(permit.entry, revision);
    if (isRunning(entry)) throw new Conflict('This timer is still running. Stop it first.');
    const none = { kind: 'manual' as const, started_at: null, ended_at: null, minutes: 0, corrected: true };
    await updateEntry(tx, entryId, { ...entry, ...none }, 'Undone.');
    await markForecastOf(tx, entry.workspace_id);
    return { entryId };
  },
};

/** Later, the pause would count as work. */
const RESUME_MINUTES = 5;

export const mayResume = ({ entry, now }: EntryReach): boolean =>
  entry.ended_at !== null && entry.item_title !== null && Date.parse(now) - Date.parse(entry.ended_at) < RESUME_MINUTES * 60_000;

/** A stopped timer continues from its start. */
export const resumeTimer: Write<Input, TimeEntry, EntryReach> = {
  name: 'resumeTimer',
  input: Input,

  async authorize(...asked) {
    const reach = await authorize(...asked);
    if (reach.entry.item_title === null) throw new Forbidden();
    return reach;
  },

  async run(tx, permit, { entryId, revision }) {
    const entry = atRevision(permit.entry, revision);
    if (permit.running) throw new TimerRuns(permit.running);
    if (!mayResume(permit)) throw new Conflict('This timer stopped more than 5 minutes ago. Start a new one.');
    await lockItemOf(tx, entry);
    const running = { ...entry, ended_at: null, minutes: null };
    await updateEntry(tx, entryId, running);
    const { accountId: account, userId: user } = permit;
    await watchTimer(tx, entryId, entry.started_at ?? permit.now, { account, user, workspace: entry.workspace_id, item: entry.item_id });
    await markForecastOf(tx, entry.workspace_id);
    return asEntry({ ...running, revision: entry.revision + 1 }, permit.now);
  },
};
