/** Input of the week grid: cells of existing rows, and new rows (behaviour §28.3). */
import { cellMinutes, type GridCell } from '../../time/saveGrid.ts';
import { AppError } from '../../values/errors.ts';
import type { Form } from '../frame/forms.ts';
import type { PageRequest } from '../frame/page.ts';
import type { Refusal } from '../frame/submitted.ts';
import { workNamed } from './work.ts';

/** New rows without an item. */
export const MOST_NEW = 20;

export const cellName = (itemId: number, date: string) => `m-${itemId}-${date}`;
export const wasName = (itemId: number, date: string) => `was-${itemId}-${date}`;
export const newName = (row: number, date: string) => `n-${row}-${date}`;
export const workName = (row: number) => `work-${row}`;
export const choiceName = (row: number) => `item-${row}`;

interface TypedCell {
  name: string;
  cell: GridCell;
}

/** A row that the user added. Its text is matched to an item later. */
interface NewRow {
  row: number;
  cells: { name: string; date: string; minutes: number }[];
}

/** Only cells that differ from the values shown. */
function changedCells(form: Form): TypedCell[] {
  return form.names.flatMap((name) => {
    const [, id, date] = /^m-([1-9]\d{0,14})-(\d{4}-\d{2}-\d{2})$/.exec(name) ?? [];
    if (!id || !date) return [];
    const minutes = cellMinutes(form.text(name));
    const was = form.number(wasName(Number(id), date)) ?? 0;
    return minutes === was ? [] : [{ name, cell: { itemId: Number(id), date, minutes, was } }];
  });
}

function newRows(form: Form): NewRow[] {
  const typed = form.names.flatMap((name) => {
    const [, named] = /^work-(\d{1,2})$/.exec(name) ?? [];
    if (named && form.text(name)) return [{ row: Number(named), cells: [] }];
    const [, row, date] = /^n-(\d{1,2})-(\d{4}-\d{2}-\d{2})$/.exec(name) ?? [];
    const minutes = date ? cellMinutes(form.text(name)) : 0;
    return row && date && minutes !== 0 ? [{ row: Number(row), cells: [{ name, date, minutes }] }] : [];
  });
  const rows = [...Map.groupBy(typed, ({ row }) => row)].slice(0, MOST_NEW);
  return rows.map(([row, parts]) => ({ row, cells: parts.flatMap(({ cells }) => cells) }));
}

export interface TypedGrid {
  cells: TypedCell[];
  /** Rows whose item is unclear, with the error. */
  unknown: ReadonlyMap<number, AppError>;
  /** Names of fields with an invalid length. */
  unread: readonly string[];
}

export interface Refused {
  refusal: Refusal;
  typed: TypedGrid;
}

export async function typedGrid(request: PageRequest): Promise<TypedGrid> {
  const cells = changedCells(request.form);
  const unknown = new Map<number, AppError>();
  const added = newRows(request.form);
  for (const { row, cells: typed } of added) {
    try {
      const itemId = await workOf(request, row);
      cells.push(...typed.map(({ name, date, minutes }) => ({ name, cell: { itemId, date, minutes, was: null } })));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      unknown.set(row, error);
    }
  }
  const all = [...cells.map(({ name, cell }) => ({ name, minutes: cell.minutes })), ...added.flatMap((row) => row.cells)];
  return { cells, unknown, unread: all.filter(({ minutes }) => Number.isNaN(minutes)).map(({ name }) => name) };
}

async function workOf(request: PageRequest, row: number): Promise<number> {
  return request.form.id(choiceName(row)) || workNamed(request, 'time', request.form.text(workName(row)));
}
