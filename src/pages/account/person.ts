/** /settings/people/:userId: one person of the account (behaviour §3.17, §30.6). */
import { changeAccountRole, changeWeeklyHours } from '../../accounts/people.ts';
import { eraseUser } from '../../erasure/eraseDue.ts';
import { getPerson, type PersonSeen } from '../../overviews/people.ts';
import { setActive } from '../../plans/leave.ts';
import { Forbidden, InvalidRequest } from '../../values/errors.ts';
import { clockOf } from '../frame/clock.ts';
import { avatar } from '../frame/components/avatar.ts';
import { card } from '../frame/components/boxes.ts';
import { button } from '../frame/components/button.ts';
import { table } from '../frame/components/row.ts';
import { ago, moment } from '../frame/components/when.ts';
import { askedFirst } from '../frame/confirm.ts';
import { type Forms, formsOf } from '../frame/fields.ts';
import type { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { handlersOn, type Refusal } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';
import { withPasswordConfirmation } from './confirmed.ts';
import { leavingQuestion } from './leaving.ts';
import { linkMails, linkPage } from './linkMail.ts';
import { confirmRoleChange, labels, PATH, roleSelect, stateOf } from './peopleParts.ts';

async function show(request: PageRequest, userId: number, refusal?: Refusal): Promise<Answer> {
  const person = await call(request, getPerson, { userId });
  const forms = formsOf(request, labels, refusal);
  const { basePath } = request;
  const state = stateOf(person);
  return {
    crumbs: html`<a href="${basePath}${PATH}">People</a>`,
    title: person.name,
    status: refusal?.status ?? 200,
    body: html`<p class="person">${avatar(person, { beside: true, size: 'l' })}<span>${person.email}<br><small class="muted">Last seen ${ago(person.lastSeenAt, clockOf(request))}${state && ` · ${state}`}</small></span></p>
<div class="settings">${card('Role and access', html`${problemBox(refusal?.problem)}${inAccount(request, person, forms)}`, { id: 'account' })}
${workspacesCard(request, person)}${keysCard(request, person)}${agentsCard(request, person)}</div>`,
  };
}

function inAccount(request: PageRequest, person: PersonSeen, forms: Forms): Content {
  if (person.erased) return html`<p class="hint">This user was erased.</p>`;
  const owner = request.user.accountRole === 'owner';
  const may = person.active && person.kind === 'person' && (owner || person.accountRole !== 'owner');
  return html`<div class="sides">${owner ? roleForm(request, person, forms) : html`<p>Role: ${person.accountRole}</p>`}
${hoursForm(request, person, forms)}</div>
<p><a href="${request.basePath}${PATH}/${person.id}/hours">Absences and hours</a></p>
${linkMails(request, [{ userId: person.id, name: person.name, mail: person.linkMail }])}<div class="actions">${may && inviteForm(request, person)}${owner && html`${activeForm(request, person)}${eraseForm(request, person)}`}</div>`;
}

/** Reloads the page, because it may ask for the password. */
function roleForm(request: PageRequest, { id, name, accountRole }: PersonSeen, forms: Forms): Content {
  const form = { action: `${PATH}/role`, hidden: { userId: id } };
  const fields = forms(form.action, form.hidden);
  const own = id === request.user.id;
  const select = (mark: Content) => roleSelect(fields, { owner: true, now: accountRole, whom: name, mark, own });
  return postForm(
    request,
    { ...form, hidden: { ...form.hidden, name } },
    html`${fields.field('accountRole', select, null, 'Role in the account')}${button('Change')}`,
  );
}

function hoursForm(request: PageRequest, { id, weeklyMinutes }: PersonSeen, forms: Forms): Content {
  const hours = weeklyMinutes === null ? '' : String(weeklyMinutes / 60);
  const form = { action: `${PATH}/hours`, hidden: { userId: id } };
  const fields = forms(form.action, form.hidden);
  return postForm(
    request,
    { ...form, live: '#account' },
    html`${fields.field('weeklyHours', (mark) => html`<input name="weeklyHours" inputmode="decimal" size="5" value="${fields.value('weeklyHours', hours)}" placeholder="40?"${mark}>`)}${button('Confirm')}`,
  );
}

/** Asks first if the person can already sign in: the link gives access to their account. */
function inviteForm(request: PageRequest, { id, name, canSignIn }: PersonSeen): Content {
  const question = `Create a password link for ${name}? Anyone who opens it can sign in as ${name} and open their locked notes. ${name} is notified.`;
  const form = { action: `${PATH}/invite`, hidden: { userId: id }, confirm: canSignIn ? question : null, class: 'plain' };
  return postForm(request, form, button(canSignIn ? 'Password link' : 'Invitation link'));
}

function activeForm(request: PageRequest, { id, active: isActive }: PersonSeen): Content {
  const form = { action: `${PATH}/active`, hidden: { userId: id, active: isActive ? 'no' : 'yes' }, class: 'plain' };
  return postForm(request, form, button(isActive ? 'Deactivate' : 'Activate', isActive ? { kind: 'danger' } : {}));
}

function eraseForm(request: PageRequest, { id }: PersonSeen): Content {
  const form = { action: `${PATH}/erase`, hidden: { userId: id }, class: 'plain' };
  return postForm(request, form, button('Erase', { kind: 'danger' }));
}

async function erasingQuestion(request: PageRequest): Promise<Content> {
  const { name } = await call(request, getPerson, { userId: request.form.id('userId') });
  return html`<p>Erase ${name}? This cannot be undone. Their personal data, sessions, keys, agents and notes are deleted.</p>
<p>Their items remain, with the author “Deleted user”. Texts in which others typed the name are not changed.</p>`;
}

function workspacesCard({ basePath }: PageRequest, { id, workspaces, invitedTo }: PersonSeen): Content {
  const rows = [
    ...workspaces.map((one) => [
      html`<a href="${basePath}/workspaces/${one.id}/settings/members/${id}">${one.name}</a>${one.archived && html` <small class="muted">archived</small>`}`,
      one.role,
    ]),
    ...invitedTo.map(({ name, role }) => [html`${name} <small class="muted">joins when the invitation is accepted</small>`, role]),
  ];
  const columns = [{ label: 'Workspace' }, { label: 'Role' }];
  const body = rows.length ? table({ caption: 'Workspaces', columns }, rows) : html`<p class="hint">Not a member of any workspace.</p>`;
  return card('Workspaces', body, { id: 'workspaces' });
}

function keysCard(request: PageRequest, { heldKeys }: PersonSeen): Content {
  const clock = clockOf(request);
  const columns = [{ label: 'Key' }, { label: 'Last used' }, { label: 'Expires' }];
  const rows = heldKeys.map(({ name, lastUsedAt, expiresAt }) => [name, ago(lastUsedAt, clock), moment(expiresAt, clock)]);
  const body = rows.length ? table({ caption: 'API keys', columns }, rows) : html`<p class="hint">No API keys act for this user.</p>`;
  const more =
    request.user.accountRole === 'owner' &&
    html`<p class="hint"><a href="${request.basePath}/settings/keys">API keys of the account</a></p>`;
  return card('API keys', html`${body}${more}`, { id: 'keys' });
}

function agentsCard(request: PageRequest, { heldAgents }: PersonSeen): Content {
  const clock = clockOf(request);
  const columns = [{ label: 'Agent' }, { label: 'Workspaces' }, { label: 'Last used' }, { label: 'Expires' }];
  const rows = heldAgents.map(({ name, workspaces, lastUsedAt, expiresAt }) => [
    ...[name, workspaces.join(', ') || 'none', ago(lastUsedAt, clock), moment(expiresAt, clock)],
  ]);
  const body = rows.length ? table({ caption: 'Agents', columns }, rows) : html`<p class="hint">No agents act for this user.</p>`;
  return card('Agents', body, { id: 'agents' });
}

/** If the person does not exist, there is no page for the error. */
async function again(request: PageRequest, refusal: Refusal): Promise<Answer> {
  try {
    return await show(request, request.form.id('userId'), refusal);
  } catch (error) {
    if (!(error instanceof Forbidden || error instanceof InvalidRequest)) throw error;
    return { title: 'People', status: refusal.status, body: problemBox(refusal.problem) };
  }
}

const form = handlersOn(again, labels);
const back = ({ form: sent }: PageRequest, notice: string): Answer => ({ redirect: `${PATH}/${sent.id('userId')}`, notice });
const idIn = (sent: Form) => ({ userId: sent.id('userId') });
const becomesActive = (sent: Form): boolean => sent.text('active') === 'yes';

const role = form(
  changeAccountRole,
  (sent) => ({ ...idIn(sent), accountRole: sent.text('accountRole') }),
  // A user who lowered their own role may not see this page.
  (_, request) => (request.form.id('userId') === request.user.id ? { redirect: '/profile', notice: 'saved' } : back(request, 'saved')),
);

const hours = form(
  changeWeeklyHours,
  (sent) => ({ ...idIn(sent), weeklyHours: sent.number('weeklyHours') }),
  (_, request) => back(request, 'saved'),
);

const active = form(
  setActive,
  (sent) => ({ ...idIn(sent), active: becomesActive(sent) }),
  (_, request) => back(request, becomesActive(request.form) ? 'activated' : 'deactivated'),
);

const invite = (request: PageRequest): Promise<Answer> =>
  form(
    request.deps.invitations.invitePerson,
    (sent) => ({ ...idIn(sent), handOver: sent.has('handOver') }),
    (invited) => linkPage(request, request.form.id('userId'), invited),
  )(request);

const erase = form(eraseUser, idIn, (_, request) => back(request, 'erased'));

export const personRoutes: PageRoute[] = [
  { method: 'GET', path: `${PATH}/:userId`, handle: (request) => show(request, Number(request.params.userId)) },
  { method: 'POST', path: `${PATH}/role`, handle: confirmRoleChange(role, (sent) => sent.text('name') || 'them') },
  { method: 'POST', path: `${PATH}/hours`, handle: hours },
  {
    method: 'POST',
    path: `${PATH}/active`,
    handle: askedFirst(active, (request) => (becomesActive(request.form) ? null : leavingQuestion(request))),
  },
  { method: 'POST', path: `${PATH}/erase`, handle: askedFirst(withPasswordConfirmation(erase), erasingQuestion) },
  { method: 'POST', path: `${PATH}/invite`, handle: invite },
];
