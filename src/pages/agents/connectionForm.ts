import { type AgentResource, agentResources, type Level, levels } from '../../access/rights.ts';
import type { ConnectableWorkspace } from '../../connections/manage.ts';
import { personalNoteRights } from '../../connections/personalNoteRights.ts';
import { recordOf } from '../../values/records.ts';
import { capital } from '../../values/text.ts';
import type { Fields } from '../frame/fields.ts';
import type { Form, Labels } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import { type FormContext, postForm } from '../frame/postForm.ts';
import { checkbox, expiries, expiryOf, option, zoneSelect } from '../frame/widgets.ts';
import { limitWords } from './words.ts';

/** Levels and rights as submitted. `expires`: days, 'never' or 'keep'. */
export interface Draft {
  name: string;
  permissions: Record<AgentResource, string>;
  workspaces: number[];
  timezone: string;
  plainLanguage: boolean;
  notes: string[];
  expires: string;
}

export function draftOf(form: Form): Draft {
  return {
    name: form.text('name'),
    permissions: recordOf(agentResources, (resource) => form.text(`level-${resource}`) || 'none'),
    workspaces: form.all('workspaces').map(Number),
    timezone: form.text('timezone'),
    plainLanguage: form.has('plainLanguage'),
    notes: form.all('notes'),
    expires: form.text('expires'),
  };
}

export function settingsOf({ expires, ...draft }: Draft) {
  return { ...draft, ...(expires === 'keep' ? {} : { expires: expiryOf(expires, Date.now()) }) };
}

export const connectionLabels: Labels = {
  ...Object.fromEntries(agentResources.map((resource) => [resource, resource])),
  name: 'Name',
  timezone: 'Time zone',
  expires: 'Expires',
  workspaces: 'Workspaces',
  notes: 'Your personal notes',
  connectionId: '',
};

interface FormShape {
  /** Below the context path. */
  action: string;
  workspaces: ConnectableWorkspace[];
  draft: Draft;
  button: string;
  isNew: boolean;
  /** Workspaces whose owner has disconnected this agent. */
  sentAway?: readonly number[];
  fields: Fields;
}

export function connectionForm(context: FormContext, shape: FormShape): Content {
  const { action, draft, button, isNew, fields } = shape;
  return postForm(
    context,
    { action, once: isNew },
    html`<div class="sides">
${fields.field('name', (mark) => html`<input name="name" required maxlength="200" value="${draft.name}" placeholder="Agent and machine, such as Claude Code on laptop"${mark}>`)}
${fields.field('timezone', (mark) => zoneSelect(draft.timezone, false, mark), 'The agent uses this time zone for dates and times.')}
${fields.field('expires', (mark) => html`<select name="expires"${mark}>${!isNew && option('keep', 'No change', draft.expires)}${Object.entries(expiries).map(([value, label]) => option(value, label, draft.expires))}</select>`)}
</div>
<fieldset><legend>Workspaces</legend>${workspaceBoxes(shape)}${fields.note('workspaces')}</fieldset>
<fieldset><legend>Permissions</legend>${levelTable(shape)}</fieldset>
<fieldset><legend>Your personal notes</legend><p><small>Only you can grant this. It does not depend on workspaces.</small></p>
${personalNoteRights.map((right) => checkbox('notes', right, capital(right), draft.notes.includes(right), fields.mark('notes')))}${fields.note('notes')}</fieldset>
<fieldset><legend>Progress notes</legend>${checkbox('plainLanguage', 'on', 'Rewrite notes in short, plain language. The original is kept', draft.plainLanguage)}</fieldset>
<button>${button}</button>`,
  );
}

const workspaceBoxes = (shape: FormShape): Content =>
  shape.workspaces.length
    ? shape.workspaces.map((workspace) => workspaceBox(workspace, shape))
    : html`<p>You are not in a workspace yet. Ask the owner of a workspace to add you.</p>`;

/** A disabled box shows the reason. A chosen workspace where MCP is now off stays in the form; otherwise saving would drop it. */
function workspaceBox({ id, name, enabled }: ConnectableWorkspace, { draft, fields, sentAway: ids = [] }: FormShape): Content {
  const sentAway = ids.includes(id);
  const chosen = draft.workspaces.includes(id);
  if (enabled && !sentAway) return checkbox('workspaces', String(id), name, chosen, fields.mark('workspaces'));
  const reason = sentAway
    ? 'An owner of the workspace disconnected this agent.'
    : chosen
      ? 'MCP is turned off here. The agent has no access until an owner turns it on.'
      : 'MCP is turned off here. Ask an owner of the workspace to turn it on.';
  const state = !sentAway && chosen ? html` name="workspaces" value="${id}" checked${fields.mark('workspaces')}` : html` disabled`;
  return html`<label><input type="checkbox"${state}> ${name} <small>${reason}</small></label>`;
}

/** Levels that no workspace allows are disabled, with the reason. */
function levelTable({ workspaces, draft, fields }: FormShape): Content {
  return html`<div class="scroll"><table class="levels">
<thead><tr><th scope="col">Resource</th>${levels.map((level) => html`<th scope="col">${level}</th>`)}</tr></thead>
<tbody>${agentResources.map((resource) => {
    const most = mostAnywhere(workspaces, resource);
    const radio = (level: Level) => levelRadio(resource, level, most.level, draft.permissions[resource], fields.mark(resource));
    return html`<tr><th scope="row">${resource}${most.reason && html`<br><small class="muted">${most.reason}</small>`}${fields.note(resource)}</th>${levels.map((level) => html`<td>${radio(level)}</td>`)}</tr>`;
  })}</tbody></table></div>`;
}

function levelRadio(resource: AgentResource, level: Level, most: Level, chosen: string, mark: Content): Content {
  const beyond = levels.indexOf(level) > levels.indexOf(most);
  const state = [level === chosen && html` checked`, beyond && level !== chosen && html` disabled`, mark];
  return html`<input type="radio" name="level-${resource}" value="${level}" aria-label="${resource}: ${level}"${state}>`;
}

/** The highest level in any workspace with MCP on, with its limit. */
function mostAnywhere(workspaces: ConnectableWorkspace[], resource: AgentResource): { level: Level; reason: string | null } {
  const enabled = workspaces.filter((workspace) => workspace.enabled);
  const best = enabled.map((workspace) => workspace.most[resource]).sort((a, b) => levels.indexOf(b.level) - levels.indexOf(a.level))[0];
  if (!best) return { level: 'none', reason: 'no workspace with MCP turned on' };
  return { level: best.level, reason: limitWords(best) ?? (best.level === 'delete' ? null : 'nothing to delete') };
}
