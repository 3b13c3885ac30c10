/** Input of the forecast. Days are day numbers (workdays.ts). Only pass rows that are in the scope and `shown`. */

import type { Day, Weekdays } from '../../values/workdays.ts';
import type { WorkEntry } from './schema.ts';

/** An absence or a public holiday. `half`: only half of each working day is lost. */
export interface Away {
  firstDay: Day;
  lastDay: Day;
  half: boolean;
  /** The name of a public holiday. Null for an absence: forecasts do not contain reasons. */
  holiday: string | null;
}

/** `weekdays`: until the first of `hours`. `region`: of the public holidays that count. */
export interface CalendarRow {
  weekdays: Weekdays;
  region?: string | null;
  hours: { firstDay: Day; weeklyMinutes: number; weekdays: Weekdays }[];
  away: Away[];
}

export interface HolidayRow {
  region: string;
  day: Day;
  half: boolean;
  name: string;
}

/** A task that waits for another item of its workspace (behaviour §34). Only pass rows whose blocker is open. */
export interface DependencyRow {
  itemId: number;
  blockerId: number;
  lagDays: number;
}

export interface PersonRow {
  id: number;
  name: string;
  /** Until the first of the calendar's dated hours. Null: not confirmed. */
  weeklyMinutes: number | null;
  /** Null for Monday to Friday without dated hours, absences and holidays. */
  calendar?: CalendarRow | null;
  /** An active member who may get work: listed even without work. Others are listed if a task, time entry or block refers to them. */
  assignable: boolean;
  active: boolean;
}

/** A release, requirement or milestone. Closed ones are needed, too, to assign tasks to projects. */
export interface ContainerRow {
  id: number;
  type: 'release' | 'requirement' | 'milestone';
  title: string;
  status: string;
  targetDay: Day | null;
  dueDay: Day | null;
  releaseId: number | null;
  parentId: number | null;
}

export interface TaskRow {
  id: number;
  status: string;
  assigneeId: number | null;
  /** The assignee is deactivated or no member of the workspace, so the task counts as unassigned. */
  assigneeLeft: boolean;
  estimatedHours: number | null;
  progressPercent: number | null;
  /** Of all users, on the task. Only open tasks without progress need it. */
  recordedMinutes: number;
  /** Rank of the priority in its workspace. Higher is more urgent, null is least urgent. */
  priorityRank: number | null;
  startDay: Day | null;
  dueDay: Day | null;
  /** The UTC day on which it was set to done. */
  completedDay: Day | null;
  releaseId: number | null;
  requirementId: number | null;
  milestoneId: number | null;
}

export type WorkRow = Pick<
  WorkEntry,
  'id' | 'title' | 'status' | 'assigneeId' | 'startDate' | 'dueDate' | 'estimatedHours' | 'progressPercent'
>;

/** Minutes recorded or planned on a UTC day. Sums of a week may use any day of the week. */
export interface MinutesRow {
  personId: number;
  day: Day;
  minutes: number;
}

export interface TrendRow {
  projectId: number;
  day: Day;
  scopeHours: number;
  remainingHours: number;
  weightedProgress: number | null;
}

export const isClosed = (status: string): boolean => status === 'done' || status === 'cancelled';
