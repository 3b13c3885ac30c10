/** /settings/people: users, roles, service users, weekly hours with confirmation, invitations, deactivation (behaviour §3.17). */
import { inAccount } from '../../access/accountAccessQueries.ts';
import { invite } from '../../accounts/invitations.ts';
import { addPerson, changeAccountRole, changeWeeklyHours, setActive } from '../../accounts/people.ts';
import { listPeople, type Person } from '../../accounts/peopleQueries.ts';
import { accountRoles, userKinds } from '../../accounts/schema.ts';
import { parseInput } from '../../operations/input.ts';
import { perform } from '../../operations/perform.ts';
import { enqueue } from '../../queue/jobs.ts';
import { AppError } from '../../values/errors.ts';
import { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import { csrfField, onceField } from '../frame/layout.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { option, zoneSelect } from '../frame/widgets.ts';

const PATH = '/settings/people';

async function show(request: PageRequest, problem?: string): Promise<Answer> {
  const { deps, caller, csrf, user, ctx } = request;
  // What was typed into another form of this page does not belong here.
  const form = ctx.path.endsWith('/add') ? request.form : new Form({});
  const { accountId } = await inAccount(deps.db.pool(), caller, ['owner', 'admin']);
  const people = await listPeople(deps.db.pool(), accountId);
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
    const { form, deps, caller } = request;
    const [name, email, kind, accountRole, timezone] = ['name', 'email', 'kind', 'accountRole', 'timezone'].map((field) =>
      form.text(field),
    );
    const input = parseInput(addPerson.input, { name, email, kind, accountRole, timezone, weeklyHours: form.number('weeklyHours') });
    const { id } = (await perform(deps.db, caller, addPerson, input)) as { id: number };
    return kind === 'person' ? invitation(request, id) : { redirect: PATH, notice: 'created' };
  });

const role = (request: PageRequest) =>
  change(request, async () => {
    const { form, deps, caller } = request;
    await perform(
      deps.db,
      caller,
      changeAccountRole,
      parseInput(changeAccountRole.input, { userId: form.id('userId'), accountRole: form.text('accountRole') }),
    );
    return { redirect: PATH, notice: 'saved' };
  });

const hours = (request: PageRequest) =>
  change(request, async () => {
    const { form, deps, caller } = request;
    await perform(
      deps.db,
      caller,
      changeWeeklyHours,
      parseInput(changeWeeklyHours.input, { userId: form.id('userId'), weeklyHours: form.number('weeklyHours') }),
    );
    return { redirect: PATH, notice: 'saved' };
  });

const active = (request: PageRequest) =>
  change(request, async () => {
    const { form, deps, caller } = request;
    const input = parseInput(setActive.input, { userId: form.id('userId'), active: form.text('active') === 'yes' });
    await perform(deps.db, caller, setActive, input);
    return { redirect: PATH, notice: input.active ? 'activated' : 'deactivated' };
  });

/** Shows a fresh link to the inviter, and mails it where mail is set up. */
async function invitation({ deps, caller }: PageRequest, userId: number): Promise<Answer> {
  const { config, db } = deps;
  const { link } = await db.transaction(async (tx) => {
    const made = await invite(tx, await inAccount(tx, caller, ['owner', 'admin']), userId, config);
    if (config.mail.smtpUrl) await enqueue(tx, 'mail_invitation', { invitationId: made.id });
    return made;
  });
  return {
    title: 'Invitation',
    body: html`
<p>Give this link to the person: it sets their password, works once and ends in seven days.${config.mail.smtpUrl ? ' It has been mailed to them as well.' : ''}</p>
<div class="actions"><code class="key" id="link">${link}</code> <button type="button" class="secondary outline" data-copy="link" hidden>Copy the link</button></div>
<p><a href="${config.basePath}${PATH}">Back to the people</a></p>`,
  };
}

export const peopleRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: (request) => show(request) },
  { method: 'POST', path: `${PATH}/add`, handle: add },
  { method: 'POST', path: `${PATH}/role`, handle: role },
  { method: 'POST', path: `${PATH}/hours`, handle: hours },
  { method: 'POST', path: `${PATH}/active`, handle: active },
  { method: 'POST', path: `${PATH}/invite`, handle: (request) => change(request, () => invitation(request, request.form.id('userId'))) },
];
