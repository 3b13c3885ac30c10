/** Minutes count from the start of the user's day, which may have 23 or 25 hours (behaviour §20.3). Pure. */
import type { MyDay } from '../../overviews/myDay.ts';
import type { PlanBlock } from '../../plans/schema.ts';
import type { TimeEntry } from '../../time/schema.ts';
import { addDays, startOfDay, weekRange } from '../../values/dates.ts';

const MINUTE = 60_000;
/** Minutes. Gaps in this range may be unrecorded work. */
const GAP = { least: 15, most: 120 };

export interface DayRange<Of> {
  of: Of;
  from: number;
  to: number;
  /** The entry starts before the day or ends after it. */
  before: boolean;
  after: boolean;
}

export interface DayTimes {
  /** Minutes: 1,380 to 1,500. */
  length: number;
  planned: DayRange<PlanBlock>[];
  recorded: DayRange<TimeEntry>[];
  gaps: { from: number; to: number }[];
  /** Entries without start and end time. */
  byHand: TimeEntry[];
  plannedMinutes: number;
  recordedMinutes: number;
  /** Current minute; null on other days. */
  now: number | null;
}

type Day = Pick<MyDay, 'starts' | 'ends' | 'now' | 'entries' | 'timer' | 'blocks'>;

export function timesOf(day: Day): DayTimes {
  const [starts, ends, now] = [Date.parse(day.starts), Date.parse(day.ends), Date.parse(day.now)];
  /** A running timer has no end yet. */
  const within = <Of>(of: Of, startedAt: string | null, endedAt: string | null): DayRange<Of>[] => {
    if (startedAt === null) return [];
    const from = Date.parse(startedAt);
    const to = endedAt === null ? Math.max(now, from) : Date.parse(endedAt);
    // Keep entries of zero length.
    if (from >= ends || (to <= starts && from < starts)) return [];
    const minute = (at: number) => (Math.min(Math.max(at, starts), ends) - starts) / MINUTE;
    return [{ of, from: minute(from), to: minute(to), before: from < starts, after: to > ends }];
  };
  const planned = day.blocks.flatMap((block) => within(block, block.startsAt, block.endsAt));
  const entries = day.timer ? [...day.entries, day.timer] : day.entries;
  const recorded = entries.flatMap((entry) => within(entry, entry.startedAt, entry.endedAt));
  const byHand = day.entries.filter(({ startedAt }) => startedAt === null);
  return {
    length: (ends - starts) / MINUTE,
    planned,
    recorded,
    gaps: gapsIn(recorded),
    byHand,
    plannedMinutes: minutesOf(planned.filter(({ of }) => of.state !== 'missed')),
    recordedMinutes: minutesOf(recorded) + byHand.reduce((sum, { minutes }) => sum + minutes, 0),
    now: now >= starts && now < ends ? (now - starts) / MINUTE : null,
  };
}

const minutesOf = (stretches: readonly DayRange<unknown>[]): number =>
  stretches.reduce((sum, { from, to }) => sum + Math.floor(to - from), 0);

function gapsIn(recorded: readonly DayRange<unknown>[]): { from: number; to: number }[] {
  const inOrder = [...recorded].sort((one, other) => one.from - other.from);
  let until = inOrder[0]?.to ?? 0;
  return inOrder.slice(1).flatMap(({ from, to }) => {
    const gap = { from: until, to: from };
    until = Math.max(until, to);
    return gap.to - gap.from >= GAP.least && gap.to - gap.from <= GAP.most ? [gap] : [];
  });
}

export interface WeekTimes {
  days: { date: string; recorded: number; planned: number }[];
  recorded: number;
  /** Planned minutes that are still ahead. */
  ahead: number;
}

export type Week = Pick<MyDay, 'day' | 'days' | 'blocks' | 'now'>;

/** Recorded minutes use UTC days; planned minutes use the user's days. */
export function weekOf({ day, days, blocks, now }: Week, zone: string): WeekTimes {
  const { from: monday } = weekRange(day);
  const planned = blocks.filter(({ state }) => state !== 'missed');
  const inside = (starts: number, ends: number, { startsAt, endsAt }: PlanBlock) =>
    Math.max(0, Math.floor((Math.min(Date.parse(endsAt), ends) - Math.max(Date.parse(startsAt), starts)) / MINUTE));
  const all = Array.from({ length: 7 }, (_, n) => {
    const date = addDays(monday, n);
    const [starts, ends] = [Date.parse(startOfDay(date, zone)), Date.parse(startOfDay(addDays(date, 1), zone))];
    return {
      date,
      recorded: days.get(date) ?? 0,
      planned: planned.reduce((sum, block) => sum + inside(starts, ends, block), 0),
    };
  });
  const [starts, ends] = [Date.parse(startOfDay(monday, zone)), Date.parse(startOfDay(addDays(monday, 7), zone))];
  const ahead = planned.filter(({ state }) => state === 'scheduled' || state === 'running');
  return {
    days: all,
    recorded: all.reduce((sum, { recorded }) => sum + recorded, 0),
    ahead: ahead.reduce((sum, block) => sum + inside(Math.max(starts, Date.parse(now)), ends, block), 0),
  };
}
