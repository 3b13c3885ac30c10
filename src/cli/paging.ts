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
  return { [name]: page, next: rows.length > PAGE ? last(page.at(-1)!) : null };
}

export const printPage = (name: string) => (result: object) => {
  const { [name]: rows, next } = result as Page;
  return table(rows as readonly object[], next);
};
