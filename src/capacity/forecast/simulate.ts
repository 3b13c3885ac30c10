/** Simulates one person's work day by day: method edf-daily/1 (behaviour §6.10, §6.11). Pure. */
import { MinHeap } from './heap.ts';
import { rowsWhere, sortBy } from './order.ts';
import { type Day, weekdayOf, workdayAt, workdayIndex } from './workdays.ts';

/** About ten years. Unfinished work then gets no date (behaviour §6.13). */
export const HORIZON_WORKDAYS = 2600;

export const lastDayOfHorizon = (today: Day): Day => workdayAt(workdayIndex(today) + HORIZON_WORKDAYS - 1);

/** Minutes of a working day, Monday as weekday 0. The five days sum to `weeklyMinutes` exactly. */
export const dayCapacity = (weeklyMinutes: number, weekday: number): number =>
  Math.floor((weeklyMinutes * (weekday + 1)) / 5) - Math.floor((weeklyMinutes * weekday) / 5);

export interface Queue {
  /** Minutes left, all above 0. The simulation changes them. */
  minutes: Float64Array;
  startDays: Int32Array;
}

/** Receives events in order of days. The last `work` of a task comes before its `finish`. */
export interface SimulationListener {
  work(place: number, day: Day, minutes: number): void;
  finish(place: number, day: Day): void;
}

/** Fills the working days with the most urgent work that may start, up to the horizon. Returns the first day with time left, or null. */
export function simulatePerson({ minutes, startDays }: Queue, weeklyMinutes: number, today: Day, witness: SimulationListener): Day | null {
  const firstIndex = workdayIndex(today);
  const ready = new MinHeap(minutes.length);
  const waiting = divide(startDays, workdayAt(firstIndex), ready);
  let next = 0;
  let freeFrom: Day | null = null;
  for (let ahead = 0; ahead < HORIZON_WORKDAYS && (freeFrom === null || ready.size > 0 || next < waiting.length); ahead++) {
    const day = workdayAt(firstIndex + ahead);
    while (next < waiting.length && startDays[waiting[next]!]! <= day) ready.push(waiting[next++]!);
    let free = dayCapacity(weeklyMinutes, weekdayOf(day));
    while (free > 0 && ready.size > 0) free -= work(ready, minutes, day, free, witness);
    if (free > 0) freeFrom ??= day;
  }
  return freeFrom;
}

function work(ready: MinHeap, minutes: Float64Array, day: Day, free: number, witness: SimulationListener): number {
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

/** Pushes tasks that may start at `first`. Returns the other places, earliest start first. */
function divide(startDays: Int32Array, first: Day, ready: MinHeap): Uint32Array {
  const waiting = rowsWhere(startDays.length, (place) => {
    const later = startDays[place]! > first;
    // Places are ascending, so each push needs only one comparison.
    if (!later) ready.push(place);
    return later;
  });
  sortBy(waiting, startDays);
  return waiting;
}
