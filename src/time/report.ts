/** The time report (behaviour §25): the user's own time in all workspaces, or with oversight all users' time in one workspace or in
 *  all of them. */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { addDays, CalendarDate, daysBetween } from '../values/dates.ts';
import { Id } from '../values/text.ts';
import { groupings, type Line, type Report, readLines, readReport } from './reportQueries.ts';

export { type Group, type Grouping, groupings, type Line, MOST_GROUPS } from './reportQueries.ts';

const DAYS = 366;

const span = {
  /** 0: the caller's own time; `all`: all users' time in all workspaces that the caller oversees. */
  workspaceId: z.union([z.literal(0), z.literal('all'), Id]),
  from: CalendarDate,
  to: CalendarDate,
};

function checkSpan({ value: { from, to }, issues }: z.core.ParsePayload<{ from: string; to: string }>): void {
  if (to < from) issues.push({ code: 'custom', path: ['to'], message: 'give a last day that is not before the first', input: to });
  else if (daysBetween(from, to) >= DAYS) issues.push({ code: 'custom', path: ['to'], message: `give at most ${DAYS} days`, input: to });
}

const Input = z.strictObject({ ...span, by: z.enum(groupings) }).check(checkSpan);

export const timeReport: Read<z.infer<typeof Input>, Report> = {
  name: 'timeReport',
  input: Input,
  run: (tx, caller, { by, ...asked }) => readReport(tx, caller, asked, by),
};

const Days = z.strictObject(span).check(checkSpan);

/** Sums by day, user and item. For long ranges, call it per week (`weeksOf`). */
export const timeLines: Read<z.infer<typeof Days>, readonly Line[]> = {
  name: 'timeLines',
  input: Days,
  run: (tx, caller, asked) => readLines(tx, caller, asked),
};

export function* weeksOf(from: string, to: string): Generator<{ from: string; to: string }> {
  for (let first = from; first <= to; first = addDays(first, 7)) {
    const last = addDays(first, 6);
    yield { from: first, to: last < to ? last : to };
  }
}
