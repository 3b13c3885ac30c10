/** The statuses and priorities of a workspace: add, rename, order, default, delete what nothing uses. */
import { itemTypes } from '../../access/rights.ts';
import type { PriorityLine, StatusLine } from '../../workspaces/administer.ts';
import { statuses } from '../../workspaces/statuses.ts';
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
<details><summary>Add a status</summary>${addStatusForm(data)}</details>
<h2>Priorities</h2>
<div class="scroll"><table class="cards"><thead><tr><th scope="col">Name and rank (higher is more urgent)</th><th scope="col">Key</th><th scope="col">In use</th></tr></thead>
<tbody>${settings.priorities.map((priority) => priorityRow(data, priority))}</tbody></table></div>
${defaultForm(data)}
<details><summary>Add a priority</summary>${addPriorityForm(data)}</details>`;
}

const nameAndKey = html`<label>Name <input name="label" required maxlength="200"></label>
<label>Key <input name="key" maxlength="100" placeholder="made from the name"></label>`;

const addStatusForm = (data: SettingsData): Content =>
  postForm(
    data,
    { action: `${data.path}/statuses/add`, once: true },
    html`<div class="sides">${nameAndKey}
<label>Stands for <select name="status">${statuses.map((one) => option(one, spoken(one), 'in_progress'))}</select></label></div>
<fieldset class="levels"><legend>For</legend>${itemTypes.map((type) => checkbox('types', type, `${type}s`, type === 'task'))}</fieldset>
<button class="secondary">Add the status</button>`,
  );

const addPriorityForm = (data: SettingsData): Content =>
  postForm(
    data,
    { action: `${data.path}/priorities/add`, once: true },
    html`<div class="sides">${nameAndKey}
<label>Rank <input name="rank" inputmode="numeric" required value="${(data.settings.priorities[0]?.rank ?? 0) + 1}"></label></div>
<button class="secondary">Add the priority</button>`,
  );

function defaultForm(data: SettingsData): Content {
  const { priorities } = data.settings;
  const current = priorities.find((one) => one.default)?.key ?? '';
  return postForm(
    data,
    { action: `${data.path}/priorities/default`, class: 'filters' },
    html`<label>Priority of new tasks <select name="key">${option('', 'none', current)}${priorities.map(({ key, label }) => option(key, label, current))}</select></label><button class="secondary">Make it the default</button>`,
  );
}

const spoken = (status: string) => status.replaceAll('_', ' ');

function statusRow(data: SettingsData, { key, label, status, types, used }: StatusLine, index: number, count: number): Content {
  const rename = postForm(
    data,
    { action: `${data.path}/statuses/rename`, hidden: { key }, class: 'plain actions' },
    html`<input name="label" required maxlength="200" value="${label}" aria-label="Name of the status ${key}"><button class="secondary outline" aria-label="Rename ${label}">Rename</button>`,
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
<td data-label="Key"><code>${key}</code></td><td data-label="Stands for">${spoken(status)}</td><td data-label="Types">${types.length === itemTypes.length ? 'all' : types.map((type) => `${type}s`).join(', ')}</td><td data-label="In use">${usedCell(data, 'statuses', key, label, used)}</td>
<td>${order}</td></tr>`;
}

function priorityRow(data: SettingsData, { key, label, rank, default: isDefault, used }: PriorityLine): Content {
  const change = postForm(
    data,
    { action: `${data.path}/priorities/change`, hidden: { key }, class: 'plain actions' },
    html`<input name="label" required maxlength="200" value="${label}" aria-label="Name of the priority ${key}"><input name="rank" required inputmode="numeric" size="4" value="${rank}" aria-label="Rank of the priority ${key}"><button class="secondary outline" aria-label="Change ${label}">Change</button>`,
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
