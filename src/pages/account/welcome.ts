/** /welcome: a fresh database offers to create the account and its owner; /invitation: the invited set a password; /settings/password. */
import { createFirstAccount, hasUsers } from '../../accounts/firstAccount.ts';
import type { Invitee } from '../../accounts/invite.ts';
import { changePassword as change } from '../../accounts/ownPassword.ts';
import type { Begun } from '../../accounts/sessions.ts';
import { InvalidRequest, RateLimited } from '../../values/errors.ts';
import { call } from '../frame/call.ts';
import { type Content, html } from '../frame/html.ts';
import { csrfField } from '../frame/layout.ts';
import type { Answer, PageRequest, PageRoute, PublicRequest } from '../frame/page.ts';
import { handOver, replacedSession } from '../frame/session.ts';
import { zoneSelect } from '../frame/widgets.ts';
import { attemptKey } from './attempts.ts';

const problemOf = (problem: string | undefined): Content => problem && html`<p class="error" role="alert">${problem}</p>`;
const passwordField = (label = 'Password') =>
  html`<label>${label} <input type="password" name="password" required minlength="10" maxlength="1024" autocomplete="new-password"> <small>At least 10 characters.</small></label>`;

function welcomePage(basePath: string, values: Record<string, string> = {}, problem?: string): Content {
  return html`
<p>This Stint is empty. Create your account and its owner, yourself; everything else is done on these pages.</p>
${problemOf(problem)}
<form method="post" class="narrow" action="${basePath}/welcome">
<label>Account (your team or company) <input name="account" required maxlength="200" value="${values.account}"></label>
<label>Your name <input name="name" required maxlength="200" autocomplete="name" value="${values.name}"></label>
<label>Your e-mail <input type="email" name="email" required autocomplete="username" value="${values.email}"></label>
<label>Your timezone ${zoneSelect(values.timezone ?? 'UTC', !values.timezone)}</label>
${passwordField()}
<button>Create the account</button>
</form>`;
}

async function showWelcome(request: PublicRequest, values?: Record<string, string>, problem?: string): Promise<Answer> {
  if (await call<boolean>(request, hasUsers, {})) return { redirect: '/sign-in' };
  const body = welcomePage(request.deps.config.basePath, values, problem);
  return { title: 'Welcome to Stint', status: problem ? 400 : 200, body };
}

async function createFirst(request: PublicRequest): Promise<Answer> {
  const { ctx, deps, form } = request;
  const values = Object.fromEntries(['account', 'name', 'email', 'timezone'].map((name) => [name, form.text(name)]));
  try {
    const input = { ...values, password: form.raw('password'), replaces: replacedSession(ctx) };
    handOver(ctx, deps.config, await call<Begun>(request, createFirstAccount, input));
    return { redirect: '/' };
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return showWelcome(request, values, error.message);
  }
}

interface Link {
  id: string;
  token: string;
}

const showInvitation = (request: PublicRequest) =>
  invitationPage(request, { id: request.query.get('i') ?? '', token: request.query.get('t') ?? '' });

async function invitationPage(request: PublicRequest, link: Link, problem?: string): Promise<Answer> {
  const { deps } = request;
  const invitee = await call<Invitee>(request, deps.invitations.getInvitation, link);
  return { title: titleOf(invitee), status: problem ? 400 : 200, body: invitationForm(deps.config.basePath, invitee, link, problem) };
}

const titleOf = ({ known, accountName }: Invitee): string => (known ? 'Set a new password' : `Join ${accountName}`);

function invitationForm(basePath: string, { name, email }: Invitee, { id, token }: Link, problem?: string): Content {
  return html`
<p>${name}, choose the password that you sign in with, as ${email}.</p>
${problemOf(problem)}
<form method="post" class="narrow" action="${basePath}/invitation">
<input type="hidden" name="i" value="${id}"><input type="hidden" name="t" value="${token}">
<input type="hidden" name="email" autocomplete="username" value="${email}">
${passwordField()}
<button>Set the password and sign in</button>
</form>`;
}

async function accept(request: PublicRequest): Promise<Answer> {
  const { ctx, deps, form } = request;
  const link = { id: form.text('i'), token: form.text('t') };
  try {
    const input = { ...link, password: form.raw('password'), replaces: replacedSession(ctx) };
    handOver(ctx, deps.config, await call<Begun>(request, deps.invitations.acceptInvitation, input));
    return { redirect: '/' };
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return invitationPage(request, link, error.message);
  }
}

function passwordPage(basePath: string, csrf: string, email: string, problem?: string): Content {
  return html`${problemOf(problem)}
<p>Signed in as ${email}. A new password ends all your other sessions; keys and agents go on.</p>
<form method="post" class="narrow" action="${basePath}/settings/password">${csrfField(csrf)}
<input type="hidden" autocomplete="username" value="${email}">
<label>Current password <input type="password" name="current" required autocomplete="current-password"></label>
${passwordField('New password')}
<button>Change the password</button>
</form>`;
}

async function showPassword({ deps, csrf, user }: PageRequest): Promise<Answer> {
  return { title: 'Your password', body: passwordPage(deps.config.basePath, csrf, user.email) };
}

async function changePassword(request: PageRequest): Promise<Answer> {
  const { ctx, deps, csrf, user, form } = request;
  const allowance = await deps.signInLimiter.admit(attemptKey('password', String(user.id)));
  if (!allowance.admitted) throw new RateLimited(allowance.reset);
  try {
    handOver(ctx, deps.config, await call<Begun>(request, change, { current: form.raw('current'), password: form.raw('password') }));
    return { redirect: '/settings/password', notice: 'password' };
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return { status: 400, title: 'Your password', body: passwordPage(deps.config.basePath, csrf, user.email, error.message) };
  }
}

export const welcomeRoutes: PageRoute[] = [
  { method: 'GET', path: '/welcome', public: true, handle: (request) => showWelcome(request) },
  { method: 'POST', path: '/welcome', public: true, handle: createFirst },
  { method: 'GET', path: '/invitation', public: true, handle: showInvitation },
  { method: 'POST', path: '/invitation', public: true, handle: accept },
  { method: 'GET', path: '/settings/password', handle: showPassword },
  { method: 'POST', path: '/settings/password', handle: changePassword },
];
