/** Fields that can be changed in place: reading them from forms and showing them as text (behaviour §23.4). Pure. */
import type { ItemType } from '../../../access/rights.ts';
import { applies, type FieldName } from '../../../items/fields.ts';
import type { ChosenItem } from '../../../overviews/chosenItems.ts';
import type { Clock } from '../../frame/clock.ts';
import { dayWords, estimate } from '../../frame/components/when.ts';
import type { Form } from '../../frame/forms.ts';
import { kindOf, labelOf } from '../fields.ts';
import type { AllOptions } from '../form.ts';
import { isSpan, spanFields, spanOf, spanValue, spanWords } from './spans.ts';

type Stored = FieldName | 'ownerId' | 'title';

interface Field {
  stored: Stored;
  /** Default: that of the field. */
  label?: string;
  key?: string;
}

export const inPlaceFields = {
  title: { stored: 'title', key: 'E' },
  status: { stored: 'statusKey', key: 'S' },
  assignee: { stored: 'assigneeId', key: 'A' },
  owner: { stored: 'ownerId' },
  priority: { stored: 'priorityKey', key: '!' },
  due: { stored: 'dueDate', key: 'D' },
  target: { stored: 'targetDate', key: 'D' },
  estimate: { stored: 'estimatedHours' },
  progress: { stored: 'progressPercent' },
  current: { stored: 'current' },
  release: { stored: 'releaseId' },
  dates: { stored: 'targetDate', label: 'Start and target' },
  'due-dates': { stored: 'dueDate', label: 'Start and due' },
} as const satisfies Record<string, Field>;

export type InPlaceField = keyof typeof inPlaceFields;

export function labelOfChange(field: InPlaceField): string {
  const { label, stored }: Field = inPlaceFields[field];
  return label ?? labelOf(stored);
}

export function keyOfChange(field: InPlaceField): string | undefined {
  const { key }: Field = inPlaceFields[field];
  return key;
}

/** Titles are changed one at a time. */
export const isBulkField = (name: string): name is InPlaceField => name !== 'title' && isInPlaceField(name);

export const isInPlaceField = (name: string): name is InPlaceField => Object.hasOwn(inPlaceFields, name);

export function fitsType(field: InPlaceField, type: ItemType): boolean {
  const { stored } = inPlaceFields[field];
  return stored === 'ownerId' || stored === 'title' || applies(stored, type);
}

/** As a form sends it; '' for empty. */
export function storedValue(item: ChosenItem, field: InPlaceField): string {
  if (isSpan(field)) return spanValue(dateOf(item, 'startDate'), dateOf(item, spanFields[field]));
  const { stored } = inPlaceFields[field];
  if (stored === 'title') return item.title;
  const value = stored === 'ownerId' ? item.ownerId : item.fields[stored];
  return value === null || value === undefined ? '' : String(value);
}

function dateOf({ fields }: ChosenItem, name: 'startDate' | 'dueDate' | 'targetDate'): string | null {
  const date = fields[name];
  return typeof date === 'string' ? date : null;
}

/** The submitted value. Typed date ranges come as two fields. */
export function sentValue(field: InPlaceField, form: Form): string {
  if (!isSpan(field) || form.has('value')) return form.text('value');
  return spanValue(form.text('start'), form.text('end'));
}

const isNumber = (stored: FieldName | 'ownerId'): boolean => ['number', 'id'].includes(kindOf(stored));

/** Accepts "4 h", "40 %" and "1,5". */
const numberIn = (text: string): number => Number(text.replace(/(?:h|%)$/i, '').replace(',', '.'));

/** Input for items/updateItem.ts. */
export function changeOf(field: InPlaceField, text: string, reason: string): Record<string, unknown> {
  if (isSpan(field)) {
    const { start, end } = spanOf(text);
    return { fields: { startDate: start || null, [spanFields[field]]: end || null } };
  }
  const { stored } = inPlaceFields[field];
  if (stored === 'title') return { title: text };
  const value = text === '' ? null : isNumber(stored) ? numberIn(text) : text;
  if (stored === 'ownerId') return { ownerId: value };
  return { fields: { [stored]: value, ...(field === 'status' && reason !== '' && { blockedReason: reason }) } };
}

export interface ValueContext {
  options: AllOptions;
  releases: readonly { id: number; title: string }[];
  clock: Clock;
}

/** A value as text; '' if empty. `item` has names of values that can no longer be selected. */
export function valueText(field: InPlaceField, value: string, { options, releases, clock }: ValueContext, item?: ChosenItem): string {
  if (value === '') return '';
  const person = (stale: string | null | undefined) =>
    options.assignees.find(({ id }) => String(id) === value)?.name ?? stale ?? `user ${value}`;
  switch (field) {
    case 'status':
      return options.statuses.find(({ key }) => key === value)?.label ?? value;
    case 'priority':
      return options.priorities.find(({ key }) => key === value)?.label ?? value;
    case 'assignee':
      return person(item?.assigneeName);
    case 'owner':
      return person(item?.ownerName);
    case 'release':
      return releases.find(({ id }) => String(id) === value)?.title ?? item?.releaseTitle ?? `release ${value}`;
    case 'estimate':
      return estimate(Number(value));
    case 'progress':
      return `${value} %`;
    case 'due':
    case 'target':
      return /^\d{4}-\d{2}-\d{2}$/.test(value) ? dayWords(value, clock) : value;
    case 'dates':
    case 'due-dates':
      return spanWords(value, clock);
    case 'current':
    case 'title':
      return value;
  }
}

export const emptyLabels: Record<InPlaceField, string> = {
  title: '',
  status: '',
  assignee: 'Unassigned',
  owner: 'Unassigned',
  priority: 'No priority',
  due: 'No due date',
  target: 'No target date',
  estimate: 'No estimate',
  progress: 'Not set',
  current: 'Not set',
  release: 'No release',
  dates: 'No dates',
  'due-dates': 'No dates',
};
