/** A secret shown this once: in the answer to the request that made it, never again (behaviour §12.3). */
import { type Content, html } from './html.ts';
import type { Answer } from './page.ts';

/** With a button that copies it. */
export const copyable = (id: string, text: string, label: string): Content =>
  html`<code class="key" id="${id}">${text}</code> <button type="button" class="secondary outline" data-copy="${id}" hidden>${label}</button>`;

export interface SecretPage {
  title: string;
  secret: string;
  /** What it is for, and how to keep it safe. */
  about: string;
  /** Of the button that copies it. */
  copy: string;
  back: { path: string; label: string };
  /** Ready set-up texts with a heading each. */
  lines?: Content;
}

export const secretPage = ({ title, secret, about, copy, back, lines }: SecretPage): Answer => ({
  title,
  body: html`
<p>${about}</p>
<div class="actions">${copyable('new-secret', secret, copy)}</div>
${lines}
<p><a href="${back.path}">${back.label}</a></p>`,
});
