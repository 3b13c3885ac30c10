/** What a write is told of that is allowed and yet looks wrong (behaviour §7.39). Pure. */
import type { Caller } from '../access/caller.ts';
import type { ChangedFields } from '../changes/schema.ts';
import { closedStatuses } from '../workspaces/statuses.ts';
import { approvable } from './approved.ts';
import { type FieldName, type LinkName, linkNames } from './fields.ts';
import type { ItemChange, ItemRow, Work, WorkFields } from './schema.ts';

export const warningCodes = [
  'due_after_target',
  'start_in_past',
  'over_capacity',
  'estimate_counted_twice',
  'block_before_start',
  'changed_since_approval',
] as const;

export interface Warning {
  code: (typeof warningCodes)[number];
  /** A sentence. */
  message: string;
  /** Of a batch. */
  index?: number;
}

/** An item above, as far as warnings go. */
export interface Above {
  target: string | null;
  estimatedHours: number | null;
  /** The release of a requirement. */
  releaseId: number | null;
}

/** Read with the other facts of an agent's write. */
export interface WarningFacts {
  /** In the connection's zone. */
  zoneToday: string;
  /** By id: whatever the items are linked to, or will be, and the releases of that; what can be seen of it. */
  above: Record<string, Above>;
  /** Those of the items that have a visible child with an estimate. */
  estimatedBelow: number[];
  /** Mondays by user, of those whose weeks hold more than they can do; of nobody for whoever may not oversee capacity. */
  overloads: Record<string, string[]>;
}

/** One item of a write, as it will be. */
export interface Written {
  /** None of one that is created. */
  stored: Work | null;
  row: ItemRow;
  /** Of `stored`. */
  changed: ChangedFields;
}

/** Who writes; `warns`: null where none was read. */
interface Writer {
  caller: Caller;
  warns?: WarningFacts | null;
}

const links = linkNames.filter((name): name is Exclude<LinkName, 'goalId'> => name !== 'goalId');

const looked: readonly FieldName[] = ['startDate', 'dueDate', 'targetDate', 'estimatedHours', 'assigneeId', ...links];

/** Whether such changes can be warned of at all: what that takes need not be read for the others. */
export const canWarn = (changes: readonly ItemChange[]): boolean =>
  changes.some(({ fields = {} }) => looked.some((name) => fields[name] !== undefined));

/** About what this write changes, for agents alone. `others`: what becomes of the other items of a batch. */
export function warningsOf({ caller, warns }: Writer, written: Written, others: ReadonlyMap<number, ItemRow> = new Map()): Warning[] {
  if (caller.kind !== 'agent') return [];
  return [...(warns ? planWarnings(written, warns, others) : []), ...approvalWarnings(written)];
}

/** By the status that the agent sees, and not by the approval, which no key reaches (behaviour §3.29). */
function approvalWarnings({ stored, changed }: Written): Warning[] {
  const names = approvable.filter((name) => name in changed);
  if (stored?.status !== 'approved' || !names.length) return [];
  const message = `Item ${stored.id} has the status approved, and this changes its ${names.join(', ')}. A person has to approve it again.`;
  return [{ code: 'changed_since_approval', message }];
}

/** About dates, estimates and capacity. */
export function planWarnings(
  { stored, row }: Omit<Written, 'changed'>,
  facts: WarningFacts,
  others: ReadonlyMap<number, ItemRow> = new Map(),
): Warning[] {
  const changes = (names: FieldName[]) => !stored || names.some((name) => (row.fields[name] ?? null) !== (stored.fields[name] ?? null));
  const found: Warning[] = [];
  const warn = (code: Warning['code'], message: string) => found.push({ code, message });
  const above = aboveOf(row, facts, others);
  const { startDate, dueDate, targetDate, estimatedHours, assigneeId } = row.fields as WorkFields;
  const due: string | null = dueDate ?? targetDate ?? null;
  const isOpen = !closedStatuses.includes(row.status);
  const late = above.find(({ target }) => due !== null && target !== null && due > target);
  if (isOpen && late && changes(['dueDate', 'targetDate', ...links])) {
    warn('due_after_target', `Due ${due}, after the target ${late.target} of item ${late.id} that it belongs to.`);
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
    warn('over_capacity', `User ${assigneeId} has more than they can do in the week of ${week}, by the newest forecast.`);
  }
  if (estimatedHours && changes(['estimatedHours', ...links])) {
    const parent = above.find((one) => one.direct && one.estimatedHours);
    const hasBelow = stored !== null && facts.estimatedBelow.includes(stored.id);
    if (parent) warn('estimate_counted_twice', `Item ${parent.id} above has an estimate as well: both are counted.`);
    else if (hasBelow) warn('estimate_counted_twice', 'What is below it has estimates as well: both are counted.');
  }
  return found;
}

type Higher = Above & { id: number; direct: boolean };

/** What the item is linked to, and the releases of that. */
function aboveOf(row: ItemRow, { above }: WarningFacts, others: ReadonlyMap<number, ItemRow>): Higher[] {
  const find = (id: unknown, direct: boolean): Higher[] => {
    const known = above[Number(id)];
    const other = others.get(Number(id))?.fields as WorkFields | undefined;
    const now = other && {
      target: other.targetDate ?? other.dueDate ?? null,
      ...{ estimatedHours: other.estimatedHours ?? null, releaseId: other.releaseId ?? null },
    };
    return known ? [{ ...known, ...now, id: Number(id), direct }] : [];
  };
  const direct = links.flatMap((name) => find(row.fields[name], true));
  return [...direct, ...direct.flatMap(({ releaseId }) => find(releaseId, false))];
}

function mondayOf(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}

/** In the order of the batch. */
export const inBatch = (all: readonly Warning[][]): Warning[] => all.flatMap((some, index) => some.map((one) => ({ ...one, index })));
