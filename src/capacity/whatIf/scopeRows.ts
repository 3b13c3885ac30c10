/** Rows of a scope, as the statement in scopeQueries.ts returns them: JSON, which only a thread parses. */
import { z } from 'zod';
import { statuses } from '../../workspaces/statuses.ts';
import type { ContainerRow, HolidayRow, MinutesRow, PersonRow } from '../forecast/rows.ts';

const Person: z.ZodType<PersonRow> = z.object({
  id: z.number(),
  name: z.string(),
  weeklyMinutes: z.number().nullable(),
  assignable: z.boolean(),
  active: z.boolean(),
  calendar: z
    .object({
      weekdays: z.number(),
      region: z.string().nullable(),
      hours: z.array(z.object({ firstDay: z.number(), weeklyMinutes: z.number(), weekdays: z.number() })),
      away: z.array(z.object({ firstDay: z.number(), lastDay: z.number(), half: z.boolean(), holiday: z.string().nullable() })),
    })
    .nullable(),
});
const Holiday: z.ZodType<HolidayRow> = z.object({ region: z.string(), day: z.number(), half: z.boolean(), name: z.string() });
const Dependency = z.object({ itemId: z.number(), blockerId: z.number(), lagDays: z.number(), visible: z.boolean().default(true) });
const Container: z.ZodType<ContainerRow> = z.object({
  id: z.number(),
  type: z.enum(['release', 'requirement', 'milestone']),
  title: z.string(),
  status: z.string(),
  targetDay: z.number().nullable(),
  dueDay: z.number().nullable(),
  releaseId: z.number().nullable(),
  parentId: z.number().nullable(),
});
const Minutes: z.ZodType<MinutesRow> = z.object({ personId: z.number(), day: z.number(), minutes: z.number() });
/** Weeks need neither titles nor labels: those are empty then. */
const ScopeTask = z.object({
  id: z.number(),
  workspaceId: z.number(),
  title: z.string(),
  version: z.number(),
  status: z.enum(statuses),
  statusLabel: z.string(),
  assigneeId: z.number().nullable(),
  assigneeLeft: z.boolean(),
  estimatedHours: z.number().nullable(),
  progressPercent: z.number().nullable(),
  recordedMinutes: z.number(),
  priorityRank: z.number().nullable(),
  startDay: z.number().nullable(),
  dueDay: z.number().nullable(),
  completedDay: z.number().nullable(),
  releaseId: z.number().nullable(),
  requirementId: z.number().nullable(),
  parentItemId: z.number().nullable(),
});
export type ScopeTask = z.infer<typeof ScopeTask>;

const ScopeRows = z.object({
  from: z.number(),
  today: z.number(),
  people: z.array(Person),
  holidays: z.array(Holiday),
  dependencies: z.array(Dependency),
  containers: z.array(Container),
  tasks: z.array(ScopeTask),
  recorded: z.array(Minutes),
  planned: z.array(Minutes),
});
export type ScopeRows = z.infer<typeof ScopeRows> & { workspaceId: number };

export const parseScope = (workspaceId: number, json: string): ScopeRows => ({ ...ScopeRows.parse(JSON.parse(json)), workspaceId });
