/** Labels, values and choices of the filters of a list (behaviour §19.4). */
import { avatar } from '../frame/components/avatar.ts';
import type { IconName } from '../frame/components/icons.ts';
import { labelDot } from '../frame/components/marks.ts';
import { priorityIcon } from '../frame/components/priority.ts';
import { canonicalWords, statusIcon } from '../frame/components/status.ts';
import { dayWords } from '../frame/components/when.ts';
import type { Content } from '../frame/html.ts';
import { labelOf } from '../items/fields.ts';
import type { ListPage } from './list.ts';
import type { ListAddress, labelFilters } from './listAddress.ts';

type Name = 'status' | 'assignee' | 'priority' | 'due' | 'within' | (typeof labelFilters)[number] | 'mine' | 'archived';

export interface Choice {
  value: string;
  label: string;
  sign?: Content;
}

export interface Filter {
  name: Name;
  isSet(address: ListAddress): boolean;
  holds(address: ListAddress, value: string): boolean;
  without: Partial<ListAddress>;
  words(page: ListPage): { label: string; value?: string; sign: IconName };
}

/** Maximum in a menu; selected people are added. */
const MOST_PEOPLE = 100;

const dueLabels: Record<string, string> = {
  overdue: 'Overdue',
  today: 'Today',
  week: 'Next 6 days',
  next7Days: 'Next 7 days',
  nextWeek: 'Next week',
  later: 'Later',
  none: 'No due date',
};

const several = (
  name: 'assignee' | 'priority' | 'due' | 'within' | (typeof labelFilters)[number],
  label: string,
  sign: IconName,
  wordsOf: (page: ListPage, value: string) => string,
): Filter => ({
  name,
  isSet: (address) => address[name].length > 0,
  holds: (address, value) => address[name].includes(value),
  without: { [name]: [] },
  words: (page) => ({ label, value: listed(page.address[name].map((value) => wordsOf(page, value))), sign }),
});

const listed = (values: readonly string[]): string =>
  values.length <= 2 ? values.join(', ') : `${values.slice(0, 2).join(', ')} and ${values.length - 2} more`;

const flag = (name: 'mine' | 'archived', label: string, sign: IconName): Filter => ({
  name,
  isSet: (address) => address[name],
  holds: (address) => address[name],
  without: { [name]: false },
  words: () => ({ label, sign }),
});

/** "Open" is the default and is shown as an active filter. */
const status: Filter = {
  name: 'status',
  isSet: ({ status: chosen, archived }) => !chosen.includes('all') && (chosen.length > 0 || !archived),
  holds: ({ status: chosen }, value) => chosen.includes(value),
  without: { status: ['all'] },
  words: (page) => ({
    label: 'Status',
    value: listed((page.address.status.length ? page.address.status : ['open']).map((one) => statusWords(page, one))),
    sign: 'circle-dashed',
  }),
};

const personOf = ({ found }: ListPage, value: string): string => {
  if (value === 'me' || value === 'unassigned') return value === 'me' ? 'me' : 'unassigned';
  const known = found.options.assignees.find(({ id }) => String(id) === value)?.name;
  return known ?? found.rows.find(({ assignee }) => String(assignee?.id) === value)?.assignee?.name ?? 'another user';
};

const priorityOf = ({ found }: ListPage, value: string): string =>
  value === '-' ? 'none' : (found.options.priorities.find(({ key }) => key === value)?.label ?? value);

function dayOf({ clock }: ListPage, value: string): string {
  if (!value.includes('..')) return (dueLabels[value] ?? value).toLowerCase();
  const [from, to] = value.split('..');
  if (!from) return `until ${dayWords(to!, clock)}`;
  return to ? `${dayWords(from, clock)} to ${dayWords(to, clock)}` : `from ${dayWords(from, clock)}`;
}

const itemOf = ({ found }: ListPage, value: string): string => found.named.find(({ id }) => String(id) === value)?.title ?? `#${value}`;

function labelOfId({ found }: ListPage, value: string): string {
  return found.labels.find(({ id }) => String(id) === value)?.name ?? 'another label';
}

export const filters: Filter[] = [
  status,
  several('assignee', labelOf('assigneeId'), 'user', personOf),
  several('priority', labelOf('priorityKey'), 'chevrons-up', priorityOf),
  several('due', labelOf('dueDate'), 'calendar', dayOf),
  several('within', 'Part of', 'layers', itemOf),
  several('label', 'Any label', 'tag', labelOfId),
  several('allLabels', 'All labels', 'tag', labelOfId),
  several('noLabel', 'Without label', 'tag', labelOfId),
  flag('mine', 'Mine', 'star'),
  flag('archived', 'Archived', 'archive'),
];

const statusWords = ({ found }: ListPage, value: string): string => {
  const key = value.startsWith('key:') ? value.slice('key:'.length) : value;
  return found.options.statuses.find((one) => one.key === key)?.label ?? canonicalWords(key);
};

/** Choices, plus selected values that are no longer offered. */
export function choicesOf(page: ListPage, { name }: Filter): Choice[] {
  const { found, address } = page;
  const { options } = found;
  const shown = page.types ?? [found.type];
  switch (name) {
    case 'status': {
      const own = options.statuses.filter(({ types }) => types.some((type) => shown.includes(type)));
      const keys = own.map((one) => ({
        value: `key:${one.key}`,
        label: one.label,
        sign: statusIcon({ status: one.status, label: one.label, beside: true }),
      }));
      const wide = [
        { value: 'open', label: 'All open' },
        { value: 'closed', label: 'All closed' },
      ];
      return withChosen([...keys, ...wide], address.status, (value) => statusWords(page, value));
    }
    case 'assignee': {
      const people = options.assignees.slice(0, MOST_PEOPLE).map(({ id, name: label }) => {
        return { value: String(id), label, sign: avatar({ id, name: label, kind: 'person' }, { beside: true }) };
      });
      const first = [
        { value: 'me', label: 'Me' },
        { value: 'unassigned', label: 'Unassigned' },
      ];
      return withChosen([...first, ...people], address.assignee, (value) => personOf(page, value));
    }
    case 'priority': {
      const all = options.priorities
        .toReversed()
        .map((one) => ({ value: one.key, label: one.label, sign: priorityIcon({ ...one, beside: true }) }));
      return withChosen([...all, { value: '-', label: 'None' }], address.priority, (value) => value);
    }
    case 'due':
      return Object.entries(dueLabels).map(([value, label]) => ({ value, label }));
    case 'within': {
      const ups = found.rows.flatMap(({ up }) => (up ? [up] : []));
      const known = new Map([...found.named, ...ups].map((one) => [one.id, { value: String(one.id), label: one.title }]));
      return withChosen([...known.values()], address.within, (value) => itemOf(page, value));
    }
    case 'label':
    case 'allLabels':
    case 'noLabel': {
      const offered = found.labels.filter(({ id, archived }) => !archived || address[name].includes(String(id)));
      const choices = offered.map((one) => ({ value: String(one.id), label: one.name, sign: labelDot(one) }));
      return withChosen(choices, address[name], (value) => labelOfId(page, value));
    }
    case 'mine':
      return [{ value: '1', label: 'Assigned to me or owned by me' }];
    case 'archived':
      return [{ value: '1', label: 'Archived items' }];
  }
}

const withChosen = (choices: readonly Choice[], chosen: readonly string[], label: (value: string) => string): Choice[] => [
  ...choices,
  ...chosen
    .filter((value) => value !== 'all' && !value.includes('..') && !choices.some((one) => one.value === value))
    .map((value) => ({ value, label: label(value) })),
];
