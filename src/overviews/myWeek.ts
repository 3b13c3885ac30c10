/** A user's week: recorded and planned time, and the items to record or plan on (behaviour §20.10). */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { asBlock, type PlanBlock } from '../plans/schema.ts';
import { asEntry, type EarlierEntry, type TimeEntry } from '../time/schema.ts';
import { addDays, CalendarDate, mondayOf, startOfDay, Zone } from '../values/dates.ts';
import { Id } from '../values/text.ts';
import { readMyWeek } from './myWeekQueries.ts';
import type { Choice } from './workForTimeQueries.ts';

/** Any day of the week, in the user's time zone. */
const Input = z.strictObject({ date: CalendarDate, zone: Zone, itemId: Id.nullable() });
type Input = z.infer<typeof Input>;

export interface MyWeek {
  monday: string;
  now: string;
  weeklyMinutes: number | null;
  /** Minutes by UTC day. */
  days: ReadonlyMap<string, number>;
  entries: TimeEntry[];
  earlier: ReadonlyMap<number, EarlierEntry[]>;
  timer: TimeEntry | null;
  /** Of these days in the user's time zone. */
  blocks: PlanBlock[];
  chosen: Choice | null;
  choices: readonly Choice[];
  rights: ReadonlyMap<number, number>;
}

export const myWeek: Read<Input, MyWeek> = {
  name: 'myWeek',
  input: Input,
  async run(tx, caller, { date, zone, itemId }) {
    const monday = mondayOf(date);
    const window = {
      from: monday,
      to: addDays(monday, 6),
      starts: startOfDay(monday, zone),
      ends: startOfDay(addDays(monday, 7), zone),
    };
    const row = await readMyWeek(tx, caller, window, itemId);
    return {
      ...{ monday, now: row.now, weeklyMinutes: row.weeklyMinutes, chosen: row.chosen, choices: row.choices },
      days: new Map(row.days.map((one) => [one.date, one.minutes])),
      entries: row.entries.map((entry) => asEntry(entry, row.now)),
      earlier: Map.groupBy(row.earlier, ({ entryId }) => entryId),
      timer: row.timer && asEntry(row.timer, row.now),
      blocks: row.blocks.map(asBlock),
      rights: new Map(row.rights.map(({ workspaceId, rights }) => [workspaceId, rights])),
    };
  },
};
