/** Sets, changes and stops how a task repeats (behaviour §37.9–§37.11). Only people on pages do this. */
import { z } from 'zod';
import type { Caller, Permit } from '../access/caller.ts';
import type { Tx } from '../database/db.ts';
import { storedItem, writableItem } from '../items/changeItems.ts';
import { readFacts, type WriteFacts } from '../items/queries.ts';
import { readReadable } from '../items/relationQueries.ts';
import type { Work } from '../items/schema.ts';
import type { Write } from '../operations/operation.ts';
import { daysBetween, startOfDay, todayIn } from '../values/dates.ts';
import { Conflict, Forbidden, InvalidRequest } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { baseOf } from './choices.ts';
import { type Clock, endSeries, enqueueSeries, insertSeries, lockSeriesOf, readClock, updateSeries } from './queries.ts';
import { Rule } from './rule.ts';
import { nextAfter } from './ruleDates.ts';
import { type HeldSeries, modes } from './schema.ts';

/** `revision`: of the series that the form showed; 0 if the task had none. */
const shown = { workspaceId: Id, id: Id, revision: z.int().min(0) };
const SeriesInput = z.strictObject({ ...shown, rule: Rule, mode: z.enum(modes, 'choose when the next task is made') });
type SeriesInput = z.infer<typeof SeriesInput>;
const Stopping = z.strictObject(shown);

const MOST_DAYS_AWAY = 3_660;

async function authorize(tx: Tx, caller: Caller, { workspaceId, id }: { workspaceId: number; id: number }): Promise<Permit & WriteFacts> {
  const permit = await readFacts(tx, caller, { workspaceId, ids: [id] });
  if (writableItem(permit, id).type !== 'task') throw new Forbidden();
  return permit;
}

/** Throws Conflict if the series has changed, Forbidden if its latest task is hidden. */
async function lockShown(tx: Tx, permit: Permit, { id, revision }: { id: number; revision: number }): Promise<HeldSeries | null> {
  const held = await lockSeriesOf(tx, id);
  if ((held?.revision ?? 0) !== revision)
    throw new Conflict('How this task repeats has changed since you opened it. Check it below, then decide.');
  if (held && !(await readReadable(tx, permit, [held.itemId])).has(held.itemId)) throw new Forbidden();
  return held;
}

export const setSeries: Write<SeriesInput, object, WriteFacts> = {
  name: 'setSeries',
  input: SeriesInput,
  authorize,
  async run(tx, permit, input) {
    const held = await lockShown(tx, permit, input);
    const clock = await readClock(tx, permit.userId);
    const base = held?.lastOn ?? nearBase(storedItem(permit, input.id), clock);
    const content = await contentOf(permit, input, base, clock);
    const seriesId = held?.id ?? (await insertSeries(tx, permit, input.id, content));
    if (held) await updateSeries(tx, permit, held.id, content);
    // Its latest task may be closed already.
    if (input.mode === 'closed') await enqueueSeries(tx, seriesId);
    return {};
  },
};

/** Throws InvalidRequest if the base is too far from today. */
function nearBase({ fields }: Work, { zone, now }: Clock): string {
  const today = todayIn(zone, now);
  const base = baseOf(fields, today);
  if (Math.abs(daysBetween(base, today)) > MOST_DAYS_AWAY)
    throw new InvalidRequest(['rule'], 'can’t count from the date of this task, which is more than ten years away; change that first.');
  return base;
}

async function contentOf({ userId }: Permit, { rule, mode }: SeriesInput, base: string, { zone }: Clock) {
  const nextOn = await nextAfter(userId, rule, base, base);
  if (nextOn === null) throw new InvalidRequest(['rule'], `has no date after ${base}; choose a later end or another rule.`);
  return { rule, mode, startsOn: base, lastOn: base, nextOn, dueAt: mode === 'day' ? startOfDay(nextOn, zone) : null };
}

export const stopSeries: Write<z.infer<typeof Stopping>, object, WriteFacts> = {
  name: 'stopSeries',
  input: Stopping,
  authorize,
  async run(tx, permit, input) {
    const held = await lockShown(tx, permit, input);
    if (held) await endSeries(tx, held.id, 'ended', 'stopped');
    return {};
  },
};
