/** /mcp-access: a person's own agents (behaviour §3.20). */
import { type AgentLevels, agentResources } from '../../access/rights.ts';
import {
  type ConnectableWorkspace,
  changeConnection,
  createConnection,
  listOwnConnections,
  type OwnConnection,
  revokeConnection,
  rotateConnection,
} from '../../connections/manage.ts';
import { Forbidden, InvalidRequest } from '../../values/errors.ts';
import { call } from '../frame/call.ts';
import { type Content, html } from '../frame/html.ts';
import { csrfField, onceField } from '../frame/layout.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { secretPage } from '../frame/secret.ts';
import { moment } from '../frame/widgets.ts';
import { connectionForm, type Draft, draftOf, settingsOf } from './connectionForm.ts';
import { setUpLines } from './setUpLines.ts';

const PATH = '/mcp-access';
const fresh: AgentLevels = Object.fromEntries(agentResources.map((resource) => [resource, 'read'])) as AgentLevels;

const load = (request: PageRequest) =>
  call<{ connections: OwnConnection[]; connectable: ConnectableWorkspace[] }>(request, listOwnConnections, {});

async function show(request: PageRequest, draft?: Draft, problem?: string): Promise<Answer> {
  const { deps, csrf, user } = request;
  const { connections, connectable } = await load(request);
  const at = deps.config.basePath + PATH;
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
    status: problem ? 400 : 200,
    body: html`
<p>Each agent gets a key of its own, acting for you: what it may do is what you choose here, cut down to your own rights and to each workspace's limits at the moment of every call. Its address is <code>${deps.config.baseUrl}/mcp</code>.</p>
<p><a href="${at}/activity">Activity: what your agents did</a></p>
${list(at, csrf, connections)}
<h2>Connect an agent</h2>
${problem && html`<p class="error" role="alert">${problem}</p>`}
${connectionForm({ action: `${at}/create`, csrf, workspaces: connectable, draft: start, button: 'Create the connection', isNew: true })}`,
  };
}

function list(at: string, csrf: string, connections: OwnConnection[]): Content {
  if (!connections.length) return html`<p>No agent is connected yet.</p>`;
  return html`<div class="scroll"><table class="cards">
<thead><tr><th scope="col">Agent</th><th scope="col">Workspaces</th><th scope="col">Last used</th><th scope="col">Expires</th><th scope="col">State</th></tr></thead>
<tbody>${connections.map((connection) => row(at, csrf, connection))}</tbody></table></div>`;
}

function row(at: string, csrf: string, connection: OwnConnection): Content {
  const { id, name, workspaces, state } = connection;
  const hidden = html`${csrfField(csrf)}<input type="hidden" name="connectionId" value="${id}">`;
  return html`<tr>
<th scope="row">${state === 'revoked' ? name : html`<a href="${at}/${id}">${name}</a>`}</th>
<td data-label="Workspaces">${workspaces.map((one, index) => html`${index > 0 && ', '}${one.name}${one.disconnected && ' (disconnected by its owner)'}`)}</td>
<td data-label="Last used">${moment(connection.lastUsedAt)}</td><td data-label="Expires">${moment(connection.expiresAt)}</td>
<td data-label="State">${state}${
    state !== 'revoked' &&
    html`<div class="actions">
<form method="post" action="${at}/rotate" class="plain" data-confirm="Rotate the key of ${name}? The old key stops working at once.">${hidden}${onceField()}<button class="secondary outline">Rotate key</button></form>
<form method="post" action="${at}/revoke" class="plain" data-confirm="Revoke ${name}? It loses access at once, for good.">${hidden}<button class="secondary outline">Revoke</button></form>
</div>`
  }</td></tr>`;
}

async function create(request: PageRequest): Promise<Answer> {
  const draft = draftOf(request.form);
  try {
    const { key } = await call<{ key: string }>(request, createConnection, settingsOf(draft));
    return keyPage(request, `The key of ${draft.name}`, key);
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return show(request, draft, error.message);
  }
}

function keyPage({ deps }: PageRequest, title: string, key: string): Answer {
  return secretPage(
    title,
    key,
    { path: deps.config.basePath + PATH, label: 'Back to the agents' },
    setUpLines(`${deps.config.baseUrl}/mcp`),
  );
}

async function edit(request: PageRequest, draft?: Draft, problem?: string): Promise<Answer> {
  const { deps, csrf, params } = request;
  const { connections, connectable } = await load(request);
  const connection = connections.find((one) => one.id === Number(params.connectionId) && one.state !== 'revoked');
  if (!connection) throw new Forbidden();
  const at = `${deps.config.basePath}${PATH}`;
  const sentAway = connection.workspaces.filter((one) => one.disconnected).map((one) => one.id);
  const current: Draft = draft ?? {
    ...connection,
    workspaces: connection.workspaces.filter((one) => !one.disconnected).map((one) => one.id),
    expires: 'keep',
  };
  return {
    title: `Agent ${connection.name}`,
    status: problem ? 400 : 200,
    body: html`
${problem && html`<p class="error" role="alert">${problem}</p>`}
<p>Expires: ${moment(connection.expiresAt)}. What you change here holds from the agent's next call on.</p>
${connectionForm({ action: `${at}/${connection.id}`, csrf, workspaces: connectable, draft: current, button: 'Save', isNew: false, sentAway })}
<p><a href="${at}">Back to the agents</a></p>`,
  };
}

async function change(request: PageRequest): Promise<Answer> {
  const { form, params } = request;
  const draft = draftOf(form);
  try {
    await call(request, changeConnection, { connectionId: Number(params.connectionId), ...settingsOf(draft) });
    return { redirect: PATH, notice: 'saved' };
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return edit(request, draft, error.message);
  }
}

async function rotate(request: PageRequest): Promise<Answer> {
  const { key } = await call<{ key: string }>(request, rotateConnection, { connectionId: request.form.id('connectionId') });
  return keyPage(request, 'The new key', key);
}

async function revoke(request: PageRequest): Promise<Answer> {
  await call(request, revokeConnection, { connectionId: request.form.id('connectionId') });
  return { redirect: PATH, notice: 'revoked' };
}

export const mcpAccessRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: (request) => show(request) },
  { method: 'POST', path: `${PATH}/create`, handle: create },
  { method: 'POST', path: `${PATH}/rotate`, handle: rotate },
  { method: 'POST', path: `${PATH}/revoke`, handle: revoke },
  { method: 'GET', path: `${PATH}/:connectionId`, handle: (request) => edit(request) },
  { method: 'POST', path: `${PATH}/:connectionId`, handle: change },
];
