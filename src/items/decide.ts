/** What a change makes of an item: pure rules of behaviour §4 over the facts read for it. */
import { bits, holds, type ItemType } from '../access/rights.ts';
import { Forbidden, InvalidRequest } from '../values/errors.ts';
import { applies, fieldNames, type LinkName, linkNames, linkTargets } from './fields.ts';
import type { ItemFacts } from './queries.ts';
import type { ItemChange, Status, WorkFields } from './schema.ts';
import type { ItemRow } from './writeQueries.ts';

/** Beside the facts: the rights that decide about `goalId`, and whether approval may be given or taken here (it may not by any key). */
type Context = ItemFacts & { contextRights: number; approves?: boolean };

/** The row to write. Throws InvalidRequest naming the field, or Forbidden for a hidden link or an approval transition. */
export function decideItem(type: ItemType, change: ItemChange, context: Context): ItemRow {
  const { stored } = context;
  const given = withoutUntouched(change.fields ?? {}, context);
  refuseForeignFields(type, given);
  const before: WorkFields = stored?.fields ?? {};
  const fields: Record<string, unknown> = Object.fromEntries(
    fieldNames.map((name) => [name, given[name] !== undefined ? given[name] : (before[name] ?? null)]),
  );
  const { status, statusKey } = decideStatus(type, change.status, given.statusKey ?? undefined, context);
  fields.statusKey = statusKey;
  fields.blockedReason = decideReason(status, given.blockedReason, context);
  fields.priorityKey = decidePriority(type, fields.priorityKey as string | null, context);
  const completedNow = status === 'done' && stored?.status !== 'done';
  if (completedNow) {
    fields.progressPercent = 100;
    if (applies('actualDate', type)) fields.actualDate ??= context.today;
  }
  checkPeople(fields, change.ownerId, given, context);
  checkDates(fields);
  checkLinks(type, fields, context);
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

/** A caller who can't read goals neither sees nor touches a goal link: naming one is forbidden, null leaves it as it is
 *  (behaviour §3.10). */
function withoutUntouched(given: WorkFields, { contextRights }: Context): WorkFields {
  if (holds(contextRights, bits('goals', 'read')) || given.goalId === undefined) return given;
  if (given.goalId !== null) throw new Forbidden();
  return { ...given, goalId: undefined };
}

function refuseForeignFields(type: ItemType, given: WorkFields) {
  const foreign = fieldNames.find((name) => given[name] != null && !applies(name, type));
  if (foreign) throw new InvalidRequest(`fields.${foreign}: does not apply to a ${type}; leave it out or null.`);
}

function decideStatus(type: ItemType, asked: Status | undefined, key: string | undefined, context: Context) {
  const { stored, statuses } = context;
  const ofType = statuses.filter((row) => row.types.includes(type));
  const named = key === undefined ? undefined : ofType.find((row) => row.key === key);
  const keepsKey = key !== undefined && key === stored?.fields.statusKey && (asked ?? stored.status) === stored.status;
  if (key !== undefined && !named && !keepsKey)
    throw new InvalidRequest(`fields.statusKey: '${key}' is not a status of a ${type} in this workspace; read the options.`);
  const status = asked ?? (keepsKey ? stored!.status : (named?.status as Status | undefined)) ?? stored?.status ?? 'planned';
  if (named && named.status !== status)
    throw new InvalidRequest(
      `fields.statusKey: '${key}' belongs to status ${named.status}, not ${status}; send one of them alone or both in agreement.`,
    );
  if ((status === 'pending_approval' || status === 'approved') && type !== 'requirement' && type !== 'release') {
    throw new InvalidRequest(`status: ${status} exists for requirements and releases only; read the options.`);
  }
  if (!context.approves) refuseApproval(stored?.status, status);
  if (status === stored?.status && key === undefined) return { status, statusKey: stored.fields.statusKey ?? null };
  const statusKey = key ?? ofType.find((row) => row.status === status)?.key;
  if (!statusKey) throw new InvalidRequest(`status: ${status} is not used for a ${type} in this workspace; read the options.`);
  return { status, statusKey };
}

/** Approval is given on the web pages alone (behaviour §4.14). */
function refuseApproval(before: Status | undefined, after: Status) {
  if (before === after) return;
  if (before === 'pending_approval' || after === 'pending_approval' || after === 'approved') throw new Forbidden();
}

function decideReason(status: Status, given: string | null | undefined, { stored }: Context): string | null {
  const kept = stored?.fields.blockedReason ?? null;
  if (status === 'blocked') {
    const reason = given === undefined ? kept : given;
    if (!reason?.trim()) throw new InvalidRequest('fields.blockedReason: say what blocks the item, or choose another status.');
    return reason;
  }
  if (given != null && given !== kept)
    throw new InvalidRequest('fields.blockedReason: only an item with status blocked has a reason; leave it out.');
  return null;
}

function decidePriority(type: ItemType, key: string | null, { stored, priorities }: Context): string | null {
  if (key === null) return !stored && type === 'task' ? (priorities.find((row) => row.default)?.key ?? null) : null;
  if (key !== stored?.fields.priorityKey && !priorities.some((row) => row.key === key)) {
    throw new InvalidRequest(`fields.priorityKey: '${key}' is not a priority of this workspace; read the options.`);
  }
  return key;
}

function checkPeople(fields: Record<string, unknown>, ownerId: number | null | undefined, given: WorkFields, { stored, people }: Context) {
  const assigneeId = fields.assigneeId as number | null;
  if (assigneeId !== null && assigneeId !== stored?.fields.assigneeId && !(assigneeId in people)) {
    throw new InvalidRequest(`fields.assigneeId: user ${assigneeId} can't be assigned work in this workspace; read the options.`);
  }
  if (ownerId != null && ownerId !== stored?.ownerId && !(ownerId in people)) {
    throw new InvalidRequest(`ownerId: user ${ownerId} can't own work in this workspace; read the options.`);
  }
  const name = given.assigneeName;
  if (name != null && name !== stored?.fields.assigneeName && !(assigneeId !== null && people[assigneeId] === name)) {
    throw new InvalidRequest('fields.assigneeName: is read-only; set fields.assigneeId.');
  }
}

function checkDates(fields: Record<string, unknown>) {
  const start = fields.startDate as string | null;
  for (const end of ['dueDate', 'targetDate'] as const) {
    if (start && fields[end] && start > (fields[end] as string))
      throw new InvalidRequest(`fields.startDate: must not be after fields.${end}.`);
  }
}

function checkLinks(type: ItemType, fields: Record<string, unknown>, { stored, targets }: Context) {
  for (const name of linkNames) {
    const target = fields[name] as number | null;
    if (target === null || target === stored?.fields[name]) continue;
    checkLink(type, name, target, targets[target]);
    if (target === stored?.id) throw new InvalidRequest(`fields.${name}: an item can't be linked below itself.`);
  }
}

function checkLink(type: ItemType, name: LinkName, target: number, found: ItemType | undefined) {
  if (!found) throw new Forbidden();
  const wanted: readonly ItemType[] = linkTargets[name](type);
  if (!wanted.includes(found))
    throw new InvalidRequest(`fields.${name}: item ${target} is a ${found}; give the id of a ${wanted.join(' or ')}.`);
}

// What an answer of GET /capacity is made of; the rest of an item may change without a new forecast.
const forecastFields = [
  'priorityKey',
  'dueDate',
  'startDate',
  'targetDate',
  'estimatedHours',
  'progressPercent',
  'assigneeId',
  'parentId',
  'parentItemId',
  'requirementId',
  'releaseId',
] as const;

/** Whether the forecast can differ after this change (behaviour §6.28). */
export function changesForecast(row: ItemRow, { stored }: ItemFacts): boolean {
  if (row.type === 'goal') return false;
  return (
    !stored ||
    row.title !== stored.title ||
    row.status !== stored.status ||
    forecastFields.some((name) => (row.fields[name] ?? null) !== (stored.fields[name] ?? null))
  );
}

/** Whether writing the row would change nothing at all (behaviour §4.9). */
export function sameAsStored(row: ItemRow, { stored }: ItemFacts): boolean {
  return (
    stored !== null &&
    row.title === stored.title &&
    row.description === stored.description &&
    row.status === stored.status &&
    row.ownerId === stored.ownerId &&
    fieldNames.every((name) => (row.fields[name] ?? null) === (stored.fields[name] ?? null))
  );
}

/** The ids that deciding about a change will ask for. */
export function idsIn(changes: readonly ItemChange[]): { people: number[]; targets: number[] } {
  const present = (values: (number | null | undefined)[]) => [...new Set(values.filter((value) => value != null))];
  return {
    people: present(changes.flatMap((change) => [change.ownerId, change.fields?.assigneeId])),
    targets: present(changes.flatMap((change) => linkNames.map((name) => change.fields?.[name]))),
  };
}
