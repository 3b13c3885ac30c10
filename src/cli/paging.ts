import { table } from './command.ts';
import { PAGE } from './listQueries.ts';
import { optionalId } from './options.ts';

export const after = optionalId(`the \`next\` of the previous page; a page has ${PAGE.toLocaleString('en')}`);

export interface Page {
  [name: string]: readonly object[] | number | null;
  next: number | null;
}

/** `rows`: at most PAGE + 1. `last`: the position after which the next page begins. */
export function pageOf<Row extends object>(name: string, rows: readonly Row[], last: (row: Row) => number): Page {
  const page = rows.slice(0, PAGE);
  const end = page.at(-1);
  return { [name]: page, next: end && rows.length > PAGE ? last(end) : null };
}

export const printPage =
  (name: string) =>
  ({ [name]: rows, next }: Page) =>
    table(typeof rows === 'object' && rows !== null ? rows : [], next);
