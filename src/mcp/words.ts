/** Argument descriptions for agents (behaviour §7.37), in one place to keep the token budget. */
import type { ItemType } from '../access/rights.ts';
import { type FieldName, fieldNames, fields } from '../items/fields.ts';

export const REQUEST_ID = 'Fresh UUID for each intended change, the same on its retries';

const types: ItemType[] = ['task', 'requirement', 'release', 'milestone'];

/** Goal fields, which agents don't write, and a read-only field. */
export const hiddenFields: readonly string[] = fieldNames.filter(
  (name) => !types.some((type) => (fields[name].types as readonly ItemType[]).includes(type)),
);

/** `not release: dueDate, releaseId; task: parentItemId; …`, from the table that the rules use. */
function fieldsByType(): string {
  const groups = new Map<string, FieldName[]>();
  for (const name of fieldNames) {
    const applies = types.filter((type) => (fields[name].types as readonly ItemType[]).includes(type));
    if (applies.length === 0 || applies.length === types.length) continue;
    const [missing] = types.filter((type) => !applies.includes(type));
    const label = applies.length === types.length - 1 ? `not ${missing}` : applies.join(' or ');
    groups.set(label, [...(groups.get(label) ?? []), name]);
  }
  return [...groups].map(([label, names]) => `${label}: ${names.join(', ')}`).join('; ');
}

export const FIELDS = [
  'Dates YYYY-MM-DD',
  'assigneeId does the work, ownerId beside fields answers for it',
  'give status or statusKey: a key brings its status, a status the first key of the workspace, both must agree',
  'blocked needs blockedReason, leaving it clears it',
  'dueDate: to be done by; targetDate: wanted by',
  'parentItemId: the task or milestone above a task; parentId: the requirement above a requirement',
  'reachPeriod like 2026-Q3',
  `for every type, except ${fieldsByType()}`,
].join('. ');

export const SAME_FIELDS = 'As in svc_create_items; null clears';
