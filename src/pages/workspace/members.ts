/** Who belongs to a workspace, with which role, and what lowers it (behaviour §3.3, §3.4). */
import { type Level, levels, type Resource, resources } from '../../access/rights.ts';
import { Forbidden } from '../../values/errors.ts';
import type { MemberLine } from '../../workspaces/administer.ts';
import { memberRoles } from '../../workspaces/roles.ts';
import type { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { option } from '../frame/widgets.ts';
import { trail } from './openWorkspace.ts';
import { loadSettings, type SettingsData } from './settingsData.ts';

export function membersPart(data: SettingsData): Content {
  const { members, others } = data.settings;
  return html`<h2>Members</h2>
<div class="scroll"><table class="cards"><thead><tr><th scope="col">Person</th><th scope="col">Role</th><th scope="col">Lowered to</th><th scope="col">Time oversight</th><th scope="col">Change</th></tr></thead>
<tbody>${members.length ? members.map((member) => row(data, member)) : html`<tr><td colspan="5">Nobody yet.</td></tr>`}</tbody></table></div>
${others.length ? addForm(data) : html`<p class="muted">Everybody of the account is a member.</p>`}`;
}

const addForm = (data: SettingsData): Content =>
  postForm(
    data,
    { action: `${data.path}/members`, class: 'filters' },
    html`<label>Add from the account <select name="userId">${data.settings.others.map((person) => option(String(person.id), `${person.name} (${person.email})`, null))}</select></label>
<label>Role <select name="role">${memberRoles.map((role) => option(role, role, 'member'))}</select></label>
<button class="secondary">Add</button>`,
  );

const oversightWords = (given: boolean | null) => (given === null ? 'as the role has it' : given ? 'on' : 'off');

function row(data: SettingsData, { userId, name, email, active, role, access, timeOversight }: MemberLine): Content {
  const { basePath, path } = data;
  const lowered = Object.entries(access).map(([resource, level]) => `${resource}: ${level}`);
  return html`<tr><th scope="row">${name}${!active && ' (deactivated)'}<br><small class="muted">${email}</small></th><td data-label="Role">${role}</td>
<td data-label="Lowered to">${lowered.length ? lowered.join(', ') : '–'}</td><td data-label="Time oversight">${oversightWords(timeOversight)}</td>
<td><div class="actions"><a href="${basePath}${path}/members/${userId}" aria-label="Change ${name}">Change</a>
${removeForm(data, userId, name)}</div></td></tr>`;
}

function removeForm(data: SettingsData, userId: number, name: string): Content {
  const confirm = `Remove ${name}? They and their keys lose this workspace at once.`;
  return postForm(
    data,
    { action: `${data.path}/members/remove`, hidden: { userId }, confirm, class: 'plain' },
    html`<button class="secondary outline" aria-label="Remove ${name}">Remove</button>`,
  );
}

/** Role, oversight and what lowers the role, of one member. */
export async function memberPage(request: PageRequest): Promise<Answer> {
  const data = await loadSettings(request);
  const { settings, path } = data;
  const member = settings.members.find(({ userId }) => String(userId) === request.params.userId);
  if (!member) throw new Forbidden();
  return {
    title: `${member.name} in ${settings.name}`,
    body: html`${trail({ href: request.basePath + path, label: `Settings of ${settings.name}` })}
${memberForm(data, member)}`,
  };
}

function memberForm(data: SettingsData, member: MemberLine): Content {
  const oversight = member.timeOversight === null ? '' : member.timeOversight ? 'on' : 'off';
  return postForm(
    data,
    { action: `${data.path}/members`, hidden: { userId: member.userId } },
    html`<div class="sides"><label>Role <select name="role">${memberRoles.map((role) => option(role, role, member.role))}</select></label>
<label>Time oversight <select name="timeOversight">${option('', 'as the role has it', oversight)}${option('on', 'on', oversight)}${option('off', 'off', oversight)}</select><small>Sees the recorded time of others. Never a viewer.</small></label></div>
<fieldset><legend>Lower the role, resource by resource</legend><div class="sides">${resources.map((resource) => levelSelect(resource, member.access[resource]))}</div>
<small>This can only take away: a level above the role’s own changes nothing.</small></fieldset>
<button>Save</button>`,
  );
}

function levelSelect(resource: Resource, level: Level | undefined): Content {
  const lowering = levels.filter((one) => one !== 'delete');
  return html`<label>${resource} <select name="access-${resource}">${option('', 'as the role has it', level ?? '')}${lowering.map((one) => option(one, one, level ?? ''))}</select></label>`;
}

/** What the forms above hold. */
export function memberIn(form: Form) {
  const access = Object.fromEntries(
    resources.map((resource) => [resource, form.text(`access-${resource}`)] as const).filter(([, level]) => level !== ''),
  );
  const oversight = form.text('timeOversight');
  return { userId: form.id('userId'), role: form.text('role'), access, timeOversight: oversight === '' ? null : oversight === 'on' };
}
