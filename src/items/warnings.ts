/** Warnings about writes that are allowed but look wrong (behaviour §7.39). Pure. */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { itemTypes } from '../access/rights.ts';
import type { ChangedFields } from '../changes/schema.ts';
import { mondayOf } from '../values/dates.ts';
import { closedStatuses } from '../workspaces/statuses.ts';
import { approvable } from './approved.ts';
import { type FieldName, type LinkName, linkNames } from './fields.ts';
import { isReopened } from './reopening.ts';
import type { ItemChange, ItemRow, Work } from './schema.ts';

export const warningCodes = [
  'due_after_target',
  'start_in_past',
  'over_capacity',
  'estimate_counted_twice',
  'block_before_start',
  'block_while_away',
  'changed_since_approval',
  'kept_after_reopening',
] as const;

export interface Warning {
  code: (typeof warningCodes)[number];
  message: string;
  index?: number;
}

export const WarningFacts = z.object({
  /** Today in the connection's time zone. */
  zoneToday: z.string(),
  /** Visible items that the written items link to, before or after, and their releases, by id. */
  above: z.record(
    z.string(),
    z.object({
      type: z.enum(itemTypes),
      target: z.string().nullable(),
      estimatedHours: z.number().nullable(),
      releaseId: z.number().nullable(),
    }),
  ),
  estimatedBelow: z.array(z.number()),
  /** By user: Mondays of the weeks whose work exceeds their capacity. Empty if the caller may not oversee capacity. */
  overloads: z.record(z.string(), z.array(z.string())),
});
export type WarningFacts = z.infer<typeof WarningFacts>;
export type Above = WarningFacts['above'][string];

export interface Written {
  stored: Work | null;
  row: ItemRow;
  changed: ChangedFields;
}

interface Writer {
  caller: Caller;
  warns?: WarningFacts | null;
}

const links = linkNames.filter((name): name is Exclude<LinkName, 'goalId'> => name !== 'goalId');

const looked: readonly FieldName[] = ['startDate', 'dueDate', 'targetDate', 'estimatedHours', 'assigneeId', ...links];

/** True if these changes can cause warnings. Otherwise the facts need not be read. */
export const canWarn = (changes: readonly ItemChange[]): boolean =>
  changes.some(({ fields = {} }) => looked.some((name) => fields[name] !== undefined));

/** Warnings for agents. `others`: the other items of the batch after the write. */
export function warningsOf({ caller, warns }: Writer, written: Written, others: ReadonlyMap<number, ItemRow> = new Map()): Warning[] {
  if (caller.kind !== 'agent') return [];
  return [...(warns ? planWarnings(written, warns, others) : []), ...approvalWarnings(written), ...reopeningWarnings(written)];
}

/** Values that stay after reopening, because no stored change to done has set them. */
function reopeningWarnings({ stored, row, changed }: Written): Warning[] {
  if (!stored || !isReopened(stored, row) || closedStatuses.includes(row.status)) return [];
  const { progressPercent, actualDate } = row.fields;
  const kept = [
    ...(progressPercent === 100 && !('progressPercent' in changed) ? ['progressPercent 100'] : []),
    ...(actualDate !== null && !('actualDate' in changed) ? [`actualDate ${actualDate}`] : []),
  ];
  if (kept.length === 0) return [];
  return [
    { code: 'kept_after_reopening', message: `Item ${stored.id} is open again and keeps ${kept.join(' and ')}. Update it if needed.` },
  ];
}

/** Uses the status that the agent sees, because no key may read approvals (behaviour §3.29). */
function approvalWarnings({ stored, changed }: Written): Warning[] {
  const names = approvable.filter((name) => name in changed);
  if (stored?.status !== 'approved' || !names.length) return [];
  const message = `Item ${stored.id} is approved, and you changed its ${names.join(', ')}. Ask a person to approve it again.`;
  return [{ code: 'changed_since_approval', message }];
}

export function planWarnings(
  { stored, row }: Omit<Written, 'changed'>,
  facts: WarningFacts,
  others: ReadonlyMap<number, ItemRow> = new Map(),
): Warning[] {
  const changes = (names: FieldName[]) => !stored || names.some((name) => row.fields[name] !== (stored.fields[name] ?? null));
  const found: Warning[] = [];
  const warn = (code: Warning['code'], message: string) => found.push({ code, message });
  const above = aboveOf(row, facts, others);
  const { startDate, dueDate, targetDate, estimatedHours, assigneeId } = row.fields;
  const due = dueDate ?? targetDate;
  const isOpen = !closedStatuses.includes(row.status);
  const late = above.find(({ target }) => due !== null && target !== null && due > target);
  if (isOpen && late && changes(['dueDate', 'targetDate', ...links])) {
    warn('due_after_target', `Due ${due}, after the target date ${late.target} of item ${late.id} above it.`);
  }
  if (isOpen && startDate && startDate < facts.zoneToday && changes(['startDate'])) {
    warn('start_in_past', `Starts ${startDate}, before today (${facts.zoneToday}).`);
  }
  const week = due && mondayOf(due);
  if (
    isOpen &&
    week &&
    assigneeId &&
    facts.overloads[assigneeId]?.includes(week) &&
    changes(['assigneeId', 'dueDate', 'targetDate', 'estimatedHours'])
  ) {
    warn('over_capacity', `User ${assigneeId} has more work than working time left in the week of ${week} in the latest forecast.`);
  }
  if (estimatedHours && changes(['estimatedHours', ...links])) {
    // Estimates of a task and its sub-tasks add up.
    const parent = above.find((one) => one.direct && one.type !== 'task' && one.estimatedHours);
    const hasBelow = stored !== null && facts.estimatedBelow.includes(stored.id);
    if (parent) warn('estimate_counted_twice', `Item ${parent.id} above also has an estimate. Both are counted.`);
    else if (hasBelow) warn('estimate_counted_twice', 'Its subitems also have estimates. All are counted.');
  }
  return found;
}

type Higher = Above & { id: number; direct: boolean };

/** Facts for warnings about items below this one. */
export function asAbove({ type, fields }: Pick<ItemRow, 'type' | 'fields'>): Above {
  const { targetDate, dueDate, estimatedHours, releaseId } = fields;
  return { type, target: targetDate ?? dueDate, estimatedHours, releaseId };
}

function aboveOf(row: ItemRow, { above }: WarningFacts, others: ReadonlyMap<number, ItemRow>): Higher[] {
  const find = (id: number | null, direct: boolean): Higher[] => {
    const known = id === null ? undefined : above[id];
    if (id === null || !known) return [];
    const other = others.get(id);
    return [{ ...known, ...(other && asAbove(other)), id, direct }];
  };
  const direct = links.flatMap((name) => find(row.fields[name], true));
  return [...direct, ...direct.flatMap(({ releaseId }) => find(releaseId, false))];
}

export const inBatch = (all: readonly Warning[][]): Warning[] => all.flatMap((some, index) => some.map((one) => ({ ...one, index })));
