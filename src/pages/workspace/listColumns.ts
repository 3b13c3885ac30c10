/** Columns of lists and of their CSV files by type (behaviour §19.1, §32.1). */

import { type ItemType, itemTypes } from '../../access/rights.ts';
import { displayedDates } from '../../capacity/forecast/outline.ts';
import { fields, listedIn, type NamesWith } from '../../items/fields.ts';
import { type ListRow, SortColumn, type WorkList } from '../../overviews/workList/listWork.ts';
import { recordOf } from '../../values/records.ts';
import { closedStatuses } from '../../workspaces/statuses.ts';
import { hiddenKey } from '../../workspaces/viewSchema.ts';
import { explainedSentences } from '../capacity/words.ts';
import type { IconName } from '../frame/components/icons.ts';
import { badge, progressBar, scoreWords, type Tone } from '../frame/components/marks.ts';
import { dayWords, distance, longDay } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import { kindOf, labelOf, withUnit } from '../items/fields.ts';
import { assigneeLink, changeLink, dueLink, estimateLink, ownerLink, priorityLink, progressLink } from '../items/inPlace.ts';
import { measure } from '../items/measure.ts';
import type { ListPage } from './list.ts';

export interface ListColumn {
  /** CSS class of the column (parts/rows.css, list.css). */
  kind: string;
  /** Name in the member's choice of columns, if it differs from the kind. */
  name?: string;
  label: string;
  sort?: SortColumn | undefined;
  cell(row: ListRow, page: ListPage): Content;
}

/** A small object, because it is copied for each value. */
const named = ({ id, title }: ListRow) => ({ id, title });
const closed = ({ status }: ListRow) => closedStatuses.includes(status);

const progress: ListColumn = {
  kind: 'ring',
  label: fields.progressPercent.label,
  sort: 'progress',
  cell: (row, { change }) => progressLink({ ...named(row), percent: row.status === 'done' ? 100 : (row.progressPercent ?? 0) }, change),
};
const estimated: ListColumn = {
  kind: 'est',
  label: fields.estimatedHours.label,
  sort: 'estimate',
  cell: (row, { change }) => estimateLink({ ...named(row), hours: row.estimatedHours ?? null }, change),
};
const due: ListColumn = {
  kind: 'due',
  label: fields.dueDate.label,
  sort: 'due',
  cell: (row, { change }) => dueLink({ ...named(row), date: row.due ?? null, closed: closed(row) }, change),
};
const target: ListColumn = {
  kind: 'due',
  label: 'Target date',
  sort: 'target',
  cell: (row, { change }) => dueLink({ ...named(row), date: row.targetDate ?? null, closed: closed(row), field: 'target' }, change),
};
const priority: ListColumn = {
  kind: 'prio',
  label: fields.priorityKey.label,
  sort: 'priority',
  cell: (row, { change, found }) =>
    priorityLink({ ...named(row), priority: found.options.priorities.find(({ key }) => key === row.priorityKey) ?? null }, change),
};
const assignee: ListColumn = {
  kind: 'who',
  label: fields.assigneeId.label,
  sort: 'assignee',
  cell: (row, { change }) => assigneeLink({ ...named(row), assignee: row.assignee ?? null }, change),
};
const owner: ListColumn = {
  kind: 'who',
  label: 'Owner',
  sort: 'owner',
  cell: (row, { change }) => ownerLink({ ...named(row), owner: row.owner ?? null }, change),
};

const below: ListColumn = {
  kind: 'below',
  label: 'Subitems done',
  cell: ({ below: one }) => {
    if (!one || one.total === 0) return html`<span class="none" title="No subitems">–<span class="vh"> no subitems</span></span>`;
    const words = `${one.done} of ${one.total}${one.more ? '+' : ''} done`;
    return html`${progressBar({ done: one.done, inProgress: 0, total: one.total }, words)}<span class="of">${one.done} of ${one.total}${one.more && '+'}</span>`;
  },
};

const score: ListColumn = {
  kind: 'score',
  label: 'Score',
  sort: 'score',
  cell: ({ score: value, rank }) =>
    value === undefined
      ? html`<span class="none" title="No score">–<span class="vh"> no score</span></span>`
      : html`<b title="Reach × impact × confidence ÷ effort">${scoreWords(value)}</b>${rank !== undefined && html` <span class="of">no. ${rank}</span>`}`,
};

const current: ListColumn = {
  kind: 'goal',
  label: 'Current / target',
  sort: 'current',
  cell: (row, { change }) => {
    const { current: now, target: wanted } = row;
    if (now === undefined && wanted === undefined)
      return html`<span class="none" title="No values">–<span class="vh"> no values</span></span>`;
    return changeLink('current', named(row), change, measure(row), 'Change current value');
  },
};

type Listed = Exclude<NamesWith<'listed'>, 'dueDate'>;

/** The column of a field as plain text. */
function fieldColumn(name: Listed): ListColumn {
  const { label, sort } = fields[name];
  return {
    kind: 'field',
    name,
    label,
    sort: SortColumn.options.find((one) => one === sort),
    cell: (row, { clock }) => {
      const value = row[name];
      if (value === undefined) return html`<span class="none">–</span>`;
      return kindOf(name) === 'date' ? dayWords(String(value), clock) : html`${withUnit(name, String(value))}`;
    },
  };
}
const version = fieldColumn('versionLabel');

const outlooks: Record<string, [Tone, IconName, string]> = {
  overcommitted: ['red', 'triangle-alert', 'Overcommitted'],
  at_risk: ['amber', 'circle-alert', 'At risk'],
  needs_data: ['plain', 'circle-question-mark', 'Needs data'],
  needs_target: ['plain', 'target', 'Needs a target'],
  within_capacity: ['green', 'circle-check', 'On track'],
  no_scope: ['plain', 'minus', 'No tasks yet'],
};

const forecast: ListColumn = {
  kind: 'forecast',
  label: 'Forecast',
  cell: ({ forecast: one, targetDate }, { clock }) => {
    if (!one) return null;
    const [tone, sign, words] = outlooks[one.outlook] ?? (['plain', 'info', one.outlook] as const);
    const { forecastDate } = displayedDates(one);
    const against = forecastDate && targetDate ? `, target ${distance(targetDate, forecastDate)}` : '';
    const said = [...(forecastDate ? [`Ready ${longDay(forecastDate, clock)}${against}.`] : []), ...explainedSentences(one, clock)].join(
      ' ',
    );
    return html`${forecastDate && html`<span class="of" title="${said}">${dayWords(forecastDate, clock)}</span>`}${badge(tone, sign, html`<span title="${said || words}">${words}</span>`)}`;
  },
};

const ofType: Record<ItemType, ListColumn[]> = {
  task: [progress, estimated, due, priority, assignee],
  requirement: [score, below, forecast, target, priority, owner],
  goal: [current, target, owner],
  release: [version, below, forecast, target, owner],
  milestone: [below, forecast, target, owner],
};

/** Fields with a column above. Requirements show only one of their dates. */
const drawn: readonly string[] = [
  'dueDate',
  'targetDate',
  'estimatedHours',
  'progressPercent',
  'versionLabel',
  'current',
  'target',
  'unit',
];
const plainColumns = recordOf(itemTypes, (type) =>
  listedIn(type)
    .filter((name): name is Listed => !drawn.includes(name))
    .map(fieldColumn),
);

export const columnName = ({ kind, name }: ListColumn): string => name ?? kind;

export const hiddenIn = ({ workspace, found, address }: Pick<ListPage, 'workspace' | 'found' | 'address'>): readonly string[] =>
  workspace.hidden[hiddenKey(found.type, address.saved)] ?? [];

/** The columns that the reader has not hidden (behaviour §19.12). */
export const columnsOf = (page: ListPage): ListColumn[] => {
  const hidden = hiddenIn(page);
  return allColumnsOf(page).filter((column) => !hidden.includes(columnName(column)));
};

/** Hides the forecast column if no row has a forecast the reader may see. */
export const allColumnsOf = (page: ListPage): ListColumn[] =>
  [...ofType[page.found.type], ...plainColumns[page.found.type]].filter(
    (column) => column !== forecast || page.found.rows.some((row) => row.forecast),
  );

type Value = string | number | null | undefined;
/** A column of CSV files. */
export type FileColumn = [head: string, value: (row: ListRow, list: WorkList) => Value];

const belowInFiles: FileColumn[] = [
  ['Subitems done', (row) => row.below?.done],
  ['Subitems', (row) => row.below && (row.below.more ? `more than ${row.below.total}` : row.below.total)],
];
const forecastInFiles: FileColumn[] = [
  ['Forecast', (row) => row.forecast?.forecastDate],
  ['Forecast if work takes 25 % longer', (row) => row.forecast?.bufferedDate],
  ['Outlook', (row) => row.forecast?.outlook],
];

/** Of fields, files have columns anyway. */
const ofTypeInFiles: Record<ItemType, FileColumn[]> = {
  task: [],
  requirement: [
    ['Score', (row) => (row.score === undefined ? null : Math.round(row.score * 100) / 100)],
    ['Rank', (row) => row.rank],
    ['Approval', (row) => row.approval],
    ['Changed since approval', (row) => row.changedSinceApproval && 'yes'],
    ...belowInFiles,
    ...forecastInFiles,
  ],
  goal: belowInFiles,
  release: [...belowInFiles, ...forecastInFiles],
  milestone: [...belowInFiles, ...forecastInFiles],
};

/** A column for each listed field of the type. */
function fileColumnOf(name: ReturnType<typeof listedIn>[number]): FileColumn {
  const { label, unit } = fields[name];
  const head = unit ? `${label} (${unit})` : label;
  if (name === 'dueDate') return [head, (row) => row.due];
  if (name === 'progressPercent') return [head, (row) => (row.status === 'done' ? 100 : row.progressPercent)];
  return [head, (row) => row[name]];
}

export function fileColumnsOf(type: ItemType, at: string): FileColumn[] {
  return [
    ['Number', (row) => row.id],
    [labelOf('title'), (row) => row.title],
    [labelOf('statusKey'), (row, { options }) => options.statuses.find(({ key }) => key === row.statusKey)?.label ?? row.statusKey],
    [labelOf('blockedReason'), (row) => row.blockedReason],
    [labelOf('priorityKey'), (row, { options }) => options.priorities.find(({ key }) => key === row.priorityKey)?.label ?? row.priorityKey],
    [labelOf('assigneeId'), (row) => row.assignee?.name],
    [labelOf('ownerId'), (row) => row.owner?.name],
    ...listedIn(type).map(fileColumnOf),
    ...ofTypeInFiles[type],
    ['Labels', (row) => row.labels?.map(({ name }) => name).join(', ')],
    ['Waits for', (row) => row.waitsFor],
    ['Part of number', (row) => row.up?.id],
    ['Part of', (row) => row.up?.title],
    ['Archived', (row) => row.archived && 'yes'],
    ['Link', (row) => `${at}/items/${row.id}`],
  ];
}
