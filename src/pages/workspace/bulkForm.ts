/** Bulk changes; the rows' checkboxes name this form (behaviour §23.5). Without script it is at the end of the list and opens a menu
 *  page. */

import { kbd } from '../frame/components/badge.ts';
import { bulkAction, bulkBar } from '../frame/components/bulk.ts';
import { button } from '../frame/components/button.ts';
import type { IconName } from '../frame/components/icons.ts';
import { type Content, html } from '../frame/html.ts';
import { fitsType, type InPlaceField } from '../items/change/fields.ts';
import { type ListPage, mayChange } from './listPage.ts';
import { mayWork } from './openWorkspace.ts';

const actions: readonly [InPlaceField, IconName, string][] = [
  ['status', 'circle-dashed', 'Status'],
  ['assignee', 'user', 'Assignee'],
  ['priority', 'chevrons-up', 'Priority'],
  ['due', 'calendar', 'Due date'],
  ['target', 'calendar', 'Target date'],
  ['release', 'ship', 'Release'],
];

export function bulkForm(page: ListPage): Content {
  const { workspace, found, change } = page;
  if (!mayChange(page) || found.rows.length === 0) return null;
  const fitting = actions.filter(([field]) => fitsType(field, found.type) && !(field === 'target' && fitsType('due', found.type)));
  const buttons = html`${fitting.map(([field, sign, label]) => bulkAction(sign, label, { value: field }))}${
    mayWork(workspace, found.type, 'delete') && bulkAction('archive', 'Archive', { value: 'archive' })
  }`;
  const all = html`<button type="button" data-select-all hidden>All ${found.rows.length}</button>`;
  const clear = html`${all}<button type="reset">Clear${kbd('Esc')}</button>`;
  return html`<form id="bulk" method="get" action="${workspace.at}/bulk" data-bulk><input type="hidden" name="back" value="${change.back}">${bulkBar({ clear }, buttons)}</form>`;
}

/** On phones, checkboxes are hidden until this button is pressed. */
export const selectMode = (page: ListPage): Content =>
  mayChange(page) &&
  page.found.rows.length > 0 &&
  html`<p class="select-mode">${button('Select', { kind: 'quiet', small: true, type: 'button', icon: 'list-checks', attributes: html` data-select-mode aria-pressed="false"` })}</p>`;
