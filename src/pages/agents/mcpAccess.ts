/** /mcp-access: a user's own agents (behaviour §3.20). */
import { agentResources } from '../../access/rights.ts';
import { type AgentCard, type Agents, openAgents } from '../../connections/activity.ts';
import { changeConnection, createConnection, listOwnConnections, revokeConnection, rotateConnection } from '../../connections/manage.ts';
import { Forbidden } from '../../values/errors.ts';
import { recordOf } from '../../values/records.ts';
import { withPasswordConfirmation } from '../account/confirmed.ts';
import { clockOf } from '../frame/clock.ts';
import { newKey, secret } from '../frame/components/avatar.ts';
import { section } from '../frame/components/boxes.ts';
import { linkButton } from '../frame/components/button.ts';
import { moment } from '../frame/components/when.ts';
import { formsOf } from '../frame/fields.ts';
import type { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { handlersOn, type Refusal, submitted } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';
import { activityTable } from './activity.ts';
import { agentCards, isLive, PATH, waitingForCall } from './cards.ts';
import { connectionForm, connectionLabels, type Draft, draftOf, settingsOf } from './connectionForm.ts';
import { setUpTabs, VARIABLE, variableLine } from './setUpLines.ts';

/** The page of a new key. The key is shown only once (behaviour §12.3, §7.30). */
export function keyPage({ deps, basePath }: PageRequest, title: string, id: number, key: string): Answer {
  return {
    title: 'New key',
    wide: true,
    body: html`<div class="agents">${newKey({
      id: 'new-key-title',
      title,
      key: html`<p class="flabel">Key</p>${secret('new-key', key, 'the key')}
<p class="hint">Copy the key now. It is shown only once. The agent acts as you, within your permissions.</p>
<p class="flabel">Where you start the client, set <code>${VARIABLE}</code></p>${variableLine(key)}
${waitingForCall(basePath, id)}`,
      setUp: html`${setUpTabs(`${deps.config.baseUrl}/mcp`)}<p class="hint">Then ask the agent: “What is on my day in Stint?”</p>`,
    })}<p>${linkButton(`${basePath}${PATH}`, 'Back to Agents', { icon: 'arrow-left' })}</p></div>`,
  };
}

const fresh = recordOf(agentResources, () => 'read');

async function show(request: PageRequest, draft?: Draft, refusal?: Refusal): Promise<Answer> {
  const { basePath } = request;
  const agents = await call(request, openAgents, {});
  const { cards, connectable, latest } = agents;
  return {
    title: 'Agents',
    status: refusal?.status ?? 200,
    wide: true,
    actions: html`${linkButton(`${basePath}${PATH}/activity`, 'Activity', { kind: 'quiet', icon: 'history', iconOnPhone: true })}${linkButton('#connect', 'Connect an agent', { kind: 'primary', icon: 'plus' })}`,
    body: html`<div class="agents">
${cards.length > 0 && section({ title: 'Connections', meta: countsOf(cards) }, agentCards(request, cards, connectable))}
${latest.length > 0 && section({ title: 'Recent activity', action: linkButton(`${basePath}${PATH}/activity`, 'All activity', { kind: 'quiet', small: true }) }, activityTable(request, latest))}
${connect(request, agents, draft, refusal)}</div>`,
  };
}

function countsOf(cards: readonly AgentCard[]): string {
  const live = cards.filter(isLive).length;
  const revoked = cards.filter(({ revokedAt }) => revokedAt !== null).length;
  const expired = cards.length - live - revoked;
  return [`${live} active`, expired > 0 && `${expired} expired`, revoked > 0 && `${revoked} revoked`].filter(Boolean).join(', ');
}

function connect(request: PageRequest, { connectable }: Agents, draft: Draft | undefined, refusal: Refusal | undefined): Content {
  const { deps, user } = request;
  const start: Draft = draft ?? {
    name: '',
    permissions: fresh,
    workspaces: connectable.filter(({ enabled }) => enabled).map(({ id }) => id),
    timezone: user.timezone,
    plainLanguage: false,
    notes: [],
    expires: '90',
  };
  const action = `${PATH}/create`;
  const fields = formsOf(request, connectionLabels, refusal)(action);
  return section(
    { title: 'Connect an agent', id: 'connect', class: 'column' },
    html`<p class="lead">Each agent gets its own key and acts for you, within your permissions and the limits of each workspace. The address is <code>${deps.config.baseUrl}/mcp</code>.</p>
${problemBox(refusal?.problem)}
${connectionForm(request, { action, workspaces: connectable, draft: start, button: 'Create connection', isNew: true, fields })}`,
  );
}

function create(request: PageRequest): Promise<Answer> {
  const draft = draftOf(request.form);
  return submitted(request, createConnection, () => settingsOf(draft), {
    labels: connectionLabels,
    done: ({ id, key }) => keyPage(request, `${draft.name} is ready`, id, key),
    again: (refusal) => show(request, draft, refusal),
  });
}

async function edit(request: PageRequest, draft?: Draft, refusal?: Refusal): Promise<Answer> {
  const { params, basePath } = request;
  const { connections, connectable } = await call(request, listOwnConnections, {});
  const connection = connections.find((one) => one.id === Number(params.connectionId) && one.state !== 'revoked');
  if (!connection) throw new Forbidden();
  const sentAway = connection.workspaces.filter((one) => one.disconnected).map((one) => one.id);
  const current: Draft = draft ?? {
    ...connection,
    workspaces: connection.workspaces.filter((one) => !one.disconnected).map((one) => one.id),
    expires: 'keep',
  };
  const action = `${PATH}/${connection.id}`;
  const fields = formsOf(request, connectionLabels, refusal)(action);
  return {
    title: connection.name,
    crumbs: html`<a href="${basePath}${PATH}">Agents</a>`,
    status: refusal?.status ?? 200,
    body: html`
${problemBox(refusal?.problem)}
<p>Expires: ${moment(connection.expiresAt, clockOf(request))}. Changes apply from the agent’s next call.</p>
${connectionForm(request, { action, workspaces: connectable, draft: current, button: 'Save', isNew: false, sentAway, fields })}`,
  };
}

function change(request: PageRequest): Promise<Answer> {
  const draft = draftOf(request.form);
  const connectionId = Number(request.params.connectionId);
  return submitted(request, changeConnection, () => ({ connectionId, ...settingsOf(draft) }), {
    labels: connectionLabels,
    done: () => ({ redirect: PATH, notice: 'saved' }),
    again: (refusal) => edit(request, draft, refusal),
  });
}

const connectionOf = (sent: Form) => ({ connectionId: sent.id('connectionId') });
const form = handlersOn((request, refusal) => show(request, undefined, refusal));
const rotate = form(rotateConnection, connectionOf, ({ id, key }, request) => keyPage(request, 'New key', id, key));
const revoke = form(revokeConnection, connectionOf, { redirect: PATH, notice: 'revoked' });

export const mcpAccessRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: (request) => show(request) },
  { method: 'POST', path: `${PATH}/create`, handle: withPasswordConfirmation(create) },
  { method: 'POST', path: `${PATH}/rotate`, handle: withPasswordConfirmation(rotate) },
  { method: 'POST', path: `${PATH}/revoke`, handle: revoke },
  { method: 'GET', path: `${PATH}/:connectionId`, handle: (request) => edit(request) },
  { method: 'POST', path: `${PATH}/:connectionId`, handle: change },
];
