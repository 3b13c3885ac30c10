import { type AgentLevels, type AgentResource, agentResources, type Level, levels } from '../../access/rights.ts';
import type { ConnectableWorkspace } from '../../connections/manage.ts';
import { type PersonalNoteRight, personalNoteRights } from '../../connections/personalNoteRights.ts';
import type { Labels } from '../frame/faults.ts';
import type { Fields } from '../frame/fields.ts';
import type { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import { type FormContext, postForm } from '../frame/postForm.ts';
import { checkbox, expiries, expiryOf, option, zoneSelect } from '../frame/widgets.ts';
import { limitWords } from './words.ts';

/** `expires`: days, 'never' or 'keep'. */
export interface Draft {
  name: string;
  permissions: AgentLevels;
  workspaces: number[];
  timezone: string;
  plainLanguage: boolean;
  notes: PersonalNoteRight[];
  expires: string;
}

export function draftOf(form: Form): Draft {
  return {
    name: form.text('name'),
    permissions: Object.fromEntries(agentResources.map((resource) => [resource, form.text(`level-${resource}`) || 'none'])) as AgentLevels,
    workspaces: form.all('workspaces').map(Number),
    timezone: form.text('timezone'),
    plainLanguage: form.has('plainLanguage'),
    notes: form.all('notes') as PersonalNoteRight[],
    expires: form.text('expires'),
  };
}

export function settingsOf({ expires, ...draft }: Draft) {
  return { ...draft, ...(expires === 'keep' ? {} : { expires: expiryOf(expires, Date.now()) }) };
}

export const connectionLabels: Labels = {
  ...Object.fromEntries(agentResources.map((resource) => [resource, resource])),
  name: 'Name',
  timezone: 'Timezone',
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
${fields.field('name', (mark) => html`<input name="name" required maxlength="200" value="${draft.name}" placeholder="Which agent, on which machine"${mark}>`)}
${fields.field('timezone', (mark) => zoneSelect(draft.timezone, false, mark), 'What the agent means by today, and by a time of day.')}
${fields.field('expires', (mark) => html`<select name="expires"${mark}>${!isNew && option('keep', 'as it is', draft.expires)}${Object.entries(expiries).map(([value, label]) => option(value, label, draft.expires))}</select>`)}
</div>
<fieldset><legend>Workspaces</legend>${workspaceBoxes(shape)}${fields.note('workspaces')}</fieldset>
<fieldset><legend>What it may do there</legend>${levelTable(shape)}</fieldset>
<fieldset><legend>Your personal notes</legend><p><small>Only you can give this, and it is independent of workspaces.</small></p>
${personalNoteRights.map((right) => checkbox('notes', right, right[0]!.toUpperCase() + right.slice(1), draft.notes.includes(right), fields.mark('notes')))}${fields.note('notes')}</fieldset>
<fieldset><legend>Progress notes</legend>${checkbox('plainLanguage', 'on', 'Plain developer language: notes are rewritten concisely before they are saved; the original is kept beside them', draft.plainLanguage)}</fieldset>
<button>${button}</button>`,
  );
}

const workspaceBoxes = (shape: FormShape): Content =>
  shape.workspaces.length
    ? shape.workspaces.map((workspace) => workspaceBox(workspace, shape))
    : html`<p>You belong to no workspace yet.</p>`;

/** A disabled box shows the reason. A chosen workspace where MCP is now off stays in the form; otherwise saving would drop it. */
function workspaceBox({ id, name, enabled }: ConnectableWorkspace, { draft, fields, sentAway: ids = [] }: FormShape): Content {
  const sentAway = ids.includes(id);
  const chosen = draft.workspaces.includes(id);
  if (enabled && !sentAway) return checkbox('workspaces', String(id), name, chosen, fields.mark('workspaces'));
  const reason = sentAway
    ? 'Its owner has disconnected this agent.'
    : chosen
      ? 'MCP is off here: the agent is shut out until the workspace’s owner switches it on.'
      : 'MCP is off here; the workspace’s owner switches it on.';
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

function levelRadio(resource: AgentResource, level: Level, most: Level, chosen: Level, mark: Content): Content {
  const beyond = levels.indexOf(level) > levels.indexOf(most);
  const state = [level === chosen && html` checked`, beyond && level !== chosen && html` disabled`, mark];
  return html`<input type="radio" name="level-${resource}" value="${level}" aria-label="${resource}: ${level}"${state}>`;
}

/** The highest level in any workspace with MCP on, with its limit. */
function mostAnywhere(workspaces: ConnectableWorkspace[], resource: AgentResource): { level: Level; reason: string | null } {
  const enabled = workspaces.filter((workspace) => workspace.enabled);
  const best = enabled.map((workspace) => workspace.most[resource]).sort((a, b) => levels.indexOf(b.level) - levels.indexOf(a.level))[0];
  if (!best) return { level: 'none', reason: 'no workspace with MCP on' };
  return { level: best.level, reason: limitWords(best) ?? (best.level === 'delete' ? null : 'nothing to delete') };
}
