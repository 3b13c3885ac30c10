/** A one-line input that understands text ("45m on words yesterday") and shows the interpretation before saving. */
import { type Content, type Html, html } from '../html.ts';
import { icon } from './icon.ts';
import type { IconName } from './icons.ts';

export interface QuickProps {
  id: string;
  name: string;
  label: string;
  value?: string;
  placeholder?: string;
  icon: IconName;
  action: Content;
  /** understood(), or an error text. */
  said?: Content;
  attributes?: Content;
}

/** Must be inside a form. */
export function quickLine({ id, name, label, value, placeholder, icon: sign, action, said, attributes }: QuickProps): Html {
  return html`<div class="quick"><div class="quick-line"><label class="vh" for="${id}">${label}</label>${icon(sign)}<input class="input" id="${id}" name="${name}" value="${value ?? ''}"${
    placeholder && html` placeholder="${placeholder}"`
  } autocomplete="off" aria-describedby="${id}-said"${attributes}>${action}</div><p class="said" id="${id}-said" aria-live="polite">${said}</p></div>`;
}

/** "Logs [45 min] on [33 Words for every message] [Tuesday 24 November]": marked parts were recognised in the input. */
export const understood = (...parts: (string | { mark: Content })[]): Content =>
  parts.map((part, n) => html`${n > 0 && ' '}${typeof part === 'string' ? html`<span>${part}</span>` : html`<mark>${part.mark}</mark>`}`);
