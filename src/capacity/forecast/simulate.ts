/** One person's work, day by day: the fill of method edf-daily/1 (behaviour §6.10, §6.11). Pure. */
import { MinHeap } from './heap.ts';
import { rowsWhere, sortBy } from './order.ts';
import type { Steps } from './slices.ts';
import { type Day, weekdayOf, workdayAt, workdayIndex } from './workdays.ts';

/** Working days, about ten years: what is unfinished then gets no date (behaviour §6.13). */
export const HORIZON_WORKDAYS = 2600;

export const lastDayOfHorizon = (today: Day): Day => workdayAt(workdayIndex(today) + HORIZON_WORKDAYS - 1);

/** Minutes of a working day, Monday as weekday 0: the five of a week sum to `weeklyMinutes` exactly. */
export const dayCapacity = (weeklyMinutes: number, weekday: number): number =>
  Math.floor((weeklyMinutes * (weekday + 1)) / 5) - Math.floor((weeklyMinutes * weekday) / 5);

/** The person's tasks by place: 0 is the most urgent. */
export interface Queue {
  /** Minutes left, all above 0. Used up by the simulation. */
  minutes: Float64Array;
  /** Not to be worked on before this day. */
  startDays: Int32Array;
}

/** Told what happens, days ascending; a task's last `work` comes before its `finish`. */
export interface Witness {
  work(place: number, day: Day, minutes: number): void;
  finish(place: number, day: Day): void;
}

/** Fills the working days from `today` on, each with the most urgent work that may have begun, until all is done or the horizon is
 *  reached. */
export function* simulatePerson(queue: Queue, weeklyMinutes: number, today: Day, witness: Witness): Steps {
  const firstIndex = workdayIndex(today);
  const ready = new MinHeap(queue.minutes.length);
  const waiting = yield* divide(queue.startDays, workdayAt(firstIndex), ready);
  const calendar: Calendar = { queue, weeklyMinutes, firstIndex, ready, waiting, next: 0, ahead: 0 };
  while (fillDays(calendar, witness)) yield;
}

/** Where a simulation stands. */
interface Calendar {
  readonly queue: Queue;
  readonly weeklyMinutes: number;
  readonly firstIndex: number;
  /** Places that may be worked on. */
  readonly ready: MinHeap;
  /** Places that may be worked on later, soonest first, from `next` on. */
  readonly waiting: Uint32Array;
  next: number;
  /** Working days filled so far. */
  ahead: number;
}

/** Days and pieces of work handled between two yields; a day of 24 hours adds at most 1,440. */
const STEPS = 1_024;

/** Fills some days. Returns whether there are more to fill. */
function fillDays(calendar: Calendar, witness: Witness): boolean {
  const { queue, weeklyMinutes, firstIndex, ready, waiting } = calendar;
  for (let steps = 0; steps < STEPS; steps++) {
    if (calendar.ahead === HORIZON_WORKDAYS || (ready.size === 0 && calendar.next === waiting.length)) return false;
    const day = workdayAt(firstIndex + calendar.ahead++);
    for (; calendar.next < waiting.length && queue.startDays[waiting[calendar.next]!]! <= day; steps++)
      ready.push(waiting[calendar.next++]!);
    for (let free = dayCapacity(weeklyMinutes, weekdayOf(day)); free > 0 && ready.size > 0; steps++)
      free -= work(ready, queue.minutes, day, free, witness);
  }
  return true;
}

/** Works on the most urgent task for as long as the day lasts. Returns the minutes spent. */
function work(ready: MinHeap, minutes: Float64Array, day: Day, free: number, witness: Witness): number {
  const place = ready.top;
  const spent = Math.min(free, minutes[place]!);
  minutes[place]! -= spent;
  witness.work(place, day, spent);
  if (minutes[place] === 0) {
    ready.pop();
    witness.finish(place, day);
  }
  return spent;
}

/** Makes ready what may be worked on at `first`; returns the other places, soonest start first. */
function* divide(startDays: Int32Array, first: Day, ready: MinHeap): Steps<Uint32Array> {
  const waiting = yield* rowsWhere(startDays.length, (place) => {
    const later = startDays[place]! > first;
    // Places come ascending, so each push is a single comparison.
    if (!later) ready.push(place);
    return later;
  });
  yield* sortBy(waiting, startDays);
  return waiting;
}
