/** My day: a user's work across workspaces, and the time of one day and its week (behaviour §20.1). */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { asBlock, type PlanBlock } from '../plans/schema.ts';
import { asEntry, type TimeEntry } from '../time/schema.ts';
import { addDays, CalendarDate, startOfDay, todayIn, weekRange, Zone } from '../values/dates.ts';
import { type DayItem, type DayRow, type DaySpan, readMyDay } from './myDayQueries.ts';

export { type DayItem, MOST_WORK } from './myDayQueries.ts';

/** A day in the user's time zone. */
const Input = z.strictObject({ day: CalendarDate, zone: Zone });
type Input = z.infer<typeof Input>;

export interface MyDay {
  day: string;
  /** The day's limits as instants, the end excluded. A day has 23 to 25 hours. */
  starts: string;
  ends: string;
  now: string;
  weeklyMinutes: number | null;
  /** By day, including decisions and items planned for the next days. */
  items: readonly DayItem[];
  more: boolean;
  /** Minutes recorded in the week, by UTC day. */
  days: ReadonlyMap<string, number>;
  entries: TimeEntry[];
  timer: TimeEntry | null;
  /** Of the week, without cancelled ones. */
  blocks: PlanBlock[];
  planned: ReadonlyMap<number, string>;
  rights: ReadonlyMap<number, number>;
}

export const myDay: Read<Input, MyDay> = {
  name: 'myDay',
  input: Input,
  async run(tx, caller, { day, zone }) {
    const span = spanOf(day, zone);
    return asDay(await readMyDay(tx, caller, span), span);
  },
};

function spanOf(day: string, zone: string): DaySpan {
  const week = weekRange(day);
  const [dayStarts, dayEnds] = [startOfDay(day, zone), startOfDay(addDays(day, 1), zone)];
  const [first, last] = [todayIn('UTC', dayStarts), todayIn('UTC', dayEnds)];
  return {
    ...{ day, dayStarts, dayEnds, monday: week.from, sunday: week.to },
    from: first < week.from ? first : week.from,
    to: last > week.to ? last : week.to,
    weekStarts: startOfDay(week.from, zone),
    weekEnds: startOfDay(addDays(week.to, 1), zone),
  };
}

const asDay = (row: DayRow, { day, dayStarts, dayEnds }: DaySpan): MyDay => ({
  ...{ day, starts: dayStarts, ends: dayEnds, now: row.now, weeklyMinutes: row.weeklyMinutes, items: row.items, more: row.more },
  days: new Map(row.days.map(({ date, minutes }) => [date, minutes])),
  entries: row.entries.map((entry) => asEntry(entry, row.now)),
  timer: row.timer && asEntry(row.timer, row.now),
  blocks: row.blocks.map(asBlock),
  // Reversed because the earliest block of an item must win.
  planned: new Map(row.upcoming.toReversed().map(({ itemId, startsAt }) => [itemId, new Date(startsAt).toISOString()])),
  rights: new Map(row.rights.map(({ workspaceId, rights }) => [workspaceId, rights])),
});
