/** /settings/people: users, roles, service users, weekly hours with confirmation, invitations, deactivation (behaviour §3.17). */
import type { Invited } from '../../accounts/invite.ts';
import { changeAccountRole, changeWeeklyHours, listPeople, type Person, setActive } from '../../accounts/people.ts';
import { accountRoles, userKinds } from '../../accounts/schema.ts';
import { call } from '../frame/call.ts';
import { avatar } from '../frame/components/avatar.ts';
import type { Labels } from '../frame/faults.ts';
import { type Fields, type Forms, formsOf } from '../frame/fields.ts';
import type { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { option, problemBox, zoneSelect } from '../frame/widgets.ts';
import { confirmed } from './confirmed.ts';

const PATH = '/settings/people';
const labels: Labels = {
  name: 'Name',
  email: 'E-mail',
  kind: 'Kind',
  accountRole: 'Role',
  timezone: 'Timezone',
  weeklyHours: 'Hours a week',
  userId: '',
  user: '',
};

async function show(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const people = await call(request, listPeople, {});
  const owner = request.user.accountRole === 'owner';
  const forms = formsOf(request, labels, refusal);
  return {
    title: 'People',
    status: refusal?.status ?? 200,
    body: html`
${problemBox(refusal?.problem)}
<p>Hours that nobody has confirmed count as 40 in forecasts, and are marked there. Who changed what stands in the <a href="${request.basePath}/settings/audit">audit</a>.</p>
<div class="scroll"><table class="cards">
<thead><tr><th scope="col">Name</th><th scope="col">Role in the account</th><th scope="col">Hours a week</th><th scope="col">Access</th></tr></thead>
<tbody>${people.map((person) => row(request, person, owner, forms))}</tbody>
</table></div>
<h2>Add somebody</h2>
${addForm(request, owner, forms(`${PATH}/add`))}`,
  };
}

function addForm(request: PageRequest, owner: boolean, fields: Fields): Content {
  const kinds = userKinds.map((kind) => option(kind, kind === 'person' ? 'Person' : 'Service user (no sign-in)', fields.value('kind')));
  const roles = accountRoles
    .filter((role) => owner || role !== 'owner')
    .toReversed()
    .map((role) => option(role, role, fields.value('accountRole')));
  return postForm(
    request,
    { action: `${PATH}/add`, once: true },
    html`<div class="sides">
${fields.field('name', (mark) => html`<input name="name" required maxlength="200" value="${fields.value('name')}"${mark}>`)}
${fields.field('email', (mark) => html`<input type="email" name="email" required maxlength="320" value="${fields.value('email')}"${mark}>`)}
${fields.field('kind', (mark) => html`<select name="kind"${mark}>${kinds}</select>`)}
${fields.field('accountRole', (mark) => html`<select name="accountRole"${mark}>${roles}</select>`)}
${fields.field('timezone', (mark) => zoneSelect(fields.value('timezone', request.user.timezone), false, mark))}
${fields.field('weeklyHours', (mark) => html`<input name="weeklyHours" inputmode="decimal" value="${fields.value('weeklyHours')}" placeholder="not confirmed"${mark}>`)}
</div>
<button>Add</button>`,
  );
}

function row(request: PageRequest, person: Person, owner: boolean, forms: Forms): Content {
  const state = person.active
    ? person.kind === 'service'
      ? 'service user'
      : person.canSignIn
        ? 'active'
        : 'has no password yet'
    : 'deactivated';
  return html`<tr>
<th scope="row">${avatar(person, { beside: true })}<span>${person.name}<br><small class="muted">${person.email}</small></span></th>
<td data-label="Role">${owner ? roleForm(request, person, forms) : person.accountRole}</td>
<td data-label="Hours a week">${hoursForm(request, person, forms)}</td>
<td data-label="Access">${state}<div class="actions">
${person.active && person.kind === 'person' && (owner || person.accountRole !== 'owner') && inviteForm(request, person)}
${owner && activeForm(request, person)}
</div></td>
</tr>`;
}

function roleForm(request: PageRequest, { id, name, accountRole }: Person, forms: Forms): Content {
  const form = { action: `${PATH}/role`, hidden: { userId: id }, class: 'plain actions' };
  const fields = forms(form.action, form.hidden);
  const roles = accountRoles.map((one) => option(one, one, fields.value('accountRole', accountRole)));
  return postForm(
    request,
    form,
    html`<select name="accountRole" aria-label="Role of ${name}"${fields.mark('accountRole')}>${roles}</select><button class="secondary outline">Change</button>${fields.note('accountRole')}`,
  );
}

function hoursForm(request: PageRequest, { id, name, weeklyMinutes }: Person, forms: Forms): Content {
  const hours = weeklyMinutes === null ? '' : String(weeklyMinutes / 60);
  const form = { action: `${PATH}/hours`, hidden: { userId: id }, class: 'plain actions' };
  const fields = forms(form.action, form.hidden);
  return postForm(
    request,
    form,
    html`<input name="weeklyHours" inputmode="decimal" size="5" value="${fields.value('weeklyHours', hours)}" placeholder="40?" aria-label="Hours a week of ${name}"${fields.mark('weeklyHours')}><button class="secondary outline">Confirm</button>${fields.note('weeklyHours')}`,
  );
}

/** Making a link for who can sign in already opens their account, and they are told so: that is asked first. */
function inviteForm(request: PageRequest, { id, name, canSignIn }: Person): Content {
  const question = `Make a link that sets a new password for ${name}? They are told. Whoever opens it gets in as ${name}, locked notes included.`;
  const form = { action: `${PATH}/invite`, hidden: { userId: id }, confirm: canSignIn ? question : null, class: 'plain' };
  return postForm(request, form, html`<button class="secondary outline">${canSignIn ? 'Password link' : 'Invitation link'}</button>`);
}

function activeForm(request: PageRequest, { id, name, active: isActive }: Person): Content {
  const confirm = isActive ? `Deactivate ${name}? Their keys, agents and sessions stop working at once.` : null;
  const form = { action: `${PATH}/active`, hidden: { userId: id, active: isActive ? 'no' : 'yes' }, confirm, class: 'plain' };
  return postForm(request, form, html`<button class="secondary outline">${isActive ? 'Deactivate' : 'Activate'}</button>`);
}

const told = (request: PageRequest) => ({ labels, again: (refusal: Refusal) => show(request, refusal) });

const add = (request: PageRequest): Promise<Answer> =>
  submitted(
    request,
    request.deps.invitations.addPerson,
    (form) => ({
      ...Object.fromEntries(['name', 'email', 'kind', 'accountRole', 'timezone'].map((field) => [field, form.text(field)])),
      weeklyHours: form.number('weeklyHours'),
    }),
    {
      done: ({ invited }) => (invited ? linkPage(request, invited) : { redirect: PATH, notice: 'created' }),
      ...told(request),
    },
  );

const role = (request: PageRequest): Promise<Answer> =>
  submitted(request, changeAccountRole, (form) => ({ userId: form.id('userId'), accountRole: form.text('accountRole') }), {
    done: () => ({ redirect: PATH, notice: 'saved' }),
    ...told(request),
  });

const hours = (request: PageRequest): Promise<Answer> =>
  submitted(request, changeWeeklyHours, (form) => ({ userId: form.id('userId'), weeklyHours: form.number('weeklyHours') }), {
    done: () => ({ redirect: PATH, notice: 'saved' }),
    ...told(request),
  });

function active(request: PageRequest): Promise<Answer> {
  const becomes = request.form.text('active') === 'yes';
  return submitted(request, setActive, (form) => ({ userId: form.id('userId'), active: becomes }), {
    done: () => ({ redirect: PATH, notice: becomes ? 'activated' : 'deactivated' }),
    ...told(request),
  });
}

const invite = (request: PageRequest): Promise<Answer> =>
  submitted(request, request.deps.invitations.invitePerson, (form) => ({ userId: form.id('userId') }), {
    done: (invited) => linkPage(request, invited),
    ...told(request),
  });

/** Shows a fresh link to the inviter. */
function linkPage({ basePath }: PageRequest, { link, mailed, known }: Invited): Answer {
  const back = html`<p><a href="${basePath}${PATH}">Back to the people</a></p>`;
  if (link === null)
    return { title: 'Password link', body: html`<p>The link has been mailed to them: it works once and ends in 24 hours.</p>${back}` };
  return {
    title: known ? 'Password link' : 'Invitation',
    body: html`
<p>Give this link to the person: it sets their password, works once and ends in ${known ? '24 hours' : 'seven days'}.${mailed && ' It has been mailed to them as well.'}</p>
<div class="actions"><code class="key" id="link">${link}</code> <button type="button" class="secondary outline" data-copy="link" hidden>Copy the link</button></div>
${back}`,
  };
}

const makesAdministrator = (form: Form): boolean => form.text('accountRole') !== 'member';

export const peopleRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: (request) => show(request) },
  { method: 'POST', path: `${PATH}/add`, handle: confirmed(add, makesAdministrator) },
  { method: 'POST', path: `${PATH}/role`, handle: confirmed(role, makesAdministrator) },
  { method: 'POST', path: `${PATH}/hours`, handle: hours },
  { method: 'POST', path: `${PATH}/active`, handle: active },
  { method: 'POST', path: `${PATH}/invite`, handle: invite },
];
