/** The forecast of one scope in one call. A worker's thread feeds `ForecastBuilder` from a cursor instead. */

import { ForecastBuilder } from '../../../src/capacity/forecast/builder.ts';
import type { ComputedForecast } from '../../../src/capacity/forecast/computed.ts';
import { forecastJson } from '../../../src/capacity/forecast/json.ts';
import type { ContainerRow, DependencyRow, HolidayRow, PersonRow, TaskRow, WorkRow } from '../../../src/capacity/forecast/rows.ts';
import type { Forecast, TrendPoint } from '../../../src/capacity/forecast/schema.ts';
import { dayOf } from '../../../src/values/workdays.ts';

type Dated<Row, Days extends keyof Row> = Omit<Row, Days>;

/** Dates are YYYY-MM-DD. `milestoneId`, `releaseId` … are ids of `containers`. */
export interface ForecastInput {
  /** 0 means every workspace that the caller may see. */
  workspaceId: number;
  today: string;
  /** Any day of the first week. Null means today. */
  from: string | null;
  people: PersonRow[];
  holidays?: HolidayRow[];
  containers: (Dated<ContainerRow, 'targetDay' | 'dueDay'> & { targetDate: string | null; dueDate: string | null })[];
  tasks: (WorkRow & Dated<TaskRow, 'startDay' | 'dueDay' | 'completedDay'> & { completedDate: string | null })[];
  dependencies: DependencyRow[];
  recorded: MinutesOnDate[];
  planned: MinutesOnDate[];
  trend: (TrendPoint & { projectId: number })[];
}

export interface MinutesOnDate {
  personId: number;
  date: string;
  minutes: number;
}

/** The forecast without `canManage`. */
export function forecast(input: ForecastInput): Forecast {
  const rows = new Map(input.tasks.map((task) => [task.id, task]));
  return JSON.parse(textOf(computed(input), (ids) => ids.map((id) => workText(rows.get(id)!))));
}

export function computed(input: ForecastInput): ComputedForecast {
  const { workspaceId, people, holidays = [], containers, tasks, dependencies, recorded, planned, trend } = input;
  const builder = new ForecastBuilder({ workspaceId, today: dayOf(input.today), from: dayOf(input.from ?? input.today), people, holidays });
  builder.addContainers(containers.map(containerRow));
  builder.addDependencies(dependencies);
  builder.addTasks(tasks.map(taskRow));
  builder.addRecorded(recorded.map(onDay));
  builder.addPlanned(planned.map(onDay));
  builder.addTrend(trend.map(onDay));
  return builder.finish();
}

/** The whole text of a forecast. */
export function textOf(computed: ComputedForecast, work: (ids: number[]) => readonly string[]): string {
  const parts = forecastJson(computed);
  let text = '';
  for (let part = parts.next([]); !part.done; ) {
    if (typeof part.value === 'string') text += part.value;
    part = parts.next(typeof part.value === 'string' ? [] : work(part.value));
  }
  return text;
}

const dayOrNull = (date: string | null): number | null => (date === null ? null : dayOf(date));
const onDay = <Row extends { date: string }>(row: Row) => ({ ...row, day: dayOf(row.date) });

export const containerRow = (row: ForecastInput['containers'][number]): ContainerRow => ({
  ...row,
  targetDay: dayOrNull(row.targetDate),
  dueDay: dayOrNull(row.dueDate),
});

export const taskRow = (task: ForecastInput['tasks'][number]): TaskRow => ({
  ...task,
  startDay: dayOrNull(task.startDate),
  dueDay: dayOrNull(task.dueDate),
  completedDay: dayOrNull(task.completedDate),
});

export const workText = ({ id, title, status, assigneeId, startDate, dueDate, estimatedHours, progressPercent }: WorkRow): string =>
  JSON.stringify({ id, title, status, assigneeId, startDate, dueDate, estimatedHours, progressPercent });
