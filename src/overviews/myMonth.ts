/** A user's month in whole weeks, with the recorded and planned minutes of each day (behaviour §28.7). */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { addDays, CalendarDate, daysBetween, mondayOf, monthRange, startOfDay, Zone } from '../values/dates.ts';
import { type MonthRow, readMonth } from './myMonthQueries.ts';

/** Any day of the month, in the user's time zone. */
const Input = z.strictObject({ date: CalendarDate, zone: Zone });

export interface MonthDay {
  date: string;
  /** Minutes of the UTC day. */
  recorded: number;
  /** Minutes of the day in the user's time zone. */
  planned: number;
}

export interface MyMonth {
  from: string;
  to: string;
  weeklyMinutes: number | null;
  /** Monday to Sunday. The first and last week may include days of other months. */
  weeks: MonthDay[][];
}

export const myMonth: Read<z.infer<typeof Input>, MyMonth> = {
  name: 'myMonth',
  input: Input,
  async run(tx, caller, { date, zone }) {
    const month = monthRange(date);
    const from = mondayOf(month.from);
    const to = addDays(mondayOf(month.to), 6);
    const row = await readMonth(tx, caller, { from, to, starts: startOfDay(from, zone), ends: startOfDay(addDays(to, 1), zone) });
    const days = Array.from({ length: daysBetween(from, to) + 1 }, (_, n) => dayOf(row, addDays(from, n), zone));
    const weeks = Array.from({ length: days.length / 7 }, (_, n) => days.slice(n * 7, n * 7 + 7));
    return { ...month, weeklyMinutes: row.weeklyMinutes, weeks };
  },
};

function dayOf({ days, blocks }: MonthRow, date: string, zone: string): MonthDay {
  const [starts, ends] = [date, addDays(date, 1)].map((day) => Date.parse(startOfDay(day, zone))) as [number, number];
  const within = ({ startsAt, endsAt }: MonthRow['blocks'][number]) =>
    Math.max(0, Math.floor((Math.min(Date.parse(endsAt), ends) - Math.max(Date.parse(startsAt), starts)) / 60_000));
  return {
    date,
    recorded: days.find((one) => one.date === date)?.minutes ?? 0,
    planned: blocks.reduce((sum, block) => sum + within(block), 0),
  };
}
