/** Priorities and the default for new tasks (behaviour §12.13, §30.3). */
import type { PriorityLine } from '../../workspaces/administer.ts';
import { card, fold } from '../frame/components/boxes.ts';
import { button } from '../frame/components/button.ts';
import { priorityIcon } from '../frame/components/priority.ts';
import { table } from '../frame/components/row.ts';
import { type Content, html } from '../frame/html.ts';
import { postForm } from '../frame/postForm.ts';
import { option } from '../frame/widgets.ts';
import type { SettingsData } from './settingsData.ts';
import { grip, moveForm, nameAndKey, rowDropForm, rowMark, usedCell } from './workflowTable.ts';

export function prioritiesCard(data: SettingsData): Content {
  const all = data.settings.words?.priorities ?? [];
  const columns = [{ label: 'Name and rank' }, { label: 'In use' }, { label: 'Order', quiet: true }];
  const rows = all.map((priority, at) => ({ attributes: rowMark(priority.key), cells: priorityCells(data, priority, at, all.length) }));
  const hint = html`<p class="hint">The most urgent priority comes first. In the API, a higher rank is more urgent.</p>`;
  const body = html`${data.problem('priorities')}${hint}${table({ caption: 'Priorities', columns, class: 'order' }, rows)}${rowDropForm(data, 'priorities')}${defaultForm(data, all)}${addPriorityForm(data, all)}`;
  return card('Priorities', body, { id: 'priorities' });
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
    html`<div class="word">${grip}${priorityIcon({ key, label, rank, beside: true })}${change}<small class="muted"><code>${key}</code>${isDefault && ' (default)'}</small></div>`,
    usedCell(data, 'priorities', key, label, used),
    moveForm(data, 'priorities', { key, label, at, count }),
  ];
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
${button('Add priority')}`,
  );
  return fold('Add a priority', form, { open: fields.refused });
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
    button('Set as default'),
  );
}
