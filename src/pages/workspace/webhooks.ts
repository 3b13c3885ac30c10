/** /workspaces/:id/settings/webhooks, for owners, managers and administrators of the account (behaviour §16.1). */
import { apiKinds } from '../../changes/schema.ts';
import { keysOf } from '../../values/records.ts';
import type { WebhookRow } from '../../webhooks/manage.ts';
import { formatNames } from '../../webhooks/schema.ts';
import { withPasswordConfirmation } from '../account/confirmed.ts';
import { card } from '../frame/components/boxes.ts';
import { button } from '../frame/components/button.ts';
import { table } from '../frame/components/row.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { secretPage } from '../frame/secret.ts';
import { submitted } from '../frame/submitted.ts';
import { checkbox, option } from '../frame/widgets.ts';
import { type Refused, type SettingsData, settingsLabels, settingsPage } from './settingsData.ts';
import { kindsWords, secretNotice, stateWords, webhookRoutes } from './webhook.ts';

const CARD = 'webhooks';
const pathOf = ({ params }: PageRequest) => `/workspaces/${params.id}/settings/webhooks`;

const show = (request: PageRequest, refused?: Refused): Promise<Answer> =>
  settingsPage(request, 'webhooks', (data) => html`${listCard(request, data)}${mayMake(data) && makeCard(request, data)}`, refused);

/** Webhooks use the rights of their creator, who must be a member. */
const mayMake = ({ settings: { role } }: SettingsData): boolean => role === 'owner' || role === 'manager';

function listCard(request: PageRequest, { settings }: SettingsData): Content {
  const webhooks = settings.webhooks ?? [];
  const columns = [{ label: 'URL' }, { label: 'Sends' }, { label: 'Created by' }, { label: 'Status' }];
  const list = webhooks.length
    ? table(
        { caption: 'Webhooks', columns },
        webhooks.map((webhook) => row(request, webhook)),
      )
    : html`<p class="hint">No webhooks yet.</p>`;
  const hint = html`<p class="hint">A webhook sends signed messages about changes in this workspace to your server. It uses the rights of its creator.</p>`;
  return card('Webhooks', html`${hint}${list}`, { id: CARD });
}

const row = (request: PageRequest, { id, url, kinds, format, userName, state, waiting }: WebhookRow): Content[] => [
  html`<a href="${request.basePath}${pathOf(request)}/${id}">${url}</a>`,
  html`${kindsWords(kinds)}${format !== 'stint' && html` (${formatNames[format]})`}`,
  userName,
  html`${stateWords[state]}${waiting > 0 && html` <small>${waiting} waiting to be resent</small>`}`,
];

function makeCard(request: PageRequest, data: SettingsData): Content {
  const action = `${pathOf(request)}/create`;
  const fields = data.forms(action);
  const form = postForm(
    request,
    { action, once: true },
    fields.field(
      'url',
      (mark) =>
        html`<input name="url" type="url" required maxlength="2000" value="${fields.value('url')}" placeholder="https://example.org/hook"${mark}>`,
    ),
    fields.field(
      'format',
      (mark) =>
        html`<select name="format"${mark}>${keysOf(formatNames).map((format) => option(format, formatNames[format], fields.value('format')))}</select>`,
      'Chat formats send one sentence with a link for each change.',
    ),
    html`<fieldset class="levels"><legend>Changes to send (none selected: all)</legend>${apiKinds.map((kind) =>
      checkbox('kinds', kind, kind, fields.ticked('kinds', kind), fields.mark('kinds')),
    )}${fields.note('kinds')}</fieldset>
${button('Create webhook', { kind: 'primary' })}`,
  );
  return card('New webhook', html`${data.problem('make')}${form}`, { id: 'make' });
}

const create = (request: PageRequest): Promise<Answer> =>
  submitted(
    request,
    request.deps.webhooks.createWebhook,
    (sent) => ({
      workspaceId: Number(request.params.id),
      url: sent.text('url'),
      kinds: sent.all('kinds'),
      format: sent.text('format') || undefined,
    }),
    {
      labels: settingsLabels,
      done: ({ id, secret }) =>
        secretPage({
          title: 'Webhook secret',
          secret,
          about: secretNotice,
          what: 'the secret',
          facts: [['Sends to', request.form.text('url')]],
          back: { path: `${request.basePath}${pathOf(request)}/${id}`, label: 'Open webhook' },
        }),
      again: (refusal) => show(request, { refusal, card: 'make' }),
    },
  );

const path = '/workspaces/:id/settings/webhooks';

/** Redirects from the URLs in older mails. */
const before: PageRoute[] = ['', '/:webhookId'].map((of) => ({
  method: 'GET',
  path: `/workspaces/:id/webhooks${of}`,
  handle: async (request) => ({ redirect: of ? `${pathOf(request)}/${request.params.webhookId}` : pathOf(request) }),
}));

export const webhooksRoutes: PageRoute[] = [
  { method: 'GET', path, handle: (request) => show(request) },
  { method: 'POST', path: `${path}/create`, handle: withPasswordConfirmation(create) },
  ...webhookRoutes,
  ...before,
];
