/** Helpers to write a scope for the forecast. */

import type { PersonRow } from '../../../src/capacity/forecast/rows.ts';
import type { Forecast, PersonCapacity, ProjectForecast, Week, WorkEntry } from '../../../src/capacity/forecast/schema.ts';
import { type ForecastInput, forecast } from './forecast.ts';

export type Task = ForecastInput['tasks'][number];
export type Container = ForecastInput['containers'][number];

export const ANA = 1;
export const BO = 2;

/** `weeklyHours` null means never confirmed. */
export const person = (id: number, name: string, weeklyHours: number | null): PersonRow => ({
  id,
  name,
  weeklyMinutes: weeklyHours === null ? null : weeklyHours * 60,
  assignable: true,
  active: true,
});

export const container = (id: number, type: Container['type'], over: Partial<Container> = {}): Container => ({
  id,
  type,
  title: `${type} ${id}`,
  status: 'planned',
  targetDate: null,
  dueDate: null,
  releaseId: null,
  parentId: null,
  ...over,
});

export const release = (id: number, targetDate: string | null, over: Partial<Container> = {}): Container =>
  container(id, 'release', { targetDate, ...over });

/** An open task of Ana without other values. */
export const task = (id: number, over: Partial<Task> = {}): Task => ({
  id,
  title: `Task ${id}`,
  status: 'planned',
  assigneeId: ANA,
  assigneeLeft: false,
  startDate: null,
  dueDate: null,
  estimatedHours: null,
  progressPercent: null,
  recordedMinutes: 0,
  priorityRank: null,
  completedDate: null,
  releaseId: null,
  requirementId: null,
  milestoneId: null,
  ...over,
});

/** A Wednesday in March 2026, with Ana at 40 hours by default. */
export const scope = (over: Partial<ForecastInput> = {}): ForecastInput => ({
  workspaceId: 1,
  today: '2026-03-04',
  from: null,
  people: [person(ANA, 'Ana', 40)],
  containers: [],
  tasks: [],
  dependencies: [],
  recorded: [],
  planned: [],
  trend: [],
  ...over,
});

/** A forecast with look-ups by id. */
export class Answer {
  readonly all: Forecast;

  constructor(over: Partial<ForecastInput>) {
    this.all = forecast(scope(over));
  }

  project(id: number): ProjectForecast {
    return found(this.all.projects, id);
  }

  get onlyProject(): ProjectForecast {
    return this.all.projects[0]!;
  }

  work(id: number): WorkEntry {
    return found(
      this.all.projects.flatMap((project) => project.work),
      id,
    );
  }

  person(id: number): PersonCapacity {
    return found(this.all.people, id);
  }

  /** The week that begins on that Monday. */
  week(personId: number, monday: string): Week {
    return this.person(personId).weeks.find(({ week }) => week === monday)!;
  }
}

function found<Row extends { id: number }>(rows: Row[], id: number): Row {
  const row = rows.find((candidate) => candidate.id === id);
  if (!row) throw new Error(`The answer holds no ${id}.`);
  return row;
}
