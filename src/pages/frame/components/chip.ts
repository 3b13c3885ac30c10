import { type Content, type Html, html } from '../html.ts';
import { icon } from './icon.ts';
import type { IconName } from './icons.ts';

export interface ChipProps {
  label: string;
  value?: Content;
  icon?: IconName;
  /** The menu; without it the chip is no link. */
  href?: string;
  removeHref?: string;
  opens?: boolean;
  attributes?: Content;
}

export function chip({ label, value, icon: name, href, removeHref, opens, attributes }: ChipProps): Html {
  const said = [name && icon(name, 's'), label, value !== undefined && html` <b>${value}</b>`, opens && icon('chevron-down', 's')];
  const first = href === undefined ? html`<span>${said}</span>` : html`<a href="${href}"${attributes}>${said}</a>`;
  const remove = `Remove the filter ${label}`;
  return html`<span class="chip">${first}${removeHref !== undefined && html`<a href="${removeHref}" aria-label="${remove}" title="${remove}">${icon('x', 's')}</a>`}</span>`;
}

export function addChip(label: string, href: string, attributes?: Content): Html {
  return html`<span class="chip add"><a href="${href}"${attributes}>${icon('plus', 's')}${label}</a></span>`;
}
