import { field } from '../frame/components/field.ts';
import { markdown } from '../frame/components/markdown.ts';
import { card } from '../frame/components/panel.ts';
import { type Html, html } from '../frame/html.ts';
import { type ApiDocument, operationsOf } from './document.ts';
import { operationPart, shapesPart } from './operation.ts';

/** Shows the whole list, because it is short enough. */
export function apiLinks(document: ApiDocument): Html {
  const all = operationsOf(document);
  return html`<ul><li><a href="#rules">Rules for all calls</a></li>${document.tags.map(
    ({ name }) =>
      html`<li><a href="#${name}">${name}</a><ul>${all
        .filter(({ operation }) => operation.tags[0] === name)
        .map(
          ({ method, path, operation }) =>
            html`<li><a href="#${operation.operationId}"><span class="method">${method}</span> ${path}</a></li>`,
        )}</ul></li>`,
  )}<li><a href="#shapes">Objects</a></li></ul>`;
}

export function apiPart(document: ApiDocument, baseUrl: string): Html {
  const base = `${baseUrl}/api/v1`;
  const all = operationsOf(document);
  return html`<section id="rules"><h2>Rules for all calls</h2>${markdown(`All paths start with \`${base}\`.\n\n${document.info.description}`)}</section>
<div class="try" data-api="${document.servers[0]?.url}" hidden>${card(
    'Try calls',
    field({
      ...{ label: 'REST key', name: 'try-key' },
      hint: 'The key stays in this field. Without a key, calls use your browser session. Writes are real.',
      control: (mark) => html`<input class="input" type="password" id="try-key" autocomplete="off" spellcheck="false"${mark}>`,
    }),
  )}</div>
${document.tags.map(
  ({ name, description }) => html`<section id="${name}"><h2>${name}</h2><p>${description}</p>
${all.filter(({ operation }) => operation.tags[0] === name).map((one) => operationPart(one, document, base))}</section>`,
)}
<section id="shapes"><h2>Objects</h2>${shapesPart(document)}</section>`;
}
