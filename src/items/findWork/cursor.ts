/** The cursor of a list page: the sort values of its last row. If that row changes later, the cursor keeps its position. Pure. */
import { isDate } from '../../values/dates.ts';

/** Sort values in order: group (number, text), column (number, text), due date, priority, id. */
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

/** Returns null for an invalid cursor, which means the first page. */
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
