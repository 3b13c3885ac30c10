/** /workspaces/:id/webhooks: where the changes of a workspace are sent to, for its owners and managers and the account's administrators
 *  (behaviour §16.1). */
import { changeKinds } from '../../changes/schema.ts';
import { getWorkspaceOfWebhooks, listWebhooks, type WebhookRow } from '../../webhooks/manage.ts';
import { confirmed } from '../account/confirmed.ts';
import { call } from '../frame/call.ts';
import type { Labels } from '../frame/faults.ts';
import { formsOf } from '../frame/fields.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { secretPage } from '../frame/secret.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { checkbox, problemBox } from '../frame/widgets.ts';
import { trail } from './openWorkspace.ts';
import { webhookRoutes } from './webhook.ts';

const labels: Labels = { url: 'URL', kinds: 'Changes', user: 'Maker' };
const idOf = ({ params }: PageRequest) => Number(params.id);
const pathOf = (request: PageRequest) => `/workspaces/${idOf(request)}/webhooks`;

async function show(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const workspaceId = idOf(request);
  const { name, mayMake } = await call(request, getWorkspaceOfWebhooks, { workspaceId });
  const webhooks = await call(request, listWebhooks, { workspaceId });
  return {
    crumbs: mayMake && trail({ href: `${request.basePath}/workspaces/${workspaceId}`, label: name }),
    title: `Webhooks of ${name}`,
    status: refusal?.status ?? 200,
    body: html`${problemBox(refusal?.problem)}
<p>A webhook sends what changes here to a server of yours, signed, with the rights of whoever made it.</p>
<div class="scroll"><table class="cards"><thead><tr><th scope="col">URL</th><th scope="col">Sends</th><th scope="col">Made by</th><th scope="col">State</th></tr></thead>
<tbody>${webhooks.length ? webhooks.map((webhook) => row(request, webhook)) : html`<tr><td colspan="4">No webhook yet.</td></tr>`}</tbody></table></div>
${mayMake && form(request, refusal)}`,
  };
}

function row(request: PageRequest, { id, url, kinds, userName, state, waiting }: WebhookRow): Content {
  return html`<tr><th scope="row"><a href="${request.basePath}${pathOf(request)}/${id}">${url}</a></th><td data-label="Sends">${kinds?.join(', ') ?? 'all changes'}</td>
<td data-label="Made by">${userName}</td><td data-label="State">${state}${waiting > 0 && html` <small>${waiting} to be sent again</small>`}</td></tr>`;
}

function form(request: PageRequest, refusal?: Refusal): Content {
  const action = `${pathOf(request)}/create`;
  const fields = formsOf(request, labels, refusal)(action);
  return html`<h2>Make a webhook</h2>
${postForm(
  request,
  { action, once: true },
  fields.field(
    'url',
    (mark) =>
      html`<input name="url" type="url" required maxlength="2000" value="${fields.value('url')}" placeholder="https://example.org/hook"${mark}>`,
  ),
  html`<fieldset class="levels"><legend>Changes; all when none is ticked</legend>${changeKinds.map((kind) =>
    checkbox('kinds', kind, kind, fields.ticked('kinds', kind), fields.mark('kinds')),
  )}${fields.note('kinds')}</fieldset>
<button>Make the webhook</button>`,
)}`;
}

const create = (request: PageRequest): Promise<Answer> =>
  submitted(
    request,
    request.deps.webhooks.createWebhook,
    (sent) => ({ workspaceId: idOf(request), url: sent.text('url'), kinds: sent.all('kinds') }),
    {
      labels,
      done: ({ id, secret }) =>
        secretPage('The secret of your webhook', secret, { path: `${request.basePath}${pathOf(request)}/${id}`, label: 'To the webhook' }),
      again: (refusal) => show(request, refusal),
    },
  );

const path = '/workspaces/:id/webhooks';

export const webhooksRoutes: PageRoute[] = [
  { method: 'GET', path, handle: (request) => show(request) },
  { method: 'POST', path: `${path}/create`, handle: confirmed(create) },
  ...webhookRoutes,
];
