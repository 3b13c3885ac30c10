import { readsGoals } from '../../access/queries.ts';
import type { Fragment } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';

/** JSON of an items row `i` with assignee `a` (left join users a on a.id = i.assignee_id) and the caller's `access`. Omits nulls. */
export const workRowJson = (via: Fragment = sql.fragment`null::json`): Fragment => sql.fragment`json_strip_nulls(json_build_object(
  'id', i.id, 'workspaceId', i.workspace_id, 'type', i.type, 'title', i.title, 'status', i.status, 'statusKey', i.status_key,
  'blockedReason', i.blocked_reason, 'priorityKey', i.priority_key, 'ownerId', i.owner_id, 'assigneeId', i.assignee_id,
  'assigneeName', a.name, 'startDate', i.start_date, 'dueDate', i.due_date, 'targetDate', i.target_date,
  'parentId', i.parent_id, 'parentItemId', i.parent_item_id, 'requirementId', i.requirement_id, 'releaseId', i.release_id,
  'goalId', case when ${readsGoals} then i.goal_id end, 'estimatedHours', i.estimated_hours,
  'progressPercent', i.progress_percent, 'version', i.version, 'via', ${via}))`;
