/** Statuses of a workspace (behaviour §12.13, §30.3). */

import { type ItemType, itemTypes } from '../../access/rights.ts';
import type { StatusLine } from '../../workspaces/administer.ts';
import { closedStatuses, statuses } from '../../workspaces/statuses.ts';
import { card, fold } from '../frame/components/boxes.ts';
import { button } from '../frame/components/button.ts';
import { table } from '../frame/components/row.ts';
import { canonicalWords, statusIcon } from '../frame/components/status.ts';
import { estimate } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import { postForm } from '../frame/postForm.ts';
import { checkbox, option, quantity } from '../frame/widgets.ts';
import { typesLabel } from '../items/fields.ts';
import type { SettingsData } from './settingsData.ts';
import { grip, moveForm, nameAndKey, rowDropForm, rowMark, usedCell } from './workflowTable.ts';

export function statusesCard(data: SettingsData): Content {
  const all = data.settings.words?.statuses ?? [];
  const columns = [
    { label: 'Name' },
    { label: 'Category' },
    { label: 'Item types' },
    { label: 'WIP limit' },
    { label: 'In use' },
    { label: 'Order', quiet: true },
  ];
  const rows = all.map((status, at) => ({ attributes: rowMark(status.key), cells: statusCells(data, status, at, all.length) }));
  const hint = html`<p class="hint">Lists and boards use this order. The first status of a category is its default. Boards warn above the limit of work in progress (WIP).</p>`;
  const body = html`${data.problem('statuses')}${hint}${table({ caption: 'Statuses', columns, class: 'order' }, rows)}${rowDropForm(data, 'statuses')}${addStatusForm(data)}`;
  return card('Statuses', body, { id: 'statuses' });
}

function statusCells(data: SettingsData, line: StatusLine, at: number, count: number): Content[] {
  const { key, label, status, types, used } = line;
  const renaming = { action: `${data.path}/statuses/rename`, hidden: { key }, live: '#statuses', class: 'plain actions' };
  const fields = data.forms(renaming.action, renaming.hidden);
  const rename = postForm(
    data,
    renaming,
    html`<input name="label" required maxlength="200" value="${fields.value('label', label)}" aria-label="Name of the status ${key}"${fields.mark('label')}>${button('Rename', { small: true, said: `Rename ${label}` })}${fields.note('label')}`,
  );
  return [
    html`<div class="word">${grip}${rename}<small class="muted"><code>${key}</code></small></div>`,
    html`<span class="means">${statusIcon({ status, label, beside: true })}${canonicalWords(status)}</span>`,
    types.length === itemTypes.length ? 'all' : types.map((type) => typesLabel(type).toLowerCase()).join(', '),
    closedStatuses.includes(status) ? null : limitForm(data, line),
    usedCell(data, 'statuses', key, label, used),
    moveForm(data, 'statuses', { key, label, at, count }),
  ];
}

function limitForm(data: SettingsData, { key, label, wipItems, wipHours }: StatusLine): Content {
  const limiting = { action: `${data.path}/statuses/limit`, hidden: { key }, live: '#statuses' };
  const fields = data.forms(limiting.action, limiting.hidden);
  const box = (name: 'wipItems' | 'wipHours', stored: number | null, words: string) =>
    html`<label>${words}<input name="${name}" inputmode="numeric" size="4" value="${fields.value(name, String(stored ?? ''))}"${fields.mark(name)}></label>`;
  const form = postForm(
    data,
    limiting,
    html`<div class="sides">${box('wipItems', wipItems, 'Most items')}${box('wipHours', wipHours, 'Most hours')}</div>${fields.note('wipItems')}${fields.note('wipHours')}${button('Set limit', { small: true, said: `Set limit of ${label}` })}`,
  );
  const limits = [wipItems !== null && quantity(wipItems, 'item'), wipHours !== null && estimate(wipHours)].filter((one) => one !== false);
  return fold(limits.join(', ') || 'none', form, { open: fields.refused });
}

function addStatusForm(data: SettingsData): Content {
  const action = `${data.path}/statuses/add`;
  const fields = data.forms(action);
  const offered = statuses.map((one) => option(one, canonicalWords(one), fields.value('status', 'in_progress')));
  const box = (type: ItemType) =>
    checkbox('types', type, typesLabel(type).toLowerCase(), fields.ticked('types', type, type === 'task'), fields.mark('types'));
  const form = postForm(
    data,
    { action, once: true, live: '#statuses', data: { clear: true } },
    html`<div class="sides">${nameAndKey(fields)}
${fields.field('status', (mark) => html`<select name="status"${mark}>${offered}</select>`)}</div>
<fieldset class="levels"><legend>For</legend>${itemTypes.map(box)}${fields.note('types')}</fieldset>
${button('Add status')}`,
  );
  return fold('Add a status', form, { open: fields.refused });
}
