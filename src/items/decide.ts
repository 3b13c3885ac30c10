/** Decides the new state of an item after a change: pure rules of behaviour §4 over the facts read for it. */
import type { ItemType } from '../access/rights.ts';
import { Faults, Forbidden } from '../values/errors.ts';
import { approvalStatuses, approvalTypes } from '../workspaces/statuses.ts';
import { settableBy } from './changedFields.ts';
import { applies, fieldNames, fieldsWith, type LinkName, linkNames, linkTargets } from './fields.ts';
import type { ItemFacts } from './queries.ts';
import { type ItemChange, type ItemRow, type RowFields, type Status, setField, unsetFields, type Work, type WorkFields } from './schema.ts';

/** `contextRights` decide whether `goalId` can be set. `approves`: the change may grant or withdraw an approval; keys never may. */
type Context = ItemFacts & { contextRights: number; approves?: boolean };

interface Deciding {
  type: ItemType;
  change: ItemChange;
  context: Context;
  faults: Faults;
}

/** Returns the row to write. Throws InvalidRequest naming the wrong fields, or Forbidden for a hidden link or an approval transition. */
export function decideItem(type: ItemType, change: ItemChange, context: Context): ItemRow {
  const deciding = { type, change, context, faults: new Faults() };
  const { stored } = context;
  const given = settableBy(context, change.fields ?? {});
  checkFieldsApply(deciding, given);
  const fields = { ...unsetFields };
  for (const name of fieldNames) setField(fields, name, given[name] === undefined ? stored?.fields[name] : given[name]);
  const { status, statusKey } = decideStatus(deciding, given.statusKey ?? undefined);
  fields.statusKey = statusKey;
  fields.blockedReason = decideReason(deciding, status, given.blockedReason);
  fields.priorityKey = decidePriority(deciding, fields.priorityKey);
  const completedNow = status === 'done' && stored?.status !== 'done';
  if (completedNow) {
    fields.progressPercent = 100;
    if (applies('actualDate', type)) fields.actualDate ??= context.today;
  }
  checkPeople(deciding, fields, given);
  checkDates(deciding, fields);
  checkLinks(deciding, fields);
  deciding.faults.check();
  return {
    type,
    title: change.title ?? stored?.title ?? '',
    description: change.description ?? stored?.description ?? '',
    status,
    ownerId: change.ownerId === undefined ? (stored?.ownerId ?? null) : change.ownerId,
    completedNow,
    fields,
  };
}

/** Reports earlier faults first, because Forbidden gives no reason. */
function forbid({ faults }: Deciding): never {
  faults.check();
  throw new Forbidden();
}

function checkFieldsApply({ type, faults }: Deciding, given: WorkFields) {
  for (const name of fieldNames) {
    if (given[name] != null && !applies(name, type)) faults.add(['fields', name], `does not apply to a ${type}; leave it out.`);
  }
}

function decideStatus(deciding: Deciding, key: string | undefined): { status: Status; statusKey: string | null } {
  const { type, context, faults } = deciding;
  const { stored, statuses } = context;
  const asked = deciding.change.status;
  const ofType = statuses.filter((row) => row.types.includes(type));
  const named = key === undefined ? undefined : ofType.find((row) => row.key === key);
  const kept = stored && key !== undefined && key === stored.fields.statusKey && (asked ?? stored.status) === stored.status ? stored : null;
  if (key !== undefined && !named && !kept)
    faults.add(['fields', 'statusKey'], {
      problem: `'${key}' is not a status of a ${type} in this workspace`,
      allowed: ofType.map((row) => row.key),
    });
  const status = asked ?? kept?.status ?? named?.status ?? stored?.status ?? 'planned';
  if (named && named.status !== status) {
    const both = `'${key}' belongs to status ${named.status}, not ${status}; send only one of them, or two that match.`;
    faults.add(['fields', 'statusKey'], both);
  }
  if (approvalStatuses.includes(status) && !approvalTypes.includes(type)) {
    faults.add(['status'], `${status} exists for requirements and releases only; read the options.`);
    return { status, statusKey: null };
  }
  if (!context.approves && asksForApproval(stored?.status, status)) forbid(deciding);
  if (status === stored?.status && key === undefined) return { status, statusKey: stored.fields.statusKey ?? null };
  const statusKey = key ?? ofType.find((row) => row.status === status)?.key;
  if (!statusKey)
    faults.add(['status'], {
      problem: `${status} is not used for a ${type} in this workspace`,
      allowed: [...new Set(ofType.map((row) => row.status))],
    });
  return { status, statusKey: statusKey ?? null };
}

/** Only the web pages may approve (behaviour §4.14). */
const asksForApproval = (before: Status | undefined, after: Status): boolean =>
  before !== after && (before === 'pending_approval' || after === 'pending_approval' || after === 'approved');

function decideReason({ context, faults }: Deciding, status: Status, given: string | null | undefined): string | null {
  const kept = context.stored?.fields.blockedReason ?? null;
  if (status === 'blocked') {
    const reason = given === undefined ? kept : given;
    if (!reason?.trim()) faults.add(['fields', 'blockedReason'], 'say what blocks the item, or choose another status.');
    return reason;
  }
  if (given != null && given !== kept)
    faults.add(['fields', 'blockedReason'], 'only an item with status blocked has a reason; leave it out.');
  return null;
}

function decidePriority({ type, context, faults }: Deciding, key: string | null): string | null {
  const { stored, priorities } = context;
  if (key === null) return !stored && type === 'task' ? (priorities.find((row) => row.default)?.key ?? null) : null;
  if (key !== stored?.fields.priorityKey && !priorities.some((row) => row.key === key)) {
    faults.add(['fields', 'priorityKey'], {
      problem: `'${key}' is not a priority of this workspace`,
      allowed: priorities.map((row) => row.key),
    });
  }
  return key;
}

function checkPeople({ change, context, faults }: Deciding, { assigneeId }: RowFields, given: WorkFields) {
  const { stored, people } = context;
  if (assigneeId !== null && assigneeId !== stored?.fields.assigneeId && !(assigneeId in people)) {
    faults.add(['fields', 'assigneeId'], {
      problem: `user ${assigneeId} can't be assigned work in this workspace`,
      allowed: 'members',
    });
  }
  const { ownerId } = change;
  if (ownerId != null && ownerId !== stored?.ownerId && !(ownerId in people)) {
    faults.add(['ownerId'], { problem: `user ${ownerId} can't own work in this workspace`, allowed: 'members' });
  }
  const name = given.assigneeName;
  if (name != null && name !== stored?.fields.assigneeName && !(assigneeId !== null && people[assigneeId] === name)) {
    faults.add(['fields', 'assigneeName'], (nameOf) => `is read-only; set ${nameOf(['fields', 'assigneeId'])}.`);
  }
}

function checkDates({ faults }: Deciding, { startDate, ...fields }: RowFields) {
  for (const end of ['dueDate', 'targetDate'] as const) {
    if (startDate && fields[end] && startDate > fields[end])
      faults.add(['fields', 'startDate'], (nameOf) => `must not be after ${nameOf(['fields', end])}.`);
  }
}

function checkLinks(deciding: Deciding, fields: RowFields) {
  const { stored, targets } = deciding.context;
  for (const name of linkNames) {
    const target = fields[name];
    if (target === null || target === stored?.fields[name]) continue;
    const fault = linkFault(deciding.type, name, target, targets[target] ?? forbid(deciding));
    if (fault) deciding.faults.add(['fields', name], fault);
    else if (target === stored?.id) deciding.faults.add(['fields', name], `an item can't be linked to itself; give another item.`);
  }
}

function linkFault(type: ItemType, name: LinkName, target: number, found: ItemType): string | null {
  const wanted = linkTargets(name, type);
  return wanted.includes(found) ? null : `item ${target} is a ${found}; give the id of a ${wanted.join(' or ')}.`;
}

const forecastFields = fieldsWith('forecast');

/** True if the forecast can differ after this change (behaviour §6.28). */
export function changesForecast(row: ItemRow, stored: Work | null): boolean {
  if (row.type === 'goal') return false;
  return (
    !stored ||
    row.title !== stored.title ||
    row.status !== stored.status ||
    forecastFields.some((name) => row.fields[name] !== (stored.fields[name] ?? null))
  );
}

export function idsIn(changes: readonly ItemChange[]): { people: number[]; targets: number[] } {
  const present = (values: (number | null | undefined)[]) => [...new Set(values.filter((value) => value != null))];
  return {
    people: present(changes.flatMap((change) => [change.ownerId, change.fields?.assigneeId])),
    targets: present(changes.flatMap((change) => linkNames.map((name) => change.fields?.[name]))),
  };
}
