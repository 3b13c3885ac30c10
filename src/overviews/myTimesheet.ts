/** The week grid: a user's week by item and UTC day (behaviour §28.1). */
import { z } from 'zod';
import { bits, holds } from '../access/rights.ts';
import type { Read } from '../operations/operation.ts';
import { CalendarDate, mondayOf } from '../values/dates.ts';
import { type GridRow, readTimesheet } from './myTimesheetQueries.ts';
import type { Choice } from './workForTimeQueries.ts';

export { MOST_ROWS } from './myTimesheetQueries.ts';

const Input = z.strictObject({ date: CalendarDate });

export interface SheetCell {
  minutes: number;
  entries: number;
  /** A running timer, counted up to now. */
  runs: boolean;
}

export interface SheetRow {
  /** null: all items that the reader can't see, as one row. */
  itemId: number | null;
  title: string | null;
  workspaceId: number;
  workspace: string;
  may: boolean;
  before: boolean;
  cells: ReadonlyMap<string, SheetCell>;
}

export interface Timesheet {
  monday: string;
  /** In UTC. Later days have no time yet. */
  today: string;
  weeklyMinutes: number | null;
  rows: SheetRow[];
  choices: readonly Choice[];
  rights: ReadonlyMap<number, number>;
}

export const myTimesheet: Read<z.infer<typeof Input>, Timesheet> = {
  name: 'myTimesheet',
  input: Input,
  async run(tx, caller, { date }) {
    const monday = mondayOf(date);
    const { rows, rights, ...facts } = await readTimesheet(tx, caller, monday);
    const seen = rows.filter(({ itemId }) => itemId !== null).map(asRow);
    const hidden = hiddenRow(rows.filter(({ itemId, cells }) => itemId === null && cells.length > 0));
    return {
      ...{ monday, ...facts },
      rows: hidden ? [...seen, hidden] : seen,
      rights: new Map(rights.map((one) => [one.workspaceId, one.rights])),
    };
  },
};

const asRow = ({ rights, cells, before, ...row }: GridRow): SheetRow => ({
  ...row,
  may: holds(rights, bits('time', 'write')),
  before: before && cells.length === 0,
  cells: new Map(cells.map(({ day, ...cell }) => [day, cell])),
});

/** Hidden work counts in the sums but shows no details (behaviour §9.11). */
function hiddenRow(rows: readonly GridRow[]): SheetRow | null {
  const [first] = rows;
  if (!first) return null;
  const cells = new Map<string, SheetCell>();
  for (const { day, minutes, entries, runs } of rows.flatMap((row) => row.cells)) {
    const held = cells.get(day);
    cells.set(day, { minutes: minutes + (held?.minutes ?? 0), entries: entries + (held?.entries ?? 0), runs: runs || held?.runs === true });
  }
  return { itemId: null, title: null, workspaceId: first.workspaceId, workspace: '', may: false, before: false, cells };
}
