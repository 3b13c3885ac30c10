/** A form that sends one call from the page (static/js/reference.js); without script it is not there, and curl is. */
import { button } from '../frame/components/button.ts';
import { fold } from '../frame/components/fold.ts';
import { type Html, html } from '../frame/html.ts';
import type { Called } from './document.ts';

export function tryOut({ method, path, operation }: Called, body: unknown): Html {
  const id = `${operation.operationId}-try`;
  const inputs = (operation.parameters ?? [])
    .filter(({ in: place }) => place === 'query')
    .map(
      ({ name, required, example }) =>
        html`<div class="field"><label class="flabel" for="${id}-${name}"><code>${name}</code>${!required && html` <span class="meta">optional</span>`}</label><input class="input" id="${id}-${name}" name="${name}"${
          required && example !== undefined && html` value="${String(example)}"`
        } autocomplete="off"></div>`,
    );
  const text =
    body !== undefined &&
    html`<div class="field"><label class="flabel" for="${id}-body">Body</label><textarea class="input" id="${id}-body" name="body" rows="8" spellcheck="false">${JSON.stringify(body, null, 2)}</textarea></div>`;
  return html`<div class="try" hidden>${fold(
    'Try it',
    html`<form data-try="${method}" data-path="${path}">${inputs}${text}<div>${button('Send', { kind: 'primary', small: true })}</div>
<div class="tried" role="status"></div></form>`,
  )}</div>`;
}
