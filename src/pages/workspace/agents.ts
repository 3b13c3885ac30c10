/** What agents may do in a workspace at most, and the agents that are connected to it (behaviour §3.6, §3.22). */
import { type AgentResource, agentLevels, agentResources, type Level, levels } from '../../access/rights.ts';
import type { AgentLine } from '../../connections/workspaceAgents.ts';
import { ago, moment } from '../frame/components/when.ts';
import type { Fields } from '../frame/fields.ts';
import type { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import { postForm } from '../frame/postForm.ts';
import { checkbox } from '../frame/widgets.ts';
import type { SettingsData } from './settingsData.ts';

export function agentsPart(data: SettingsData, agents: readonly AgentLine[]): Content {
  return html`<h2>Agents (MCP)</h2>
${limitsForm(data)}
<h3>Connected agents</h3>
${agents.length ? table(data, agents) : html`<p class="muted">No agent is connected to this workspace.</p>`}`;
}

function limitsForm(data: SettingsData): Content {
  const { mcpRights, mcpEnabled } = data.settings;
  const limits = agentLevels(mcpRights);
  const action = `${data.path}/mcp`;
  const fields = data.forms(action);
  return postForm(
    data,
    { action },
    html`${checkbox('enabled', 'yes', 'Let agents work in this workspace', fields.ticked('enabled', 'yes', mcpEnabled))}
<fieldset><legend>The most that any agent may do here</legend><p><small>An agent may do what its connection, its person and these limits all allow.</small></p>
<div class="scroll"><table class="levels"><thead><tr><th scope="col">Resource</th>${levels.map((level) => html`<th scope="col">${level}</th>`)}</tr></thead>
<tbody>${agentResources.map((resource) => limitRow(fields, resource, limits[resource]))}</tbody></table></div></fieldset>
<button class="secondary">Save what agents may do</button>`,
  );
}

function limitRow(fields: Fields, resource: AgentResource, limit: Level): Content {
  const name = `limit-${resource}`;
  const chosen = fields.value(name, limit);
  const radio = (level: Level) =>
    html`<input type="radio" name="${name}" value="${level}" aria-label="${resource}: ${level}"${level === chosen && html` checked`}${fields.mark(resource)}>`;
  return html`<tr><th scope="row">${resource}${fields.note(resource)}</th>${levels.map((level) => html`<td>${radio(level)}</td>`)}</tr>`;
}

function table(data: SettingsData, agents: readonly AgentLine[]): Content {
  return html`<div class="scroll"><table class="cards"><thead><tr><th scope="col">Agent</th><th scope="col">Person</th><th scope="col">Last used</th><th scope="col">State</th></tr></thead>
<tbody>${agents.map(
    ({
      id,
      name,
      userName,
      lastUsedAt,
      expired,
      disconnectedAt,
    }) => html`<tr><th scope="row">${name}</th><td data-label="Person">${userName}</td><td data-label="Last used">${ago(lastUsedAt, data.clock)}</td>
<td data-label="State">${disconnectedAt === null ? html`${expired && 'expired '}${disconnectForm(data, { id, name, userName })}` : html`disconnected ${moment(disconnectedAt, data.clock)}`}</td></tr>`,
  )}</tbody></table></div>`;
}

function disconnectForm(data: SettingsData, { id, name, userName }: Pick<AgentLine, 'id' | 'name' | 'userName'>): Content {
  const confirm = `Disconnect ${name} of ${userName}? It loses this workspace at once, and its person can’t undo that.`;
  return postForm(
    data,
    { action: `${data.path}/agents/disconnect`, hidden: { connectionId: id }, confirm, class: 'plain' },
    html`<button class="secondary outline" aria-label="Disconnect ${name} of ${userName}">Disconnect</button>`,
  );
}

/** What the form holds. */
export function mcpIn(form: Form) {
  const limits = Object.fromEntries(agentResources.map((resource) => [resource, form.text(`limit-${resource}`) || 'none']));
  return { enabled: form.has('enabled'), limits };
}
