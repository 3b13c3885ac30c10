/** /settings/people: users, roles, service users, weekly hours with confirmation, invitations, deactivation (behaviour §3.17). */
import type { Invited } from '../../accounts/invite.ts';
import { changeAccountRole, changeWeeklyHours, listPeople, type Person, setActive } from '../../accounts/people.ts';
import { accountRoles, userKinds } from '../../accounts/schema.ts';
import { AppError } from '../../values/errors.ts';
import { call } from '../frame/call.ts';
import { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import { csrfField, onceField } from '../frame/layout.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { option, zoneSelect } from '../frame/widgets.ts';

const PATH = '/settings/people';

async function show(request: PageRequest, problem?: string): Promise<Answer> {
  const { deps, csrf, user, ctx } = request;
  // What was typed into another form of this page does not belong here.
  const form = ctx.path.endsWith('/add') ? request.form : new Form({});
  const people = await call<readonly Person[]>(request, listPeople, {});
  const at = `${deps.config.basePath}${PATH}`;
  const owner = user.accountRole === 'owner';
  return {
    title: 'People',
    status: problem ? 400 : 200,
    body: html`
${problem && html`<p class="error" role="alert">${problem}</p>`}
<p>Hours that nobody has confirmed count as 40 in forecasts, and are marked there.</p>
<div class="scroll"><table class="cards">
<thead><tr><th scope="col">Name</th><th scope="col">Role in the account</th><th scope="col">Hours a week</th><th scope="col">Access</th></tr></thead>
<tbody>${people.map((person) => row(at, csrf, person, owner))}</tbody>
</table></div>
<h2>Add somebody</h2>
<form method="post" action="${at}/add">${csrfField(csrf)}${onceField()}
<div class="sides">
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
<button>Add</button>
</form>`,
  };
}

function row(at: string, csrf: string, person: Person, owner: boolean): Content {
  const hidden = html`${csrfField(csrf)}<input type="hidden" name="userId" value="${person.id}">`;
  const role = owner
    ? html`<form method="post" action="${at}/role" class="plain actions">${hidden}<select name="accountRole" aria-label="Role of ${person.name}">${accountRoles.map((one) => option(one, one, person.accountRole))}</select><button class="secondary outline">Change</button></form>`
    : person.accountRole;
  const hours = person.weeklyMinutes === null ? '' : String(person.weeklyMinutes / 60);
  const state = person.active
    ? person.kind === 'service'
      ? 'service user'
      : person.canSignIn
        ? 'active'
        : 'has no password yet'
    : 'deactivated';
  return html`<tr>
<th scope="row">${person.name}<br><small class="muted">${person.email}</small></th>
<td data-label="Role">${role}</td>
<td data-label="Hours a week"><form method="post" action="${at}/hours" class="plain actions">${hidden}<input name="weeklyHours" inputmode="decimal" size="5" value="${hours}" placeholder="40?" aria-label="Hours a week of ${person.name}"><button class="secondary outline">Confirm</button></form></td>
<td data-label="Access">${state}<div class="actions">
${person.active && person.kind === 'person' && (owner || person.accountRole !== 'owner') && html`<form method="post" action="${at}/invite" class="plain"${linkQuestion(person)}>${hidden}<button class="secondary outline">${person.canSignIn ? 'Password link' : 'Invitation link'}</button></form>`}
${owner && person.active && html`<form method="post" action="${at}/active" class="plain" data-confirm="Deactivate ${person.name}? Their keys, agents and sessions stop working at once.">${hidden}<input type="hidden" name="active" value="no"><button class="secondary outline">Deactivate</button></form>`}
${owner && !person.active && html`<form method="post" action="${at}/active" class="plain">${hidden}<input type="hidden" name="active" value="yes"><button class="secondary outline">Activate</button></form>`}
</div></td>
</tr>`;
}

/** Making a link for who can sign in already opens their account, and they are told so: that is asked first. */
function linkQuestion({ canSignIn, name }: Person): Content {
  const question = `Make a link that sets a new password for ${name}? They are told. Whoever opens it gets in as ${name}, locked notes included.`;
  return canSignIn && html` data-confirm="${question}"`;
}

/** Runs a change; a refusal is shown above the list, with what was typed. */
async function change(request: PageRequest, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || !['invalid_request', 'conflict'].includes(error.code)) throw error;
    return show(request, error.message);
  }
}

const add = (request: PageRequest) =>
  change(request, async () => {
    const { form, deps } = request;
    const person = Object.fromEntries(['name', 'email', 'kind', 'accountRole', 'timezone'].map((field) => [field, form.text(field)]));
    const input = { ...person, weeklyHours: form.number('weeklyHours') };
    const { invited } = await call<{ invited: Invited | null }>(request, deps.invitations.addPerson, input);
    return invited ? linkPage(request, invited) : { redirect: PATH, notice: 'created' };
  });

const role = (request: PageRequest) =>
  change(request, async () => {
    const { form } = request;
    await call(request, changeAccountRole, { userId: form.id('userId'), accountRole: form.text('accountRole') });
    return { redirect: PATH, notice: 'saved' };
  });

const hours = (request: PageRequest) =>
  change(request, async () => {
    const { form } = request;
    await call(request, changeWeeklyHours, { userId: form.id('userId'), weeklyHours: form.number('weeklyHours') });
    return { redirect: PATH, notice: 'saved' };
  });

const active = (request: PageRequest) =>
  change(request, async () => {
    const { form } = request;
    const becomes = form.text('active') === 'yes';
    await call(request, setActive, { userId: form.id('userId'), active: becomes });
    return { redirect: PATH, notice: becomes ? 'activated' : 'deactivated' };
  });

const invite = (request: PageRequest) =>
  change(request, async () => {
    const { form, deps } = request;
    return linkPage(request, await call<Invited>(request, deps.invitations.invitePerson, { userId: form.id('userId') }));
  });

/** Shows a fresh link to the inviter. */
function linkPage({ deps }: PageRequest, { link, mailed }: Invited): Answer {
  return {
    title: 'Invitation',
    body: html`
<p>Give this link to the person: it sets their password, works once and ends in seven days.${mailed && ' It has been mailed to them as well.'}</p>
<div class="actions"><code class="key" id="link">${link}</code> <button type="button" class="secondary outline" data-copy="link" hidden>Copy the link</button></div>
<p><a href="${deps.config.basePath}${PATH}">Back to the people</a></p>`,
  };
}

export const peopleRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: (request) => show(request) },
  { method: 'POST', path: `${PATH}/add`, handle: add },
  { method: 'POST', path: `${PATH}/role`, handle: role },
  { method: 'POST', path: `${PATH}/hours`, handle: hours },
  { method: 'POST', path: `${PATH}/active`, handle: active },
  { method: 'POST', path: `${PATH}/invite`, handle: invite },
];
