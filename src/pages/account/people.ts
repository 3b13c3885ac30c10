/** /settings/people: users, roles, service users, weekly hours with confirmation, invitations, deactivation (behaviour §3.17). */
import type { Invited } from '../../accounts/invite.ts';
import { changeAccountRole, changeWeeklyHours, listPeople, type Person, setActive } from '../../accounts/people.ts';
import { accountRoles, userKinds } from '../../accounts/schema.ts';
import { call } from '../frame/call.ts';
import { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { option, problemBox, zoneSelect } from '../frame/widgets.ts';
import { confirmed } from './confirmed.ts';

const PATH = '/settings/people';

async function show(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const people = await call(request, listPeople, {});
  const owner = request.user.accountRole === 'owner';
  return {
    title: 'People',
    status: refusal?.status ?? 200,
    body: html`
${problemBox(refusal?.problem)}
<p>Hours that nobody has confirmed count as 40 in forecasts, and are marked there.</p>
<div class="scroll"><table class="cards">
<thead><tr><th scope="col">Name</th><th scope="col">Role in the account</th><th scope="col">Hours a week</th><th scope="col">Access</th></tr></thead>
<tbody>${people.map((person) => row(request, person, owner))}</tbody>
</table></div>
<h2>Add somebody</h2>
${addForm(request, owner)}`,
  };
}

function addForm(request: PageRequest, owner: boolean): Content {
  const { ctx, user } = request;
  // What was typed into another form of this page does not belong here.
  const form = ctx.path.endsWith('/add') ? request.form : new Form({});
  return postForm(
    request,
    { action: `${PATH}/add`, once: true },
    html`<div class="sides">
<label>Name <input name="name" required maxlength="200" value="${form.text('name')}"></label>
<label>E-mail <input type="email" name="email" required maxlength="320" value="${form.text('email')}"></label>
<label>Kind <select name="kind">${userKinds.map((kind) => option(kind, kind === 'person' ? 'Person' : 'Service user (no sign-in)', form.text('kind')))}</select></label>
<label>Role <select name="accountRole">${accountRoles
      .filter((role) => owner || role !== 'owner')
      .toReversed()
      .map((role) => option(role, role, form.text('accountRole')))}</select></label>
<label>Timezone ${zoneSelect(form.text('timezone') || user.timezone)}</label>
<label>Hours a week <input name="weeklyHours" inputmode="decimal" value="${form.text('weeklyHours')}" placeholder="not confirmed"></label>
</div>
<button>Add</button>`,
  );
}

function row(request: PageRequest, person: Person, owner: boolean): Content {
  const state = person.active
    ? person.kind === 'service'
      ? 'service user'
      : person.canSignIn
        ? 'active'
        : 'has no password yet'
    : 'deactivated';
  return html`<tr>
<th scope="row">${person.name}<br><small class="muted">${person.email}</small></th>
<td data-label="Role">${owner ? roleForm(request, person) : person.accountRole}</td>
<td data-label="Hours a week">${hoursForm(request, person)}</td>
<td data-label="Access">${state}<div class="actions">
${person.active && person.kind === 'person' && (owner || person.accountRole !== 'owner') && inviteForm(request, person)}
${owner && activeForm(request, person)}
</div></td>
</tr>`;
}

const roleForm = (request: PageRequest, { id, name, accountRole }: Person): Content =>
  postForm(
    request,
    { action: `${PATH}/role`, hidden: { userId: id }, class: 'plain actions' },
    html`<select name="accountRole" aria-label="Role of ${name}">${accountRoles.map((one) => option(one, one, accountRole))}</select><button class="secondary outline">Change</button>`,
  );

function hoursForm(request: PageRequest, { id, name, weeklyMinutes }: Person): Content {
  const hours = weeklyMinutes === null ? '' : String(weeklyMinutes / 60);
  return postForm(
    request,
    { action: `${PATH}/hours`, hidden: { userId: id }, class: 'plain actions' },
    html`<input name="weeklyHours" inputmode="decimal" size="5" value="${hours}" placeholder="40?" aria-label="Hours a week of ${name}"><button class="secondary outline">Confirm</button>`,
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

const again = (request: PageRequest) => (refusal: Refusal) => show(request, refusal);

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
      again: again(request),
    },
  );

const role = (request: PageRequest): Promise<Answer> =>
  submitted(request, changeAccountRole, (form) => ({ userId: form.id('userId'), accountRole: form.text('accountRole') }), {
    done: () => ({ redirect: PATH, notice: 'saved' }),
    again: again(request),
  });

const hours = (request: PageRequest): Promise<Answer> =>
  submitted(request, changeWeeklyHours, (form) => ({ userId: form.id('userId'), weeklyHours: form.number('weeklyHours') }), {
    done: () => ({ redirect: PATH, notice: 'saved' }),
    again: again(request),
  });

function active(request: PageRequest): Promise<Answer> {
  const becomes = request.form.text('active') === 'yes';
  return submitted(request, setActive, (form) => ({ userId: form.id('userId'), active: becomes }), {
    done: () => ({ redirect: PATH, notice: becomes ? 'activated' : 'deactivated' }),
    again: again(request),
  });
}

const invite = (request: PageRequest): Promise<Answer> =>
  submitted(request, request.deps.invitations.invitePerson, (form) => ({ userId: form.id('userId') }), {
    done: (invited) => linkPage(request, invited),
    again: again(request),
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
