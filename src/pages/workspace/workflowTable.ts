/** Shared by the tables of statuses and priorities: moving by dragging or by buttons, and deleting (behaviour §12.13). */
import { button, iconButton } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import type { Fields } from '../frame/fields.ts';
import { type Content, html } from '../frame/html.ts';
import { postForm } from '../frame/postForm.ts';
import { dropForm } from './board.ts';
import type { SettingsData } from './settingsData.ts';

export type Kind = 'statuses' | 'priorities';

export const rowDropForm = (data: SettingsData, kind: Kind): Content =>
  dropForm(data, { action: `${data.path}/${kind}/move`, hidden: { key: '', before: '' }, live: `#${kind}` });

export const rowMark = (key: string): Content => html` data-word="${key}"`;
export const grip = html`<span class="grip" aria-hidden="true">${icon('grip-vertical', 's')}</span>`;

export const nameAndKey = (fields: Fields): Content => html`
${fields.field('label', (mark) => html`<input name="label" required maxlength="200" value="${fields.value('label')}"${mark}>`)}
${fields.field('key', (mark) => html`<input name="key" maxlength="100" value="${fields.value('key')}" placeholder="derived from the name"${mark}>`)}`;

interface Moving {
  key: string;
  label: string;
  at: number;
  count: number;
}

export function moveForm(data: SettingsData, kind: Kind, { key, label, at, count }: Moving): Content {
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

const counts = new Intl.NumberFormat('en');

export function usedCell(data: SettingsData, kind: Kind, key: string, label: string, used: number): Content {
  if (used > 0) return `${counts.format(used)} ${used === 1 ? 'item' : 'items'}`;
  return postForm(
    data,
    { action: `${data.path}/${kind}/delete`, hidden: { key }, confirm: `Delete ${label}?`, live: `#${kind}`, class: 'plain' },
    button('Delete', { small: true, kind: 'danger', said: `Delete ${label}` }),
  );
}
