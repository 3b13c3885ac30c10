/** One person's work, day by day: the fill of method edf-daily/1 (contract §6, Simulation). Pure. */
import { MinHeap } from './heap.ts';
import { rowsWhere, sortBy } from './order.ts';
import type { Steps } from './slices.ts';
import { type Day, weekdayOf, workdayAt, workdayIndex } from './workdays.ts';

/** Working days, about ten years: what is unfinished then gets no date. */
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

/** Fills the working days from `today` on, each with the most urgent work that may have begun, until all is done or the horizon is reached. */
export function* simulatePerson(queue: Queue, weeklyMinutes: number, today: Day, witness: Witness): Steps {
  const firstIndex = workdayIndex(today);
  const ready = new MinHeap(queue.minutes.length);
  const waiting = yield* divide(queue.startDays, workdayAt(firstIndex), ready);
  let next = 0;
  for (let ahead = 0; ahead < HORIZON_WORKDAYS && (ready.size > 0 || next < waiting.length); ahead++) {
    const day = workdayAt(firstIndex + ahead);
    for (; next < waiting.length && queue.startDays[waiting[next]!]! <= day; next++) ready.push(waiting[next]!);
    let free = dayCapacity(weeklyMinutes, weekdayOf(day));
    // A day of 24 hours holds at most 1,440 tasks, so that a day is a short step.
    while (free > 0 && ready.size > 0) free -= work(ready, queue.minutes, day, free, witness);
    yield;
  }
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
