/** Labels, values and choices of the filters of a list (behaviour §19.4). */
import { keysOf } from '../../values/records.ts';
import { avatar } from '../frame/components/avatar.ts';
import type { IconName } from '../frame/components/icons.ts';
import { labelDot } from '../frame/components/marks.ts';
import { priorityIcon } from '../frame/components/priority.ts';
import { canonicalWords, statusIcon } from '../frame/components/status.ts';
import { dayWords } from '../frame/components/when.ts';
import type { Content } from '../frame/html.ts';
import { spanOf } from '../items/change/spans.ts';
import { labelOf } from '../items/fields.ts';
import type { ListPage } from './list.ts';
import type { FlagFilter, ListAddress, ValueFilter } from './listAddress.ts';

export interface Choice {
  value: string;
  label: string;
  sign?: Content;
}

interface Words {
  label: string;
  sign: IconName;
  /** Without the selected values that are no longer offered. */
  choices(page: ListPage): Choice[];
}

export interface Filter extends Words {
  name: ValueFilter | FlagFilter;
  isSet(address: ListAddress): boolean;
  holds(address: ListAddress, value: string): boolean;
  without: Partial<ListAddress>;
  /** The selected values; '' for a filter that has only one. */
  valueWords(page: ListPage): string;
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

const statusWords = ({ found }: ListPage, value: string): string => {
  const key = value.startsWith('key:') ? value.slice('key:'.length) : value;
  return found.options.statuses.find((one) => one.key === key)?.label ?? canonicalWords(key);
};

function personWords({ found }: ListPage, value: string): string {
  if (value === 'me' || value === 'unassigned') return value;
  const known = found.options.assignees.find(({ id }) => String(id) === value)?.name;
  return known ?? found.rows.find(({ assignee }) => String(assignee?.id) === value)?.assignee?.name ?? 'another user';
}

function dueWords({ clock }: ListPage, value: string): string {
  if (!value.includes('..')) return (dueLabels[value] ?? value).toLowerCase();
  const { start, end } = spanOf(value);
  if (start === '') return `until ${dayWords(end, clock)}`;
  return end ? `${dayWords(start, clock)} to ${dayWords(end, clock)}` : `from ${dayWords(start, clock)}`;
}

const labelFilter = (name: ValueFilter, label: string): ValueWords => ({
  label,
  sign: 'tag',
  words: ({ found }, value) => found.labels.find(({ id }) => String(id) === value)?.name ?? 'another label',
  choices: ({ found, address }) =>
    found.labels
      .filter(({ id, archived }) => !archived || address[name].includes(String(id)))
      .map((one) => ({ value: String(one.id), label: one.name, sign: labelDot(one) })),
});

interface ValueWords extends Words {
  /** A selected value in words. */
  words(page: ListPage, value: string): string;
}

const values: Record<ValueFilter, ValueWords> = {
  status: {
    label: 'Status',
    sign: 'circle-dashed',
    words: statusWords,
    choices: ({ found, types = [found.type] }) => [
      ...found.options.statuses
        .filter((one) => one.types.some((type) => types.includes(type)))
        .map(({ key, label, status }) => ({ value: `key:${key}`, label, sign: statusIcon({ status, label, beside: true }) })),
      { value: 'open', label: 'All open' },
      { value: 'closed', label: 'All closed' },
    ],
  },
  assignee: {
    label: labelOf('assigneeId'),
    sign: 'user',
    words: personWords,
    choices: ({ found }) => [
      { value: 'me', label: 'Me' },
      { value: 'unassigned', label: 'Unassigned' },
      ...found.options.assignees
        .slice(0, MOST_PEOPLE)
        .map(({ id, name }) => ({ value: String(id), label: name, sign: avatar({ id, name, kind: 'person' }, { beside: true }) })),
    ],
  },
  priority: {
    label: labelOf('priorityKey'),
    sign: 'chevrons-up',
    words: ({ found }, value) => (value === '-' ? 'none' : (found.options.priorities.find(({ key }) => key === value)?.label ?? value)),
    choices: ({ found }) => [
      ...found.options.priorities
        .toReversed()
        .map((one) => ({ value: one.key, label: one.label, sign: priorityIcon({ ...one, beside: true }) })),
      { value: '-', label: 'None' },
    ],
  },
  due: {
    label: labelOf('dueDate'),
    sign: 'calendar',
    words: dueWords,
    choices: () => Object.entries(dueLabels).map(([value, label]) => ({ value, label })),
  },
  within: {
    label: 'Part of',
    sign: 'layers',
    words: ({ found }, value) => found.named.find(({ id }) => String(id) === value)?.title ?? `#${value}`,
    choices: ({ found }) => {
      const ups = found.rows.flatMap(({ up }) => (up ? [up] : []));
      return [...new Map([...found.named, ...ups].map(({ id, title }) => [id, { value: String(id), label: title }])).values()];
    },
  },
  label: labelFilter('label', 'Any label'),
  allLabels: labelFilter('allLabels', 'All labels'),
  noLabel: labelFilter('noLabel', 'Without label'),
};

const flags: Record<FlagFilter, Words> = {
  mine: { label: 'Mine', sign: 'star', choices: () => [{ value: '1', label: 'Assigned to me or owned by me' }] },
  archived: { label: 'Archived', sign: 'archive', choices: () => [{ value: '1', label: 'Archived items' }] },
};

const listed = (words: readonly string[]): string =>
  words.length <= 2 ? words.join(', ') : `${words.slice(0, 2).join(', ')} and ${words.length - 2} more`;

function ofValues(name: ValueFilter): Filter {
  const { words, choices, ...shown } = values[name];
  return {
    ...{ name, ...shown },
    isSet: (address) => address[name].length > 0,
    holds: (address, value) => address[name].includes(value),
    without: { [name]: [] },
    valueWords: (page) => listed(page.address[name].map((value) => words(page, value))),
    choices(page) {
      const offered = choices(page);
      const gone = page.address[name].filter(
        (value) => value !== 'all' && !value.includes('..') && !offered.some((one) => one.value === value),
      );
      return [...offered, ...gone.map((value) => ({ value, label: words(page, value) }))];
    },
  };
}

const ofFlag = (name: FlagFilter): Filter => ({
  ...{ name, ...flags[name] },
  isSet: (address) => address[name],
  holds: (address) => address[name],
  without: { [name]: false },
  valueWords: () => '',
});

/** "Open" is the default and is shown as an active filter. */
const ofStatus: Filter = {
  ...ofValues('status'),
  isSet: ({ status, archived }) => !status.includes('all') && (status.length > 0 || !archived),
  without: { status: ['all'] },
  valueWords: (page) => listed((page.address.status.length ? page.address.status : ['open']).map((one) => statusWords(page, one))),
};

export const filters: Filter[] = [
  ...keysOf(values).map((name) => (name === 'status' ? ofStatus : ofValues(name))),
  ...keysOf(flags).map(ofFlag),
];
