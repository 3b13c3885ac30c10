/** Corrections of entries: pure rules of behaviour §9.7. */
import { splitByUtcDay } from '../values/dates.ts';
import { Faults, InvalidRequest } from '../values/errors.ts';
import type { Correction } from './arguments.ts';
import type { EntryState } from './queries.ts';
import { type EntryRow, isRunning, wholeMinutes } from './schema.ts';

const DAY_MINUTES = 1_440;
const MAX_DAYS = 366;
const correctable = ['minutes', 'date', 'startedAt', 'endedAt', 'itemId', 'note'] as const;

export interface Moments {
  now: string;
  /** UTC. */
  today: string;
}

/** Returns the corrected entry. A timer with corrected minutes or date becomes a manual entry. Throws InvalidRequest naming the field. */
export function decideCorrection(entry: EntryRow, correction: Correction, moments: Moments): EntryState {
  if (correctable.every((name) => correction[name] === undefined)) {
    throw new InvalidRequest(['minutes'], `say what to correct; give at least one of ${correctable.join(', ')}.`);
  }
  const common = { item_id: correction.itemId ?? entry.item_id, note: correction.note ?? entry.note, corrected: true };
  return { ...timesOf(entry, correction, moments), ...common };
}

type Times = Omit<EntryState, 'item_id' | 'note' | 'corrected'>;

function timesOf(entry: EntryRow, correction: Correction, moments: Moments): Times {
  const byMoments = (['startedAt', 'endedAt'] as const).find((name) => correction[name] !== undefined);
  const byDay = (['minutes', 'date'] as const).find((name) => correction[name] !== undefined);
  if (byMoments && byDay) throw new InvalidRequest([byDay], 'give either minutes and date, or startedAt and endedAt.');
  if (!byMoments && !byDay) return entry;
  if (byMoments && entry.kind === 'manual') {
    throw new InvalidRequest([byMoments], `entry ${entry.id} was logged by hand and has no start or end; correct its minutes or date.`);
  }
  const tooEarly = isRunning(entry) ? (correction.endedAt ? 'endedAt' : byDay) : undefined;
  if (tooEarly) throw new InvalidRequest([tooEarly], `timer ${entry.id} is still running; stop it first.`);
  return byMoments ? asTimer(entry, correction, moments) : asManual(entry, correction, moments);
}

function asManual(entry: EntryRow, correction: Correction, { today }: Moments): Times {
  const day = correction.date ?? entry.day;
  const minutes = correction.minutes ?? entry.minutes ?? 0;
  const faults = new Faults();
  if (day > today) faults.add(['date'], inTheFuture(day, today));
  if (minutes < 1 || minutes > DAY_MINUTES) {
    faults.add(['minutes'], `entry ${entry.id} has ${minutes} minutes; give whole minutes from 1 to ${DAY_MINUTES} for the day.`);
  }
  faults.check();
  return { kind: 'manual', started_at: null, ended_at: null, day, minutes };
}

function asTimer(entry: EntryRow, correction: Correction, { now }: Moments): Times {
  const startedAt = correction.startedAt ?? toMinute(entry.started_at, correction.endedAt) ?? now;
  const endedAt = correction.endedAt ?? toMinute(entry.ended_at, correction.startedAt);
  const last = correction.endedAt === undefined ? 'startedAt' : 'endedAt';
  const faults = new Faults();
  if (startedAt > now) faults.add(['startedAt'], 'is in the future; give a time in the past.');
  if (endedAt !== null && endedAt > now) faults.add(['endedAt'], 'is in the future; give a time in the past.');
  if (endedAt !== null && endedAt <= startedAt) faults.add([last], 'the end must be after the start.');
  faults.check();
  if (wholeMinutes(startedAt, endedAt ?? now) > MAX_DAYS * DAY_MINUTES) {
    throw new InvalidRequest([last], `a timer can be corrected to at most ${MAX_DAYS} days.`);
  }
  const minutes = endedAt === null ? null : wholeMinutes(startedAt, endedAt);
  return { kind: 'timer', started_at: startedAt, ended_at: endedAt, day: startedAt.slice(0, 10), minutes };
}

/** If one end is given to the minute, cuts the seconds of the other, so that the displayed times add up. */
const toMinute = (other: string | null, given = ''): string | null =>
  given.endsWith(':00.000Z') && other !== null ? `${other.slice(0, 16)}:00.000Z` : other;

export function refuseFuture(field: string, date: string, today: string): void {
  if (date > today) throw new InvalidRequest([field], inTheFuture(date, today));
}

const inTheFuture = (date: string, today: string) => `${date} is in the future; give a day up to today, which is ${today} (UTC).`;

/** An entry's minutes per UTC day, as in the database: rounded down cumulatively, so that their sum is exact. */
export function minutesByDay(
  times: Pick<EntryState, 'kind' | 'started_at' | 'ended_at' | 'day' | 'minutes'>,
  now: string,
): Map<string, number> {
  if (times.kind === 'manual') return new Map([[times.day, times.minutes ?? 0]]);
  let passed = 0;
  const startedAt = times.started_at ?? now;
  return new Map(
    splitByUtcDay(startedAt, laterOf(startedAt, times.ended_at ?? now)).map(({ date, ms }) => {
      const before = Math.floor(passed / 60_000);
      passed += ms;
      return [date, Math.floor(passed / 60_000) - before];
    }),
  );
}

const laterOf = (one: string, other: string) => (other > one ? other : one);

/** A day has at most 24 hours. Checks only days that the entry adds time to (behaviour §9.5). Throws InvalidRequest naming `field`. */
export function refuseOverfull(field: string, before: Map<string, number>, after: Map<string, number>, others: Map<string, number>): void {
  for (const [day, minutes] of after) {
    const other = others.get(day) ?? 0;
    if (minutes > (before.get(day) ?? 0) && other + minutes > DAY_MINUTES) {
      throw new InvalidRequest(
        [field],
        `${day} (UTC) already holds ${other} minutes; a day holds at most ${DAY_MINUTES}, so give at most ${Math.max(0, DAY_MINUTES - other)} there.`,
      );
    }
  }
}
