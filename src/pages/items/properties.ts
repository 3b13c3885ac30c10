/** Properties of an item, each with a link to change it (behaviour §21.6). */
import { isLink, linkTargets } from '../../items/fields.ts';
import { daysBetween } from '../../values/dates.ts';
import { keysOf } from '../../values/records.ts';
import { closedStatuses } from '../../workspaces/statuses.ts';
import { avatar, fullName } from '../frame/components/avatar.ts';
import { asideSection, fold, type Property, properties } from '../frame/components/boxes.ts';
import { due } from '../frame/components/due.ts';
import { icon } from '../frame/components/icon.ts';
import { ring } from '../frame/components/marks.ts';
import { priorityIcon } from '../frame/components/priority.ts';
import { statusIcon } from '../frame/components/status.ts';
import { day, distance, estimate } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import { may, mayWork } from '../workspace/openWorkspace.ts';
import { inPlaceFields } from './change/fields.ts';
import { measuredForm } from './change/panel.ts';
import { ownAndBelow } from './estimates.ts';
import { type FormName, groupsOf, kindOf, labelOf, typeLabel, withUnit } from './fields.ts';
import { statusLabel } from './form.ts';
import { changeLink, changePath } from './inPlace.ts';
import { labelsProperty } from './labels.ts';
import { measureBar, measureWords, sparkline, trendTable } from './measure.ts';
import { type ItemPage, linksOf } from './pageOf.ts';
import { repeatProperty } from './repeat.ts';
import { storedValue, typeSigns } from './values.ts';

/** Progress of a goal on its page: bar, trend, and an update form with a comment (behaviour §27.2–§27.4). */
function measurePart(page: ItemPage): Content {
  const { item, workspace, at, trend, first } = page.opened;
  const { target, current } = item.fields;
  if (item.type !== 'goal') return null;
  if (target == null && current == null && !trend?.changes.length)
    return (
      mayWork(workspace, 'goal', 'write') &&
      asideSection('Measure', html`<p><a class="quiet-link" href="${at}/edit#target">Set a target value</a></p>`)
    );
  const measured = { ...item.fields, first };
  const words = measureWords(measured);
  return asideSection('Measure', html`<p><b>${words}</b></p>${measureBar(measured, words)}${trendOf(page)}${updateOf(page)}`, 'measure');
}

function trendOf({ opened: { trend, item }, clock }: ItemPage): Content {
  const numbers = trend && trendTable(trend, clock);
  if (!numbers) return null;
  return html`${sparkline(trend, item.fields.target, clock)}${fold(html`${icon('chevron-right', 's')}Recorded values`, numbers, { class: 'numbers' })}`;
}

/** Needs the right to change goals. Without the right to comment the form has only the value. */
function updateOf(page: ItemPage): Content {
  const { request, opened } = page;
  const { item, workspace } = opened;
  const { back } = page;
  if (!page.inPlace('goal').may) return null;
  if (!may(workspace, 'comments', 'write'))
    return html`<p><a class="quiet-link" href="${changePath(workspace.at, item.id, 'current')}" data-menu>Update</a></p>`;
  const { current, unit } = item.fields;
  const form = measuredForm(request, {
    ...{ action: `${workspace.path}/items/${item.id}/change/current`, back, unit: unit ?? '', note: '' },
    names: html`<input type="hidden" name="version" value="${item.version}">`,
    value: current == null ? '' : String(current),
  });
  return fold(html`${icon('chevron-right', 's')}Update`, form);
}

/** Shown in other parts of the page. */
const elsewhere: readonly FormName[] = ['reach', 'impact', 'confidence', 'effort', 'reachPeriod', 'target', 'current', 'unit'];
/** Shown even when empty, to readers who may set them. */
const ofTask: readonly FormName[] = ['statusKey', 'priorityKey', 'assigneeId', 'dueDate', 'estimatedHours', 'progressPercent'];
const ofOthers: readonly FormName[] = ['statusKey', 'ownerId', 'targetDate'];

export function propertiesPart(page: ItemPage): Content {
  const { item, workspace } = page.opened;
  const may = mayWork(workspace, item.type, 'write');
  const always = item.type === 'task' ? ofTask : ofOthers;
  const names = groupsOf(item.type).flatMap((group) => group.names);
  const rows = names
    .filter((name) => !elsewhere.includes(name) && !isLink(name))
    .map((name): Property | null => {
      const shown = valueIn(page, name);
      if (shown === null && !(may && always.includes(name))) return null;
      const value = shown ?? html`<span class="meta">Set</span>`;
      return { label: short(name), value: may ? way(page, name, value) : html`<span>${value}</span>` };
    });
  const links = linksOf(page.opened).map(({ name, id, type, title }): Property => {
    const label = linkTargets(name, item.type).length > 1 || name === 'parentId' ? `Parent ${type}` : typeLabel(type);
    return { label, value: html`<a href="${workspace.at}/items/${id}">${icon(typeSigns[type])}<span class="cut">${title}</span></a>` };
  });
  return html`${asideSection('Properties', properties([...rows, labelsProperty(page), repeatProperty(page), ...links, sourceProperty(page)]))}${measurePart(page)}`;
}

/** Only http and https addresses become links: the key comes from a file. */
function sourceProperty({ opened: { source } }: ItemPage): Property | null {
  if (!source) return null;
  const isLinked = source.url !== null && /^https?:\/\//i.test(source.url);
  const value = isLinked ? html`<a href="${source.url}" rel="noopener noreferrer">${source.key}</a>` : html`<span>${source.key}</span>`;
  return { label: html`Key in ${sourceNames[source.name] ?? 'CSV'}`, value };
}

const sourceNames: Readonly<Record<string, string>> = {
  jira: 'Jira',
  linear: 'Linear',
  asana: 'Asana',
  trello: 'Trello',
  github: 'GitHub',
  stint: 'Stint',
};

const onPhone: readonly FormName[] = ['statusKey', 'assigneeId', 'ownerId', 'dueDate', 'targetDate', 'priorityKey'];

/** Below the title on phones: the main properties, and a link to all of them. */
export function propertyChips(page: ItemPage): Content {
  const { item, workspace } = page.opened;
  const mayChange = mayWork(workspace, item.type, 'write');
  const names = groupsOf(item.type).flatMap((group) => group.names);
  const chips = onPhone.flatMap((name) => {
    const shown = names.includes(name) ? valueIn(page, name) : null;
    return shown === null ? [] : [html`<span class="chip">${mayChange ? way(page, name, shown) : shown}</span>`];
  });
  const all = names.filter((name) => !elsewhere.includes(name) && !isLink(name) && valueIn(page, name) !== null).length;
  return (
    chips.length > 0 &&
    html`<div class="propstrip" role="group" aria-label="Main properties">${chips}<a class="chip" href="#properties">All ${all}</a></div>`
  );
}

/** Links to the in-place menu, or to the edit form. */
function way(page: ItemPage, name: FormName, value: Content): Content {
  const { item, at } = page.opened;
  const field = keysOf(inPlaceFields).find((one) => inPlaceFields[one].stored === name);
  if (!field) return html`<a href="${at}/edit#${name}">${value}</a>`;
  return changeLink(field, { id: item.id, title: item.title }, page.inPlace(item.type), value, `Change ${short(name).toLowerCase()}`);
}

const short = (name: FormName): string => labelOf(name).replace(' date', '');

function valueIn({ opened, clock }: ItemPage, name: FormName): Content | null {
  const { item, options, context } = opened;
  const { fields, status } = item;
  const closed = closedStatuses.includes(status);
  switch (name) {
    case 'statusKey': {
      const label = statusLabel(options, fields.statusKey ?? status);
      return html`${statusIcon({ status, label, beside: true })}${label}`;
    }
    case 'priorityKey': {
      const priority = options.priorities.find(({ key }) => key === fields.priorityKey);
      return priority ? html`${priorityIcon({ ...priority, beside: true })}${priority.label}` : (fields.priorityKey ?? null);
    }
    case 'assigneeId':
    case 'ownerId': {
      const who = name === 'ownerId' ? context.owner : context.assignee;
      return who && html`${avatar(who, { beside: true })}<span class="${who.left ? 'wrap' : 'cut'}">${fullName(who)}</span>`;
    }
    case 'dueDate':
    case 'targetDate': {
      const date = fields[name];
      const leads = name === 'dueDate' || !fields.dueDate;
      return date
        ? html`${leads ? due(date, { closed }, clock) : day(date, clock)}${!saysDistance(date, clock.today, leads && !closed) && html` <span class="meta">${distance(date, clock.today)}</span>`}`
        : null;
    }
    case 'estimatedHours':
      if (fields.estimatedHours == null) return null;
      return (item.type === 'task' && ownAndBelow(fields.estimatedHours, opened.sums.hours)) || estimate(fields.estimatedHours);
    case 'progressPercent':
      return fields.progressPercent == null
        ? null
        : html`${ring(fields.progressPercent / 100, `${fields.progressPercent} % done`)}${fields.progressPercent} %`;
    default: {
      const value = storedValue(item, name);
      if (value == null || value === '') return null;
      if (kindOf(name) === 'date') return day(String(value), clock);
      return html`<span class="text">${withUnit(name, String(value))}</span>`;
    }
  }
}

/** True if the words of the date already say how far it is: "Tomorrow", "5 days late". */
const saysDistance = (date: string, today: string, canBeLate: boolean): boolean =>
  Math.abs(daysBetween(today, date)) <= 1 || (canBeLate && date < today);
