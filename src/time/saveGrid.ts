/** Saves the changed cells of the week grid, all or none (behaviour §28.5). */
import { z } from 'zod';
import { type Permit, permitOutside } from '../access/caller.ts';
import { holds, TIME_WRITE } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import type { Write } from '../operations/operation.ts';
import { markForecastOf } from '../queue/jobs.ts';
import { CalendarDate } from '../values/dates.ts';
import { Conflict, Faults, Forbidden } from '../values/errors.ts';
import { valueAt } from '../values/records.ts';
import { Id } from '../values/text.ts';
import { type GridFacts, readGridFacts } from './gridQueries.ts';
import { takeTime } from './lineTimes.ts';
import { insertEntry, lockPerson, readDayMinutes, updateEntry } from './queries.ts';
import { type EntryRow, isRunning } from './schema.ts';

// How a typed total changes a cell of the week grid (behaviour §28.3, §28.4). Pure.

/** Converts cell text to minutes. A number alone means hours, empty text means 0. NaN if it is not a duration. */
export function cellMinutes(text: string): number {
  const typed = text.trim();
  if (typed === '') return 0;
  if (/^\d{1,3}(?:[.,]\d{1,4})?$/.test(typed)) return Math.round(Number(typed.replace(',', '.')) * 60);
  const found = takeTime(typed);
  return found?.time.kind === 'duration' && !found.before && !found.after ? found.time.minutes : Number.NaN;
}

export interface Part {
  entry: EntryRow;
  minutes: number;
}

export interface Typed {
  minutes: number;
  /** The cell's minutes when it was shown; null: adds to the current minutes. */
  was: number | null;
}

export type Step =
  | { do: 'nothing' | 'moved' | 'running' | 'several' }
  | { do: 'add'; minutes: number }
  | { do: 'correct'; entry: EntryRow; minutes: number };

/** `parts`: the cell's current entries. A single manual entry gets the typed value; otherwise the difference is added. */
export function stepOf(parts: readonly Part[], { minutes, was }: Typed): Step {
  if (was === null) return minutes === 0 ? { do: 'nothing' } : { do: 'add', minutes };
  if (parts.some(({ entry }) => isRunning(entry))) return { do: 'running' };
  const held = parts.reduce((sum, part) => sum + part.minutes, 0);
  if (held !== was) return { do: 'moved' };
  if (held === minutes) return { do: 'nothing' };
  // Ignores entries of 0 minutes.
  const [only, ...others] = parts.filter((part) => part.minutes > 0);
  if (only && others.length === 0 && only.entry.kind === 'manual') return { do: 'correct', entry: only.entry, minutes };
  return minutes > held ? { do: 'add', minutes: minutes - held } : { do: 'several' };
}

const DAY_MINUTES = 1_440;
const MOST_CELLS = 350;
export const lengthFault = 'give a length up to 24 hours, such as 1:30, 1h30, 45m or 1.5 for hours';
const Length = z.int(lengthFault).min(0, lengthFault).max(DAY_MINUTES, lengthFault);

const Cell = z.strictObject({
  itemId: Id,
  date: CalendarDate,
  minutes: Length,
  /** The cell's minutes when it was shown; null: adds to the current minutes. */
  was: Length.nullable(),
});
export type GridCell = z.infer<typeof Cell>;

const Input = z.strictObject({
  cells: z.array(Cell).min(1, 'type into a cell first').max(MOST_CELLS, `change at most ${MOST_CELLS} cells at once`),
});
type Input = z.infer<typeof Input>;

const REASON = 'Entered in the timesheet.';

export const saveGrid: Write<Input, { changed: number }, { facts: GridFacts }> = {
  name: 'saveGrid',
  input: Input,

  async authorize(tx, caller, { cells }, { replay }) {
    if (caller.kind === 'agent') throw new Forbidden();
    if (!replay) await lockPerson(tx, caller);
    const facts = await readGridFacts(tx, caller, [...new Set(cells.map(({ itemId }) => itemId))], daysOf(cells));
    const may = new Set(facts.items.filter(({ rights }) => holds(rights, TIME_WRITE)).map(({ id }) => id));
    if (cells.some(({ itemId }) => !may.has(itemId))) throw new Forbidden();
    return { ...permitOutside(caller, facts.accountId, facts.userId), facts };
  },

  async run(tx, permit, { cells }) {
    const { facts } = permit;
    const places = new Map(facts.items.map(({ id, workspaceId }) => [id, workspaceId]));
    const steps = cells.map((cell) => ({ cell, step: stepOf(partsOf(facts, cell), cell), workspaceId: valueAt(places, cell.itemId) }));
    refuseMoved(steps);
    refuseFaulty(steps, facts, await readDayMinutes(tx, permit.userId, daysOf(cells), 0, facts.now));
    // Locks items in id order, so that two grids, or a grid and an archiving, don't deadlock.
    const changes = steps.filter(({ step }) => step.do !== 'nothing').sort((one, other) => one.cell.itemId - other.cell.itemId);
    for (const { cell, step, workspaceId } of changes) await take(tx, { ...permit, workspaceId }, cell, step);
    if (changes.length) await markForecastOf(tx, ...new Set(changes.map(({ workspaceId }) => workspaceId)));
    return { changed: changes.length };
  },
};

const daysOf = (cells: readonly GridCell[]): string[] => [...new Set(cells.map(({ date }) => date))];

const partsOf = ({ parts }: GridFacts, { itemId, date }: GridCell) =>
  parts
    .filter((part) => part.item_id === itemId && part.on_day === date)
    .map(({ on_day: _, on_minutes: minutes, ...entry }) => ({ entry, minutes }));

interface CellStep {
  cell: GridCell;
  step: Step;
}

function refuseMoved(steps: readonly CellStep[]): void {
  const moved = steps.filter(({ step }) => step.do === 'moved').length;
  if (moved === 0) return;
  const which = moved === 1 ? '1 cell has' : `${moved} cells have`;
  throw new Conflict(`${which} changed since you opened the page, so nothing was saved. Check the current values, then save again.`);
}

function refuseFaulty(steps: readonly CellStep[], { today }: GridFacts, days: Map<string, number>): void {
  const faults = new Faults();
  const grown = new Map(days);
  for (const [n, { cell, step }] of steps.entries()) {
    const { date } = cell;
    const fault = (whatToDo: string) => faults.add(['cells', n, 'minutes'], whatToDo);
    if (date > today && step.do !== 'nothing') fault(`${date} is in the future; give a day up to today, which is ${today} (UTC).`);
    if (step.do === 'running') fault('a timer is running in this cell. Stop it first.');
    if (step.do === 'several') fault('this is less than the sum of several entries. Open the day and correct them one by one.');
    const more = step.do === 'add' ? step.minutes : step.do === 'correct' ? step.minutes - (step.entry.minutes ?? 0) : 0;
    const sum = (grown.get(date) ?? 0) + more;
    grown.set(date, sum);
    if (more > 0 && sum > DAY_MINUTES) fault(`${date} (UTC) would have more than 24 hours; give less.`);
  }
  faults.check();
}

async function take(tx: Tx, permit: Permit, { itemId, date }: GridCell, step: Step): Promise<void> {
  if (step.do === 'add') {
    const times = { kind: 'manual' as const, started_at: null, ended_at: null, day: date, minutes: step.minutes };
    await insertEntry(tx, permit, { ...times, item_id: itemId, note: '', corrected: false });
  }
  if (step.do === 'correct') await updateEntry(tx, step.entry.id, { ...step.entry, minutes: step.minutes, corrected: true }, REASON);
}
