/** A finished forecast: figures of projects and people, and the days of tasks. Titles of tasks are read in the second pass. Pure. */

import { hoursOfMinutes } from './exact.ts';
import { explain } from './explained.ts';
import { everyRow, gather, groupBy, rowsWhere, sortBy } from './order.ts';
import { figuresOf, trendPointOf } from './outlook.ts';
import { NO_PROJECT } from './projects.ts';
import type { TrendRow } from './rows.ts';
import type { Scene } from './schedule.ts';
import type { Explained, Forecast, PersonCapacity, ProjectForecast, TrendPoint } from './schema.ts';
import { lastDayOfHorizon } from './simulate.ts';
import { NONE } from './tasks.ts';
import { trendOf } from './trend.ts';
import { WEEKS } from './weeks.ts';
import { issuesOf, type WorkForecast } from './work.ts';
import { type Day, dateOf } from './workdays.ts';

export type ForecastHead = Omit<Forecast, 'projects' | 'people'>;
export type ProjectHead = Omit<ProjectForecast, 'work'>;

/** `order`: project indexes by id. The n-th project's tasks have the slots from `starts[n]` up to, not including, `starts[n + 1]`. */
export interface Arrangement {
  order: Uint32Array;
  starts: Uint32Array;
}

/** Sorts tasks by project and id, the order of the output. Drops tasks outside projects. */
export function arrange({ projects, tasks }: Scene): Arrangement {
  const order = everyRow(projects.all.length);
  sortBy(
    order,
    Float64Array.from(projects.all, (project) => project.id),
  );
  const turns = new Int32Array(order.length);
  for (let turn = 0; turn < order.length; turn++) turns[order[turn]!] = turn;
  const byId = rowsWhere(tasks.size, (slot) => tasks.project[slot] !== NO_PROJECT);
  sortBy(byId, tasks.id);
  tasks.take(byId);
  const { places, starts } = groupBy(gather(tasks.project, turns), order.length);
  tasks.move(places);
  return { order, starts };
}

export class ComputedForecast {
  readonly head: ForecastHead;
  readonly #scene: Scene;
  readonly #arranged: Arrangement;
  readonly #trend: ReadonlyMap<number, TrendRow[]>;

  constructor(workspaceId: number, scene: Scene, arranged: Arrangement, trend: ReadonlyMap<number, TrendRow[]>) {
    const scopeNote = `${workspaceId === 0 ? 'All your workspaces' : 'This workspace'}: work, time and plans elsewhere are not counted.`;
    const { today, load } = scene;
    this.head = { workspaceId, today: dateOf(today), from: dateOf(load.from), weeks: WEEKS, timezone: 'UTC', scopeNote };
    this.#scene = scene;
    this.#arranged = arranged;
    this.#trend = trend;
  }

  get projectCount(): number {
    return this.#arranged.order.length;
  }

  projectHead(n: number): ProjectHead {
    const figures = figuresOf(this.#scene.projects.all[this.#arranged.order[n]!]!, this.#scene.today);
    return { ...figures, trend: trendOf(this.#trend.get(figures.id) ?? [], trendPointOf(figures, this.#scene.today)) };
  }

  explained(n: number): Explained {
    const { projects, people, load, today } = this.#scene;
    const project = projects.all[this.#arranged.order[n]!]!;
    return explain(project, people.all, today, (index) => load.of(people.all[index]!, index).weeks);
  }

  /** Range of the task slots of the n-th project: first slot and the slot after the last. Slots are numbered across all projects. */
  slotsOf(n: number): [number, number] {
    const { starts } = this.#arranged;
    return [starts[n]!, starts[n + 1]!];
  }

  idsFrom(slot: number, count: number): number[] {
    const { tasks } = this.#scene;
    return Array.from(tasks.id.subarray(slot, Math.min(slot + count, tasks.size)));
  }

  workForecast(slot: number): WorkForecast {
    const { people, tasks, today } = this.#scene;
    const minutes = tasks.minutes[slot]!;
    const finish = tasks.forecastDay[slot]!;
    return {
      remainingHours: hoursOfMinutes(minutes),
      forecastStart: dateOrNull(tasks.forecastStart[slot]!),
      forecastDate: finish > lastDayOfHorizon(today) ? null : dateOrNull(finish),
      late: finish > tasks.deadline[slot]!,
      issues: issuesOf(tasks.flags[slot]!, minutes, people.all[tasks.person[slot]!] ?? null),
    };
  }

  *people(): Generator<PersonCapacity> {
    const { people, load } = this.#scene;
    const indexes = [...people.all.keys()].filter((index) => people.all[index]!.listed);
    for (const index of indexes.sort((a, b) => people.all[a]!.id - people.all[b]!.id)) yield load.of(people.all[index]!, index);
  }

  *trendPoints(): Generator<TrendPoint & { projectId: number }> {
    const { projects, today } = this.#scene;
    for (const project of projects.all) yield { projectId: project.id, ...trendPointOf(figuresOf(project, today), today) };
  }
}

const dateOrNull = (day: Day): string | null => (day === NONE ? null : dateOf(day));
