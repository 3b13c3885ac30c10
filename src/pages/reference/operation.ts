import { codeBox } from '../frame/components/avatar.ts';
import { field, fold } from '../frame/components/boxes.ts';
import { button } from '../frame/components/button.ts';
import { markdown } from '../frame/components/markdown.ts';
import { table } from '../frame/components/row.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import {
  type Answered,
  type ApiDocument,
  type ApiOperation,
  type Called,
  nameOf,
  resolved,
  rowsOf,
  schemaTable,
  typeWords,
} from './document.ts';

/** A form that sends an API call (static/js/reference.ts). Hidden without script. */
function tryOut({ method, path, operation }: Called, body: unknown): Html {
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

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

const bodyExample = ({ requestBody }: ApiOperation): unknown =>
  Object.values(requestBody?.content['application/json'].examples ?? {})[0]?.value;

export function operationPart(called: Called, document: ApiDocument, base: string): Html {
  const { method, path, operation } = called;
  const id = operation.operationId;
  return html`<article class="op" id="${id}" aria-labelledby="${id}-title">
<h3 id="${id}-title"><span class="method">${method}</span> <code>${path}</code></h3>
<p class="lead">${operation.summary}</p>
${markdown(operation.description)}
${takes(operation, document)}
${answers(operation, document)}
<h4>With curl</h4>
${codeBox(`${id}-curl`, curl(called, base), `for ${method} ${path}`)}
${tryOut(called, bodyExample(operation))}
</article>`;
}

function takes({ parameters = [], requestBody }: ApiOperation, document: ApiDocument): Content {
  const given = parameters.map(({ name, in: place, required = false, description = '', schema }) => ({
    name,
    required,
    schema: { ...schema, description: [description, place === 'header' && 'A header.'].filter(Boolean).join(' ') },
  }));
  const body = requestBody?.content['application/json'].schema;
  return [
    given.length > 0 && html`<h4>Parameters</h4>${schemaTable('Parameters', given, true)}`,
    body && html`<h4>Body: JSON</h4>${schemaTable('Fields of the body', rowsOf(resolved(body, document.components.schemas)), true)}`,
  ];
}

function answers({ responses }: ApiOperation, { components }: ApiDocument): Content {
  const full = (answered: Answered): Answered => (answered.$ref ? (components.responses[nameOf(answered.$ref)] ?? answered) : answered);
  const done = responses['200']?.content?.['application/json'];
  return html`<h4>Responses</h4>
${table(
  { caption: 'Responses', columns: [{ label: 'Status' }, { label: 'When' }], class: 'shape' },
  Object.entries(responses).map(([status, answered]) => [
    html`<code>${status}</code>`,
    [full(answered).description, status === '200' && done && [' Body: ', typeWords(done.schema), '.']],
  ]),
)}
${done?.example !== undefined && fold('Example response', html`<pre class="example" tabindex="0" role="region" aria-label="Example response"><code>${pretty(done.example)}</code></pre>`)}`;
}

/** The reader sets `$KEY`: a key in the shell history could leak. */
export function curl({ method, path, operation }: Called, base: string): string {
  const values = (operation.parameters ?? []).filter(({ in: place, example }) => place === 'query' && example !== undefined);
  const query = values.map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`).join('&');
  const lines = [`curl "${base}${path}${query && `?${query}`}"`, `-H "X-API-Key: $KEY"`];
  if (method === 'POST') {
    lines.push(`-H "Content-Type: application/json"`, `-H "Idempotency-Key: $(uuidgen)"`);
    // Escapes single quotes for the shell.
    lines.push(`-d '${pretty(bodyExample(operation)).replaceAll("'", `'\\''`)}'`);
  }
  return lines.join(' \\\n  ');
}

export function shapesPart({ components }: ApiDocument): Html {
  return html`${Object.entries(components.schemas).map(
    ([name, schema]) => html`<article class="op" id="shape-${name}"><h3><code>${name}</code></h3>
${schema.description && markdown(schema.description)}
${schemaTable(`Values of ${name}`, rowsOf(schema), false)}</article>`,
  )}`;
}
