/** Search and commands (Ctrl K). Without script the search field leads to the search page. */
import { type Content, type Html, html } from '../html.ts';
import { kbd } from './badge.ts';
import { icon } from './icon.ts';

export interface PaletteProps {
  id: string;
  label: string;
  attributes?: Content;
  value?: string;
  results?: Content;
}

export function palette({ id, label, attributes, value, results }: PaletteProps): Html {
  return html`<div class="palette" id="${id}" popover role="dialog" aria-label="${label}">${paletteInside({ id, label, attributes: [html` autofocus`, attributes], value, results })}</div>`;
}

export function paletteInside({ id, label, attributes, value, results }: PaletteProps): Html {
  return html`<div class="q">${icon('search')}<input type="text" id="${id}-q" role="combobox" aria-expanded="true" aria-controls="${id}-results" aria-autocomplete="list" aria-label="${label}" placeholder="${label}" value="${value ?? ''}" autocomplete="off"${attributes}>${kbd('Esc')}</div><div class="res" id="${id}-results" role="listbox" aria-label="Results">${results}</div><div class="foot"><span>Arrow keys to move</span><span>Enter to open</span><span>Esc to close</span></div>`;
}

export function paletteGroup(title: string, options: Content): Html {
  return html`<div role="group" aria-label="${title}"><h3 aria-hidden="true">${title}</h3>${options}</div>`;
}

export interface PaletteOption {
  icon: Content;
  label: Content;
  note?: Content;
  href: string;
  key?: string;
  active?: boolean;
  attributes?: Content;
}

export function paletteOption({ icon: sign, label, note, href, key, active, attributes }: PaletteOption): Html {
  return html`<a class="opt${active && ' is-active'}" role="option" aria-selected="${String(active === true)}" href="${href}" tabindex="-1"${attributes}>${sign}<span class="cut">${label}</span>${
    note && html`<span class="up">${note}</span>`
  }${key && kbd(key)}</a>`;
}
