import { everyRow, gather, sortBy } from './order.ts';
import type { TaskColumns } from './tasks.ts';

/** A person's tasks in working order: place 0 is the most urgent. */
export interface PersonsQueue {
  person: number;
  ids: Float64Array;
  minutes: Float64Array;
  startDays: Int32Array;
  deadlines: Int32Array;
  projects: Int32Array;
  /** For each place, the row of `forecastStart` and `forecastDay` for its results. */
  rows: Uint32Array;
  forecastStart: Int32Array;
  forecastDay: Int32Array;
}

export function queueOf(tasks: TaskColumns, person: number, [from, to]: [number, number]): PersonsQueue {
  const rows = everyRow(to - from);
  const deadline = tasks.deadline.subarray(from, to);
  const startDay = tasks.startDay.subarray(from, to);
  // Deadline (none last), priority (highest first), start (none first), id. So the reading order has no influence.
  sortBy(rows, tasks.id.subarray(from, to));
  sortBy(rows, startDay);
  sortBy(rows, tasks.patience.subarray(from, to));
  sortBy(rows, deadline);
  return {
    person,
    ids: gather(rows, tasks.id.subarray(from, to)),
    minutes: gather(rows, tasks.minutes.subarray(from, to)),
    startDays: gather(rows, startDay),
    deadlines: gather(rows, deadline),
    projects: gather(rows, tasks.project.subarray(from, to)),
    rows,
    forecastStart: tasks.forecastStart.subarray(from, to),
    forecastDay: tasks.forecastDay.subarray(from, to),
  };
}
