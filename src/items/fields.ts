/** The fields of a work item: their column, and the types they apply to (behaviour §4.2). */
import type { ItemType } from '../access/rights.ts';

type SqlType = 'text' | 'date' | 'double precision' | 'bigint';

interface Field {
  column: string;
  sql: SqlType;
  types: readonly ItemType[];
}

const every: ItemType[] = ['task', 'requirement', 'goal', 'release', 'milestone'];
const field = (column: string, sql: SqlType, types: readonly ItemType[]): Field => ({ column, sql, types });

/** In response order. `assigneeName` comes from the user and has no column. */
export const fields = {
  statusKey: field('status_key', 'text', every),
  priorityKey: field('priority_key', 'text', every),
  blockedReason: field('blocked_reason', 'text', every),
  dueDate: field('due_date', 'date', ['task', 'requirement', 'milestone']),
  startDate: field('start_date', 'date', every),
  targetDate: field('target_date', 'date', ['requirement', 'goal', 'release', 'milestone']),
  actualDate: field('actual_date', 'date', ['goal', 'release', 'milestone']),
  versionLabel: field('version_label', 'text', ['release']),
  acceptance: field('acceptance', 'text', ['task', 'requirement']),
  reachPeriod: field('reach_period', 'text', ['requirement']),
  unit: field('unit', 'text', ['goal']),
  level: field('level', 'text', ['goal']),
  estimatedHours: field('estimated_hours', 'double precision', every),
  progressPercent: field('progress_percent', 'double precision', every),
  reach: field('reach', 'double precision', ['requirement']),
  impact: field('impact', 'double precision', ['requirement']),
  confidence: field('confidence', 'double precision', ['requirement']),
  effort: field('effort', 'double precision', ['requirement']),
  target: field('target', 'double precision', ['goal']),
  current: field('current', 'double precision', ['goal']),
  assigneeId: field('assignee_id', 'bigint', every),
  parentId: field('parent_id', 'bigint', ['requirement', 'goal']),
  parentItemId: field('parent_item_id', 'bigint', ['task']),
  requirementId: field('requirement_id', 'bigint', ['task', 'milestone']),
  releaseId: field('release_id', 'bigint', ['task', 'requirement', 'milestone']),
  goalId: field('goal_id', 'bigint', ['task', 'requirement', 'release', 'milestone']),
} as const satisfies Record<string, Field>;

export type FieldName = keyof typeof fields;
export const fieldNames = Object.keys(fields) as FieldName[];

export const linkTargets = {
  parentId: (type: ItemType): ItemType[] => [type],
  parentItemId: (): ItemType[] => ['task', 'milestone'],
  requirementId: (): ItemType[] => ['requirement'],
  releaseId: (): ItemType[] => ['release'],
  goalId: (): ItemType[] => ['goal'],
} as const satisfies Partial<Record<FieldName, (type: ItemType) => ItemType[]>>;

export type LinkName = keyof typeof linkTargets;
export const linkNames = Object.keys(linkTargets) as LinkName[];

export function applies(name: FieldName, type: ItemType): boolean {
  return (fields[name].types as readonly ItemType[]).includes(type);
}
