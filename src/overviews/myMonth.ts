/** A user's month in whole weeks, with the recorded and planned minutes of each day (behaviour §28.7). */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessToAll } from '../access/queries.ts';
import { PLANS_READ } from '../access/rights.ts';
import { listOf, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import type { Read } from '../operations/operation.ts';
import type { TimeWindow } from '../plans/myTimeQueries.ts';
import { ownDays, ownNow, ownParts } from '../time/ownTimeQueries.ts';
import { addDays, CalendarDate, daysBetween, mondayOf, monthRange, startOfDay, Zone } from '../values/dates.ts';
import { CredentialRefused } from '../values/errors.ts';

const Row = z.object({
  now: z.string(),
  weeklyMinutes: z.number().nullable(),
  /** By UTC day; a running timer counts up to now. */
  days: z.array(z.object({ date: z.string(), minutes: z.number() })),
  /** Epoch milliseconds: parsing thousands of times for each day would take long. */
  blocks: z.array(z.object({ starts: z.number(), ends: z.number() })),
});
export type MonthRow = z.infer<typeof Row>;

/** Throws Unauthenticated. */
export async function readMonth(tx: Tx, caller: Caller, window: TimeWindow): Promise<MonthRow> {
  const { starts, ends } = window;
  const row = await tx.maybeOne(sql.type(Row)`
    with ${accessToAll(caller)}, ${ownParts(window)}
    select ${ownNow} as now, weekly_minutes_now(u.id, u.weekly_minutes) as "weeklyMinutes", ${listOf(ownDays)} as days,
      (select coalesce(json_agg(one), '[]') from (
        select extract(epoch from b.starts_at) * 1000 as starts, extract(epoch from b.ends_at) * 1000 as ends from access
        join plan_blocks b on b.user_id = access.user_id and b.workspace_id = access.workspace_id
        where access.rights & ${PLANS_READ} <> 0 and b.state not in ('cancelled', 'missed')
          and b.starts_at > ${starts}::timestamptz - interval '24 hours' and b.starts_at < ${ends}::timestamptz
          and b.ends_at > ${starts}::timestamptz
      ) one) as blocks
    from who join users u on u.id = who.user_id`);
  if (!row) throw new CredentialRefused();
  return row;
}

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
  const instantOf = (day: string) => Date.parse(startOfDay(day, zone));
  const [starts, ends] = [instantOf(date), instantOf(addDays(date, 1))];
  const within = (block: MonthRow['blocks'][number]) =>
    Math.max(0, Math.floor((Math.min(block.ends, ends) - Math.max(block.starts, starts)) / 60_000));
  return {
    date,
    recorded: days.find((one) => one.date === date)?.minutes ?? 0,
    planned: blocks.reduce((sum, block) => sum + within(block), 0),
  };
}
