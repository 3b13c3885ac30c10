/** What the forecast is fed with. Days are day numbers (workdays.ts); only rows that are in the scope and `shown` may be given. */
import type { WorkEntry } from './schema.ts';
import type { Day } from './workdays.ts';

export interface PersonRow {
  id: number;
  name: string;
  /** null when never confirmed: then 40 hours and `confirmed: false`. */
  weeklyMinutes: number | null;
  /** An active member who may be assigned: listed even without work. Others are listed when a task, time or a block names them. */
  assignable: boolean;
  active: boolean;
}

/** A release, requirement or milestone, open or closed: the closed ones decide where a task belongs, too. */
export interface ContainerRow {
  id: number;
  type: 'release' | 'requirement' | 'milestone';
  title: string;
  status: string;
  targetDay: Day | null;
  dueDay: Day | null;
  /** Of a requirement: its own release. */
  releaseId: number | null;
  /** Of a requirement: the requirement above it. */
  parentId: number | null;
}

/** The numbers of a task: what the first pass needs. */
export interface TaskRow {
  id: number;
  status: string;
  assigneeId: number | null;
  /** The assignee is deactivated, or no member of the task's workspace: the task counts as unassigned. */
  assigneeLeft: boolean;
  /** Hours >= 0. */
  estimatedHours: number | null;
  /** 0–100. */
  progressPercent: number | null;
  /** Rank of its priority in its workspace: higher is more urgent; none is the least urgent. */
  priorityRank: number | null;
  startDay: Day | null;
  dueDay: Day | null;
  /** The UTC day it was set to done. */
  completedDay: Day | null;
  releaseId: number | null;
  requirementId: number | null;
  /** `parentItemId` where that is a milestone. */
  milestoneId: number | null;
}

/** What `work[]` repeats of a task. */
export type WorkRow = Pick<
  WorkEntry,
  'id' | 'title' | 'status' | 'assigneeId' | 'startDate' | 'dueDate' | 'estimatedHours' | 'progressPercent'
>;

/** Minutes recorded or planned on a UTC day; sums per week may be given under any day of the week. */
export interface MinutesRow {
  personId: number;
  day: Day;
  minutes: number;
}

/** A stored point of a project's trend: figures as they were put out on that day. */
export interface TrendRow {
  projectId: number;
  day: Day;
  scopeHours: number;
  remainingHours: number;
  weightedProgress: number | null;
}

export const isClosed = (status: string): boolean => status === 'done' || status === 'cancelled';
