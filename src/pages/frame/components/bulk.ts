/** The bar for bulk changes. Without script it is at the end of the list. */
import { type Content, type Html, html } from '../html.ts';
import { icon } from './icon.ts';
import type { IconName } from './icons.ts';

/** Place it inside the form whose id the rows' checkboxes name. A script updates `count`; without script the count is unknown. */
export function bulkBar({ count, clear }: { count?: number; clear: Content }, actions: Content): Html {
  const said = count === undefined ? html`<b data-selected>Selected</b>` : html`<b data-selected aria-live="polite">${count} selected</b>`;
  return html`<div class="bulk" role="group" aria-label="Change selected items">${said}<span class="sep"></span>${actions}<span class="sep"></span>${clear}</div>`;
}

export function bulkAction(
  name: IconName,
  label: string,
  { value, key, attributes }: { value: string; key?: string; attributes?: Content },
): Html {
  return html`<button name="change" value="${value}"${key && html` data-bulk-key="${key}" aria-keyshortcuts="${key}"`}${attributes}>${icon(name, 's')}${label}</button>`;
}
