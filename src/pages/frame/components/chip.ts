/** A filter that is set: its name and value lead to its menu, the cross takes it away. */
import { type Content, type Html, html } from '../html.ts';
import { icon } from './icon.ts';
import type { IconName } from './icons.ts';

export interface ChipProps {
  /** "Status" */
  label: string;
  /** "open" */
  value?: Content;
  icon?: IconName;
  /** To the menu; without, the chip only says what is set. */
  href?: string;
  /** To the same list without this filter. */
  removeHref?: string;
  /** It opens something: a sign for it. */
  opens?: boolean;
  /** More attributes of the first link, e.g. html` data-menu`. */
  attributes?: Content;
}

export function chip({ label, value, icon: name, href, removeHref, opens, attributes }: ChipProps): Html {
  const said = [name && icon(name, 's'), label, value !== undefined && html` <b>${value}</b>`, opens && icon('chevron-down', 's')];
  const first = href === undefined ? html`<span>${said}</span>` : html`<a href="${href}"${attributes}>${said}</a>`;
  const remove = `Remove the filter ${label}`;
  return html`<span class="chip">${first}${removeHref !== undefined && html`<a href="${removeHref}" aria-label="${remove}" title="${remove}">${icon('x', 's')}</a>`}</span>`;
}

/** The dashed one at the end, for another filter. */
export function addChip(label: string, href: string, attributes?: Content): Html {
  return html`<span class="chip add"><a href="${href}"${attributes}>${icon('plus', 's')}${label}</a></span>`;
}
