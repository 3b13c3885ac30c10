/** Limits for agents in a workspace, and its connected agents (behaviour §3.6, §3.22). */
import { type AgentResource, agentLevels, agentResources, type Level, levelOf, levels } from '../../access/rights.ts';
import { disconnect } from '../../connections/workspaceAgents.ts';
import type { WorkspaceSettings } from '../../overviews/workspaceSettings.ts';
import { capital } from '../../values/text.ts';
import { changeMcp } from '../../workspaces/administer.ts';
import { joinWithAnd } from '../agents/words.ts';
import { card } from '../frame/components/boxes.ts';
import { button } from '../frame/components/button.ts';
import { table } from '../frame/components/row.ts';
import { ago, moment } from '../frame/components/when.ts';
import type { Fields } from '../frame/fields.ts';
import type { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { checkbox } from '../frame/widgets.ts';
import { type FormPlace, type Refused, type SettingsData, settingsForm, settingsPage } from './settingsData.ts';

type AgentLine = NonNullable<WorkspaceSettings['agents']>[number];

const show = (request: PageRequest, refused?: Refused): Promise<Answer> =>
  settingsPage(request, 'agents', (data) => html`${limitsCard(data)}${connectedCard(data)}`, refused);

const meanings: Readonly<Record<Level, string>> = {
  none: 'cannot see them',
  read: 'can read them',
  write: 'can also create and change them',
  delete: 'can also archive them',
};

function limitsCard(data: SettingsData): Content {
  const { mcpEnabled, mcpRights } = data.settings;
  const now = mcpEnabled ? levelWords(mcpRights) : 'Agents are turned off. No agent can see this workspace.';
  return card('Agent permissions', html`${data.problem('limits')}<p>${now}</p>${limitsForm(data)}`, { id: 'limits' });
}

function levelWords(rights: number): string {
  const given = agentLevels(rights);
  const verbs = { delete: 'writes and archives', write: 'writes', read: 'reads' } as const;
  const parts = (['delete', 'write', 'read'] as const).flatMap((level) => {
    const found = agentResources.filter((one) => given[one] === level);
    return found.length ? [`${verbs[level]} ${joinWithAnd(found)}`] : [];
  });
  const said = parts.join('; ');
  return said ? `${capital(said)}.` : 'No access.';
}

function connectedCard(data: SettingsData): Content {
  const agents = data.settings.agents ?? [];
  const columns = [{ label: 'Agent' }, { label: 'Person' }, { label: 'Permissions here' }, { label: 'Last used' }, { label: 'Status' }];
  const body = agents.length
    ? table(
        { caption: 'Connected agents', columns },
        agents.map((agent) => cells(data, agent)),
      )
    : html`<p class="hint">No agent is connected to this workspace yet. Connect one under <a href="${data.basePath}/mcp-access">Agents</a>.</p>`;
  return card('Connected agents', html`${data.problem('agents')}${body}`, { id: 'agents' });
}

function limitsForm(data: SettingsData): Content {
  const { mcpRights, mcpEnabled } = data.settings;
  const limits = agentLevels(mcpRights);
  const action = `${data.path}/mcp`;
  const fields = data.forms(action);
  return postForm(
    data,
    { action, live: '#limits' },
    html`${checkbox('enabled', 'yes', 'Allow agents in this workspace', fields.ticked('enabled', 'yes', mcpEnabled))}
<fieldset><legend>Highest level for any agent</legend><p class="hint">The lowest of three levels counts: the agent’s connection, its owner’s role, and this limit. ${levels.map((level, at) => html`${at > 0 && '; '}<b>${level}</b>: ${meanings[level]}`)}.</p>
<div class="scroll"><table class="levels"><thead><tr><th scope="col">Resource</th>${levels.map((level) => html`<th scope="col">${level}</th>`)}</tr></thead>
<tbody>${agentResources.map((resource) => limitRow(fields, resource, limits[resource]))}</tbody></table></div></fieldset>
${button('Save permissions')}`,
  );
}

function limitRow(fields: Fields, resource: AgentResource, limit: Level): Content {
  const name = `limit-${resource}`;
  const chosen = fields.value(name, limit);
  const radio = (level: Level) =>
    html`<input type="radio" name="${name}" value="${level}" aria-label="${resource}: ${level}"${level === chosen && html` checked`}${fields.mark(resource)}>`;
  return html`<tr><th scope="row">${resource}${fields.note(resource)}</th>${levels.map((level) => html`<td>${radio(level)}</td>`)}</tr>`;
}

function cells(data: SettingsData, agent: AgentLine): Content[] {
  const { name, userName, lastUsedAt, expired, disconnectedAt } = agent;
  const state =
    disconnectedAt === null
      ? html`${expired && 'expired '}${disconnectForm(data, agent)}`
      : html`disconnected ${moment(disconnectedAt, data.clock)}`;
  return [name, userName, disconnectedAt === null ? hereWords(data, agent) : '–', ago(lastUsedAt, data.clock), state];
}

/** The agent's effective rights, and what limits them. */
function hereWords({ settings: { mcpEnabled, mcpRights } }: SettingsData, { rights, memberRights }: AgentLine): Content {
  if (!mcpEnabled) return 'No access: agents are turned off';
  if (memberRights === null) return 'No access: its owner is not a member';
  const left = rights & memberRights & mcpRights;
  const byLimits = agentResources.filter((one) => levelOf(rights & memberRights, one) !== levelOf(left, one));
  const byRole = agentResources.filter((one) => levelOf(rights, one) !== levelOf(rights & memberRights, one));
  return html`${levelWords(left)}${byLimits.length > 0 && html`<br><small class="muted">Reduced by the workspace limit: ${joinWithAnd(byLimits)}</small>`}${
    byRole.length > 0 && html`<br><small class="muted">Reduced by its owner’s role: ${joinWithAnd(byRole)}</small>`
  }`;
}

function disconnectForm(data: SettingsData, { id, name, userName }: AgentLine): Content {
  const confirm = `Disconnect ${name} of ${userName}? It loses access to this workspace immediately, and ${userName} cannot undo this.`;
  return postForm(
    data,
    { action: `${data.path}/agents/disconnect`, hidden: { connectionId: id }, confirm, live: '#agents', class: 'plain' },
    button('Disconnect', { small: true, kind: 'danger', said: `Disconnect ${name} of ${userName}` }),
  );
}

function mcpIn(form: Form) {
  const limits = Object.fromEntries(agentResources.map((resource) => [resource, form.text(`limit-${resource}`) || 'none']));
  return { enabled: form.has('enabled'), limits };
}

const place = (name: string): FormPlace => ({ part: 'agents', card: name, show });

export const agentsRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/settings/agents', handle: (request) => show(request) },
  settingsForm('mcp', changeMcp, mcpIn, place('limits')),
  settingsForm('agents/disconnect', disconnect, (sent) => ({ connectionId: sent.id('connectionId') }), place('agents'), 'disconnected'),
];
