/** The cursor of a list page: the sort values of its last row. If that row changes later, the cursor keeps its position. Pure. */
import { z } from 'zod';
import { CalendarDate } from '../../values/dates.ts';
import { unstorable } from '../../values/text.ts';

const number = z.union([z.number(), z.literal(['Infinity', '-Infinity'])]).transform(String);
const text = z.string().refine((value) => unstorable(value) === null);
const day = z.union([z.literal('infinity'), CalendarDate]);

/** Sort values in order: group (number, text), column (number, text), due date, priority, id. */
const Values = z.tuple([number, text, number, text, day, number, z.int()]);

export const encodeCursor = (values: readonly unknown[]): string => Buffer.from(JSON.stringify(values)).toString('base64url');

/** Returns null for an invalid cursor, which means the first page. */
export function decodeCursor(given: string | undefined) {
  const { data } = Values.safeParse(parsed(given));
  if (!data) return null;
  const [groupNumber, groupText, columnNumber, columnText, due, priority, id] = data;
  return { groupNumber, groupText, columnNumber, columnText, due, priority, id };
}
export type Cursor = NonNullable<ReturnType<typeof decodeCursor>>;

function parsed(given = ''): unknown {
  try {
    return JSON.parse(Buffer.from(given, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}
