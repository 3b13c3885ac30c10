/** The statuses and priorities of a workspace: add, rename, order, default, delete what nothing uses. */

import { type ItemType, itemTypes } from '../../access/rights.ts';
import type { PriorityLine, StatusLine } from '../../workspaces/administer.ts';
import { statuses } from '../../workspaces/statuses.ts';
import { canonicalWords } from '../frame/components/status.ts';
import type { Fields } from '../frame/fields.ts';
import type { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import { postForm } from '../frame/postForm.ts';
import { checkbox, option } from '../frame/widgets.ts';
import type { SettingsData } from './settingsData.ts';

export function workflowPart(data: SettingsData): Content {
  const { settings } = data;
  return html`<h2>Statuses</h2>
<p><small>Each stands for one of the service’s own statuses. Where several stand for the same one, the first is the one taken by default.</small></p>
<div class="scroll"><table class="cards"><thead><tr><th scope="col">Name</th><th scope="col">Key</th><th scope="col">Stands for</th><th scope="col">Types</th><th scope="col">In use</th><th scope="col">Order</th></tr></thead>
<tbody>${settings.statuses.map((status, index) => statusRow(data, status, index, settings.statuses.length))}</tbody></table></div>
${addStatusForm(data)}
<h2>Priorities</h2>
<div class="scroll"><table class="cards"><thead><tr><th scope="col">Name and rank (higher is more urgent)</th><th scope="col">Key</th><th scope="col">In use</th></tr></thead>
<tbody>${settings.priorities.map((priority) => priorityRow(data, priority))}</tbody></table></div>
${defaultForm(data)}
${addPriorityForm(data)}`;
}

const nameAndKey = (fields: Fields): Content => html`
${fields.field('label', (mark) => html`<input name="label" required maxlength="200" value="${fields.value('label')}"${mark}>`)}
${fields.field('key', (mark) => html`<input name="key" maxlength="100" value="${fields.value('key')}" placeholder="made from the name"${mark}>`)}`;

/** Open when it is the form that was refused. */
const opening = ({ refused }: Fields, summary: string, form: Content): Content =>
  html`<details${refused && html` open`}><summary>${summary}</summary>${form}</details>`;

function addStatusForm(data: SettingsData): Content {
  const action = `${data.path}/statuses/add`;
  const fields = data.forms(action);
  const offered = statuses.map((one) => option(one, canonicalWords(one), fields.value('status', 'in_progress')));
  const box = (type: ItemType) => checkbox('types', type, `${type}s`, fields.ticked('types', type, type === 'task'), fields.mark('types'));
  const form = postForm(
    data,
    { action, once: true },
    html`<div class="sides">${nameAndKey(fields)}
${fields.field('status', (mark) => html`<select name="status"${mark}>${offered}</select>`)}</div>
<fieldset class="levels"><legend>For</legend>${itemTypes.map(box)}${fields.note('types')}</fieldset>
<button class="secondary">Add the status</button>`,
  );
  return opening(fields, 'Add a status', form);
}

function addPriorityForm(data: SettingsData): Content {
  const action = `${data.path}/priorities/add`;
  const fields = data.forms(action);
  const rank = fields.value('rank', String((data.settings.priorities[0]?.rank ?? 0) + 1));
  const form = postForm(
    data,
    { action, once: true },
    html`<div class="sides">${nameAndKey(fields)}
${fields.field('rank', (mark) => html`<input name="rank" inputmode="numeric" required value="${rank}"${mark}>`)}</div>
<button class="secondary">Add the priority</button>`,
  );
  return opening(fields, 'Add a priority', form);
}

function defaultForm(data: SettingsData): Content {
  const { priorities } = data.settings;
  const action = `${data.path}/priorities/default`;
  const fields = data.forms(action);
  const current = fields.value('key', priorities.find((one) => one.default)?.key);
  const offered = [option('', 'none', current), ...priorities.map(({ key, label }) => option(key, label, current))];
  return postForm(
    data,
    { action, class: 'filters' },
    fields.field('key', (mark) => html`<select name="key"${mark}>${offered}</select>`, null, 'Priority of new tasks'),
    html`<button class="secondary">Make it the default</button>`,
  );
}

function statusRow(data: SettingsData, { key, label, status, types, used }: StatusLine, index: number, count: number): Content {
  const renaming = { action: `${data.path}/statuses/rename`, hidden: { key }, class: 'plain actions' };
  const fields = data.forms(renaming.action, renaming.hidden);
  const rename = postForm(
    data,
    renaming,
    html`<input name="label" required maxlength="200" value="${fields.value('label', label)}" aria-label="Name of the status ${key}"${fields.mark('label')}><button class="secondary outline" aria-label="Rename ${label}">Rename</button>${fields.note('label')}`,
  );
  const move = (direction: 'up' | 'down', sign: string) =>
    html`<button name="direction" value="${direction}" class="secondary outline" aria-label="Move ${label} ${direction}">${sign}</button>`;
  const order = postForm(
    data,
    { action: `${data.path}/statuses/move`, hidden: { key }, class: 'plain actions' },
    index > 0 && move('up', '↑'),
    index < count - 1 && move('down', '↓'),
  );
  return html`<tr><td>${rename}</td>
<td data-label="Key"><code>${key}</code></td><td data-label="Stands for">${canonicalWords(status)}</td><td data-label="Types">${types.length === itemTypes.length ? 'all' : types.map((type) => `${type}s`).join(', ')}</td><td data-label="In use">${usedCell(data, 'statuses', key, label, used)}</td>
<td>${order}</td></tr>`;
}

function priorityRow(data: SettingsData, { key, label, rank, default: isDefault, used }: PriorityLine): Content {
  const changing = { action: `${data.path}/priorities/change`, hidden: { key }, class: 'plain actions' };
  const fields = data.forms(changing.action, changing.hidden);
  const change = postForm(
    data,
    changing,
    html`<input name="label" required maxlength="200" value="${fields.value('label', label)}" aria-label="Name of the priority ${key}"${fields.mark('label')}>
<input name="rank" required inputmode="numeric" size="4" value="${fields.value('rank', String(rank))}" aria-label="Rank of the priority ${key}"${fields.mark('rank')}>
<button class="secondary outline" aria-label="Change ${label}">Change</button>${fields.note('label')}${fields.note('rank')}`,
  );
  return html`<tr><td>${change}</td>
<td data-label="Key"><code>${key}</code>${isDefault && ' (default)'}</td><td data-label="In use">${usedCell(data, 'priorities', key, label, used)}</td></tr>`;
}

function usedCell(data: SettingsData, kind: 'statuses' | 'priorities', key: string, label: string, used: number): Content {
  if (used > 0) return `${used} ${used === 1 ? 'item' : 'items'}`;
  return postForm(
    data,
    { action: `${data.path}/${kind}/delete`, hidden: { key }, confirm: `Delete ${label}?`, class: 'plain' },
    html`<button class="secondary outline" aria-label="Delete ${label}">Delete</button>`,
  );
}

/** The key that was given, or one made from the name: "In test" is in_test. */
export function keyOf(form: Form): string {
  const given = form.text('key');
  if (given) return given;
  const plain = form.text('label').normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
  return plain
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 100);
}
