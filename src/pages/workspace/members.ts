/** Members, their roles, and their limits (behaviour §3.3, §3.4). */

import { type Level, levels, type Resource, resources } from '../../access/rights.ts';
import { dropMember } from '../../plans/leave.ts';
import { Forbidden } from '../../values/errors.ts';
import { type MemberLine, type Members, putMember } from '../../workspaces/administer.ts';
import { memberRoles } from '../../workspaces/statuses.ts';
import { leavingQuestion } from '../account/leaving.ts';
import { avatar } from '../frame/components/avatar.ts';
import { card } from '../frame/components/boxes.ts';
import { button, linkButton } from '../frame/components/button.ts';
import { personChoice, pickSelect } from '../frame/components/picker.ts';
import { table } from '../frame/components/row.ts';
import { askedFirst } from '../frame/confirm.ts';
import type { Fields } from '../frame/fields.ts';
import type { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { asks, postForm } from '../frame/postForm.ts';
import { option } from '../frame/widgets.ts';
import { trail } from './openWorkspace.ts';
import {
  type FormPlace,
  loadSettings,
  type Refused,
  type SettingsData,
  settingsForm,
  settingsFrame,
  settingsPage,
} from './settingsData.ts';

const show = (request: PageRequest, refused?: Refused): Promise<Answer> => settingsPage(request, 'members', membersCard, refused);

const CARD = 'members';

function membersCard(data: SettingsData): Content {
  const { members, others } = data.settings.members ?? { members: [], others: [] };
  const rows = members.map((member) => row(data, member));
  const people = rows.length
    ? table(
        {
          caption: 'Members',
          class: 'members',
          columns: [
            { label: 'Person' },
            { label: 'Role' },
            { label: 'Limits' },
            { label: 'Time oversight' },
            { label: 'Change', quiet: true },
          ],
        },
        rows,
      )
    : html`<p class="hint">No members yet.</p>`;
  const add = others.length ? addForm(data, others) : html`<p class="hint">All users of the account are members.</p>`;
  const count = `${members.length} ${members.length === 1 ? 'person' : 'people'}`;
  return card('Members', html`${data.problem(CARD)}${people}${add}`, { id: CARD, meta: count });
}

function addForm(data: SettingsData, others: Members['others']): Content {
  const action = `${data.path}/members`;
  const fields = data.forms(action);
  const options = others.map(({ id, name, email }) => ({ ...personChoice(id, name), label: `${name} (${email})` }));
  const chosen = fields.value('userId');
  return postForm(
    data,
    { action, live: `#${CARD}`, class: 'filters' },
    html`${fields.field('userId', (attributes) => pickSelect({ name: 'userId', options, chosen, attributes }), null, 'Add from the account')}
${roleField(fields, 'member')}
${button('Add', { icon: 'user-plus' })}`,
  );
}

/** `own`: the reader's own role; lowering it asks first. */
function roleField(fields: Fields, usual: MemberLine['role'], own = false): Content {
  const chosen = fields.value('role', usual);
  const offered = memberRoles.map((role) => {
    const question = own && isLower(role, usual) && loweringQuestion(role);
    return html`<option value="${role}"${role === chosen && html` selected`}${question && html` data-ask="${question}"`}>${role}</option>`;
  });
  return fields.field('role', (mark) => html`<select name="role"${mark}>${offered}</select>`);
}

/** Roles are ordered from highest to lowest. */
const isLower = (role: string, than: string): boolean => order.indexOf(role) > order.indexOf(than);
const order: readonly string[] = memberRoles;

const loweringQuestion = (role: string): string => `Make yourself a ${role}? You may not be able to undo this.`;

function ownLowering({ form, user }: PageRequest): string | null {
  const role = form.text('role');
  return form.id('userId') === user.id && isLower(role, form.text('was') || 'viewer') ? loweringQuestion(role) : null;
}

const oversightWords = (given: boolean | null) => (given === null ? 'Same as role' : given ? 'on' : 'off');

function row(data: SettingsData, { userId, name, kind, email, active, role, access, timeOversight }: MemberLine): Content[] {
  const { basePath, path } = data;
  const lowered = Object.entries(access).map(([resource, level]) => `${resource}: ${level}`);
  const who = html`<span class="person" id="member-${userId}">${avatar({ id: userId, name, kind }, { beside: true })}<span>${name}${!active && ' (deactivated)'}<br><small class="muted">${email}</small></span></span>`;
  const change = linkButton(`${basePath}${path}/members/${userId}`, 'Change', { small: true, said: `Change ${name}` });
  return [
    ...[who, role, lowered.length ? lowered.join(', ') : '–', oversightWords(timeOversight)],
    html`<div class="actions">${change}${removeForm(data, userId, name)}</div>`,
  ];
}

function removeForm(data: SettingsData, userId: number, name: string): Content {
  return postForm(
    data,
    { action: `${data.path}/members/remove`, hidden: { userId }, class: 'plain' },
    button('Remove', { small: true, kind: 'danger', said: `Remove ${name}` }),
  );
}

async function memberPage(request: PageRequest, wanted: string | undefined, refused?: Refused): Promise<Answer> {
  const data = await loadSettings(request, 'members', refused);
  const member = data.settings.members?.members.find(({ userId }) => String(userId) === wanted);
  if (!member) throw new Forbidden();
  const { name } = data.settings;
  const form = card('Role and permissions', html`${data.problem(CARD)}${memberForm(request, data, member)}`, { id: 'member' });
  return {
    ...settingsFrame(data, 'members', form),
    crumbs: trail({ href: `${request.basePath}${data.path}/members`, label: `Settings of ${name}` }),
    title: `${member.name} in ${name}`,
    tab: `${member.name} in ${name}`,
    status: refused?.refusal.status ?? 200,
  };
}

function memberForm(request: PageRequest, data: SettingsData, member: MemberLine): Content {
  const { userId, role } = member;
  const form = { action: `${data.path}/members`, hidden: { userId, was: role } };
  const fields = data.forms(form.action, { userId });
  const own = userId === request.user.id;
  return postForm(
    data,
    form,
    html`<div class="sides">${roleField(fields, role, own)}
${oversightField(fields, member)}</div>
<fieldset><legend>Reduce permissions per resource</legend><div class="sides">${resources.map((resource) => levelSelect(fields, resource, member.access[resource]))}</div>
<small>A level above the role’s own level has no effect.</small></fieldset>
${own && asks}${button('Save', { kind: 'primary' })}`,
  );
}

function oversightField(fields: Fields, { timeOversight }: MemberLine): Content {
  const chosen = fields.value('timeOversight', timeOversight === null ? '' : timeOversight ? 'on' : 'off');
  const offered = [option('', 'Same as role', chosen), option('on', 'on', chosen), option('off', 'off', chosen)];
  const hint = 'Can see recorded time of others. Not available to viewers.';
  return fields.field('timeOversight', (mark) => html`<select name="timeOversight"${mark}>${offered}</select>`, hint);
}

function levelSelect(fields: Fields, resource: Resource, level: Level | undefined): Content {
  const name = `access-${resource}`;
  const chosen = fields.value(name, level);
  const lowering = levels.filter((one) => one !== 'delete').map((one) => option(one, one, chosen));
  return fields.field(resource, (mark) => html`<select name="${name}"${mark}>${option('', 'Same as role', chosen)}${lowering}</select>`);
}

/** True if the form was sent from the member's own page. */
const isOfMember = (form: Form) => form.has('timeOversight');

const again = (request: PageRequest, refused: Refused): Promise<Answer> =>
  isOfMember(request.form) ? memberPage(request, request.form.text('userId'), refused) : show(request, refused);

function memberIn(form: Form) {
  const access = Object.fromEntries(
    resources.map((resource) => [resource, form.text(`access-${resource}`)] as const).filter(([, level]) => level !== ''),
  );
  const oversight = form.text('timeOversight');
  return { userId: form.id('userId'), role: form.text('role'), access, timeOversight: oversight === '' ? null : oversight === 'on' };
}

const place: FormPlace = { part: 'members', card: CARD, show: again };
const path = '/workspaces/:id/settings/members';
const put = settingsForm('members', putMember, memberIn, place);
const remove = settingsForm('members/remove', dropMember, (sent) => ({ userId: sent.id('userId') }), place, 'removed');

export const membersRoutes: PageRoute[] = [
  { method: 'GET', path, handle: (request) => show(request) },
  { method: 'GET', path: `${path}/:userId`, handle: (request) => memberPage(request, request.params.userId) },
  { ...put, handle: askedFirst(put.handle, ownLowering) },
  { ...remove, handle: askedFirst(remove.handle, (request) => leavingQuestion(request, Number(request.params.id))) },
];
