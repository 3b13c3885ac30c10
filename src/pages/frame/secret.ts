/** Shows a secret once, in the answer to the request that created it (behaviour §12.3). */
import { newKey, secret as secretBox } from './components/avatar.ts';
import { linkButton } from './components/button.ts';
import { type Content, html } from './html.ts';
import type { Answer } from './page.ts';

export const copyable = (id: string, text: string, label: string): Content =>
  html`<code class="key" id="${id}">${text}</code> <button type="button" class="secondary outline" data-copy="${id}" hidden>${label}</button>`;

interface SecretPage {
  title: string;
  secret: string;
  /** Names it: "the key". */
  what: string;
  /** Purpose of the secret and how to store it. */
  about: string;
  facts?: readonly (readonly [name: string, value: Content])[];
  back: { path: string; label: string };
  setUp?: Content;
}

/** The card that agents' keys have, too. */
export const secretPage = ({ title, secret, what, about, facts, back, setUp }: SecretPage): Answer => ({
  title,
  wide: true,
  body: html`<div class="agents">${newKey({
    ...{ id: 'new-secret-title', title, setUp },
    ...(facts && { facts }),
    key: html`${secretBox('new-secret', secret, what)}<p class="hint">${about}</p>`,
  })}<p>${linkButton(back.path, back.label, { icon: 'arrow-left' })}</p></div>`,
});
