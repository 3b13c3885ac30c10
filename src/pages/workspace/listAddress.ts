/** Type, filters, order and grouping of a list in its URL. Invalid and default values are left out. Pure. */
import { type ItemType, itemTypes } from '../../access/rights.ts';
import { flagFilters, type Grouping, groupings, isDays, type ListWork, SortColumn, valueFilters } from '../../overviews/workList/input.ts';
import { isDate } from '../../values/dates.ts';
import { keysOf, recordOf } from '../../values/records.ts';

const views = ['list', 'board', 'tree', 'timeline'] as const;
export type View = (typeof views)[number];

export type ValueFilter = keyof typeof valueFilters;
export type FlagFilter = keyof typeof flagFilters;
const valueNames = keysOf(valueFilters);
const flagNames = keysOf(flagFilters);

/** Values of filters are texts: ids as digits, and `-` for none. No status means open. */
export interface ListAddress extends Record<ValueFilter, string[]>, Record<FlagFilter, boolean> {
  type: ItemType;
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

const MOST = 50;
/** As in overviews/timeline/schema.ts. */
const MOST_OPENED = 20;
const isId = (text: string) => /^[1-9]\d{0,14}$/.test(text);

/** The value of a filter as its input has it; undefined if the filter has no such value. */
function inputOf(name: ValueFilter, text: string): string | number | undefined {
  const { element } = valueFilters[name].unwrap();
  const readings = text === '' ? [] : [text === '-' ? '' : text, ...(isId(text) ? [Number(text)] : [])];
  return readings.find((value) => element.safeParse(value).success);
}

/** Limits dates so that date arithmetic stays valid. */
const isNear = (text: string) => isDate(text) && text >= '1900-01-01' && text < '2200-01-01';

const usualGroup = (type: ItemType): Grouping => (type === 'task' ? 'status' : 'none');

/** Goals are shown as a tree by default. */
const usualView = (type: ItemType): View => (type === 'goal' ? 'tree' : 'list');

function viewIn(query: URLSearchParams, type: ItemType): View {
  const asked = views.find((one) => one === query.get('view')) ?? usualView(type);
  return asked === 'tree' && type !== 'goal' ? 'list' : asked;
}

export function listAddress(query: URLSearchParams): ListAddress {
  const type = itemTypes.find((one) => one === query.get('type')) ?? 'task';
  const several = (name: string, fits: (text: string) => boolean) => [...new Set(query.getAll(name))].filter(fits).slice(0, MOST);
  const filtered = recordOf(valueNames, (name) => several(name, (text) => inputOf(name, text) !== undefined));
  const sort = (query.get('sort') ?? '').replace(/^-/, '');
  const from = query.get('from') ?? '';
  const to = query.get('to') ?? '';
  const start = query.get('start') ?? '';
  const days = `${from}..${to}`;
  return {
    type,
    ...filtered,
    due: [...filtered.due, ...(isDays(days) ? [days] : [])],
    ...recordOf(flagNames, (name) => query.get(name) === '1'),
    search: (query.get('search') ?? '').replaceAll('\0', '').trim().slice(0, 300),
    group: groupings.find((one) => one === query.get('group')) ?? usualGroup(type),
    sort: SortColumn.options.find((one) => one === sort) ?? 'due',
    reverse: (query.get('sort') ?? '').startsWith('-'),
    after: query.get('after') ?? '',
    view: viewIn(query, type),
    scale: scales.find((one) => one === query.get('scale')) ?? 'weeks',
    start: isNear(start) ? start : '',
    tasks: several('tasks', isId).slice(0, MOST_OPENED),
    saved: several('saved', isId)[0] ?? '',
  };
}

export function pairsOf(address: ListAddress): [string, string][] {
  const { type, status, search, group, sort, reverse, after, view, saved } = address;
  const inTime = view === 'timeline';
  const isOpen = status.length === 1 && status[0] === 'open';
  const several = (name: ValueFilter | 'tasks') => address[name].map((value): [string, string] => [name, value]);
  const one = (name: string, value: string, usual = ''): [string, string][] => (value === usual ? [] : [[name, value]]);
  return [
    ...one('type', type, 'task'),
    ...valueNames.filter((name) => name !== 'status' || !isOpen).flatMap(several),
    ...flagNames.flatMap((name) => one(name, address[name] ? '1' : '')),
    ...one('search', search),
    ...one('group', group, usualGroup(type)),
    ...one('sort', (reverse ? '-' : '') + sort, 'due'),
    ...one('view', view, usualView(type)),
    ...(inTime ? [...one('scale', address.scale, 'weeks'), ...one('start', address.start), ...several('tasks')] : []),
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
  const { type, mine, archived, search, group, sort, reverse, after } = address;
  return {
    ...{ workspaceId, type, mine, archived, group, sort, reverse, today },
    ...recordOf(valueNames, (name) => address[name].map((text) => inputOf(name, text))),
    search: search || undefined,
    after: after || undefined,
    limit: 50,
  };
}

export const noFilters: Partial<ListAddress> = {
  ...recordOf(valueNames, () => []),
  ...recordOf(flagNames, () => false),
  search: '',
};

export const isFiltered = (address: ListAddress): boolean =>
  valueNames.some((name) => address[name].length > 0) || flagNames.some((name) => address[name]) || address.search !== '';
