/** A work item in lists for agents: a row of svc_find_work and of a requirement's tasks (behaviour §7.20). Unset fields are omitted. */
import { z } from 'zod';
import { itemTypes } from '../../access/rights.ts';
import { Id } from '../../values/text.ts';
import { statuses } from '../../workspaces/statuses.ts';
import { linkNames } from '../fields.ts';

export const WorkRow = z.object({
  id: Id,
  workspaceId: Id,
  type: z.enum(itemTypes),
  title: z.string(),
  status: z.enum(statuses),
  statusKey: z.string(),
  priorityKey: z.string().optional(),
  assigneeId: Id.optional(),
  assigneeName: z.string().optional(),
  startDate: z.string().optional(),
  dueDate: z.string().optional(),
  targetDate: z.string().optional(),
  ownerId: Id.optional(),
  blockedReason: z.string().optional(),
  parentId: Id.optional(),
  parentItemId: Id.optional(),
  requirementId: Id.optional(),
  releaseId: Id.optional(),
  goalId: Id.optional(),
  estimatedHours: z.number().optional(),
  progressPercent: z.number().optional(),
  version: z.int(),
  /** The link that places it below the requested item (behaviour §7.32). */
  via: z.object({ field: z.enum(linkNames), id: Id }).optional(),
});
export type WorkRow = z.infer<typeof WorkRow>;
