/** svc_my_time: the caller's recorded time by UTC day, running timer, and blocks in the caller's zone (behaviour §9.10, §9.12). */
import type { Caller } from '../access/caller.ts';
import { PLANS_READ, TIME_READ } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import type { Warning } from '../items/warnings.ts';
import type { Read } from '../operations/operation.ts';
import { asEntry, MyTimeArguments, rangeOf, type TimeEntry, UPCOMING_DAYS } from '../time/schema.ts';
import { addDays, startOfDay } from '../values/dates.ts';
import { Forbidden } from '../values/errors.ts';
import { type WithoutNulls, withoutNulls } from '../values/records.ts';
import { readMyTime, readReader } from './myTimeQueries.ts';
import { whileAway } from './planBlock.ts';
import { readAwayBlocks } from './queries.ts';
import { asBlock, type BlockRow, type PlanBlock } from './schema.ts';

export interface MyTime {
  range: { from: string; to: string; timezone: 'UTC' };
  totalMinutes: number;
  /** Days with entries, oldest first; 0 for less than a minute. */
  days: { date: string; minutes: number }[];
  /** Stopped timers and manual entries with time in the range, without null fields. */
  entries: WithoutNulls<TimeEntry>[];
  timer: TimeEntry | null;
  planBlocks: WithoutNulls<PlanBlock>[];
  /** More entries or blocks follow. */
  hasMore: boolean;
  nextAfterId: number;
  /** Of scheduled blocks on days on which the caller is away. Absent without any. */
  warnings?: Warning[];
}

const EITHER = TIME_READ | PLANS_READ;

export const myTime: Read<MyTimeArguments, MyTime> = {
  name: 'myTime',
  input: MyTimeArguments,

  async run(tx: Tx, caller: Caller, input: MyTimeArguments) {
    const { zone, now, today, rights } = await readReader(tx, caller);
    // An agent without these rights gets an error; a user gets an empty result.
    if (caller.kind === 'agent' && !(rights & EITHER)) throw new Forbidden();
    const { from, to } = rangeOf(input, today);
    const span = input.period === 'upcoming' ? fromNow(now) : { starts: startOfDay(from, zone), ends: startOfDay(addDays(to, 1), zone) };
    const found = await readMyTime(tx, caller, { from, to, ...span }, input.afterId);
    const warnings = await awayWarnings(tx, found.blocks);
    return {
      range: { from, to, timezone: 'UTC' as const },
      totalMinutes: found.days.reduce((sum, { minutes }) => sum + minutes, 0),
      days: found.days,
      entries: found.entries.map((row) => withoutNulls(asEntry(row, now))),
      timer: found.timer && asEntry(found.timer, now),
      planBlocks: found.blocks.map((row) => withoutNulls(asBlock(row))),
      hasMore: found.last_id !== null,
      nextAfterId: found.last_id ?? input.afterId,
      ...(warnings.length > 0 && { warnings }),
    };
  },
};

/** One warning for each day. */
async function awayWarnings(tx: Tx, blocks: readonly BlockRow[]): Promise<Warning[]> {
  const scheduled = blocks.filter(({ state }) => state === 'scheduled');
  if (scheduled.length === 0) return [];
  const away = new Set(await readAwayBlocks(tx, scheduled));
  const warnings = scheduled.filter(({ id }) => away.has(id)).map(whileAway);
  return [...new Map(warnings.map((warning) => [warning.message, warning])).values()];
}

const fromNow = (now: string) => ({ starts: now, ends: new Date(Date.parse(now) + UPCOMING_DAYS * 86_400_000).toISOString() });
