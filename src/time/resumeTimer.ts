/** Undo of stopping a timer on a page: it continues from its start (behaviour §23.10). */
import { z } from 'zod';
import { bits, holds } from '../access/rights.ts';
import type { Write } from '../operations/operation.ts';
import { markForecastOf } from '../queue/jobs.ts';
import { Conflict, Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { Revision } from './arguments.ts';
import { type EntryReach, lockItemOf, lockPerson, readEntryReach, updateEntry } from './queries.ts';
import { asEntry, type TimeEntry } from './schema.ts';
import { TimerRuns, watchTimer } from './timer.ts';
import { atRevision } from './trackTime.ts';

/** Later, the pause would count as work. */
const RESUME_MINUTES = 5;

const Input = z.strictObject({ entryId: Id, revision: Revision });
type Input = z.infer<typeof Input>;

export const mayResume = ({ entry, now }: EntryReach): boolean =>
  entry.ended_at !== null && entry.item_title !== null && Date.parse(now) - Date.parse(entry.ended_at) < RESUME_MINUTES * 60_000;

export const resumeTimer: Write<Input, TimeEntry, EntryReach> = {
  name: 'resumeTimer',
  input: Input,

  async authorize(tx, caller, { entryId }, { replay }) {
    if (caller.kind !== 'session') throw new Forbidden();
    if (!replay) await lockPerson(tx, caller);
    const reach = await readEntryReach(tx, caller, entryId);
    if (!holds(reach.rights, bits('time', 'write')) || reach.entry.item_title === null) throw new Forbidden();
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
