/** Where a page of a list ends, as its address says it: the values that the last row is ordered by. A row that has changed since moves
 *  nothing. Pure. */
import { isDate } from '../../values/dates.ts';

/** Group (number, text), column (number, text), due day, priority, id: rows are ordered by these, all upwards but for the column's text. */
export interface Cursor {
  groupNumber: string;
  groupText: string;
  columnNumber: string;
  columnText: string;
  due: string;
  priority: string;
  id: number;
}

const isNumber = (value: unknown) => value === 'Infinity' || value === '-Infinity' || (typeof value === 'number' && Number.isFinite(value));
const isDay = (value: unknown) => value === 'infinity' || (typeof value === 'string' && isDate(value));
const isText = (value: unknown) => typeof value === 'string' && !value.includes('\0') && value.isWellFormed();

export const encodeCursor = (values: readonly unknown[]): string => Buffer.from(JSON.stringify(values)).toString('base64url');

/** Null for what is no cursor, which is the first page. */
export function decodeCursor(text: string | undefined): Cursor | null {
  const values = parsed(text);
  if (!Array.isArray(values) || values.length !== 7) return null;
  const [groupNumber, groupText, columnNumber, columnText, due, priority, id] = values;
  const fits =
    isNumber(groupNumber) && isText(groupText) && isNumber(columnNumber) && isText(columnText) && isDay(due) && isNumber(priority);
  if (!fits || !Number.isSafeInteger(id)) return null;
  return {
    ...{ groupNumber: String(groupNumber), groupText, columnNumber: String(columnNumber), columnText },
    ...{ due, priority: String(priority), id },
  };
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return null;
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}
