/** /workspaces/:id/filters: the filters of a list on a phone: five fields, the rest folded, and a button that says the result
 *  (behaviour §39.2). A sheet with script, a page without it. */

import { boardGroupings } from '../../overviews/workList/input.ts';
import { listWork, type WorkList } from '../../overviews/workList/listWork.ts';
import { keysOf } from '../../values/records.ts';
import { clockOf } from '../frame/clock.ts';
import { button, iconLink, linkButton } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { type Content, html } from '../frame/html.ts';
import { liveGet } from '../frame/live.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { option } from '../frame/widgets.ts';
import { typeLabel, typesLabel } from '../items/fields.ts';
import { boardGroup } from './boardAddress.ts';
import { hrefOf, type ListPage, listPage } from './list.ts';
import { type ListAddress, listAddress, listInput, noFilters, pairsOf, queryOf } from './listAddress.ts';
import { fieldset, groupLabels, sortsOf } from './listFilters.ts';
import { type Choice, type Filter, filters } from './listFilterWords.ts';
import { countWords, sumOf } from './listGroups.ts';
import { keepView } from './listViews.ts';

/** "Open" is the default and does not count. */
const setIn = (address: ListAddress): number =>
  filters.filter((one) => one.isSet(address) && (one.name !== 'status' || address.status.some((status) => status !== 'open'))).length +
  (address.search === '' ? 0 : 1);

export function filterButton(page: ListPage): Content {
  const { workspace, address } = page;
  const set = setIn(address);
  const link = iconLink(`${workspace.at}/filters${queryOf(address)}`, 'sliders-horizontal', set ? `Filters, ${set} set` : 'Filters', {
    size: 'l',
    attributes: html` data-menu`,
  });
  return html`<span class="filter-button at-narrow">${link}${set > 0 && html`<span class="n" aria-hidden="true">${set}</span>`}</span>`;
}

async function show(request: PageRequest): Promise<Answer> {
  const address = listAddress(request.query);
  const clock = clockOf(request);
  const input = listInput(Number(request.params.id), { ...address, view: 'list', after: '' }, clock.today);
  const found = await call(request, listWork, { ...input, limit: 1 });
  const page = listPage(request, found, clock);
  return {
    title: 'Filters',
    crumbs: html`<a href="${hrefOf(page)}">${page.workspace.name}</a>`,
    body: html`<section id="change" class="change filter-sheet" aria-label="Filters">${sheet(page)}</section>`,
  };
}

/** Always shown. The other filters are collapsed. */
const shown: Partial<Record<Filter['name'], (page: ListPage, filter: Filter) => Content>> = {
  status: toggles,
  assignee: toggles,
  due: days,
};

function sheet(page: ListPage): Content {
  const { workspace, address, found, request } = page;
  const kept = pairsOf({ ...address, ...noFilters, after: '', saved: '' }).filter(([name]) => name !== 'group' && name !== 'sort');
  const clear = linkButton(hrefOf(page, { ...noFilters, saved: '' }), 'Clear filters', { kind: 'quiet', attributes: liveGet('#work') });
  const others = filters.filter(({ name }) => !shown[name]);
  return html`<form method="get" action="${workspace.at}" data-sheet="${workspace.at}/filters"${liveGet('#work')}>
<header><h2>Filters</h2>${clear}</header>
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${filters.map((one) => shown[one.name]?.(page, one))}${orders(page)}
<details class="kind"${others.some((one) => one.isSet(address)) && html` open`}><summary>${icon('list-filter')}More filters${icon('chevron-right', 's')}</summary>
<label class="flabel" for="sheet-search">Words</label><input class="input" id="sheet-search" type="search" name="search" maxlength="300" value="${address.search}" autocomplete="off">
${others.map((one) => html`<h3>${one.label}</h3>${fieldset(page, one, true)}`)}</details>
<footer>${button(resultWords(found), { kind: 'primary', attributes: html` data-result` })}</footer></form>
<details class="kind"><summary>${icon('bookmark')}Save view${icon('chevron-right', 's')}</summary>${keepView(request, workspace.path, queryOf(address, { saved: '' }).slice(1))}</details>`;
}

/** "Show 12 tasks". */
function resultWords({ groups, type }: WorkList): string {
  const all = sumOf(groups);
  const words = all.count === 1 && !all.more ? typeLabel(type) : typesLabel(type);
  return `Show ${countWords(all)} ${words.toLowerCase()}`;
}

const MOST_SHOWN = 6;

/** The first choices and the chosen ones; the others are folded. */
function toggles(page: ListPage, filter: Filter): Content {
  const all = filter.choices(page);
  const isChosen = ({ value }: Choice) => filter.holds(page.address, value);
  const first = all.filter((one, at) => at < MOST_SHOWN || isChosen(one));
  const rest = all.filter((one) => !first.includes(one));
  const toggle = (one: Choice) =>
    html`<label class="tg"><input type="checkbox" name="${filter.name}" value="${one.value}"${isChosen(one) && html` checked`} autocomplete="off">${one.sign}<span class="cut">${one.label}</span>${icon('check', 's')}</label>`;
  return html`<fieldset class="tgs"><legend>${filter.label}</legend>${first.map(toggle)}${
    rest.length > 0 &&
    html`<details class="kind"><summary>${rest.length} more${icon('chevron-right', 's')}</summary>${rest.map(toggle)}</details>`
  }</fieldset>`;
}

const DAYS = ['overdue', 'today', 'week'];

/** A range or another choice stays until the user picks one of these. */
function days(page: ListPage, filter: Filter): Content {
  const { address } = page;
  const [now = ''] = address.due;
  const radio = (value: string, label: string) =>
    html`<label><input type="radio" name="due" value="${value}"${value === now && html` checked`} autocomplete="off"><span>${label}</span></label>`;
  const offered = filter.choices(page).filter(({ value }) => DAYS.includes(value));
  const kept = now !== '' && !DAYS.includes(now) && radio(now, 'As set');
  return html`<fieldset><legend>${filter.label}</legend><div class="seg3">${offered.map(({ value, label }) => radio(value, label))}${kept}${radio('', 'Any')}</div></fieldset>`;
}

function orders(page: ListPage): Content {
  const { address } = page;
  const { view, sort, reverse } = address;
  if (view === 'timeline') return null;
  const group = view === 'board' ? boardGroup(address) : address.group;
  const groups = (view === 'board' ? boardGroupings : keysOf(groupLabels)).map((key): [string, string] => [key, groupLabels[key]]);
  const sorts = sortsOf(page).map((one): [string, string] => [one.sort, one.label]);
  const now = sorts.find(([key]) => key === sort)?.[1] ?? 'Due date';
  return html`<div class="srow">${view !== 'tree' && choice('group', view === 'board' ? 'Columns' : 'Group by', 'layers', groups, group)}${
    view !== 'board' &&
    choice('sort', 'Sort by', 'arrow-up-down', [...sorts, [`-${sort}`, `${now}, reversed`]], reverse ? `-${sort}` : sort)
  }</div>`;
}

const choice = (name: string, label: string, sign: 'layers' | 'arrow-up-down', all: readonly [string, string][], now: string): Content =>
  html`<label>${icon(sign)}<span>${label}</span><select name="${name}" autocomplete="off">${all.map(([value, text]) => option(value, text, now))}</select></label>`;

export const filterRoutes: PageRoute[] = [{ method: 'GET', path: '/workspaces/:id/filters', handle: show }];
