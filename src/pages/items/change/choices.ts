/** Choices of a field in menu order (behaviour §23.4). */
import type { ChosenItems } from '../../../overviews/chosenItems.ts';
import { addDays, mondayOf, weekday } from '../../../values/dates.ts';
import type { Clock } from '../../frame/clock.ts';
import { avatar } from '../../frame/components/avatar.ts';
import { icon } from '../../frame/components/icon.ts';
import { ring } from '../../frame/components/marks.ts';
import { priorityIcon } from '../../frame/components/priority.ts';
import { statusIcon } from '../../frame/components/status.ts';
import { dayWords, estimate, shortDay } from '../../frame/components/when.ts';
import type { Content } from '../../frame/html.ts';
import { emptyLabels, type InPlaceField, storedValue } from './fields.ts';
import type { SomeItems } from './open.ts';
import { spanChoices } from './spans.ts';

export interface Choice {
  value: string;
  label: string;
  icon?: Content;
  note?: string;
  reason?: true;
}

export interface Chosen extends Pick<ChosenItems, 'options' | 'releases'> {
  items: SomeItems;
}

export interface Chooser {
  userId: number;
  clock: Clock;
}

export function choicesOf(field: InPlaceField, chosen: Chosen, chooser: Chooser): Choice[] {
  switch (field) {
    case 'status':
      return statusesOf(chosen);
    case 'priority':
      return [...prioritiesOf(chosen), nothing(field, icon('minus', 's'))];
    case 'assignee':
    case 'owner':
      return [...peopleOf(chosen, chooser), nothing(field, avatar(null, { beside: true }))];
    case 'due':
    case 'target':
      return [...daysOf(chooser.clock), nothing(field, icon('ban', 's'))];
    case 'estimate':
      return [...[0.5, 1, 2, 4, 8, 16, 40].map((hours) => ({ value: String(hours), label: estimate(hours) })), nothing(field)];
    case 'progress':
      return [0, 25, 50, 75, 100].map((percent) => ({
        value: String(percent),
        label: `${percent} %`,
        icon: ring(percent / 100, ''),
      }));
    case 'dates':
    case 'due-dates': {
      const now = chosen.items.length === 1 ? storedValue(chosen.items[0], field) : '';
      return [...spanChoices(now, chooser.clock).map((one) => ({ ...one, icon: icon('calendar', 's') })), nothing(field, icon('ban', 's'))];
    }
    case 'current':
    case 'title':
      return [];
    case 'release':
      return [
        ...chosen.releases.map(({ id, title }) => ({ value: String(id), label: title, icon: icon('ship', 's') })),
        nothing(field, icon('ban', 's')),
      ];
  }
}

const nothing = (field: InPlaceField, sign?: Content): Choice => ({ value: '', label: emptyLabels[field], icon: sign });

/** Statuses that fit all selected items, without approval statuses. */
function statusesOf({ items, options }: Chosen): Choice[] {
  const types = new Set(items.map(({ type }) => type));
  const kept = items.length === 1 ? items[0].fields.statusKey : null;
  return options.statuses
    .toSorted((a, b) => Number(a.closed) - Number(b.closed))
    .filter(({ key, types: of, approval }) => [...types].every((type) => of.includes(type)) && (!approval || key === kept))
    .map(({ key, label, status }) => ({
      value: key,
      label,
      icon: statusIcon({ status, label, beside: true }),
      ...(status === 'blocked' && { reason: true as const }),
    }));
}

const prioritiesOf = ({ options }: Chosen): Choice[] =>
  options.priorities
    .toReversed()
    .map(({ key, label, rank }) => ({ value: key, label, icon: priorityIcon({ key, label, rank, beside: true }) }));

function peopleOf({ options }: Chosen, { userId }: Chooser): Choice[] {
  const me = options.assignees.filter(({ id }) => id === userId);
  const others = options.assignees.filter(({ id }) => id !== userId);
  return [...me, ...others].map(({ id, name }) => ({
    value: String(id),
    label: name,
    icon: avatar({ id, name, kind: 'person' }, { beside: true }),
    ...(id === userId && { note: 'you' }),
  }));
}

const FRIDAY = 4;

function daysOf(clock: Clock): Choice[] {
  const { today } = clock;
  const friday = addDays(today, (FRIDAY - weekday(today) + 7) % 7 || 7);
  const monday = addDays(mondayOf(today), 7);
  const dates = [today, addDays(today, 1), friday, monday, addDays(monday, 4), addDays(today, 14)];
  return [...new Set(dates)].sort().map((date) => {
    const label = dayWords(date, clock);
    const note = shortDay(date, clock);
    return { value: date, label, icon: icon('calendar', 's'), ...(label !== note && { note }) };
  });
}

/** Explains why choices are missing; null if none are. */
export function notOffered(field: InPlaceField, { items }: Chosen): string | null {
  if (field !== 'status') return null;
  const waiting = items.filter(({ status }) => status === 'pending_approval');
  if (waiting.length > 0 && items.length === 1) return 'This item is waiting for approval. An owner or manager decides on its page.';
  if (waiting.length > 0)
    return `Waiting for approval: ${waiting.map(({ id }) => `#${id}`).join(', ')}. Deselect these items to change the status of the others.`;
  const approvable = items.some(({ type }) => type === 'requirement' || type === 'release');
  return approvable ? 'To request or give approval, open the item.' : null;
}

/** The status cannot change while one of the items waits for approval. */
export const isHeld = (field: InPlaceField, { items }: Chosen): boolean =>
  field === 'status' && items.some(({ status }) => status === 'pending_approval');

export const typedFields: Partial<Record<InPlaceField, { type: 'date' | 'text'; label: string; hint?: string }>> = {
  due: { type: 'date', label: 'Other date' },
  target: { type: 'date', label: 'Other date' },
  estimate: { type: 'text', label: 'Hours', hint: 'For example 1.5' },
  progress: { type: 'text', label: 'Percent', hint: '0 to 100' },
  current: { type: 'text', label: 'Current value' },
};
