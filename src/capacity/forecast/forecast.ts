/** The capacity forecast of one scope in one call: for small scopes and for examples. A worker feeds `ForecastBuilder` from a cursor instead. */

import type { Forecast, TrendPoint } from '../schema.ts';
import { ForecastBuilder } from './builder.ts';
import { forecastJsonAtOnce } from './json.ts';
import type { ContainerRow, PersonRow, TaskRow, WorkRow } from './rows.ts';
import { dayOf } from './workdays.ts';

type Dated<Row, Days extends keyof Row> = Omit<Row, Days>;

/** All dates are YYYY-MM-DD. Ids in `milestoneId`, `releaseId` … are those of `containers`. */
export interface ForecastInput {
  /** 0: every workspace that the caller may see. */
  workspaceId: number;
  today: string;
  /** Any day of the first week; null: today. */
  from: string | null;
  people: PersonRow[];
  containers: (Dated<ContainerRow, 'targetDay' | 'dueDay'> & { targetDate: string | null; dueDate: string | null })[];
  tasks: (WorkRow & Dated<TaskRow, 'startDay' | 'dueDay' | 'completedDay'> & { completedDate: string | null })[];
  recorded: MinutesOnDate[];
  planned: MinutesOnDate[];
  trend: (TrendPoint & { projectId: number })[];
}

export interface MinutesOnDate {
  personId: number;
  date: string;
  minutes: number;
}

/** Everything of the answer but `canManage`. */
export function forecast(input: ForecastInput): Forecast {
  const { workspaceId, people, containers, tasks, recorded, planned, trend } = input;
  const builder = new ForecastBuilder({ workspaceId, today: dayOf(input.today), from: dayOf(input.from ?? input.today), people });
  builder.addContainers(containers.map(containerRow));
  builder.addTasks(tasks.map(taskRow));
  builder.addRecorded(recorded.map(onDay));
  builder.addPlanned(planned.map(onDay));
  builder.addTrend(trend.map(onDay));
  const rows = new Map(tasks.map((task) => [task.id, task]));
  return JSON.parse(forecastJsonAtOnce(builder.finishAtOnce(), (ids) => ids.map((id) => workText(rows.get(id)!))));
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
