/** Which project a task belongs to (behaviour §6.5, §6.6, §6.7), and what is summed up per project. Pure. */
import { ExactSum } from './exact.ts';
import { type ContainerRow, isClosed, type TaskRow } from './rows.ts';
import type { Day } from './workdays.ts';

/** Sums over a project's tasks; days are filled in by the simulation. */
export class ProjectTotals {
  tasks = 0;
  openTasks = 0;
  /** Hours. */
  readonly scope = new ExactSum();
  /** Minutes. */
  readonly remaining = new ExactSum();
  /** Open tasks that have no date, by reason (explained.ts); `left` by index of the person. */
  noEstimate = 0;
  unassigned = 0;
  noHours = 0;
  left: Map<number, number> | null = null;
  unconfirmed = false;
  lastCompleted: Day | null = null;
  /** Latest finish of its open tasks, null when there is none; a day past the horizon stands for "not by then". */
  forecastDay: Day | null = null;
  bufferedDay: Day | null = null;
  /** Who finishes last, by index, and that task's start; -1 for no one. */
  lastPerson = -1;
  lastStart: Day = 0;

  get needsData(): boolean {
    return this.noEstimate + this.unassigned + this.noHours > 0 || this.left !== null;
  }
}

export interface Project {
  readonly id: number;
  readonly title: string;
  readonly targetDay: Day | null;
  readonly totals: ProjectTotals;
}

/** No project: a task of its own, or of a closed container. It counts in the weeks only, without a due-date fallback. */
export const NO_PROJECT = -1;

const UNRESOLVED = -2;

interface Container {
  readonly row: ContainerRow;
  /** Where tasks linked to it belong: an index into `projects`, or NO_PROJECT. */
  project: number;
}

export class Projects {
  readonly all: Project[] = [];
  readonly #containers = new Map<number, Container>();

  add(row: ContainerRow): void {
    this.#containers.set(row.id, { row, project: UNRESOLVED });
  }

  /** Makes projects of the containers that no task has led to. Call once, before reading `all` as a whole. */
  resolveAll(): void {
    for (const id of this.#containers.keys()) this.#projectOf(id);
  }

  /** The task's own release, else its requirement's release, else its topmost requirement, else its milestone. */
  indexOf(task: Pick<TaskRow, 'releaseId' | 'requirementId' | 'milestoneId'>): number {
    const link = task.releaseId ?? task.requirementId ?? task.milestoneId;
    return link === null ? NO_PROJECT : this.#projectOf(link);
  }

  /** A task of the project is finished on that day in the simulation, by the person with that index; -1 where nothing was left to do. Of
   *  several people who finish on the last day the first one counts. */
  finish(project: number, day: Day, person: number, start: Day): void {
    const totals = this.all[project]?.totals;
    if (!totals) return;
    const last = totals.forecastDay;
    if (last !== null && (day < last || (day === last && totals.lastPerson >= 0 && person !== totals.lastPerson))) return;
    totals.forecastDay = day;
    totals.lastPerson = person;
    totals.lastStart = start;
  }

  /** The same with the buffer. */
  finishBuffered(project: number, day: Day): void {
    const totals = this.all[project]?.totals;
    if (totals) totals.bufferedDay = Math.max(totals.bufferedDay ?? day, day);
  }

  #projectOf(id: number): number {
    const container = this.#at(id);
    if (container.project !== UNRESOLVED) return container.project;
    // A requirement stands for what is above it: the nearest release, else the topmost requirement.
    const above = container.row.type === 'requirement' ? (container.row.releaseId ?? container.row.parentId) : null;
    container.project = above === null ? this.#open(container.row) : this.#projectOf(above);
    return container.project;
  }

  #open(row: ContainerRow): number {
    if (isClosed(row.status)) return NO_PROJECT;
    return this.all.push({ id: row.id, title: row.title, targetDay: row.targetDay ?? row.dueDay, totals: new ProjectTotals() }) - 1;
  }

  #at(id: number): Container {
    const container = this.#containers.get(id);
    if (!container) throw new Error(`Item ${id} is linked to before being added to the forecast: add all containers first.`);
    return container;
  }
}
