/** /invitation: sets the first password; /settings/password: changes it. */
import type { Invitee } from '../../accounts/invite.ts';
import { changePassword as change } from '../../accounts/ownPassword.ts';
import type { NewSession } from '../../accounts/sessions.ts';
import { joinWithAnd } from '../agents/words.ts';
import { Fields, formsOf } from '../frame/fields.ts';
import type { Form, Labels } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute, PublicRequest, Redirect } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { browserOf, call, setSession } from '../frame/session.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';
import { countAttempt } from './forgotten.ts';
import { giveMark } from './knownBrowser.ts';
import { profileTabs } from './profile.ts';

/** Sets the session cookie and the known-browser cookie. */
export function redirectSignedIn({ ctx, deps }: PublicRequest, begun: NewSession, where: Redirect): Redirect {
  setSession(ctx, deps.config, begun.session);
  giveMark(ctx, deps.config, begun.userId);
  return where;
}

/** Rethrows conflicts: another request was first, so correcting the form is useless. */
export function rethrowConflict(refusal: Refusal): Refusal {
  if (refusal.status === 409) throw refusal.error;
  return refusal;
}

/** Always empty when the form is shown again. */
export const newPasswordField = (fields: Fields) =>
  fields.field(
    'password',
    (mark) => html`<input type="password" name="password" required minlength="10" maxlength="1024" autocomplete="new-password"${mark}>`,
    'At least 10 characters and hard to guess, such as a few unrelated words.',
  );

interface Link {
  id: string;
  token: string;
}

const showInvitation = (request: PublicRequest) =>
  invitationPage(request, { id: request.query.get('i') ?? '', token: request.query.get('t') ?? '' });

async function invitationPage(request: PublicRequest, link: Link, refusal?: Refusal): Promise<Answer> {
  const invitee = await call(request, request.deps.invitations.getInvitation, link);
  const body = invitationForm(request, invitee, link, refusal);
  return { title: titleOf(invitee), status: refusal?.status ?? 200, body };
}

const titleOf = ({ known, accountName }: Invitee): string => (known ? 'Set a new password' : `Join ${accountName}`);

const invitationLabels: Labels = { password: 'Password' };

function invitationForm(
  request: PublicRequest,
  { name, email, known, maker, workspaces }: Invitee,
  { id, token }: Link,
  refusal?: Refusal,
): Content {
  const fields = formsOf(request, invitationLabels, refusal)('/invitation');
  const form = postForm(
    request,
    { action: '/invitation', hidden: { i: id, t: token }, class: 'narrow' },
    html`<input type="hidden" name="email" autocomplete="username" value="${email}">
${newPasswordField(fields)}
<button>Set password and sign in</button>`,
  );
  return html`
${!known && maker !== null && html`<p>${maker} invites you${workspaces.length > 0 && html`, to work in ${joinWithAnd(workspaces)}`}.</p>`}
<p>${name}, set the password for ${email}.</p>
${problemBox(refusal?.problem)}
${form}`;
}

function accept(request: PublicRequest): Promise<Answer> {
  const { ctx, deps, form } = request;
  const link = { id: form.text('i'), token: form.text('t') };
  const input = () => ({ ...link, password: form.raw('password'), browser: browserOf(ctx, deps.config) });
  return submitted(request, deps.invitations.acceptInvitation, input, {
    labels: invitationLabels,
    done: (begun) => redirectSignedIn(request, begun, { redirect: '/' }),
    again: (refusal) => invitationPage(request, link, rethrowConflict(refusal)),
  });
}

const passwordLabels: Labels = { current: 'Current password', password: 'New password' };

function passwordPage(request: PageRequest, refusal?: Refusal): Answer {
  const { email } = request.user;
  const fields = new Fields(passwordLabels, refusal && { error: refusal.error, form: request.form }, 'current');
  const form = postForm(
    request,
    { action: '/settings/password', class: 'narrow' },
    html`<input type="hidden" autocomplete="username" value="${email}">
${fields.field('current', (mark) => html`<input type="password" name="current" required autocomplete="current-password"${mark}>`)}
${newPasswordField(fields)}
<label><input type="checkbox" name="revoke"${fields.ticked('revoke', 'on') && html` checked`}> Also revoke my agents, keys and calendar address</label>
<button>Change password</button>`,
  );
  return {
    title: 'Your password',
    status: refusal?.status ?? 200,
    body: html`${profileTabs(request, '/settings/password')}${problemBox(refusal?.problem)}
<p>Signed in as ${email}. A new password ends all your other sessions.</p>
${form}`,
  };
}

async function changePassword(request: PageRequest): Promise<Answer> {
  const { deps, user } = request;
  await countAttempt(deps, 'password', String(user.id));
  const input = (form: Form) => ({
    ...{ current: form.raw('current'), password: form.raw('password'), revoke: form.has('revoke') },
    browser: browserOf(request.ctx, request.deps.config),
  });
  return submitted(request, change, input, {
    labels: passwordLabels,
    done: (begun) => redirectSignedIn(request, begun, { redirect: '/settings/password', notice: 'password' }),
    again: (refusal) => passwordPage(request, refusal),
  });
}

export const passwordRoutes: PageRoute[] = [
  { method: 'GET', path: '/invitation', public: true, handle: showInvitation },
  { method: 'POST', path: '/invitation', public: true, handle: accept },
  { method: 'GET', path: '/settings/password', handle: async (request) => passwordPage(request) },
  { method: 'POST', path: '/settings/password', keepsNothing: true, handle: changePassword },
];
