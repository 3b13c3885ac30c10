import type { ItemType } from '../../access/rights.ts';
import { type LongText, longTexts } from '../../changes/schema.ts';
import { applies, type FieldName, fieldNames, fields } from '../../items/fields.ts';
import { recordOf } from '../../values/records.ts';
import { capital } from '../../values/text.ts';
import { estimate } from '../frame/components/when.ts';

export type FormName = 'title' | 'description' | 'ownerId' | FieldName;

const own = { title: 'Title', description: 'Description', ownerId: 'Owner' };
const isOwn = (name: FormName): name is keyof typeof own => Object.hasOwn(own, name);
const units = { h: ' (hours)', '%': ' (%)' };

/** The field's label without its unit, for column headers and sentences. */
export const labelOf = (name: FormName): string => (isOwn(name) ? own[name] : fields[name].label);

/** A value with the field's unit, if it has one. */
export function withUnit(name: FormName, value: string): string {
  const unit = isOwn(name) ? undefined : fields[name].unit;
  if (unit === 'h' && Number.isFinite(Number(value))) return estimate(Number(value));
  return unit ? `${value} ${unit}` : value;
}

/** In the order of history lines. */
export const labels: Record<FormName, string> = {
  ...own,
  ...recordOf(fieldNames, (name) => fields[name].label + (fields[name].unit ? units[fields[name].unit] : '')),
};

interface Group {
  legend: string;
  names: readonly FormName[];
}

const legends = [...new Set(fieldNames.map((name) => fields[name].group))].filter((legend) => legend !== 'Texts');
const groups = legends.map((legend): Group => {
  const names: FormName[] = fieldNames.filter((name) => fields[name].group === legend);
  return { legend, names: legend === 'Status' ? [...names, 'ownerId'] : names };
});

/** Main fields per type, shown below the texts. The others are in folded groups. */
const first: Record<ItemType, readonly FormName[]> = {
  task: ['statusKey', 'blockedReason', 'assigneeId', 'priorityKey', 'dueDate', 'estimatedHours', 'requirementId', 'releaseId'],
  requirement: ['statusKey', 'blockedReason', 'ownerId', 'targetDate', 'releaseId', 'goalId'],
  goal: ['statusKey', 'blockedReason', 'ownerId', 'targetDate', 'target', 'current', 'unit'],
  release: ['statusKey', 'blockedReason', 'versionLabel', 'targetDate', 'ownerId'],
  milestone: ['statusKey', 'blockedReason', 'targetDate', 'ownerId', 'releaseId'],
};

export const isText = (name: FormName): name is LongText => longTexts.some((one) => one === name);

const belongs = (name: FormName, type: ItemType): boolean => isOwn(name) || applies(name, type);

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
  return ['title', ...longTexts.filter((name) => belongs(name, type)), ...groupsOf(type, without).flatMap(({ names }) => names)];
}

export type Kind = 'text' | 'date' | 'number' | 'id';

export function kindOf(name: FormName): Kind {
  if (name === 'title' || name === 'description') return 'text';
  if (name === 'ownerId') return 'id';
  return ({ text: 'text', date: 'date', 'double precision': 'number', bigint: 'id' } as const)[fields[name].sql];
}

export const typeLabel = (type: ItemType): string => capital(type);
export const typesLabel = (type: ItemType): string => `${typeLabel(type)}s`;

/** The type that all items share; otherwise "item". */
export const nounOf = ([first, ...others]: readonly { type: ItemType }[]): ItemType | 'item' =>
  first && others.every(({ type }) => type === first.type) ? first.type : 'item';
