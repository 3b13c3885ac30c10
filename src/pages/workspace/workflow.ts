/** The statuses and priorities of a workspace: add, rename, order, default, delete what nothing uses (behaviour §12.13, §30.3). */
import { type ItemType, itemTypes } from '../../access/rights.ts';
import type { PriorityLine, StatusLine } from '../../workspaces/administer.ts';
import { statuses } from '../../workspaces/statuses.ts';
import {
  addPriority,
  addStatus,
  changePriority,
  deleteWord,
  movePriority,
  moveStatus,
  renameWord,
  setDefaultPriority,
} from '../../workspaces/workflow.ts';
import { button, iconButton } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { card } from '../frame/components/panel.ts';
import { priorityIcon } from '../frame/components/priority.ts';
import { canonicalWords, statusIcon } from '../frame/components/status.ts';
import { table } from '../frame/components/table.ts';
import type { Fields } from '../frame/fields.ts';
import type { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { checkbox, option } from '../frame/widgets.ts';
import { type Refused, type SettingsData, settingsPage } from './settingsData.ts';
import { type FormPlace, settingsForm, texts } from './settingsForm.ts';

const show = (request: PageRequest, refused?: Refused): Promise<Answer> =>
  settingsPage(request, 'statuses', (data) => html`${statusesCard(data)}${prioritiesCard(data)}`, refused, { scripts: ['settings'] });

type Kind = 'statuses' | 'priorities';

/** Dropping a row sends this; without script it can't be seen, and the arrows do the same. */
const dropForm = (data: SettingsData, kind: Kind): Content =>
  postForm(
    data,
    { action: `${data.path}/${kind}/move`, live: `#${kind}`, class: 'plain', data: { drop: kind } },
    html`<input type="hidden" name="key"><input type="hidden" name="before"><button class="vh" tabindex="-1" hidden>Move</button>`,
  );

function statusesCard(data: SettingsData): Content {
  const { statuses: all } = data.settings.words!;
  const columns = [{ label: 'Name' }, { label: 'Stands for' }, { label: 'For' }, { label: 'In use' }, { label: 'Order', quiet: true }];
  const rows = all.map((status, at) => ({ attributes: rowMark(status.key), cells: statusCells(data, status, at, all.length) }));
  const hint = html`<p class="hint">Lists and boards go in this order. Each stands for one of the service’s own statuses and has its sign; where several stand for the same one, the first is taken by default.</p>`;
  const body = html`${data.problem('statuses')}${hint}${table({ caption: 'Statuses', columns, class: 'order' }, rows)}${dropForm(data, 'statuses')}${addStatusForm(data)}`;
  return card('Statuses', body, { id: 'statuses' });
}

function prioritiesCard(data: SettingsData): Content {
  const { priorities: all } = data.settings.words!;
  const columns = [{ label: 'Name and rank' }, { label: 'In use' }, { label: 'Order', quiet: true }];
  const rows = all.map((priority, at) => ({ attributes: rowMark(priority.key), cells: priorityCells(data, priority, at, all.length) }));
  const hint = html`<p class="hint">The most urgent first. Agents and keys read the rank: higher is more urgent.</p>`;
  const body = html`${data.problem('priorities')}${hint}${table({ caption: 'Priorities', columns, class: 'order' }, rows)}${dropForm(data, 'priorities')}${defaultForm(data, all)}${addPriorityForm(data, all)}`;
  return card('Priorities', body, { id: 'priorities' });
}

const rowMark = (key: string): Content => html` data-word="${key}"`;
const grip = html`<span class="grip" aria-hidden="true">${icon('grip-vertical', 's')}</span>`;

const nameAndKey = (fields: Fields): Content => html`
${fields.field('label', (mark) => html`<input name="label" required maxlength="200" value="${fields.value('label')}"${mark}>`)}
${fields.field('key', (mark) => html`<input name="key" maxlength="100" value="${fields.value('key')}" placeholder="made from the name"${mark}>`)}`;

/** Open when it is the form that was refused. */
const opening = ({ refused }: Fields, summary: string, form: Content): Content =>
  html`<details class="fold"${refused && html` open`}><summary>${summary}</summary>${form}</details>`;

function addStatusForm(data: SettingsData): Content {
  const action = `${data.path}/statuses/add`;
  const fields = data.forms(action);
  const offered = statuses.map((one) => option(one, canonicalWords(one), fields.value('status', 'in_progress')));
  const box = (type: ItemType) => checkbox('types', type, `${type}s`, fields.ticked('types', type, type === 'task'), fields.mark('types'));
  const form = postForm(
    data,
    { action, once: true, live: '#statuses', data: { clear: true } },
    html`<div class="sides">${nameAndKey(fields)}
${fields.field('status', (mark) => html`<select name="status"${mark}>${offered}</select>`)}</div>
<fieldset class="levels"><legend>For</legend>${itemTypes.map(box)}${fields.note('types')}</fieldset>
${button('Add the status')}`,
  );
  return opening(fields, 'Add a status', form);
}

function addPriorityForm(data: SettingsData, all: readonly PriorityLine[]): Content {
  const action = `${data.path}/priorities/add`;
  const fields = data.forms(action);
  const rank = fields.value('rank', String((all[0]?.rank ?? 0) + 1));
  const form = postForm(
    data,
    { action, once: true, live: '#priorities', data: { clear: true } },
    html`<div class="sides">${nameAndKey(fields)}
${fields.field('rank', (mark) => html`<input name="rank" inputmode="numeric" required value="${rank}"${mark}>`)}</div>
${button('Add the priority')}`,
  );
  return opening(fields, 'Add a priority', form);
}

function defaultForm(data: SettingsData, priorities: readonly PriorityLine[]): Content {
  const action = `${data.path}/priorities/default`;
  const fields = data.forms(action);
  const current = fields.value('key', priorities.find((one) => one.default)?.key);
  const offered = [option('', 'none', current), ...priorities.map(({ key, label }) => option(key, label, current))];
  return postForm(
    data,
    { action, live: '#priorities', class: 'filters' },
    fields.field('key', (mark) => html`<select name="key"${mark}>${offered}</select>`, null, 'Priority of new tasks'),
    button('Make it the default'),
  );
}

function statusCells(data: SettingsData, { key, label, status, types, used }: StatusLine, at: number, count: number): Content[] {
  const renaming = { action: `${data.path}/statuses/rename`, hidden: { key }, live: '#statuses', class: 'plain actions' };
  const fields = data.forms(renaming.action, renaming.hidden);
  const rename = postForm(
    data,
    renaming,
    html`<input name="label" required maxlength="200" value="${fields.value('label', label)}" aria-label="Name of the status ${key}"${fields.mark('label')}>${button('Rename', { small: true, said: `Rename ${label}` })}${fields.note('label')}`,
  );
  return [
    html`<div class="word">${grip}${rename}</div><small class="muted"><code>${key}</code></small>`,
    html`<span class="means">${statusIcon({ status, label, beside: true })}${canonicalWords(status)}</span>`,
    types.length === itemTypes.length ? 'all' : types.map((type) => `${type}s`).join(', '),
    usedCell(data, 'statuses', key, label, used),
    moveForm(data, 'statuses', { key, label, at, count }),
  ];
}

interface Moving {
  key: string;
  label: string;
  at: number;
  count: number;
}

function moveForm(data: SettingsData, kind: Kind, { key, label, at, count }: Moving): Content {
  const move = (direction: 'up' | 'down', disabled: boolean) =>
    iconButton(direction === 'up' ? 'arrow-up' : 'arrow-down', `Move ${label} ${direction}`, {
      type: 'submit',
      name: 'direction',
      value: direction,
      disabled,
    });
  return postForm(
    data,
    { action: `${data.path}/${kind}/move`, hidden: { key }, live: `#${kind}`, class: 'plain actions' },
    html`${move('up', at === 0)}${move('down', at === count - 1)}`,
  );
}

function priorityCells(
  data: SettingsData,
  { key, label, rank, default: isDefault, used }: PriorityLine,
  at: number,
  count: number,
): Content[] {
  const changing = { action: `${data.path}/priorities/change`, hidden: { key }, live: '#priorities', class: 'plain actions' };
  const fields = data.forms(changing.action, changing.hidden);
  const change = postForm(
    data,
    changing,
    html`<input name="label" required maxlength="200" value="${fields.value('label', label)}" aria-label="Name of the priority ${key}"${fields.mark('label')}>
<input name="rank" required inputmode="numeric" size="4" value="${fields.value('rank', String(rank))}" aria-label="Rank of the priority ${key}"${fields.mark('rank')}>
${button('Change', { small: true, said: `Change ${label}` })}${fields.note('label')}${fields.note('rank')}`,
  );
  return [
    html`<div class="word">${grip}${priorityIcon({ key, label, rank, beside: true })}${change}</div><small class="muted"><code>${key}</code>${isDefault && ' (default)'}</small>`,
    usedCell(data, 'priorities', key, label, used),
    moveForm(data, 'priorities', { key, label, at, count }),
  ];
}

const counts = new Intl.NumberFormat('en');

function usedCell(data: SettingsData, kind: Kind, key: string, label: string, used: number): Content {
  if (used > 0) return `${counts.format(used)} ${used === 1 ? 'item' : 'items'}`;
  return postForm(
    data,
    { action: `${data.path}/${kind}/delete`, hidden: { key }, confirm: `Delete ${label}?`, live: `#${kind}`, class: 'plain' },
    button('Delete', { small: true, kind: 'danger', said: `Delete ${label}` }),
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

/** Up or down by one, or to where it was dropped. */
const stepIn = (sent: Form) =>
  sent.has('before') ? { key: sent.text('key'), before: sent.text('before') || null } : texts(sent, 'key', 'direction');

const words: FormPlace = { part: 'statuses', card: 'statuses', show };
const ranked: FormPlace = { ...words, card: 'priorities' };

export const workflowRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/settings/statuses', handle: (request) => show(request) },
  settingsForm(
    'statuses/add',
    addStatus,
    (sent) => ({ key: keyOf(sent), ...texts(sent, 'label', 'status'), types: sent.all('types') }),
    words,
  ),
  settingsForm('statuses/rename', renameWord, (sent) => ({ kind: 'statuses', ...texts(sent, 'key', 'label') }), words),
  settingsForm('statuses/move', moveStatus, stepIn, words),
  settingsForm('statuses/delete', deleteWord, (sent) => ({ kind: 'statuses', ...texts(sent, 'key') }), words, 'deleted'),
  settingsForm('priorities/add', addPriority, (sent) => ({ key: keyOf(sent), ...texts(sent, 'label'), rank: sent.number('rank') }), ranked),
  settingsForm('priorities/change', changePriority, (sent) => ({ ...texts(sent, 'key', 'label'), rank: sent.number('rank') }), ranked),
  settingsForm('priorities/move', movePriority, stepIn, ranked),
  settingsForm('priorities/default', setDefaultPriority, (sent) => ({ key: sent.text('key') || null }), ranked),
  settingsForm('priorities/delete', deleteWord, (sent) => ({ kind: 'priorities', ...texts(sent, 'key') }), ranked, 'deleted'),
];
