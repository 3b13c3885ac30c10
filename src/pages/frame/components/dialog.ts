/** A native dialog, opened by script. Its action must also be reachable without script. */
import { type Content, type Html, html } from '../html.ts';
import { iconButton } from './button.ts';

export interface DialogProps {
  id: string;
  title: Content;
  foot?: Content;
  open?: boolean;
}

export function dialog({ id, title, foot, open }: DialogProps, body: Content): Html {
  return html`<dialog class="dialog" id="${id}" aria-labelledby="${id}-title"${open && html` open`}><header><h2 id="${id}-title">${title}</h2><form method="dialog">${iconButton('x', 'Close')}</form></header><div class="body">${body}</div>${
    foot && html`<footer>${foot}</footer>`
  }</dialog>`;
}
