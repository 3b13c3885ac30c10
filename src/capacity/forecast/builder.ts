/** Collects the rows of a scope in batches and computes the forecast. Pure: the caller reads the rows and passes `today`. */

import type { Day } from '../../values/workdays.ts';
import { arrange, ComputedForecast } from './computed.ts';
import { DependencyRows, Graph } from './dependencies.ts';
import { remainingMinutes } from './exact.ts';
import { isTrendDay } from './outlook.ts';
import { People } from './people.ts';
import { NO_PROJECT, Projects, type ProjectTotals } from './projects.ts';
import {
  type ContainerRow,
  type DependencyRow,
  type HolidayRow,
  isClosed,
  type MinutesRow,
  type PersonRow,
  type TaskRow,
  type TrendRow,
} from './rows.ts';
import { schedule } from './schedule.ts';
import { Flag, TaskColumns } from './tasks.ts';
import { Load } from './weeks.ts';

export interface ScopeInput {
  workspaceId: number;
  today: Day;
  from: Day;
  people: readonly PersonRow[];
  holidays?: readonly HolidayRow[];
}

/** Call in this order, in one repeatable-read transaction, so that both passes see the same rows:
 *  1. `new ForecastBuilder(scope)`, then `addContainers` with all containers, because tasks are assigned to projects as they arrive.
 *  2. `addDependencies` with all dependencies whose blocker is open.
 *  3. `addTasks`, `addRecorded`, `addPlanned`, `addTrend` in any order, in batches. Cancelled tasks and closed tasks outside projects may
 *  be left out.
 *  4. `finish()`.
 *  5. `forecastJson(computed)`, which asks for the tasks again by id, 1,000 at a time.
 *  Throws an Error for a row with an unknown person or container, because then the caller's queries disagree. */
export class ForecastBuilder {
  readonly #scope: ScopeInput;
  readonly #people: People;
  readonly #dependencies = new DependencyRows();
  readonly #projects = new Projects();
  readonly #tasks = new TaskColumns();
  readonly #load: Load;
  readonly #trend = new Map<number, TrendRow[]>();

  /** `load`: a subclass that records more details. */
  constructor(scope: ScopeInput, load = new Load(scope.people.length, scope.from, scope.today)) {
    this.#scope = scope;
    this.#people = new People(scope.today, scope.holidays);
    for (const person of scope.people) this.#people.add(person);
    this.#load = load;
  }

  addContainers(rows: readonly ContainerRow[]): void {
    for (const row of rows) this.#projects.add(row);
  }

  addDependencies(rows: readonly DependencyRow[]): void {
    for (const row of rows) this.#dependencies.add(row, this.#projects.isContainer(row.blockerId));
  }

  addTasks(rows: readonly TaskRow[]): void {
    for (const row of rows) {
      if (row.status === 'cancelled') this.#dependencies.close(row.id);
      else this.#addTask(row);
    }
  }

  /** Entries by UTC day. Only entries in the eight weeks add load, but every person with an entry is listed. */
  addRecorded(rows: readonly MinutesRow[]): void {
    for (const row of rows) this.#load.addRecorded(this.#people.named(row.personId), row.day, row.minutes);
  }

  addPlanned(rows: readonly MinutesRow[]): void {
    for (const row of rows) this.#load.addPlanned(this.#people.named(row.personId), row.day, row.minutes);
  }

  addTrend(rows: readonly TrendRow[]): void {
    for (const row of rows) {
      if (!isTrendDay(row.day, this.#scope.today)) continue;
      const points = this.#trend.get(row.projectId);
      if (points) points.push(row);
      else this.#trend.set(row.projectId, [row]);
    }
  }

  /** Takes seconds for a million tasks, without a pause. */
  finish(): ComputedForecast {
    const { today, workspaceId } = this.#scope;
    this.#projects.resolveAll();
    const graph = new Graph(this.#dependencies, this.#tasks, this.#people);
    const scene = { today, people: this.#people, projects: this.#projects, tasks: this.#tasks, graph, load: this.#load };
    schedule(scene);
    return new ComputedForecast(workspaceId, scene, arrange(scene), this.#trend);
  }

  #addTask(row: TaskRow): void {
    const closed = isClosed(row.status);
    const project = this.#projects.indexOf(row);
    if (closed) this.#dependencies.close(row.id);
    if (this.#dependencies.containers.size > 0) this.#dependencies.addMember(row.id, !closed, this.#projects.above(row));
    const elsewhere = this.#projects.elsewhereOf(row, project);
    if (closed && elsewhere) this.#sumUp(elsewhere.totals, row, { minutes: 0, assignee: -1, flags: Flag.closed });
    // Closed work outside projects is neither load nor a reason to list its assignee.
    if (closed && project === NO_PROJECT) return;
    const { id, startDay, dueDay, priorityRank } = row;
    const assignee = row.assigneeId === null ? -1 : this.#people.named(row.assigneeId);
    const minutes = closed ? 0 : remainingMinutes(row.estimatedHours ?? 0, row.progressPercent, row.recordedMinutes);
    const flags = this.#flagsOf(row, minutes);
    const person = flags & Flag.assigneeLeft ? -1 : assignee;
    const { targetDay = null, totals } = this.#projects.all[project] ?? {};
    if (totals) this.#sumUp(totals, row, { minutes, assignee, flags });
    if (!closed && elsewhere) {
      elsewhere.slots.push(this.#tasks.size);
      if (person >= 0 && minutes > 0) elsewhere.people.add(person);
      this.#sumUp(elsewhere.totals, row, { minutes, assignee, flags });
    }
    this.#tasks.add({ id, minutes, person, project, startDay, deadline: dueDay ?? targetDay, priorityRank, flags });
  }

  #flagsOf({ status, estimatedHours, progressPercent, dueDay, assigneeLeft }: TaskRow, minutes: number): number {
    if (isClosed(status)) return Flag.closed;
    const noEstimate = estimatedHours === null;
    const overdue = dueDay !== null && dueDay < this.#scope.today;
    return (
      (noEstimate ? Flag.noEstimate : 0) |
      (minutes === 0 && progressPercent === null && (estimatedHours ?? 0) > 0 ? Flag.overEstimate : 0) |
      (overdue ? Flag.overdue : 0) |
      (status === 'blocked' ? Flag.blocked : 0) |
      (assigneeLeft && (noEstimate || minutes > 0) ? Flag.assigneeLeft : 0)
    );
  }

  #sumUp(totals: ProjectTotals, row: TaskRow, { minutes, assignee, flags }: { minutes: number; assignee: number; flags: number }): void {
    totals.tasks++;
    totals.scope.add(row.estimatedHours ?? 0);
    if (isClosed(row.status)) {
      const { completedDay } = row;
      if (completedDay !== null) totals.lastCompleted = Math.max(totals.lastCompleted ?? completedDay, completedDay);
      return;
    }
    totals.openTasks++;
    totals.remaining.add(minutes);
    if (row.estimatedHours === null) totals.noEstimate++;
    if (flags & Flag.assigneeLeft) {
      totals.left ??= new Map<number, number>();
      totals.left.set(assignee, (totals.left.get(assignee) ?? 0) + 1);
    } else if (minutes > 0) {
      const person = this.#people.all[assignee];
      if (!person) totals.unassigned++;
      else if (!person.calendar.hasHours) totals.noHours++;
      if (person?.confirmed === false) totals.unconfirmed = true;
    }
  }
}
