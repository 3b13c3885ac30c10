/** A menu based on `<details>`, so it opens without script. On phones it is a sheet. */
import { type Content, type Html, html } from '../html.ts';
import { kbd } from './badge.ts';
import { icon } from './icon.ts';

export interface MenuProps {
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

export const menuTitle = (title: Content, key?: string): Html => html`<h3>${title}${key && kbd(key)}</h3>`;

export interface OptionProps {
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
