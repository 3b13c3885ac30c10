/** Records a past time range with start and end (behaviour §20.6), in the form of a timer's entry. */
import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import { holds, TIME_WRITE } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import type { Write } from '../operations/operation.ts';
import { markForecastOf } from '../queue/jobs.ts';
import { Faults, Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { EntryNote, Moment } from './arguments.ts';
import { minutesByDay, refuseOverfull } from './correction.ts';
import { type EntryState, type ItemReach, insertEntry, lockPerson, readDayMinutes, readItemReach, type TimeFacts } from './queries.ts';
import { asEntry, wholeMinutes } from './schema.ts';
import type { TimeResult } from './trackTime.ts';

const Input = z.strictObject({ itemId: Id, startedAt: Moment, endedAt: Moment, note: EntryNote.default('') });
type Input = z.infer<typeof Input>;

const MOST_MINUTES = 1_440;

export const logStretch: Write<Input, TimeResult, ItemReach> = {
  name: 'logStretch',
  input: Input,

  async authorize(tx, caller, { itemId }, { replay }) {
    if (!replay) await lockPerson(tx, caller);
    const reach = await readItemReach(tx, caller, itemId);
    if (!holds(reach.rights, TIME_WRITE)) throw new Forbidden();
    return reach;
  },

  async run(tx, permit, input) {
    const state = stateOf(input, permit);
    await refuseFullDays(tx, permit, state);
    const entry = await insertEntry(tx, permit, state);
    await markForecastOf(tx, permit.workspaceId);
    return { entry: asEntry(entry, permit.now) };
  },
};

function stateOf({ itemId, startedAt, endedAt, note }: Input, { now }: TimeFacts): EntryState {
  const faults = new Faults();
  if (endedAt <= startedAt) faults.add(['endedAt'], 'must be after the start; give a later end.');
  if (endedAt > now) faults.add(['endedAt'], 'is in the future; give a time in the past.');
  const minutes = wholeMinutes(startedAt, endedAt);
  if (minutes > MOST_MINUTES) faults.add(['endedAt'], 'must be at most 24 hours after the start; log several entries.');
  faults.check();
  const times = { kind: 'timer' as const, started_at: startedAt, ended_at: endedAt, day: startedAt.slice(0, 10), minutes };
  return { ...times, item_id: itemId, note, corrected: false };
}

async function refuseFullDays(tx: Tx, { userId, now }: Permit & TimeFacts, state: EntryState): Promise<void> {
  const after = minutesByDay(state, now);
  refuseOverfull('endedAt', new Map(), after, await readDayMinutes(tx, userId, [...after.keys()], 0, now));
}
