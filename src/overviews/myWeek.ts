/** A user's week: recorded and planned time, and the items to record or plan on (behaviour §20.10). */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessToAll } from '../access/queries.ts';
import { PLANS_WRITE, TIME_WRITE } from '../access/rights.ts';
import { listOf, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import type { Read } from '../operations/operation.ts';
import { MyTimeRow, ofBlocks, type TimeWindow } from '../plans/myTimeQueries.ts';
import { asBlock, type PlanBlock } from '../plans/schema.ts';
import { ownDays, ownEntries, ownNow, ownParts, ownTimer } from '../time/ownTimeQueries.ts';
import { earlierJson } from '../time/reportQueries.ts';
import { asEntry, EarlierEntry, type TimeEntry } from '../time/schema.ts';
import { addDays, CalendarDate, mondayOf, startOfDay, Zone } from '../values/dates.ts';
import { CredentialRefused } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { Choice, knownChoices, knownWork, namedChoice } from './workForTime.ts';

const MOST_CHOICES = 50;
/** Entries, and blocks, of a week. */
export const MOST_SHOWN = 300;

const Row = MyTimeRow.extend({
  now: z.string(),
  /** Usual minutes of a week, not reduced by absences and public holidays. */
  weeklyMinutes: z.number().nullable(),
  /** Days of an absence or public holiday. */
  away: z.array(z.string()),
  chosen: Choice.nullable(),
  choices: z.array(Choice),
  earlier: z.array(EarlierEntry),
  rights: z.array(z.object({ workspaceId: z.number(), rights: z.number() })),
});
export type WeekRow = z.infer<typeof Row>;

/** `itemId`: the preselected item of the forms. Throws Unauthenticated. */
export async function readMyWeek(tx: Tx, caller: Caller, window: TimeWindow, itemId: number | null): Promise<WeekRow> {
  const row = await tx.maybeOne(sql.type(Row)`
    with ${accessToAll(caller)}, ${ownParts(window)},
    ${knownWork(sql.fragment`rights & ${TIME_WRITE} = ${TIME_WRITE} or rights & ${PLANS_WRITE} = ${PLANS_WRITE}`)}
    select ${listOf(ownDays)} as days,
      ${listOf(sql.fragment`
        ${ownEntries} and e.minutes is not null and e.id in (select entry_id from parts) order by e.day, e.started_at, e.id limit ${MOST_SHOWN + 1}`)} as entries,
      ${ownTimer} as timer,
      ${listOf(sql.fragment`${ofBlocks(window)} order by b.starts_at, b.id limit ${MOST_SHOWN + 1}`)} as blocks,
      ${ownNow} as now, available_minutes(u.id, ${window.from}) as "weeklyMinutes",
      array(select day::date::text from generate_series(${window.from}::date, ${window.to}::date, interval '1 day') day where is_away(u.id, day::date)) as away,
      ${earlierJson} as earlier, ${namedChoice(itemId)} as chosen, ${knownChoices([], MOST_CHOICES)} as choices,
      (select coalesce(json_agg(json_build_object('workspaceId', workspace_id, 'rights', rights)), '[]') from access) as rights
    from who join users u on u.id = who.user_id`);
  if (!row) throw new CredentialRefused();
  return row;
}

/** Any day of the week, in the user's time zone. */
const Input = z.strictObject({ date: CalendarDate, zone: Zone, itemId: Id.nullable() });
type Input = z.infer<typeof Input>;

export interface MyWeek extends Pick<WeekRow, 'now' | 'weeklyMinutes' | 'away' | 'chosen' | 'choices'> {
  monday: string;
  /** The week has more entries or blocks than those shown, which are the first. */
  hasMore: boolean;
  /** Minutes by UTC day, the running timer's up to now included. */
  days: ReadonlyMap<string, number>;
  entries: TimeEntry[];
  earlier: ReadonlyMap<number, EarlierEntry[]>;
  timer: TimeEntry | null;
  /** For these days in the user's time zone. */
  blocks: PlanBlock[];
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
      ...{ monday, now: row.now, weeklyMinutes: row.weeklyMinutes, away: row.away, chosen: row.chosen, choices: row.choices },
      days: new Map(row.days.map((one) => [one.date, one.minutes])),
      hasMore: row.entries.length > MOST_SHOWN || row.blocks.length > MOST_SHOWN,
      entries: row.entries.slice(0, MOST_SHOWN).map((entry) => asEntry(entry, row.now)),
      earlier: Map.groupBy(row.earlier, ({ entryId }) => entryId),
      timer: row.timer && asEntry(row.timer, row.now),
      blocks: row.blocks.slice(0, MOST_SHOWN).map(asBlock),
      rights: new Map(row.rights.map(({ workspaceId, rights }) => [workspaceId, rights])),
    };
  },
};
