/** A menu on a `<details>`: it opens without script, and is a sheet on phones. */
import { type Content, type Html, html } from '../html.ts';
import { kbd } from './badge.ts';
import { icon } from './icon.ts';

export interface MenuProps {
  /** Said of the summary, where what is seen in it is an icon. */
  label?: string;
  /** The letter that opens it. */
  key?: string;
  class?: string;
  /** The panel hangs on the end of its summary, where it would leave the page otherwise. */
  end?: boolean;
  open?: boolean;
}

/** `summary` is what is seen; `panel` holds options, forms, links. */
export function menu(summary: Content, panel: Content, { label, key, class: more, end, open }: MenuProps = {}): Html {
  return html`<details class="pop${end && ' end'}${more && ` ${more}`}"${open && html` open`}><summary${label && html` aria-label="${label}" title="${label}"`}${
    key && html` data-key="${key.toLowerCase()}" aria-keyshortcuts="${key}"`
  }>${summary}</summary><div class="pop-panel">${panel}</div></details>`;
}

export const menuTitle = (title: Content, key?: string): Html => html`<h3>${title}${key && kbd(key)}</h3>`;

export interface OptionProps {
  icon?: Content;
  /** It is what is set now. */
  current?: boolean;
  /** 1 to 9, or a word like Enter: shown at the end. */
  key?: string;
  /** Quieter words behind it. */
  note?: Content;
  /** A link goes there; without it is a submit button with name and value. */
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
