/** A key shown this once: in the answer to the request that made it, never again (behaviour §12.3). */
import { type Content, html } from './html.ts';
import type { Answer } from './page.ts';

/** With a button that copies it. */
export const copyable = (id: string, text: string, label: string): Content =>
  html`<code class="key" id="${id}">${text}</code> <button type="button" class="secondary outline" data-copy="${id}" hidden>${label}</button>`;

/** `lines`: ready set-up texts with a heading each. */
export function secretPage(title: string, key: string, back: { path: string; label: string }, lines: Content = null): Answer {
  return {
    title,
    body: html`
<p>Copy the key now: it is shown this once and can't be shown again. Keep it in an environment variable or a secret store, never in a file, a URL or a web page.</p>
<div class="actions">${copyable('new-key', key, 'Copy the key')}</div>
${lines}
<p><a href="${back.path}">${back.label}</a></p>`,
  };
}
