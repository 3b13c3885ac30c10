/** The public reference for developers: REST API, MCP tools, webhooks (behaviour §5.13). */
import { lazy } from '../../values/lazy.ts';
import { linkButton } from '../frame/components/button.ts';
import { segments } from '../frame/components/segments.ts';
import { type Content, html } from '../frame/html.ts';
import type { Page } from '../frame/layout.ts';
import type { PublicRequest, PublicRoute } from '../frame/page.ts';
import { agentsPart, toolLinks } from './agents.ts';
import { apiLinks, apiPart } from './api.ts';
import type { ApiDocument, ToolDocument } from './document.ts';
import { webhookLinks, webhooksPart } from './webhooks.ts';

const ROOT = '/api/v1/docs';
const views = [
  { path: ROOT, label: 'REST API' },
  { path: `${ROOT}/agents`, label: 'Agents' },
  { path: `${ROOT}/webhooks`, label: 'Webhooks' },
];

interface Part {
  title: string;
  path: string;
  /** Links to the sections. */
  links: Content;
  body: Content;
}

const view =
  (path: string, made: (request: PublicRequest) => Omit<Part, 'path'>): PublicRoute['handle'] =>
  async (request) =>
    page(request, { ...made(request), path });

function page({ basePath }: PublicRequest, { title, path, links, body }: Part): Page {
  const at = (below: string) => `${basePath}${below}`;
  return {
    title,
    open: true,
    filters: segments(
      'Reference',
      views.map(({ path: one, label }) => ({ href: at(one), label, current: one === path })),
    ),
    actions: linkButton(at('/api/v1/openapi.json'), 'openapi.json', { small: true, icon: 'download' }),
    body: html`<div class="reference"><nav class="contents" aria-label="On this page">${links}</nav><div class="ops">${body}</div></div>`,
    scripts: ['reference'],
    sheets: ['reference'],
  };
}

// The content is constant while the process runs.
const api = lazy((request: PublicRequest) => {
  const document = request.deps.reference.api() as ApiDocument;
  return { links: apiLinks(document), body: apiPart(document, request.deps.config.baseUrl) };
});
const agents = lazy(({ deps: { reference, config } }: PublicRequest) => ({
  links: toolLinks(reference.tools() as ToolDocument[]),
  body: agentsPart(reference.tools() as ToolDocument[], reference.instructions, config.baseUrl),
}));
const webhooks = lazy(({ deps: { reference } }: PublicRequest) => ({
  links: webhookLinks,
  body: webhooksPart(reference.api() as ApiDocument),
}));

export const referenceRoutes: PublicRoute[] = [
  { method: 'GET', path: ROOT, public: true, handle: view(ROOT, (request) => ({ title: 'API reference', ...api(request) })) },
  {
    method: 'GET',
    path: `${ROOT}/agents`,
    public: true,
    handle: view(`${ROOT}/agents`, (request) => ({ title: 'Tools of agents', ...agents(request) })),
  },
  {
    method: 'GET',
    path: `${ROOT}/webhooks`,
    public: true,
    handle: view(`${ROOT}/webhooks`, (request) => ({ title: 'Webhooks', ...webhooks(request) })),
  },
];
