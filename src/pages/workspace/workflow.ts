/** The statuses and priorities of a workspace: add, rename, order, default, delete what nothing uses. */
import { itemTypes } from '../../access/rights.ts';
import type { PriorityLine, StatusLine } from '../../workspaces/settingsQueries.ts';
import { statuses } from '../../workspaces/statuses.ts';
import type { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import { onceField } from '../frame/layout.ts';
import { checkbox, option } from '../frame/widgets.ts';
import type { SettingsData } from './settingsData.ts';

export function workflowPart(view: SettingsData): Content {
  const { settings, at, csrf } = view;
  return html`<h2>Statuses</h2>
<p><small>Each stands for one of the service’s own statuses. Where several stand for the same one, the first is the one taken by default.</small></p>
<div class="scroll"><table class="cards"><thead><tr><th scope="col">Name</th><th scope="col">Key</th><th scope="col">Stands for</th><th scope="col">Types</th><th scope="col">In use</th><th scope="col">Order</th></tr></thead>
<tbody>${settings.statuses.map((status, place) => statusRow(view, status, place, settings.statuses.length))}</tbody></table></div>
<details><summary>Add a status</summary><form method="post" action="${at}/statuses/add">${csrf}${onceField()}<div class="sides">
<label>Name <input name="label" required maxlength="200"></label>
<label>Key <input name="key" maxlength="100" placeholder="made from the name"></label>
<label>Stands for <select name="status">${statuses.map((one) => option(one, spoken(one), 'in_progress'))}</select></label></div>
<fieldset class="levels"><legend>For</legend>${itemTypes.map((type) => checkbox('types', type, `${type}s`, type === 'task'))}</fieldset>
<button class="secondary">Add the status</button></form></details>
<h2>Priorities</h2>
<div class="scroll"><table class="cards"><thead><tr><th scope="col">Name and rank (higher is more urgent)</th><th scope="col">Key</th><th scope="col">In use</th></tr></thead>
<tbody>${settings.priorities.map((priority) => priorityRow(view, priority))}</tbody></table></div>
<form method="post" action="${at}/priorities/default" class="filters">${csrf}<label>Priority of new tasks <select name="key">${option('', 'none', settings.priorities.find((one) => one.default)?.key ?? '')}${settings.priorities.map((one) => option(one.key, one.label, settings.priorities.find((each) => each.default)?.key))}</select></label><button class="secondary">Make it the default</button></form>
<details><summary>Add a priority</summary><form method="post" action="${at}/priorities/add">${csrf}${onceField()}<div class="sides">
<label>Name <input name="label" required maxlength="200"></label>
<label>Key <input name="key" maxlength="100" placeholder="made from the name"></label>
<label>Rank <input name="rank" inputmode="numeric" required value="${(settings.priorities[0]?.rank ?? 0) + 1}"></label></div>
<button class="secondary">Add the priority</button></form></details>`;
}

const spoken = (status: string) => status.replaceAll('_', ' ');

interface Row {
  at: string;
  csrf: Content;
}

function statusRow(view: Row, { key, label, status, types, used }: StatusLine, place: number, count: number): Content {
  const { at, csrf } = view;
  const hidden = html`${csrf}<input type="hidden" name="key" value="${key}">`;
  const move = (direction: 'up' | 'down', sign: string) =>
    html`<button name="direction" value="${direction}" class="secondary outline" aria-label="Move ${label} ${direction}">${sign}</button>`;
  return html`<tr><td><form method="post" action="${at}/statuses/rename" class="plain actions">${hidden}<input name="label" required maxlength="200" value="${label}" aria-label="Name of the status ${key}"><button class="secondary outline" aria-label="Rename ${label}">Rename</button></form></td>
<td data-label="Key"><code>${key}</code></td><td data-label="Stands for">${spoken(status)}</td><td data-label="Types">${types.length === itemTypes.length ? 'all' : types.map((type) => `${type}s`).join(', ')}</td><td data-label="In use">${usedCell(view, 'statuses', key, label, used)}</td>
<td><form method="post" action="${at}/statuses/move" class="plain actions">${hidden}${place > 0 && move('up', '↑')}${place < count - 1 && move('down', '↓')}</form></td></tr>`;
}

function priorityRow(view: Row, { key, label, rank, default: isDefault, used }: PriorityLine): Content {
  return html`<tr><td><form method="post" action="${view.at}/priorities/change" class="plain actions">${view.csrf}<input type="hidden" name="key" value="${key}">
<input name="label" required maxlength="200" value="${label}" aria-label="Name of the priority ${key}"><input name="rank" required inputmode="numeric" size="4" value="${rank}" aria-label="Rank of the priority ${key}"><button class="secondary outline" aria-label="Change ${label}">Change</button></form></td>
<td data-label="Key"><code>${key}</code>${isDefault && ' (default)'}</td><td data-label="In use">${usedCell(view, 'priorities', key, label, used)}</td></tr>`;
}

function usedCell({ at, csrf }: Row, kind: 'statuses' | 'priorities', key: string, label: string, used: number): Content {
  if (used > 0) return `${used} ${used === 1 ? 'item' : 'items'}`;
  return html`<form method="post" action="${at}/${kind}/delete" class="plain" data-confirm="Delete ${label}?">${csrf}<input type="hidden" name="key" value="${key}"><button class="secondary outline" aria-label="Delete ${label}">Delete</button></form>`;
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
