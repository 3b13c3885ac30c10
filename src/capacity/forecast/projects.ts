/** The project of each task (behaviour §6.5, §6.6, §6.7), and sums of each project. Pure. */

import type { Day } from '../../values/workdays.ts';
import { ExactSum } from './exact.ts';
import { type ContainerRow, isClosed, type TaskRow } from './rows.ts';

export class ProjectTotals {
  tasks = 0;
  openTasks = 0;
  /** Hours. */
  readonly scope = new ExactSum();
  /** Minutes. */
  readonly remaining = new ExactSum();
  /** Open tasks without a date, by reason (computed.ts). `left`: by person index. */
  noEstimate = 0;
  unassigned = 0;
  noHours = 0;
  left: Map<number, number> | null = null;
  unconfirmed = false;
  lastCompleted: Day | null = null;
  /** Latest finish of its open tasks, null if there is none. A day after the horizon means unfinished. */
  forecastDay: Day | null = null;
  bufferedDay: Day | null = null;
  /** Index of the person who finishes last, -1 for none, and the start of that task. */
  lastPerson = -1;
  lastStart: Day = 0;
  lastTask = 0;
  /** Open tasks that wait for items without a date, and these items. */
  waiting = 0;
  readonly undatedBlockers = new Set<number>();

  addWaiting(blockers: readonly number[]): void {
    this.waiting++;
    for (const id of blockers) this.undatedBlockers.add(id);
  }

  get needsData(): boolean {
    return this.noEstimate + this.unassigned + this.noHours + this.waiting > 0 || this.left !== null;
  }
}

export interface Project {
  readonly id: number;
  readonly title: string;
  readonly targetDay: Day | null;
  readonly totals: ProjectTotals;
  /** For a requirement: tasks below it that count with other projects, the slots of open ones in reading order, and people with work left. */
  elsewhere: { readonly totals: ProjectTotals; readonly slots: number[]; readonly people: Set<number> } | null;
}

/** The project as pages show it: a requirement whose tasks all count with other projects has their sums and dates (behaviour §6.31). */
export const shownAs = (project: Project): Project =>
  project.totals.tasks === 0 && project.elsewhere ? { ...project, totals: project.elsewhere.totals } : project;

/** No project: a task without links, or of a closed container. It only counts in the weeks and gets no deadline from a target. */
export const NO_PROJECT = -1;

const UNRESOLVED = -2;

interface Container {
  readonly row: ContainerRow;
  project: number;
  topmost: number;
}

export class Projects {
  readonly all: Project[] = [];
  readonly #containers = new Map<number, Container>();

  add(row: ContainerRow): void {
    this.#containers.set(row.id, { row, project: UNRESOLVED, topmost: UNRESOLVED });
  }

  /** Adds projects for containers without tasks. Call it once, before reading `all`. */
  resolveAll(): void {
    for (const id of this.#containers.keys()) this.#projectOf(id);
  }

  /** The task's release, else its requirement's release, else its topmost requirement, else its milestone. */
  indexOf(task: Pick<TaskRow, 'releaseId' | 'requirementId' | 'milestoneId'>): number {
    const link = task.releaseId ?? task.requirementId ?? task.milestoneId;
    return link === null ? NO_PROJECT : this.#projectOf(link);
  }

  /** Of the requirement above the task that is a project, although the task counts with another project or with none. */
  elsewhereOf(task: Pick<TaskRow, 'requirementId'>, project: number): Project['elsewhere'] {
    if (task.requirementId === null) return null;
    const top = this.#topmost(task.requirementId);
    const requirement = top === project ? undefined : this.all[top];
    if (!requirement) return null;
    requirement.elsewhere ??= { totals: new ProjectTotals(), slots: [], people: new Set() };
    return requirement.elsewhere;
  }

  isContainer = (id: number): boolean => this.#containers.has(id);

  /** The containers that a task belongs to: its release, requirements, milestone, and their own parents. */
  above(task: Pick<TaskRow, 'releaseId' | 'requirementId' | 'milestoneId'>): Set<number> {
    const found = new Set<number>();
    const links = [task.releaseId, task.requirementId, task.milestoneId];
    for (const id of links) {
      if (id === null || found.has(id)) continue;
      found.add(id);
      const { row } = this.#at(id);
      if (row.type === 'requirement') links.push(row.releaseId, row.parentId);
    }
    return found;
  }

  /** `person`: index, -1 if nothing was left to do. If several people finish on the last day, the first counts. */
  finish(project: number, { day, person, start, task }: { day: Day; person: number; start: Day; task: number }): void {
    const totals = this.all[project]?.totals;
    if (!totals) return;
    const last = totals.forecastDay;
    if (last !== null && (day < last || (day === last && totals.lastPerson >= 0 && person !== totals.lastPerson))) return;
    totals.forecastDay = day;
    totals.lastPerson = person;
    totals.lastStart = start;
    totals.lastTask = task;
  }

  finishBuffered(project: number, day: Day): void {
    const totals = this.all[project]?.totals;
    if (totals) totals.bufferedDay = Math.max(totals.bufferedDay ?? day, day);
  }

  #projectOf(id: number): number {
    const container = this.#at(id);
    if (container.project !== UNRESOLVED) return container.project;
    const above = container.row.type === 'requirement' ? (container.row.releaseId ?? container.row.parentId) : null;
    container.project = above === null ? this.#open(container.row) : this.#projectOf(above);
    return container.project;
  }

  /** The project of the topmost requirement above, NO_PROJECT if it is closed or belongs to a release. */
  #topmost(id: number): number {
    const container = this.#at(id);
    if (container.topmost !== UNRESOLVED) return container.topmost;
    const { row } = container;
    if (row.parentId !== null) container.topmost = this.#topmost(row.parentId);
    else container.topmost = row.releaseId === null ? this.#projectOf(id) : NO_PROJECT;
    return container.topmost;
  }

  #open(row: ContainerRow): number {
    if (isClosed(row.status)) return NO_PROJECT;
    const { id, title, targetDay, dueDay } = row;
    return this.all.push({ id, title, targetDay: targetDay ?? dueDay, totals: new ProjectTotals(), elsewhere: null }) - 1;
  }

  #at(id: number): Container {
    const container = this.#containers.get(id);
    if (!container) throw new Error(`Item ${id} is linked to before being added to the forecast: add all containers first.`);
    return container;
  }
}

/** A task's parent is a milestone or a task. */
export const milestoneAbove = (id: number | null, milestones: ReadonlySet<number>): number | null =>
  id !== null && milestones.has(id) ? id : null;
