/** Everyone's open work, regrouped person by person: in these columns a person's tasks are neighbours. */
import { type Column, type Grouping, gather, groupBy, rowsWhere, scatter, sortBy } from './order.ts';
import { inChunks, type Steps } from './slices.ts';
import { NONE, type TaskColumns } from './tasks.ts';

export interface AssignedWork {
  /** Of the tasks that have an assignee and minutes left. */
  slots: Uint32Array;
  /** Where each of them is in the columns, and where each person's begin. */
  grouping: Grouping;
  id: Float64Array;
  minutes: Float64Array;
  startDay: Int32Array;
  patience: Int32Array;
  deadline: Int32Array;
  project: Int32Array;
  forecastStart: Int32Array;
  forecastDay: Int32Array;
}

export function* assignedWork(tasks: TaskColumns, people: number): Steps<AssignedWork> {
  const slots = yield* rowsWhere(tasks.size, (slot) => tasks.minutes[slot]! > 0 && tasks.person[slot]! >= 0);
  const grouping = yield* groupBy(yield* gather(slots, tasks.person), people);
  function* regroup<Values extends Column>(column: Values): Steps<Values> {
    return yield* scatter(yield* gather(slots, column), grouping.places);
  }
  return {
    slots,
    grouping,
    id: yield* regroup(tasks.id),
    minutes: yield* regroup(tasks.minutes),
    startDay: yield* regroup(tasks.startDay),
    patience: yield* regroup(tasks.patience),
    deadline: yield* regroup(tasks.deadline),
    project: yield* regroup(tasks.project),
    forecastStart: new Int32Array(slots.length).fill(NONE),
    forecastDay: new Int32Array(slots.length).fill(NONE),
  };
}

/** Hands the simulated days back to the tasks. */
export function* handBack({ slots, grouping, forecastStart, forecastDay }: AssignedWork, tasks: TaskColumns): Steps {
  yield* inChunks(slots.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const place = grouping.places[at]!;
      tasks.forecastStart[slots[at]!] = forecastStart[place]!;
      tasks.forecastDay[slots[at]!] = forecastDay[place]!;
    }
  });
}

/** A person's tasks by place: 0 is the most urgent. */
export interface PersonsQueue {
  person: number;
  minutes: Float64Array;
  startDays: Int32Array;
  deadlines: Int32Array;
  projects: Int32Array;
  /** For each place the row of `forecastStart` and `forecastDay`. */
  rows: Uint32Array;
  forecastStart: Int32Array;
  forecastDay: Int32Array;
}

export function* queueOf(work: AssignedWork, person: number): Steps<PersonsQueue> {
  const [from, to] = [work.grouping.starts[person]!, work.grouping.starts[person + 1]!];
  const rows = yield* rowsWhere(to - from, () => true);
  const deadline = work.deadline.subarray(from, to);
  const startDay = work.startDay.subarray(from, to);
  // Deadline (none last), priority (highest first), start (none first), id: the order in which tasks were read plays no part.
  yield* sortBy(rows, work.id.subarray(from, to));
  yield* sortBy(rows, startDay);
  yield* sortBy(rows, work.patience.subarray(from, to));
  yield* sortBy(rows, deadline);
  return {
    person,
    minutes: yield* gather(rows, work.minutes.subarray(from, to)),
    startDays: yield* gather(rows, startDay),
    deadlines: yield* gather(rows, deadline),
    projects: yield* gather(rows, work.project.subarray(from, to)),
    rows,
    forecastStart: work.forecastStart.subarray(from, to),
    forecastDay: work.forecastDay.subarray(from, to),
  };
}
