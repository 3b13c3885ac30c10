/** /welcome: a fresh database offers to create the account and its owner; /invitation: the invited set a password; /settings/password. */
import { z } from 'zod';
import type { OpenInvitation } from '../../accounts/invitationQueries.ts';
import { acceptInvitation, openInvitation } from '../../accounts/invitations.ts';
import { hashPassword, Password, verifyPassword } from '../../accounts/password.ts';
import { lockAccounts, readPasswordHash } from '../../accounts/peopleQueries.ts';
import { insertAccount, insertUser, setPasswordHash } from '../../accounts/queries.ts';
import { Email } from '../../accounts/schema.ts';
import { anyUser } from '../../accounts/sessionQueries.ts';
import { parseInput } from '../../operations/input.ts';
import { Zone } from '../../values/dates.ts';
import { AppError, Conflict, InvalidRequest, RateLimited } from '../../values/errors.ts';
import { Label } from '../../values/text.ts';
import { type Content, html } from '../frame/html.ts';
import { csrfField } from '../frame/layout.ts';
import type { Answer, PageRequest, PageRoute, PublicRequest } from '../frame/page.ts';
import { startSession } from '../frame/session.ts';
import { zoneSelect } from '../frame/widgets.ts';
import { attemptKey } from './attempts.ts';

const NewPassword = Password.refine((text) => [...text].length >= 10, 'give at least 10 characters');
const FirstAccount = z.strictObject({ account: Label(200), name: Label(200), email: Email, timezone: Zone, password: NewPassword });

const problemOf = (problem: string | undefined): Content => problem && html`<p class="error" role="alert">${problem}</p>`;
const passwordField = (label = 'Password') =>
  html`<label>${label} <input type="password" name="password" required minlength="10" maxlength="1024" autocomplete="new-password"> <small>At least 10 characters.</small></label>`;

const taken = 'Somebody has created the account in the meantime: sign in.';

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

async function showWelcome({ deps }: PublicRequest): Promise<Answer> {
  if (await anyUser(deps.db.pool())) return { redirect: '/sign-in' };
  return { title: 'Welcome to Stint', body: welcomePage(deps.config.basePath) };
}

async function createFirst({ ctx, deps, form }: PublicRequest): Promise<Answer> {
  // Before anything costly: this page is open to everybody.
  if (await anyUser(deps.db.pool())) throw new Conflict(taken);
  const values = Object.fromEntries(['account', 'name', 'email', 'timezone'].map((name) => [name, form.text(name)]));
  try {
    const first = parseInput(FirstAccount, { ...values, password: form.raw('password') });
    const passwordHash = await hashPassword(first.password);
    const userId = await deps.db.transaction(async (tx) => {
      // Two first visitors at once: one creates, the other is told.
      await lockAccounts(tx);
      if (await anyUser(tx)) throw new Conflict(taken);
      const accountId = await insertAccount(tx, first.account);
      const { name, email, timezone } = first;
      return insertUser(tx, 'everything', {
        accountId,
        name,
        email,
        timezone,
        kind: 'person',
        accountRole: 'owner',
        passwordHash,
        weeklyMinutes: null,
      });
    });
    await startSession(ctx, deps.db, deps.config, userId);
    return { redirect: '/' };
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return { status: 400, title: 'Welcome to Stint', body: welcomePage(deps.config.basePath, values, error.message) };
  }
}

async function showInvitation({ deps, query }: PublicRequest): Promise<Answer> {
  const [id, token] = [Number(query.get('i')), query.get('t') ?? ''];
  const invitation = await openInvitation(deps.db.pool(), deps.config.secretKey, id, token);
  return {
    title: titleOf(invitation),
    body: invitationForm(deps.config.basePath, invitation.name, invitation.email, String(id), token),
  };
}

const titleOf = ({ known, accountName }: OpenInvitation): string => (known ? 'Set a new password' : `Join ${accountName}`);

function invitationForm(basePath: string, name: string, email: string, id: string, token: string, problem?: string): Content {
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

async function accept({ ctx, deps, form }: PublicRequest): Promise<Answer> {
  const invitation = await openInvitation(deps.db.pool(), deps.config.secretKey, form.id('i'), form.text('t'));
  try {
    const passwordHash = await hashPassword(parseInput(NewPassword, form.raw('password')));
    const userId = await deps.db.transaction((tx) => acceptInvitation(tx, invitation, passwordHash));
    await startSession(ctx, deps.db, deps.config, userId);
    return { redirect: '/' };
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    const body = invitationForm(deps.config.basePath, invitation.name, invitation.email, form.text('i'), form.text('t'), error.message);
    return { status: 400, title: titleOf(invitation), body };
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

async function changePassword({ ctx, deps, csrf, user, form }: PageRequest): Promise<Answer> {
  const allowance = await deps.signInLimiter.admit(attemptKey('password', String(user.id)));
  if (!allowance.admitted) throw new RateLimited(allowance.reset);
  try {
    const password = parseInput(NewPassword, form.raw('password'));
    const stored = await readPasswordHash(deps.db.pool(), user.id);
    if (!(await verifyPassword(form.raw('current'), stored))) throw new InvalidRequest([], 'The current password is not right: try again.');
    const passwordHash = await hashPassword(password);
    // Every session of theirs ends with the old password; this browser gets a new one.
    await deps.db.transaction((tx) => setPasswordHash(tx, 'everything', user.id, passwordHash));
    await startSession(ctx, deps.db, deps.config, user.id);
    return { redirect: '/settings/password', notice: 'password' };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_request') throw error;
    return { status: 400, title: 'Your password', body: passwordPage(deps.config.basePath, csrf, user.email, error.message) };
  }
}

export const welcomeRoutes: PageRoute[] = [
  { method: 'GET', path: '/welcome', public: true, handle: showWelcome },
  { method: 'POST', path: '/welcome', public: true, handle: createFirst },
  { method: 'GET', path: '/invitation', public: true, handle: showInvitation },
  { method: 'POST', path: '/invitation', public: true, handle: accept },
  { method: 'GET', path: '/settings/password', handle: showPassword },
  { method: 'POST', path: '/settings/password', handle: changePassword },
];
