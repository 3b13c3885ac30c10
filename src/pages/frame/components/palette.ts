/** Search and commands (Ctrl K). Without script the search field leads to the search page. */
import { type Content, type Html, html } from '../html.ts';
import { icon } from './icon.ts';
import { kbd } from './marks.ts';

interface PaletteProps {
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

interface PaletteOption {
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

/** A menu based on `<details>`, so it opens without script. On phones it is a sheet. */
interface MenuProps {
  /** aria-label and title, when the summary is only an icon. */
  label?: string;
  /** Letter that opens the menu. */
  key?: string;
  class?: string;
  /** Aligns the panel with the end of its summary, when it would not fit on the page otherwise. */
  end?: boolean;
  open?: boolean;
}

export function menu(summary: Content, panel: Content, { label, key, class: more, end, open }: MenuProps = {}): Html {
  return html`<details class="pop${end && ' end'}${more && ` ${more}`}"${open && html` open`}><summary${label && html` aria-label="${label}" title="${label}"`}${
    key && html` data-key="${key.toLowerCase()}" aria-keyshortcuts="${key}"`
  }>${summary}</summary><div class="pop-panel">${panel}</div></details>`;
}

export const menuTitle = (title: Content, key?: string): Html => html`<h2>${title}${key && kbd(key)}</h2>`;

interface OptionProps {
  icon?: Content;
  current?: boolean;
  /** Shortcut shown at the end: 1 to 9, or a name like Enter. */
  key?: string;
  note?: Content;
  /** Makes a link. Without it: a submit button with name and value. */
  href?: string;
  name?: string;
  value?: string | number;
  danger?: boolean;
  attributes?: Content;
}

export function option(label: Content, props: OptionProps): Html {
  const { icon: sign, current, key, note, href, name, value, danger, attributes } = props;
  const mark = current ? html`<span class="tick">${icon('check', 's')}</span>` : key && kbd(key);
  const content = [sign, html`<span class="cut">${label}</span>`, note && html`<span class="up">${note}</span>`, mark];
  const digit = key && /^[0-9]$/.test(key) && html` data-digit="${key}"`;
  const kind = `opt${danger ? ' danger' : ''}`;
  if (href !== undefined)
    return html`<a class="${kind}" href="${href}"${current && html` aria-current="true"`}${digit}${attributes}>${content}</a>`;
  return html`<button class="${kind}"${name && html` name="${name}" value="${value ?? ''}"`} aria-pressed="${String(current === true)}"${digit}${attributes}>${content}</button>`;
}

export const menuLine = html`<hr class="line">`;
