/** /mcp-access: a person's own agents (behaviour §3.20). */
import { type AgentLevels, agentResources } from '../../access/rights.ts';
import {
  changeConnection,
  createConnection,
  listOwnConnections,
  type OwnConnection,
  revokeConnection,
  rotateConnection,
} from '../../connections/manage.ts';
import { Forbidden } from '../../values/errors.ts';
import { confirmed } from '../account/confirmed.ts';
import { call } from '../frame/call.ts';
import { formsOf } from '../frame/fields.ts';
import type { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { secretPage } from '../frame/secret.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { moment, problemBox } from '../frame/widgets.ts';
import { waiting } from './connected.ts';
import { connectionForm, connectionLabels, type Draft, draftOf, settingsOf } from './connectionForm.ts';
import { setUpLines } from './setUpLines.ts';

const PATH = '/mcp-access';
const fresh: AgentLevels = Object.fromEntries(agentResources.map((resource) => [resource, 'read'])) as AgentLevels;

const load = (request: PageRequest) => call(request, listOwnConnections, {});

async function show(request: PageRequest, draft?: Draft, refusal?: Refusal): Promise<Answer> {
  const { deps, user, basePath } = request;
  const { connections, connectable } = await load(request);
  const start: Draft = draft ?? {
    name: '',
    permissions: fresh,
    workspaces: connectable.filter(({ enabled }) => enabled).map(({ id }) => id),
    timezone: user.timezone,
    plainLanguage: false,
    notes: [],
    expires: '90',
  };
  return {
    title: 'Agents',
    status: refusal?.status ?? 200,
    body: html`
<p>Each agent gets a key of its own, acting for you: what it may do is what you choose here, cut down to your own rights and to each workspace's limits at the moment of every call. Its address is <code>${deps.config.baseUrl}/mcp</code>.</p>
<p><a href="${basePath}${PATH}/activity">Activity: what your agents did</a></p>
${list(request, connections)}
<h2>Connect an agent</h2>
${problemBox(refusal?.problem)}
${connectionForm(request, { action: `${PATH}/create`, workspaces: connectable, draft: start, button: 'Create the connection', isNew: true, fields: formsOf(request, connectionLabels, refusal)(`${PATH}/create`) })}`,
  };
}

function list(request: PageRequest, connections: OwnConnection[]): Content {
  if (!connections.length) return html`<p>No agent is connected yet.</p>`;
  return html`<div class="scroll"><table class="cards">
<thead><tr><th scope="col">Agent</th><th scope="col">Workspaces</th><th scope="col">Last used</th><th scope="col">Expires</th><th scope="col">State</th></tr></thead>
<tbody>${connections.map((connection) => row(request, connection))}</tbody></table></div>`;
}

function row(request: PageRequest, connection: OwnConnection): Content {
  const { id, name, workspaces, state } = connection;
  return html`<tr>
<th scope="row">${state === 'revoked' ? name : html`<a href="${request.basePath}${PATH}/${id}">${name}</a>`}</th>
<td data-label="Workspaces">${workspaces.map((one, index) => html`${index > 0 && ', '}${one.name}${one.disconnected && ' (disconnected by its owner)'}`)}</td>
<td data-label="Last used">${moment(connection.lastUsedAt)}</td><td data-label="Expires">${moment(connection.expiresAt)}</td>
<td data-label="State">${state}${state !== 'revoked' && endings(request, connection)}</td></tr>`;
}

function endings(request: PageRequest, { id, name }: OwnConnection): Content {
  const form = { hidden: { connectionId: id }, class: 'plain' };
  const rotate = {
    ...form,
    action: `${PATH}/rotate`,
    once: true,
    confirm: `Rotate the key of ${name}? The old key stops working at once.`,
  };
  const revoke = { ...form, action: `${PATH}/revoke`, confirm: `Revoke ${name}? It loses access at once, for good.` };
  return html`<div class="actions">
${postForm(request, rotate, html`<button class="secondary outline">Rotate key</button>`)}
${postForm(request, revoke, html`<button class="secondary outline">Revoke</button>`)}
</div>`;
}

function create(request: PageRequest): Promise<Answer> {
  const draft = draftOf(request.form);
  return submitted(request, createConnection, () => settingsOf(draft), {
    labels: connectionLabels,
    done: ({ id, key }) => keyPage(request, `The key of ${draft.name}`, id, key),
    again: (refusal) => show(request, draft, refusal),
  });
}

function keyPage({ deps, basePath }: PageRequest, title: string, id: number, key: string): Answer {
  const lines = html`${waiting(basePath, id)}${setUpLines(`${deps.config.baseUrl}/mcp`, key)}`;
  return secretPage(title, key, { path: basePath + PATH, label: 'Back to the agents' }, lines);
}

async function edit(request: PageRequest, draft?: Draft, refusal?: Refusal): Promise<Answer> {
  const { params, basePath } = request;
  const { connections, connectable } = await load(request);
  const connection = connections.find((one) => one.id === Number(params.connectionId) && one.state !== 'revoked');
  if (!connection) throw new Forbidden();
  const sentAway = connection.workspaces.filter((one) => one.disconnected).map((one) => one.id);
  const current: Draft = draft ?? {
    ...connection,
    workspaces: connection.workspaces.filter((one) => !one.disconnected).map((one) => one.id),
    expires: 'keep',
  };
  return {
    title: `Agent ${connection.name}`,
    status: refusal?.status ?? 200,
    body: html`
${problemBox(refusal?.problem)}
<p>Expires: ${moment(connection.expiresAt)}. What you change here holds from the agent's next call on.</p>
${connectionForm(request, { action: `${PATH}/${connection.id}`, workspaces: connectable, draft: current, button: 'Save', isNew: false, sentAway, fields: formsOf(request, connectionLabels, refusal)(`${PATH}/${connection.id}`) })}
<p><a href="${basePath}${PATH}">Back to the agents</a></p>`,
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

const connectionOf = (form: Form) => ({ connectionId: form.id('connectionId') });

const rotate = (request: PageRequest): Promise<Answer> =>
  submitted(request, rotateConnection, connectionOf, {
    done: ({ id, key }) => keyPage(request, 'The new key', id, key),
    again: (refusal) => show(request, undefined, refusal),
  });

const revoke = (request: PageRequest): Promise<Answer> =>
  submitted(request, revokeConnection, connectionOf, {
    done: () => ({ redirect: PATH, notice: 'revoked' }),
    again: (refusal) => show(request, undefined, refusal),
  });

export const mcpAccessRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: (request) => show(request) },
  { method: 'POST', path: `${PATH}/create`, handle: confirmed(create) },
  { method: 'POST', path: `${PATH}/rotate`, handle: confirmed(rotate) },
  { method: 'POST', path: `${PATH}/revoke`, handle: revoke },
  { method: 'GET', path: `${PATH}/:connectionId`, handle: (request) => edit(request) },
  { method: 'POST', path: `${PATH}/:connectionId`, handle: change },
];
