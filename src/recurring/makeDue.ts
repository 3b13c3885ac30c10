/** Makes the next task of a series once, with the current rights of the user who set it (behaviour §37.12–§37.14). */
import { z } from 'zod';
import { permitOutside } from '../access/caller.ts';
import type { Db, Tx } from '../database/db.ts';
import { createTree, movedBy, type Tree, treeFacts, treeFrom } from '../items/tree.ts';
import { notify } from '../notifications/queries.ts';
import type { Write } from '../operations/operation.ts';
import { perform } from '../operations/perform.ts';
import { addDays, startOfDay, todayIn } from '../values/dates.ts';
import { AppError, Unavailable } from '../values/errors.ts';
import { TooExpensive } from '../values/helperThread.ts';
import { elementAt } from '../values/records.ts';
import { Id } from '../values/text.ts';
import {
  advanceSeries,
  type Clock,
  endSeries,
  enqueueDueSeries,
  insertOccurrence,
  lockActive,
  MOST_ENQUEUED,
  readSetter,
} from './queries.ts';
import { latestBetween, nextAfter } from './ruleDates.ts';
import type { HeldSeries, Reason } from './schema.ts';

const Input = z.strictObject({ recurrenceId: Id });
type Input = z.infer<typeof Input>;

export async function enqueueDue(db: Db, signal: AbortSignal): Promise<void> {
  for (let after = 0, count = MOST_ENQUEUED; count === MOST_ENQUEUED; ) {
    signal.throwIfAborted();
    const found = await enqueueDueSeries(db.pool(), after);
    [after, count] = [found.last ?? after, found.count];
  }
}

/** Of a rule in the helper thread (behaviour §13.20). */
const TRIES = 2;

/** Safe to run twice, too early or too late. Pauses the series if its user may no longer make the task, or if the rules refuse it. */
export async function makeDue(db: Db, input: Input): Promise<void> {
  const userId = await readSetter(db.pool(), input.recurrenceId);
  if (userId === null) return;
  try {
    await perform(db, { kind: 'user', userId }, makeNext, input);
  } catch (error) {
    const reason = error instanceof AppError ? reasons[error.code] : undefined;
    if (!reason) throw error instanceof Unavailable && error.cause ? error.cause : error;
    const problem = error instanceof TooExpensive ? 'its rule takes too long to compute' : null;
    await db.transaction((tx) => pause(tx, input.recurrenceId, userId, reason, problem));
  }
}

/** For a job that was set aside (behaviour §13.20). */
export async function giveUpSeries(db: Db, { recurrenceId }: Input): Promise<void> {
  const userId = await readSetter(db.pool(), recurrenceId);
  const problem = 'the server stopped several times while it created the next task';
  if (userId !== null) await db.transaction((tx) => pause(tx, recurrenceId, userId, 'failed', problem));
}

const reasons: Partial<Record<AppError['code'], Reason>> = {
  forbidden: 'access',
  unauthenticated: 'access',
  invalid_request: 'failed',
  conflict: 'failed',
};

const copied = { below: true, labels: true, dependencies: true, people: true };

const makeNext: Write<Input, void> = {
  name: 'makeNext',
  input: Input,
  authorize: async (_tx, caller) => permitOutside(caller, 0, caller.kind === 'user' ? caller.userId : 0),
  async run(tx, { caller, userId }, { recurrenceId }) {
    const series = await lockActive(tx, recurrenceId);
    if (series?.userId !== userId) return;
    if (!series.shown) return endSeries(tx, series.id, 'ended', 'archived');
    const date = await dueDate(series, todayIn(series.zone, series.now));
    if (date === null && series.closed && series.mode === 'closed') return endSeries(tx, series.id, 'ended', 'finished');
    // The job ran early, because the user's time zone has changed.
    if (date === null) return advance(tx, series, { itemId: series.itemId, lastOn: series.lastOn });
    const tree = nextTree(await treeFrom(tx, caller, { workspaceId: series.workspaceId, id: series.itemId }, copied), series.lastOn, date);
    const itemId = elementAt(await createTree(tx, await treeFacts(tx, caller, series.workspaceId, tree), tree), 0);
    await insertOccurrence(tx, series, date, itemId);
    await advance(tx, series, { itemId, lastOn: date });
  },
};

/** The date of the task to make now. Of several missed dates it is the latest. */
async function dueDate(
  { userId, mode, closed, rule, startsOn, lastOn }: HeldSeries & { closed: boolean },
  today: string,
): Promise<string | null> {
  if (mode === 'day') return latestBetween(userId, rule, startsOn, { after: lastOn, today }, TRIES);
  const yesterday = addDays(today, -1);
  return closed ? nextAfter(userId, rule, startsOn, lastOn > yesterday ? lastOn : yesterday, TRIES) : null;
}

/** The first date of the task moves to `date`, the others keep their distance. A task without dates becomes due then. */
function nextTree(tree: Tree, lastOn: string, date: string): Tree {
  const { fields, ...root } = elementAt(tree, 0);
  const from = fields.startDate ?? fields.dueDate ?? fields.targetDate;
  const dated = from ? tree : [{ ...root, fields: { ...fields, dueDate: lastOn } }, ...tree.slice(1)];
  return movedBy(dated, { from: from ?? lastOn, to: date, workdays: false });
}

async function advance(tx: Tx, series: HeldSeries & Clock, to: { itemId: number; lastOn: string }): Promise<void> {
  const nextOn = await nextAfter(series.userId, series.rule, series.startsOn, to.lastOn, TRIES);
  const dueAt = nextOn !== null && series.mode === 'day' ? startOfDay(nextOn, series.zone) : null;
  await advanceSeries(tx, series.id, { ...to, nextOn, dueAt });
}

/** `problem`: continues after "paused:". */
async function pause(tx: Tx, id: number, userId: number, reason: Reason, problem: string | null): Promise<void> {
  const series = await lockActive(tx, id);
  if (series?.userId !== userId) return;
  await endSeries(tx, id, 'paused', reason, problem);
  const { accountId, workspaceId, itemId, zone, now } = series;
  await notify(tx, { accountId, workspaceId, userId, kind: 'series_paused', itemId, dueOn: todayIn(zone, now), dueAt: now });
}
