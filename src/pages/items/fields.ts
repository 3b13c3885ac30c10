import type { ItemType } from '../../access/rights.ts';
import { applies, type FieldName, fields, type LinkName, linkNames } from '../../items/fields.ts';

export type FormName = 'title' | 'description' | 'ownerId' | FieldName;

export const labels: Record<FormName, string> = {
  title: 'Title',
  description: 'Description',
  ownerId: 'Owner',
  statusKey: 'Status',
  priorityKey: 'Priority',
  blockedReason: 'Blocked by',
  dueDate: 'Due',
  startDate: 'Start',
  targetDate: 'Target date',
  actualDate: 'Actual date',
  versionLabel: 'Version',
  acceptance: 'Acceptance criteria',
  reachPeriod: 'Reach period',
  unit: 'Unit',
  level: 'Level',
  estimatedHours: 'Estimate (hours)',
  progressPercent: 'Progress (%)',
  reach: 'Reach',
  impact: 'Impact',
  confidence: 'Confidence (%)',
  effort: 'Effort',
  target: 'Target',
  current: 'Current',
  assigneeId: 'Assignee',
  parentId: 'Parent',
  parentItemId: 'Parent task or milestone',
  requirementId: 'Requirement',
  releaseId: 'Release',
  goalId: 'Goal',
};

interface Group {
  legend: string;
  names: readonly FormName[];
}

const groups: Group[] = [
  { legend: 'State', names: ['statusKey', 'blockedReason', 'priorityKey', 'assigneeId', 'ownerId'] },
  { legend: 'Time', names: ['startDate', 'dueDate', 'targetDate', 'actualDate', 'estimatedHours', 'progressPercent'] },
  { legend: 'Release', names: ['versionLabel'] },
  { legend: 'Worth (RICE)', names: ['reach', 'reachPeriod', 'impact', 'confidence', 'effort'] },
  { legend: 'Measure', names: ['level', 'target', 'current', 'unit'] },
  { legend: 'Links', names: ['parentId', 'parentItemId', 'requirementId', 'releaseId', 'goalId'] },
];

export const texts = ['description', 'acceptance'] as const;

/** Main fields per type, shown below the texts. The others are in folded groups. */
const first: Record<ItemType, readonly FormName[]> = {
  task: ['statusKey', 'blockedReason', 'assigneeId', 'priorityKey', 'dueDate', 'estimatedHours', 'requirementId', 'releaseId'],
  requirement: ['statusKey', 'blockedReason', 'ownerId', 'targetDate', 'releaseId', 'goalId'],
  goal: ['statusKey', 'blockedReason', 'ownerId', 'targetDate', 'target', 'current', 'unit'],
  release: ['statusKey', 'blockedReason', 'versionLabel', 'targetDate', 'ownerId'],
  milestone: ['statusKey', 'blockedReason', 'targetDate', 'ownerId', 'releaseId'],
};

export function isText(name: FormName): name is (typeof texts)[number] {
  return (texts as readonly FormName[]).includes(name);
}

export function isLink(name: FormName): name is LinkName {
  return (linkNames as readonly FormName[]).includes(name);
}

function belongs(name: FormName, type: ItemType): boolean {
  return name === 'title' || name === 'description' || name === 'ownerId' || applies(name, type);
}

/** Field groups of a type. `without`: fields that the reader may not see. */
export function groupsOf(type: ItemType, without: readonly FormName[] = []): Group[] {
  return groups
    .map(({ legend, names }) => ({ legend, names: names.filter((name) => belongs(name, type) && !without.includes(name)) }))
    .filter(({ names }) => names.length > 0);
}

export const firstOf = (type: ItemType, without: readonly FormName[] = []): FormName[] =>
  first[type].filter((name) => !without.includes(name));

export function restOf(type: ItemType, without: readonly FormName[] = []): Group[] {
  return groupsOf(type, [...without, ...first[type]]);
}

export function namesOf(type: ItemType, without: readonly FormName[] = []): FormName[] {
  const own = texts.filter((name) => belongs(name, type));
  return ['title', ...own, ...groupsOf(type, without).flatMap(({ names }) => names)];
}

export type Kind = 'text' | 'date' | 'number' | 'id';

export function kindOf(name: FormName): Kind {
  if (name === 'title' || name === 'description') return 'text';
  if (name === 'ownerId') return 'id';
  return ({ text: 'text', date: 'date', 'double precision': 'number', bigint: 'id' } as const)[fields[name].sql];
}

export const typeLabel = (type: ItemType): string => type[0]!.toUpperCase() + type.slice(1);
export const typesLabel = (type: ItemType): string => `${typeLabel(type)}s`;
