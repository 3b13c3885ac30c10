/** The forecast in the API (behaviour §6.2, §6.16, §6.18). Hours have two decimals, percentages one. */
import { z } from 'zod';

const Id = z.int().positive();
const Day = z.iso.date();
const Hours = z.number().min(0);
const Percent = z.number();

export const Outlook = z.enum(['no_scope', 'needs_data', 'needs_target', 'overcommitted', 'at_risk', 'within_capacity']);
export type Outlook = z.infer<typeof Outlook>;

/** Why the forecast of a task is not reliable, in this order. */
export const Issue = z.enum([
  'no_estimate',
  'over_estimate',
  'no_assignee',
  'assignee_left',
  'no_capacity',
  'unconfirmed_capacity',
  'overdue',
  'blocked',
]);
export type Issue = z.infer<typeof Issue>;

export const TrendPoint = z
  .strictObject({ date: Day, scopeHours: Hours, remainingHours: Hours, weightedProgress: Percent.nullable() })
  .describe('A project on one of the last eight Mondays, or today.');
export type TrendPoint = z.infer<typeof TrendPoint>;

export const WorkEntry = z
  .strictObject({
    id: Id,
    title: z.string(),
    status: z.string().describe('Canonical status.'),
    assigneeId: Id.nullable(),
    startDate: Day.nullable(),
    dueDate: Day.nullable(),
    estimatedHours: Hours.nullable(),
    progressPercent: z.number().min(0).max(100).nullable(),
    remainingHours: Hours.describe(
      'What is left of the estimate: by its progress; without a progress, less the time recorded on the task.',
    ),
    forecastStart: Day.nullable(),
    forecastDate: Day.nullable(),
    late: z.boolean().describe("The forecast is after the due date. Without a due date: after the project's target date."),
    issues: z.array(Issue),
  })
  .describe('A task of the project with its simulated dates.');
export type WorkEntry = z.infer<typeof WorkEntry>;

export const ProjectForecast = z
  .strictObject({
    id: Id,
    title: z.string(),
    targetDate: Day.nullable(),
    forecastDate: Day.nullable(),
    bufferedDate: Day.nullable(),
    scopeHours: Hours,
    remainingHours: Hours,
    bufferedHours: Hours,
    weightedProgress: Percent.nullable(),
    outlook: Outlook,
    method: z.string(),
    dataIncomplete: z.boolean(),
    trend: z.array(TrendPoint).describe('The last eight Mondays and today, oldest first.'),
    work: z.array(WorkEntry).describe('By id.'),
  })
  .meta({ id: 'ProjectForecast' });
export type ProjectForecast = z.infer<typeof ProjectForecast>;

export const Week = z.strictObject({
  week: Day.describe('Its Monday.'),
  availableHours: Hours,
  allocatedHours: Hours,
  plannedHours: Hours,
  recordedHours: Hours,
  overHours: Hours,
  overextended: z.boolean(),
  loadPercent: Hours.nullable(),
});
export type Week = z.infer<typeof Week>;

export const PersonCapacity = z
  .strictObject({
    id: Id,
    name: z.string(),
    weeklyHours: Hours,
    confirmed: z.boolean().describe('False: 40 hours are assumed.'),
    weeks: z.array(Week),
  })
  .meta({ id: 'PersonCapacity' });
export type PersonCapacity = z.infer<typeof PersonCapacity>;

/** All fields except `canManage`. They are the same for all callers with this scope, so they share a snapshot. */
export const Forecast = z.strictObject({
  workspaceId: z.int().min(0).describe('0: all visible workspaces.'),
  today: Day,
  from: Day.describe('A Monday.'),
  weeks: z.int(),
  timezone: z.string(),
  scopeNote: z.string(),
  projects: z.array(ProjectForecast),
  people: z.array(PersonCapacity),
});
export type Forecast = z.infer<typeof Forecast>;

/** Numbers of open tasks without a date, by reason. A task can have several reasons. */
const Missing = z.object({
  noEstimate: z.number(),
  unassigned: z.number(),
  noHours: z.number(),
  /** By assignee who left the workspace or is deactivated, most tasks first. */
  left: z.array(z.object({ name: z.string(), tasks: z.number(), deactivated: z.boolean() })),
  /** Open tasks that wait for items without a date, and ids of these items. Absent in older snapshots. */
  waiting: z.object({ tasks: z.number(), blockers: z.array(z.number()) }).nullish(),
});
export type Missing = z.infer<typeof Missing>;

/** A time in which a person does not work, or only half of each day. `holiday`: the name of a public holiday, null for an absence. */
export const AwayDates = z.object({ first: z.string(), last: z.string(), half: z.boolean(), holiday: z.string().nullable() });
export type AwayDates = z.infer<typeof AwayDates>;

/** Stored with a project's forecast, for pages. */
export const Explained = z.object({
  progress: z.object({ scopeHours: z.number(), weightedProgress: z.number().nullable() }),
  /** For an outlook of needs_data: the dates of tasks with complete data, null without any. */
  rest: z.object({ forecastDate: z.string(), bufferedDate: z.string().nullable() }).nullable(),
  missing: Missing.nullable(),
  /** Who finishes the last task, and what delays it. `freeFrom`: the first day on which the person has time again, if no earlier than the
   *  forecast date. Otherwise `startsOn`: the future day on which the task starts. */
  bottleneck: z.object({ name: z.string(), freeFrom: z.string().nullable(), startsOn: z.string().nullable() }).nullable(),
  /** Set if that person's weeks and the forecast date seem to disagree. `over`: the first overextended week of a project that ends by its
   *  target. Null: the project ends after its target, but none of these weeks is overextended. */
  weeks: z.object({ name: z.string(), over: z.string().nullable() }).nullable(),
  /** The number of its tasks, if they all count with other projects. Absent in older snapshots. */
  elsewhere: z.number().nullish(),
  /** Absences and holidays of that person, and of those whom the last task waits for, before they finish. Absent in older snapshots. */
  away: z.array(AwayDates.extend({ name: z.string() })).nullish(),
  /** The last task, if it waits: ids of its last blocker, that one's last blocker, and so on; `until`: the day on which it may start. */
  waits: z.object({ taskId: z.number(), chain: z.array(z.number()), until: z.string() }).nullish(),
});
export type Explained = z.infer<typeof Explained>;
