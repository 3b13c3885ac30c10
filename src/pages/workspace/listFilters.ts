/** All filters are one form, so several values can be selected and it works without script. With script each change takes effect
 *  immediately. */
import { boardGroupings, type SortColumn } from '../../overviews/workList/input.ts';
import { keysOf } from '../../values/records.ts';
import { empty, segments } from '../frame/components/boxes.ts';
import { linkButton } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import type { IconName } from '../frame/components/icons.ts';
import { menu, menuTitle, option } from '../frame/components/palette.ts';
import { type Content, html } from '../frame/html.ts';
import { liveGet } from '../frame/live.ts';
import { isRemembered, layoutForm } from './boardLayout.ts';
import { columnChooser } from './columnChooser.ts';
import { hrefOf, type ListPage } from './list.ts';
import { type ListAddress, noFilters, pairsOf, scales } from './listAddress.ts';
import { allColumnsOf } from './listColumns.ts';
import { type Filter, filters } from './listFilterWords.ts';
import { stretchOf } from './timelineChart.ts';

/** Unit, earlier and later, in the second line of the header. */
const names = { weeks: 'Weeks', months: 'Months', quarters: 'Quarters' } as const;

export function timelineMoves(page: ListPage): Content {
  const { address, clock } = page;
  const stretch = stretchOf(address, clock);
  const to = (change: Partial<ListAddress>) => {
    const href = hrefOf(page, change);
    return { href, attributes: liveGet('#work') };
  };
  return html`${segments('Days', [
    { ...to({ start: stretch.earlier }), label: 'Earlier', icon: 'chevron-left', iconOnly: true },
    { ...to({ start: '' }), label: 'Today', current: stretch.usual },
    { ...to({ start: stretch.later }), label: 'Later', icon: 'chevron-right', iconOnly: true },
  ])}${segments(
    'Scale',
    // Keeps the current start, unless it is the default.
    scales.map((scale) => ({
      ...to({ scale, start: stretch.usual ? '' : stretch.from }),
      label: names[scale],
      current: scale === stretch.scale,
    })),
  )}`;
}

export function listFilters(page: ListPage): Content {
  const { workspace, address } = page;
  const set = filters.filter((filter) => filter.isSet(address));
  const kept = pairsOf({ ...address, ...noFilters, after: '', saved: '' });
  return html`<form class="filtering" id="filters" role="search" aria-label="Filters" method="get" action="${workspace.at}" data-filters${liveGet('#work')}>
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<label class="chip seek">${icon('search', 's')}<span class="vh">Find in this list</span><input type="search" name="search" maxlength="300" value="${address.search}" placeholder="Find" autocomplete="off"></label>
${set.map((filter) => setChip(page, filter))}
${more(
  page,
  filters.filter((filter) => !set.includes(filter)),
)}
<noscript><button class="btn small">Show</button></noscript>
</form><span class="push"></span>${orderings[page.address.view](page)}`;
}

const orderings: Record<ListAddress['view'], (page: ListPage) => Content> = {
  list: (page) => [groupMenu(page), sortMenu(page), columnChooser(page)],
  tree: sortMenu,
  board: (page) => [columnsMenu(page), sortMenu(page)],
  timeline: timelineMoves,
};

export const noMatches = (page: ListPage, what: string): Content =>
  empty({
    icon: 'list-filter',
    title: `No ${what} match these filters`,
    text: 'Remove a filter, or clear all filters.',
    action: linkButton(hrefOf(page, noFilters), 'Clear filters', { icon: 'x' }),
  });

function setChip(page: ListPage, filter: Filter): Content {
  const { label, sign } = filter;
  const remove = hrefOf(page, filter.without);
  const value = filter.valueWords(page);
  const panel = html`${menuTitle(label)}${fieldset(page, filter, true)}${showButton}`;
  const summary = html`${icon(sign, 's')}${label}${value && html` <b>${value}</b>`}`;
  return html`<span class="chip" id="chip-${filter.name}">${menu(summary, panel, { class: 'stays' })}<a href="${remove}" aria-label="Remove the filter ${label}" title="Remove the filter ${label}"${liveGet('#work')}>${icon('x', 's')}</a></span>`;
}

const showButton = html`<p class="show"><button class="btn small">Show</button></p>`;

function more(page: ListPage, unset: readonly Filter[]): Content {
  const panel = html`${unset.map(
    (filter) =>
      html`<details class="kind" name="kind" id="more-${filter.name}"><summary>${icon(filter.sign, 's')}${filter.label}${icon('chevron-right', 's')}</summary>${fieldset(page, filter, false)}</details>`,
  )}${showButton}`;
  return html`<span class="chip add">${menu(html`${icon('plus', 's')}Filter`, panel, { class: 'stays' })}</span>`;
}

/** Checkboxes of a filter; a date filter also has a range. */
export function fieldset(page: ListPage, filter: Filter, set: boolean): Content {
  const { name } = filter;
  const range = name === 'due' && page.address.due.find((one) => one.includes('..'));
  const [from = '', to = ''] = range ? range.split('..') : [];
  return html`<fieldset class="ticks"><legend class="vh">${filter.label}</legend>${filter
    .choices(page)
    .map(
      ({ value, label, sign }) =>
        html`<label class="opt"><input type="checkbox" name="${name}" value="${value}"${set && filter.holds(page.address, value) && html` checked`} autocomplete="off">${sign}<span class="cut">${label}</span></label>`,
    )}${
    name === 'due' &&
    html`<label class="day">From <input class="input" type="date" name="from" value="${from}"></label><label class="day">To <input class="input" type="date" name="to" value="${to}"></label>`
  }</fieldset>`;
}

export const groupLabels = {
  none: 'None',
  status: 'Status',
  assignee: 'Assignee',
  parent: 'Part of',
  due: 'Due date',
  priority: 'Priority',
  label: 'Label',
} as const;

function groupMenu(page: ListPage): Content {
  return groupingMenu(page, keysOf(groupLabels), { sign: 'layers', word: 'Group', title: 'Group by' });
}

function columnsMenu(page: ListPage): Content {
  return groupingMenu(page, boardGroupings, { sign: 'columns-3', word: 'Columns', title: 'Columns' });
}

type Grouped = keyof typeof groupLabels;

function groupingMenu(
  page: ListPage,
  all: readonly Grouped[],
  { sign, word, title }: { sign: IconName; word: string; title: string },
): Content {
  const { order } = page.found;
  const options = all.map((group) =>
    arranging(page, groupLabels[group], { current: order.group === group, name: 'group', value: group, change: { group } }),
  );
  return chipMenu(
    sign,
    html`<span class="vh-phone">${word} </span><b>${groupLabels[order.group]}</b>`,
    html`${menuTitle(title)}${arrangingForm(page, options)}`,
  );
}

/** A link; on a board outside of saved views a button, whose choice is remembered. */
function arranging(
  page: ListPage,
  label: string,
  { current, name, value, change }: { current: boolean; name: 'group' | 'sort'; value: string; change: Partial<ListAddress> },
): Content {
  if (isRemembered(page)) return option(label, { current, name, value });
  return option(label, { href: hrefOf(page, change), current, attributes: liveGet('#work') });
}

const arrangingForm = (page: ListPage, options: Content): Content => (isRemembered(page) ? layoutForm(page, {}, options) : options);

export function sortsOf(page: ListPage): { sort: SortColumn; label: string }[] {
  const sorts: { sort: SortColumn; label: string }[] = [
    { sort: 'due', label: 'Due date' },
    { sort: 'priority', label: 'Priority' },
    ...allColumnsOf(page).flatMap(({ sort, label }) => (sort && sort !== 'due' && sort !== 'priority' ? [{ sort, label }] : [])),
    { sort: 'title', label: 'Title' },
    { sort: 'status', label: 'Status' },
    { sort: 'id', label: 'Number' },
  ];
  return page.address.view === 'board' ? sorts.filter(({ sort }) => cardSorts.includes(sort)) : sorts;
}

/** Columns that boards can be sorted by. */
const cardSorts: readonly SortColumn[] = ['due', 'priority', 'title', 'id'];

function sortMenu(page: ListPage): Content {
  const { sort: now, reverse } = page.found.order;
  const sorts = sortsOf(page);
  const by = (label: string, current: boolean, change: { sort: SortColumn; reverse: boolean }) =>
    arranging(page, label, { current, name: 'sort', value: `${change.reverse ? '-' : ''}${change.sort}`, change });
  const options = sorts.map(({ sort, label }) => by(label, sort === now, { sort, reverse: false }));
  return chipMenu(
    'arrow-up-down',
    html`<span class="vh">Sorted by </span><b>${sorts.find(({ sort }) => sort === now)?.label ?? 'Due date'}</b>`,
    html`${menuTitle('Sort by')}${arrangingForm(page, html`${options}<hr class="line">${by('Reverse order', reverse, { sort: now, reverse: !reverse })}`)}`,
  );
}

const chipMenu = (sign: IconName, words: Content, panel: Content): Content =>
  html`<span class="chip">${menu(html`${icon(sign, 's')}${words}${icon('chevron-down', 's')}`, panel, { end: true })}</span>`;
