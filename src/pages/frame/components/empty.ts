import { type Content, type Html, html } from '../html.ts';
import { icon } from './icon.ts';
import type { IconName } from './icons.ts';

export interface EmptyProps {
  icon: IconName;
  title: Content;
  text?: Content;
  action?: Content;
}

export function empty({ icon: name, title, text, action }: EmptyProps): Html {
  return html`<div class="empty">${icon(name, 'l')}<b>${title}</b>${text && html`<p>${text}</p>`}${action && html`<div class="do">${action}</div>`}</div>`;
}
