/** The public reference for developers: REST API, MCP tools, webhooks (behaviour §5.13). */
import { lazy } from '../../values/lazy.ts';
import { codeBox } from '../frame/components/avatar.ts';
import { card, field, segments } from '../frame/components/boxes.ts';
import { linkButton } from '../frame/components/button.ts';
import { markdown } from '../frame/components/markdown.ts';
import { badge } from '../frame/components/marks.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import type { Page } from '../frame/layout.ts';
import type { PublicRequest, PublicRoute } from '../frame/page.ts';
import {
  ApiDocument,
  operationsOf,
  rowsOf,
  schemaTable,
  type ToolDocument,
  ToolDocuments,
  webhookLinks,
  webhooksPart,
} from './document.ts';
import { operationPart, shapesPart } from './operation.ts';

/** Shows the whole list, because it is short enough. */
function apiLinks(document: ApiDocument): Html {
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

function apiPart(document: ApiDocument, baseUrl: string): Html {
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

const toolLinks = (tools: readonly ToolDocument[]): Html =>
  html`<ul><li><a href="#endpoint">The endpoint</a></li>${tools.map(({ name }) => html`<li><a href="#${name}">${name}</a></li>`)}</ul>`;

function agentsPart(tools: readonly ToolDocument[], instructions: string, baseUrl: string): Html {
  return html`<section id="endpoint"><h2>The endpoint</h2>
<p>Agents use MCP over Streamable HTTP, without sessions. For a key, create a connection on the page Agents.</p>
${codeBox('endpoint-address', `POST ${baseUrl}/mcp\nAuthorization: Bearer $KEY`, 'the endpoint')}
<p>Every write takes a <code>requestId</code>, a new UUID for each change. A retry with the same one changes nothing and gets the first answer.</p>
<h3>Instructions for every agent</h3>${markdown(instructions)}</section>
${tools.map(toolPart)}`;
}

function toolPart({ name, title, description, inputSchema, outputSchema, annotations }: ToolDocument): Html {
  const kind = annotations.readOnlyHint
    ? badge('plain', 'eye', 'Reads')
    : annotations.destructiveHint
      ? badge('amber', 'triangle-alert', 'Writes and deletes')
      : badge('plain', 'pencil', 'Writes');
  return html`<article class="op" id="${name}" aria-labelledby="${name}-title">
<h2 id="${name}-title"><code>${name}</code> ${kind}</h2>
<p class="lead">${title}</p>${markdown(description)}
<h3>Arguments</h3>${schemaTable(`Arguments of ${name}`, rowsOf(inputSchema), true)}
<h3>Result</h3>${schemaTable(`Result of ${name}`, rowsOf(outputSchema), false)}
</article>`;
}

interface Part {
  path: string;
  label: string;
  title: string;
  /** Links to the sections, and the sections. Constant while the process runs. */
  made(request: PublicRequest): { links: Content; body: Content };
}

const ROOT = '/api/v1/docs';
const parts: readonly Part[] = [
  {
    ...{ path: ROOT, label: 'REST API', title: 'API reference' },
    made: lazy(({ deps: { reference, config } }: PublicRequest) => {
      const document = ApiDocument.parse(reference.api());
      return { links: apiLinks(document), body: apiPart(document, config.baseUrl) };
    }),
  },
  {
    ...{ path: `${ROOT}/agents`, label: 'Agents', title: 'Tools of agents' },
    made: lazy(({ deps: { reference, config } }: PublicRequest) => {
      const tools = ToolDocuments.parse(reference.tools());
      return { links: toolLinks(tools), body: agentsPart(tools, reference.instructions, config.baseUrl) };
    }),
  },
  {
    ...{ path: `${ROOT}/webhooks`, label: 'Webhooks', title: 'Webhooks' },
    made: lazy(({ deps: { reference } }: PublicRequest) => ({
      links: webhookLinks,
      body: webhooksPart(ApiDocument.parse(reference.api())),
    })),
  },
];

function page(request: PublicRequest, { path, title, made }: Part): Page {
  const at = (below: string) => `${request.basePath}${below}`;
  const { links, body } = made(request);
  return {
    title,
    open: true,
    filters: segments(
      'Reference',
      parts.map(({ path: one, label }) => ({ href: at(one), label, current: one === path })),
    ),
    actions: linkButton(at('/api/v1/openapi.json'), 'openapi.json', { small: true, icon: 'download' }),
    body: html`<div class="reference"><nav class="contents" aria-label="On this page">${links}</nav><div class="ops">${body}</div></div>`,
    scripts: ['reference'],
    sheets: ['reference'],
  };
}

export const referenceRoutes = parts.map(
  (part): PublicRoute => ({ method: 'GET', path: part.path, public: true, handle: async (request) => page(request, part) }),
);
