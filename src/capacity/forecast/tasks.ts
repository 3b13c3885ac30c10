/** The tasks of a scope in columns: about 48 bytes each, instead of several hundred for an object. */
import { release } from '../../values/lazy.ts';
import type { Day } from '../../values/workdays.ts';
import { type Column, emptyLike, gather, intAt, scatter } from './order.ts';
import type { Person } from './people.ts';
import type { Issue, WorkEntry } from './schema.ts';

/** Null in a column of days, before every date. Close to real days, because sorting takes longer for a wider range. */
export const NONE = -1_000_000;
/** No due date and no target, in the column of deadlines. After every date. */
export const NO_DEADLINE = 3_000_000;
const NO_PRIORITY = 0x7fff_ffff;

export const Flag = { closed: 1, noEstimate: 2, overdue: 4, blocked: 8, assigneeLeft: 16, overEstimate: 32 } as const;

export interface Task {
  id: number;
  minutes: number;
  /** Index of the assignee. -1 if unassigned or the assignee has left. */
  person: number;
  project: number;
  startDay: Day | null;
  /** Its due date, else the target of its project. */
  deadline: Day | null;
  priorityRank: number | null;
  flags: number;
}

/** A slot is a task's index in the columns. Tasks are in the order of `add` until `move` or `take`. */
export class TaskColumns {
  size = 0;
  id = new Float64Array(1024);
  minutes = new Float64Array(1024);
  person = new Int32Array(1024);
  project = new Int32Array(1024);
  startDay = new Int32Array(1024);
  deadline = new Int32Array(1024);
  /** Negative rank of the priority: lower is more urgent. */
  patience = new Int32Array(1024);
  flags = new Int32Array(1024);
  /** First and last simulated day. NONE if not simulated. A finish after the horizon means unfinished. */
  forecastStart = new Int32Array(0);
  forecastDay = new Int32Array(0);
  bufferedDay = new Int32Array(0);

  add(task: Task): void {
    if (this.size === this.id.length) this.#grow(2 * this.size);
    const slot = this.size++;
    this.id[slot] = task.id;
    this.minutes[slot] = task.minutes;
    this.person[slot] = task.person;
    this.project[slot] = task.project;
    this.startDay[slot] = task.startDay ?? NONE;
    this.deadline[slot] = task.deadline ?? NO_DEADLINE;
    this.patience[slot] = task.priorityRank === null ? NO_PRIORITY : -task.priorityRank;
    this.flags[slot] = task.flags;
  }

  isOpen(slot: number): boolean {
    return (intAt(this.flags, slot) & Flag.closed) === 0;
  }

  seal(): void {
    this.forecastStart = new Int32Array(this.size).fill(NONE);
    this.forecastDay = new Int32Array(this.size).fill(NONE);
    this.bufferedDay = new Int32Array(this.size).fill(NONE);
  }

  /** Moves each task to its place. `take(places)` reverts it. */
  move(places: Int32Array): void {
    this.#replace((column) => scatter(column, places));
  }

  take(slots: Int32Array): void {
    this.#replace((column) => gather(slots, column));
    this.size = slots.length;
  }

  /** One column at a time, so that only one needs memory twice. */
  #replace(reorder: <Values extends Column>(column: Values) => Values): void {
    function replaced<Values extends Column>(column: Values): Values {
      const reordered = reorder(column);
      release(column);
      return reordered;
    }
    this.id = replaced(this.id);
    this.minutes = replaced(this.minutes);
    this.person = replaced(this.person);
    this.project = replaced(this.project);
    this.startDay = replaced(this.startDay);
    this.deadline = replaced(this.deadline);
    this.patience = replaced(this.patience);
    this.flags = replaced(this.flags);
    this.forecastStart = replaced(this.forecastStart);
    this.forecastDay = replaced(this.forecastDay);
    this.bufferedDay = replaced(this.bufferedDay);
  }

  #grow(capacity: number): void {
    this.id = grown(this.id, capacity);
    this.minutes = grown(this.minutes, capacity);
    this.person = grown(this.person, capacity);
    this.project = grown(this.project, capacity);
    this.startDay = grown(this.startDay, capacity);
    this.deadline = grown(this.deadline, capacity);
    this.patience = grown(this.patience, capacity);
    this.flags = grown(this.flags, capacity);
  }
}

function grown<Values extends Column>(column: Values, capacity: number): Values {
  const larger = emptyLike(column, capacity);
  larger.set(column);
  release(column);
  return larger;
}

/** Forecast fields of a task in a project's `work[]` (behaviour §6.16, §6.17). Pure. */
export type WorkForecast = Pick<WorkEntry, 'remainingHours' | 'forecastStart' | 'forecastDate' | 'late' | 'issues'>;

export function issuesOf(flags: number, minutes: number, assignee: Person | null): Issue[] {
  const issues: Issue[] = [];
  if (flags & Flag.closed) return issues;
  if (flags & Flag.noEstimate) issues.push('no_estimate');
  if (flags & Flag.overEstimate) issues.push('over_estimate');
  if (flags & Flag.assigneeLeft) issues.push('assignee_left');
  else if (minutes > 0) {
    if (assignee === null) issues.push('no_assignee');
    else if (!assignee.calendar.hasHours) issues.push('no_capacity');
    else if (!assignee.confirmed) issues.push('unconfirmed_capacity');
  }
  if (flags & Flag.overdue) issues.push('overdue');
  if (flags & Flag.blocked) issues.push('blocked');
  return issues;
}
