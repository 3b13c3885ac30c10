/** Who belongs to a workspace, with which role, and what lowers it (behaviour §3.3, §3.4). */
import { type Level, levels, type Resource, resources } from '../../access/rights.ts';
import { Forbidden } from '../../values/errors.ts';
import type { MemberLine } from '../../workspaces/administer.ts';
import { memberRoles } from '../../workspaces/roles.ts';
import { avatar } from '../frame/components/avatar.ts';
import type { Fields } from '../frame/fields.ts';
import type { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import type { Refusal } from '../frame/submitted.ts';
import { option, problemBox } from '../frame/widgets.ts';
import { trail } from './openWorkspace.ts';
import { loadSettings, type SettingsData } from './settingsData.ts';

export function membersPart(data: SettingsData): Content {
  const { members, others } = data.settings;
  return html`<h2>Members</h2>
<div class="scroll"><table class="cards"><thead><tr><th scope="col">Person</th><th scope="col">Role</th><th scope="col">Lowered to</th><th scope="col">Time oversight</th><th scope="col">Change</th></tr></thead>
<tbody>${members.length ? members.map((member) => row(data, member)) : html`<tr><td colspan="5">Nobody yet.</td></tr>`}</tbody></table></div>
${others.length ? addForm(data) : html`<p class="muted">Everybody of the account is a member.</p>`}`;
}

function addForm(data: SettingsData): Content {
  const action = `${data.path}/members`;
  const fields = data.forms(action);
  const people = data.settings.others.map(({ id, name, email }) => option(String(id), `${name} (${email})`, fields.value('userId')));
  return postForm(
    data,
    { action, class: 'filters' },
    html`${fields.field('userId', (mark) => html`<select name="userId"${mark}>${people}</select>`, null, 'Add from the account')}
${roleField(fields, 'member')}
<button class="secondary">Add</button>`,
  );
}

function roleField(fields: Fields, usual: MemberLine['role']): Content {
  const chosen = fields.value('role', usual);
  return fields.field('role', (mark) => html`<select name="role"${mark}>${memberRoles.map((role) => option(role, role, chosen))}</select>`);
}

const oversightWords = (given: boolean | null) => (given === null ? 'as the role has it' : given ? 'on' : 'off');

function row(data: SettingsData, { userId, name, email, active, role, access, timeOversight }: MemberLine): Content {
  const { basePath, path } = data;
  const lowered = Object.entries(access).map(([resource, level]) => `${resource}: ${level}`);
  return html`<tr><th scope="row">${avatar({ id: userId, name, kind: 'person' }, { beside: true })}<span>${name}${!active && ' (deactivated)'}<br><small class="muted">${email}</small></span></th><td data-label="Role">${role}</td>
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
export async function memberPage(request: PageRequest, wanted: string, refusal?: Refusal): Promise<Answer> {
  const data = await loadSettings(request, refusal);
  const { settings, path } = data;
  const member = settings.members.find(({ userId }) => String(userId) === wanted);
  if (!member) throw new Forbidden();
  return {
    crumbs: trail({ href: request.basePath + path, label: `Settings of ${settings.name}` }),
    title: `${member.name} in ${settings.name}`,
    status: refusal?.status ?? 200,
    body: html`${problemBox(refusal?.problem)}
${memberForm(data, member)}`,
  };
}

function memberForm(data: SettingsData, member: MemberLine): Content {
  const form = { action: `${data.path}/members`, hidden: { userId: member.userId } };
  const fields = data.forms(form.action, form.hidden);
  return postForm(
    data,
    form,
    html`<div class="sides">${roleField(fields, member.role)}
${oversightField(fields, member)}</div>
<fieldset><legend>Lower the role, resource by resource</legend><div class="sides">${resources.map((resource) => levelSelect(fields, resource, member.access[resource]))}</div>
<small>This can only take away: a level above the role’s own changes nothing.</small></fieldset>
<button>Save</button>`,
  );
}

function oversightField(fields: Fields, { timeOversight }: MemberLine): Content {
  const chosen = fields.value('timeOversight', timeOversight === null ? '' : timeOversight ? 'on' : 'off');
  const offered = [option('', 'as the role has it', chosen), option('on', 'on', chosen), option('off', 'off', chosen)];
  const hint = 'Sees the recorded time of others. Never a viewer.';
  return fields.field('timeOversight', (mark) => html`<select name="timeOversight"${mark}>${offered}</select>`, hint);
}

function levelSelect(fields: Fields, resource: Resource, level: Level | undefined): Content {
  const name = `access-${resource}`;
  const chosen = fields.value(name, level);
  const lowering = levels.filter((one) => one !== 'delete').map((one) => option(one, one, chosen));
  return fields.field(
    resource,
    (mark) => html`<select name="${name}"${mark}>${option('', 'as the role has it', chosen)}${lowering}</select>`,
  );
}

/** Whether it was sent from a member's own page, and not from the one of all settings. */
export const isOfMember = (form: Form) => form.has('timeOversight');

/** What the forms above hold. */
export function memberIn(form: Form) {
  const access = Object.fromEntries(
    resources.map((resource) => [resource, form.text(`access-${resource}`)] as const).filter(([, level]) => level !== ''),
  );
  const oversight = form.text('timeOversight');
  return { userId: form.id('userId'), role: form.text('role'), access, timeOversight: oversight === '' ? null : oversight === 'on' };
}
