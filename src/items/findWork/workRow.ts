/** Work as agents see it in lists: one row of svc_find_work and of a requirement's tasks (behaviour §7.20). Unset fields are left out. */
import { z } from 'zod';
import { itemTypes } from '../../access/rights.ts';
import { fixedSql } from '../../database/db.ts';
import { Id } from '../../values/text.ts';
import { statuses } from '../../workspaces/statuses.ts';

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
  requirementId: Id.optional(),
  releaseId: Id.optional(),
  estimatedHours: z.number().optional(),
  progressPercent: z.number().optional(),
  version: z.int(),
  /** Only where it is so (behaviour §4.24). */
  changedSinceApproval: z.literal(true).optional(),
});
export type WorkRow = z.infer<typeof WorkRow>;

/** JSON of a row `i` of items with its assignee `a` (left join users a on a.id = i.assignee_id), nulls left out. The links are ancestors:
 *  whoever may see the row may see them. */
export const workRowJson = fixedSql(`json_strip_nulls(json_build_object(
  'id', i.id, 'workspaceId', i.workspace_id, 'type', i.type, 'title', i.title, 'status', i.status, 'statusKey', i.status_key,
  'priorityKey', i.priority_key, 'assigneeId', i.assignee_id, 'assigneeName', a.name, 'startDate', i.start_date, 'dueDate', i.due_date,
  'targetDate', i.target_date, 'requirementId', i.requirement_id, 'releaseId', i.release_id, 'estimatedHours', i.estimated_hours,
  'progressPercent', i.progress_percent, 'version', i.version,
  'changedSinceApproval', nullif(i.changed_since_approval, false)))`);
