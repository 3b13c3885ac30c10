/** Shows a secret once, in the answer to the request that created it (behaviour §12.3). */
import { type Content, html } from './html.ts';
import type { Answer } from './page.ts';

export const copyable = (id: string, text: string, label: string): Content =>
  html`<code class="key" id="${id}">${text}</code> <button type="button" class="secondary outline" data-copy="${id}" hidden>${label}</button>`;

export interface SecretPage {
  title: string;
  secret: string;
  /** Purpose of the secret and how to store it. */
  about: string;
  copy: string;
  back: { path: string; label: string };
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
