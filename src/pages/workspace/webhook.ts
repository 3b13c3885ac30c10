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
import { formatNames } from '../../webhooks/schema.ts';
import { withPasswordConfirmation } from '../account/confirmed.ts';
import { clockOf } from '../frame/clock.ts';
import { ago, moment, momentWithin } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { secretPage } from '../frame/secret.ts';
import { call } from '../frame/session.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';
import { trail } from './openWorkspace.ts';

export const secretNotice = 'Copy the secret now. It is shown only once. Your receiver needs it to verify the signature of each message.';

const oneOf = ({ params }: PageRequest) => ({ workspaceId: Number(params.id), webhook: Number(params.webhookId) });
const pathOf = ({ params }: PageRequest) => `/workspaces/${params.id}/settings/webhooks/${params.webhookId}`;

const states = {
  works: 'This webhook works.',
  failing: 'The receiver did not accept the latest message. Stint will retry.',
  revoked: 'This webhook is revoked.',
  rests: 'Paused.',
  failures: 'Paused: the receiver accepted no message for three days. No message is lost. Fix the receiver, then resume.',
  maker: 'Paused: its creator can no longer read this workspace. Create a new webhook.',
  secret: 'Paused: its secret can no longer be decrypted. Create a new webhook.',
  kinds: 'Paused: it sent only approval events, which no longer exist. Create a new webhook for “item.updated”.',
} as const;

const deliveryStates: Readonly<Record<DeliveryRow['state'], string>> = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  dropped: 'Dropped',
  failed: 'Failed',
};

/** One word each, for the list. */
export const stateWords: Readonly<Record<WebhookRow['state'], string>> = {
  works: 'Working',
  failing: 'Failing',
  rests: 'Paused',
  revoked: 'Revoked',
};

export const kindsWords = (kinds: readonly string[] | null): string => kinds?.join(', ') || (kinds ? 'no changes' : 'all changes');

async function show(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const { webhook, deliveries } = await call(request, getWebhook, oneOf(request));
  const { url, kinds, format, userName, restsBecause, state, rotating, createdAt } = webhook;
  return {
    crumbs: trail({ href: `${request.basePath}/workspaces/${request.params.id}/settings/webhooks`, label: 'Webhooks' }),
    title: `Webhook ${webhook.id}`,
    status: refusal?.status ?? 200,
    body: html`${problemBox(refusal?.problem)}
<p>To <code>${url}</code>: ${kindsWords(kinds)}. Format: ${formatNames[format]}. Created by ${userName}, ${momentWithin(createdAt, clockOf(request))}.</p>
<p>${states[restsBecause ?? state]}${rotating && ' For 24 hours, messages are signed with both the new and the old secret.'}</p>
${state !== 'revoked' && actions(request, webhook)}
<h2>Latest deliveries</h2>
<div class="scroll"><table class="cards"><thead><tr><th scope="col">Change</th><th scope="col">Status</th><th scope="col">Latest attempt</th><th scope="col">Response</th></tr></thead>
<tbody>${deliveries.length ? deliveries.map((delivery) => row(request, webhook, delivery)) : html`<tr><td colspan="4">No messages sent yet.</td></tr>`}</tbody></table></div>`,
  };
}

function actions(request: PageRequest, { restsBecause, url }: WebhookRow): Content {
  const button = (action: string, words: string, confirm?: string) =>
    postForm(
      request,
      { action: `${pathOf(request)}/${action}`, class: 'plain', confirm },
      html`<button class="secondary outline">${words}</button>`,
    );
  return html`<div class="actions">${restsBecause ? button('resume', 'Resume') : button('test', 'Send test')}
${button('rotate', 'New secret', 'Create a new secret? For 24 hours, messages are signed with both secrets.')}
${button('revoke', 'Revoke', `Revoke the webhook to ${url}? It sends no more messages, and waiting messages are dropped.`)}</div>`;
}

function row(request: PageRequest, webhook: WebhookRow, { id, kind, changeId, state, attempts, nextAt, ...latest }: DeliveryRow): Content {
  const again =
    webhook.state !== 'revoked' &&
    webhook.state !== 'rests' &&
    changeId !== null &&
    postForm(
      request,
      { action: `${pathOf(request)}/again`, hidden: { delivery: id }, class: 'plain' },
      html`<button class="secondary outline" aria-label="Resend ${changeId}">Resend</button>`,
    );
  return html`<tr><th scope="row">${kind ?? (changeId === null ? 'test' : 'A change that you may not see')}${changeId !== null && html` <small>${changeId}</small>`}</th>
<td data-label="Status">${deliveryStates[state]}${attempts > 1 && html` <small>after ${attempts} attempts</small>`}${nextAt && html`<br><small>next ${moment(nextAt, clockOf(request))}</small>`} ${again}</td>
<td data-label="Latest attempt">${ago(latest.attemptedAt, clockOf(request), 'none yet')}${latest.ms !== null && html` <small>${latest.ms} ms</small>`}</td>
<td data-label="Response">${latest.status} <small>${latest.answer}</small></td></tr>`;
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
        title: 'New secret',
        secret,
        about: `${secretNotice} For 24 hours, messages are signed with the old secret too.`,
        what: 'the secret',
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
