/** /workspaces/:id/settings/webhooks/:webhookId: a webhook and its latest deliveries (behaviour §16.8). */
import type { Operation } from '../../operations/operation.ts';
import {
  type DeliveryRow,
  getWebhook,
  resumeWebhook,
  revokeWebhook,
  sendAgain,
  testWebhook,
  type WebhookRow,
} from '../../webhooks/manage.ts';
import { withPasswordConfirmation } from '../account/confirmed.ts';
import { call } from '../frame/call.ts';
import { clockOf } from '../frame/clock.ts';
import { ago, moment } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { secretPage } from '../frame/secret.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';
import { trail } from './openWorkspace.ts';

export const secretNotice =
  'Copy the secret now: it is shown only once. Your receiver needs it to verify the signature of each message. Keep it in an environment variable or a secret store.';

const oneOf = ({ params }: PageRequest) => ({ workspaceId: Number(params.id), webhook: Number(params.webhookId) });
const pathOf = ({ params }: PageRequest) => `/workspaces/${params.id}/settings/webhooks/${params.webhookId}`;

const states = {
  works: 'It works.',
  failing: 'Its receiver did not take the latest message: it is tried again.',
  revoked: 'It is revoked.',
  failures:
    'It rests, since its receiver did not take a message for three days. Nothing is lost: let it go on when the receiver is mended.',
  maker: 'It rests, since whoever made it may not read the workspace any more. Make another one in its place.',
  secret: 'It rests, since its secret can not be read any more. Make another one in its place.',
  kinds: 'Paused: it was for approvals alone, and webhooks no longer send those. Make another webhook for “item.updated”.',
} as const;

export const kindsWords = (kinds: readonly string[] | null): string => kinds?.join(', ') || (kinds ? 'nothing' : 'all changes');

async function show(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const { webhook, deliveries } = await call(request, getWebhook, oneOf(request));
  const { url, kinds, userName, restsBecause, state, rotating, createdAt } = webhook;
  return {
    crumbs: trail({ href: `${request.basePath}/workspaces/${request.params.id}/settings/webhooks`, label: 'Webhooks' }),
    title: `Webhook ${webhook.id}`,
    status: refusal?.status ?? 200,
    body: html`${problemBox(refusal?.problem)}
<p>To <code>${url}</code>: ${kindsWords(kinds)}. Made by ${userName}, ${moment(createdAt, clockOf(request))}.</p>
<p>${states[restsBecause ?? (state as 'works')]}${rotating && ' Messages are signed with the new secret and, for a day, with the one before it.'}</p>
${state !== 'revoked' && actions(request, webhook)}
<h2>Latest deliveries</h2>
<div class="scroll"><table class="cards"><thead><tr><th scope="col">Change</th><th scope="col">State</th><th scope="col">Latest attempt</th><th scope="col">Answer</th></tr></thead>
<tbody>${deliveries.length ? deliveries.map((delivery) => row(request, webhook, delivery)) : html`<tr><td colspan="4">Nothing was sent yet.</td></tr>`}</tbody></table></div>`,
  };
}

function actions(request: PageRequest, { restsBecause, url }: WebhookRow): Content {
  const button = (action: string, words: string, confirm?: string) =>
    postForm(
      request,
      { action: `${pathOf(request)}/${action}`, class: 'plain', confirm },
      html`<button class="secondary outline">${words}</button>`,
    );
  return html`<div class="actions">${restsBecause ? button('resume', 'Let it go on') : button('test', 'Send a test')}
${button('rotate', 'New secret', 'Make a new secret? For a day messages are signed with both.')}
${button('revoke', 'Revoke', `Revoke the webhook to ${url}? Nothing is sent to it any more, and what waits is dropped.`)}</div>`;
}

function row(request: PageRequest, webhook: WebhookRow, { id, kind, changeId, state, attempts, nextAt, ...latest }: DeliveryRow): Content {
  const again =
    webhook.state !== 'revoked' &&
    webhook.state !== 'rests' &&
    changeId !== null &&
    postForm(
      request,
      { action: `${pathOf(request)}/again`, hidden: { delivery: id }, class: 'plain' },
      html`<button class="secondary outline" aria-label="Send ${changeId} again">Send again</button>`,
    );
  return html`<tr><th scope="row">${kind ?? 'test'}${changeId !== null && html` <small>${changeId}</small>`}</th>
<td data-label="State">${state}${attempts > 1 && html` <small>after ${attempts} attempts</small>`}${nextAt && html`<br><small>next ${moment(nextAt, clockOf(request))}</small>`} ${again}</td>
<td data-label="Latest attempt">${ago(latest.attemptedAt, clockOf(request), 'none yet')}${latest.ms !== null && html` <small>${latest.ms} ms</small>`}</td>
<td data-label="Answer">${latest.status} <small>${latest.answer}</small></td></tr>`;
}

function form<Input, Output>(
  name: string,
  operation: Operation<Input, Output>,
  notice: string,
  more: (request: PageRequest) => object = () => ({}),
) {
  const handle = (request: PageRequest): Promise<Answer> =>
    submitted(request, operation, () => ({ ...oneOf(request), ...more(request) }), {
      labels: { webhook: '', delivery: '' },
      done: () => ({ redirect: pathOf(request), notice }),
      again: (refusal) => show(request, refusal),
    });
  return { method: 'POST', path: `/workspaces/:id/settings/webhooks/:webhookId/${name}`, handle } as const satisfies PageRoute;
}

const rotate = (request: PageRequest): Promise<Answer> =>
  submitted(request, request.deps.webhooks.rotateWebhook, () => oneOf(request), {
    labels: { webhook: '' },
    done: ({ secret }) =>
      secretPage({
        title: 'The new secret',
        secret,
        about: `${secretNotice} For 24 hours, messages are signed with the old secret too.`,
        copy: 'Copy secret',
        back: { path: request.basePath + pathOf(request), label: 'Back to the webhook' },
      }),
    again: (refusal) => show(request, refusal),
  });

const path = '/workspaces/:id/settings/webhooks/:webhookId';

export const webhookRoutes: PageRoute[] = [
  { method: 'GET', path, handle: (request) => show(request) },
  { method: 'POST', path: `${path}/rotate`, handle: withPasswordConfirmation(rotate) },
  form('test', testWebhook, 'sent'),
  form('resume', resumeWebhook, 'goesOn'),
  form('revoke', revokeWebhook, 'webhookRevoked'),
  form('again', sendAgain, 'sent', ({ form: sent }) => ({ delivery: sent.id('delivery') })),
];
