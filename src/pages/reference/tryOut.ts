/** A form that sends an API call (static/js/reference.ts). Hidden without script. */
import { button } from '../frame/components/button.ts';
import { field } from '../frame/components/field.ts';
import { fold } from '../frame/components/fold.ts';
import { type Html, html } from '../frame/html.ts';
import type { Called } from './document.ts';

export function tryOut({ method, path, operation }: Called, body: unknown): Html {
  const id = `${operation.operationId}-try`;
  const inputs = (operation.parameters ?? [])
    .filter(({ in: place }) => place === 'query')
    .map(({ name, required, example }) =>
      field({
        ...{ label: html`<code>${name}</code>`, name, id: `${id}-${name}`, optional: !required },
        control: () =>
          html`<input class="input" id="${id}-${name}" name="${name}"${required && example !== undefined && html` value="${String(example)}"`} autocomplete="off">`,
      }),
    );
  const text =
    body !== undefined &&
    field({
      ...{ label: 'Body', name: 'body', id: `${id}-body` },
      control: () =>
        html`<textarea class="input" id="${id}-body" name="body" rows="8" spellcheck="false">${JSON.stringify(body, null, 2)}</textarea>`,
    });
  return html`<div class="try" hidden>${fold(
    'Try it',
    html`<form data-try="${method}" data-path="${path}">${inputs}${text}<div>${button('Send', { kind: 'primary', small: true })}</div>
<div class="tried" role="status"></div></form>`,
  )}</div>`;
}
