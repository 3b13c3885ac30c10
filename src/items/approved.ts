/** What was approved of an item that was changed since (behaviour §4.24). Pure. */
import type { Work } from './schema.ts';

/** The parts of an item that an approval is about, in the order they are told in. */
export const approvable = [
  'title',
  'description',
  'acceptance',
  'dueDate',
  'targetDate',
  'target',
  'parentId',
  'parentItemId',
  'requirementId',
  'releaseId',
  'goalId',
] as const;
export type ApprovableName = (typeof approvable)[number];
/** As approved; what its reader may not see is left out. */
export type Approved = Partial<Record<ApprovableName, string | number | null>>;

export const nowOf = (item: Work, name: ApprovableName): string | number | null =>
  (name === 'title' || name === 'description' ? item[name] : item.fields[name]) ?? null;

/** Those parts that are different now, as they were approved. */
export function differing(item: Work, approved: Approved): Approved {
  const names = approvable.filter((name) => approved[name] !== undefined && approved[name] !== nowOf(item, name));
  return Object.fromEntries(names.map((name) => [name, approved[name]]));
}
