/** /welcome: a fresh database offers to create the account and its owner; /invitation: the invited set a password; /settings/password. */
import { createFirstAccount, hasUsers } from '../../accounts/firstAccount.ts';
import type { Invitee } from '../../accounts/invite.ts';
import { changePassword as change } from '../../accounts/ownPassword.ts';
import type { Begun } from '../../accounts/sessions.ts';
import { call } from '../frame/call.ts';
import type { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute, PublicRequest, Redirect } from '../frame/page.ts';
import { type FormContext, postForm } from '../frame/postForm.ts';
import { browserOf, handOver } from '../frame/session.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { problemBox, zoneSelect } from '../frame/widgets.ts';
import { countAttempt } from './attempts.ts';
import { giveMark } from './knownBrowser.ts';

const passwordField = (label = 'Password') =>
  html`<label>${label} <input type="password" name="password" required minlength="10" maxlength="1024" autocomplete="new-password"> <small>At least 10 characters, and hard to guess: a few words that do not belong together.</small></label>`;

function welcomePage(context: FormContext, values: Record<string, string> = {}, problem?: string): Content {
  const form = postForm(
    context,
    { action: '/welcome', class: 'narrow' },
    html`<label>Account (your team or company) <input name="account" required maxlength="200" value="${values.account}"></label>
<label>Your name <input name="name" required maxlength="200" autocomplete="name" value="${values.name}"></label>
<label>Your e-mail <input type="email" name="email" required autocomplete="username" value="${values.email}"></label>
<label>Your timezone ${zoneSelect(values.timezone ?? 'UTC', !values.timezone)}</label>
${passwordField()}
<button>Create the account</button>`,
  );
  return html`
<p>This Stint is empty. Create your account and its owner, yourself; everything else is done on these pages.</p>
${problemBox(problem)}
${form}`;
}

async function showWelcome(request: PublicRequest, values?: Record<string, string>, refusal?: Refusal): Promise<Answer> {
  if (await call(request, hasUsers, {})) return { redirect: '/sign-in' };
  return { title: 'Welcome to Stint', status: refusal?.status ?? 200, body: welcomePage(request, values, refusal?.problem) };
}

function createFirst(request: PublicRequest): Promise<Answer> {
  const { ctx, form } = request;
  const values = Object.fromEntries(['account', 'name', 'email', 'timezone'].map((name) => [name, form.text(name)]));
  const input = () => ({ ...values, password: form.raw('password'), browser: browserOf(ctx) });
  return submitted(request, createFirstAccount, input, {
    done: (begun) => enter(request, begun, { redirect: '/' }),
    again: (refusal) => showWelcome(request, values, correctable(refusal)),
  });
}

/** Where somebody came first the form is of no use any more: that is told on a page of its own. */
function correctable(refusal: Refusal): Refusal {
  if (refusal.status === 409) throw refusal.error;
  return refusal;
}

function enter({ ctx, deps }: PublicRequest, begun: Begun, where: Redirect): Redirect {
  handOver(ctx, deps.config, begun);
  giveMark(ctx, deps.config, begun.userId);
  return where;
}

interface Link {
  id: string;
  token: string;
}

const showInvitation = (request: PublicRequest) =>
  invitationPage(request, { id: request.query.get('i') ?? '', token: request.query.get('t') ?? '' });

async function invitationPage(request: PublicRequest, link: Link, refusal?: Refusal): Promise<Answer> {
  const invitee = await call(request, request.deps.invitations.getInvitation, link);
  const body = invitationForm(request, invitee, link, refusal?.problem);
  return { title: titleOf(invitee), status: refusal?.status ?? 200, body };
}

const titleOf = ({ known, accountName }: Invitee): string => (known ? 'Set a new password' : `Join ${accountName}`);

function invitationForm(context: FormContext, { name, email }: Invitee, { id, token }: Link, problem?: string): Content {
  const form = postForm(
    context,
    { action: '/invitation', hidden: { i: id, t: token }, class: 'narrow' },
    html`<input type="hidden" name="email" autocomplete="username" value="${email}">
${passwordField()}
<button>Set the password and sign in</button>`,
  );
  return html`
<p>${name}, choose the password that you sign in with, as ${email}.</p>
${problemBox(problem)}
${form}`;
}

function accept(request: PublicRequest): Promise<Answer> {
  const { ctx, deps, form } = request;
  const link = { id: form.text('i'), token: form.text('t') };
  const input = () => ({ ...link, password: form.raw('password'), browser: browserOf(ctx) });
  return submitted(request, deps.invitations.acceptInvitation, input, {
    done: (begun) => enter(request, begun, { redirect: '/' }),
    again: (refusal) => invitationPage(request, link, correctable(refusal)),
  });
}

function passwordPage(request: PageRequest, refusal?: Refusal): Answer {
  const { email } = request.user;
  const form = postForm(
    request,
    { action: '/settings/password', class: 'narrow' },
    html`<input type="hidden" autocomplete="username" value="${email}">
<label>Current password <input type="password" name="current" required autocomplete="current-password"></label>
${passwordField('New password')}
<label><input type="checkbox" name="revoke"> Revoke my agents and keys, too</label>
<button>Change the password</button>`,
  );
  return {
    title: 'Your password',
    status: refusal?.status ?? 200,
    body: html`${problemBox(refusal?.problem)}
<p>Signed in as ${email}. A new password ends all your other sessions; keys and agents go on unless you revoke them. <a href="${request.basePath}/settings/sessions">Where you are signed in</a></p>
${form}`,
  };
}

async function changePassword(request: PageRequest): Promise<Answer> {
  const { deps, user } = request;
  await countAttempt(deps, 'password', String(user.id));
  const input = (form: Form) => ({
    ...{ current: form.raw('current'), password: form.raw('password'), revoke: form.has('revoke') },
    browser: browserOf(request.ctx),
  });
  return submitted(request, change, input, {
    done: (begun) => enter(request, begun, { redirect: '/settings/password', notice: 'password' }),
    again: (refusal) => passwordPage(request, refusal),
  });
}

export const welcomeRoutes: PageRoute[] = [
  { method: 'GET', path: '/welcome', public: true, handle: (request) => showWelcome(request) },
  { method: 'POST', path: '/welcome', public: true, handle: createFirst },
  { method: 'GET', path: '/invitation', public: true, handle: showInvitation },
  { method: 'POST', path: '/invitation', public: true, handle: accept },
  { method: 'GET', path: '/settings/password', handle: async (request) => passwordPage(request) },
  { method: 'POST', path: '/settings/password', handle: changePassword },
];
