/** Type, filters, order and grouping of a list in its URL. Invalid and default values are left out. Pure. */
import { type ItemType, itemTypes } from '../../access/rights.ts';
import { type DueChoice, dueChoices, type Grouping, groupings, isDays, type ListWork, SortColumn } from '../../overviews/workList/input.ts';
import { isDate } from '../../values/dates.ts';
import { statuses } from '../../workspaces/statuses.ts';

const views = ['list', 'board', 'tree', 'timeline'] as const;
export type View = (typeof views)[number];

export interface ListAddress {
  type: ItemType;
  /** open, closed, all, a canonical status, or key:KEY. Empty means open. */
  status: string[];
  /** me, unassigned, or ids. */
  assignee: string[];
  /** Keys; `-` means no priority. */
  priority: string[];
  /** Choices, and from..to. */
  due: string[];
  within: string[];
  /** Ids of labels: any, all, none of these. */
  label: string[];
  allLabels: string[];
  noLabel: string[];
  mine: boolean;
  archived: boolean;
  search: string;
  group: Grouping;
  sort: SortColumn;
  reverse: boolean;
  after: string;
  /** 'tree' is only for goals. */
  view: View;
  /** For the timeline: unit, first day ('' for the default), and ids of rows whose tasks are shown. */
  scale: Scale;
  start: string;
  tasks: string[];
  saved: string;
}

export const scales = ['weeks', 'months', 'quarters'] as const;
export type Scale = (typeof scales)[number];

export const labelFilters = ['label', 'allLabels', 'noLabel'] as const;

const MOST = 50;
/** As in overviews/timeline/schema.ts. */
const MOST_OPENED = 20;
const isId = (text: string) => /^[1-9]\d{0,14}$/.test(text);
const isStatus = (text: string) => ['open', 'closed', 'all', ...statuses].includes(text as never) || /^key:.{1,100}$/su.test(text);
const isDue = (text: string) => dueChoices.includes(text as DueChoice) || isDays(text);
const isAssignee = (text: string) => text === 'me' || text === 'unassigned' || isId(text);

/** Limits dates so that date arithmetic stays valid. */
const isNear = (text: string) => isDate(text) && text >= '1900-01-01' && text < '2200-01-01';

export const usualGroup = (type: ItemType): Grouping => (type === 'task' ? 'status' : 'none');

/** Goals are shown as a tree by default. */
const usualView = (type: ItemType): View => (type === 'goal' ? 'tree' : 'list');

function viewIn(query: URLSearchParams, type: ItemType): View {
  const asked = views.find((one) => one === query.get('view')) ?? usualView(type);
  return asked === 'tree' && type !== 'goal' ? 'list' : asked;
}

export function listAddress(query: URLSearchParams): ListAddress {
  const type = itemTypes.find((one) => one === query.get('type')) ?? 'task';
  const several = (name: string, fits: (text: string) => boolean) => [...new Set(query.getAll(name))].filter(fits).slice(0, MOST);
  const sort = (query.get('sort') ?? '').replace(/^-/, '');
  const from = query.get('from') ?? '';
  const to = query.get('to') ?? '';
  const days = `${from}..${to}`;
  return {
    type,
    status: several('status', isStatus),
    assignee: several('assignee', isAssignee),
    priority: several('priority', (text) => text !== '' && text.length <= 100),
    due: [...several('due', isDue), ...(isDays(days) ? [days] : [])],
    within: several('within', isId),
    label: several('label', isId),
    allLabels: several('allLabels', isId),
    noLabel: several('noLabel', isId),
    mine: query.get('mine') === '1',
    archived: query.get('archived') === '1',
    search: (query.get('search') ?? '').replaceAll('\0', '').trim().slice(0, 300),
    group: groupings.find((one) => one === query.get('group')) ?? usualGroup(type),
    sort: SortColumn.options.find((one) => one === sort) ?? 'due',
    reverse: (query.get('sort') ?? '').startsWith('-'),
    after: query.get('after') ?? '',
    view: viewIn(query, type),
    scale: scales.find((one) => one === query.get('scale')) ?? 'weeks',
    start: isNear(query.get('start') ?? '') ? query.get('start')! : '',
    tasks: several('tasks', isId).slice(0, MOST_OPENED),
    saved: several('saved', isId)[0] ?? '',
  };
}

export function pairsOf(address: ListAddress): [string, string][] {
  const { type, status, mine, archived, search, group, sort, reverse, after, view, saved } = address;
  const inTime = view === 'timeline';
  const several = (['assignee', 'priority', 'due', 'within', ...labelFilters] as const).flatMap((name) =>
    address[name].map((value): [string, string] => [name, value]),
  );
  const isOpen = status.length === 1 && status[0] === 'open';
  const one = (name: string, value: string, usual = ''): [string, string][] => (value === usual ? [] : [[name, value]]);
  return [
    ...one('type', type, 'task'),
    ...(isOpen ? [] : status.map((value): [string, string] => ['status', value])),
    ...several,
    ...one('mine', mine ? '1' : ''),
    ...one('archived', archived ? '1' : ''),
    ...one('search', search),
    ...one('group', group, usualGroup(type)),
    ...one('sort', (reverse ? '-' : '') + sort, 'due'),
    ...one('view', view, usualView(type)),
    ...(inTime ? [...one('scale', address.scale, 'weeks'), ...one('start', address.start)] : []),
    ...(inTime ? address.tasks.map((id): [string, string] => ['tasks', id]) : []),
    ...one('saved', saved),
    ...one('after', after),
  ];
}

/** The query with a change; starts at the first page unless `after` is changed. */
export function queryOf(address: ListAddress, change: Partial<ListAddress> = {}): string {
  const pairs = pairsOf({ ...address, after: '', ...change });
  return pairs.length ? `?${new URLSearchParams(pairs)}` : '';
}

/** Link of a saved view; filters that no longer exist are dropped. */
export function viewHref({ at }: { at: string }, { id, query }: { id: number; query: string }): string {
  return at + queryOf(listAddress(new URLSearchParams(query)), { saved: String(id) });
}

/** The list of another type. Drops statuses and columns that the type may not have. */
export function asOtherType(address: ListAddress, type: ItemType): ListAddress {
  const { status, sort, group, after: _at, ...kept } = address;
  const common: readonly SortColumn[] = ['due', 'priority', 'id', 'title'];
  return {
    ...{ ...kept, type, after: '', saved: '' },
    status: status.filter((one) => !one.startsWith('key:') && one !== 'pending_approval' && one !== 'approved'),
    sort: common.includes(sort) ? sort : 'due',
    reverse: common.includes(sort) && address.reverse,
    group: group === usualGroup(address.type) ? usualGroup(type) : group,
    // The timeline shows all types together.
    view: [usualView(address.type), 'timeline'].includes(address.view) ? usualView(type) : address.view,
  };
}

/** Input for listWork. */
export function listInput(workspaceId: number, address: ListAddress, today: string): Record<keyof ListWork, unknown> {
  const { type, status, assignee, priority, due, within, mine, archived, search, group, sort, reverse, after } = address;
  return {
    ...{ workspaceId, type, status, due, mine, archived, group, sort, reverse, today },
    assignee: assignee.map((one) => (isId(one) ? Number(one) : one)),
    priority: priority.map((key) => (key === '-' ? '' : key)),
    within: within.map(Number),
    label: address.label.map(Number),
    allLabels: address.allLabels.map(Number),
    noLabel: address.noLabel.map(Number),
    search: search || undefined,
    after: after || undefined,
    limit: 50,
  };
}

export const isFiltered = ({
  status,
  assignee,
  priority,
  due,
  within,
  label,
  allLabels,
  noLabel,
  mine,
  archived,
  search,
}: ListAddress): boolean =>
  [status, assignee, priority, due, within, label, allLabels, noLabel].some((values) => values.length > 0) ||
  mine ||
  archived ||
  search !== '';
