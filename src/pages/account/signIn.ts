/** /sign-in and /sign-out, with limits per address and per e-mail (behaviour §12.10, §13.3). */
import { hasUsers } from '../../accounts/firstAccount.ts';
import { refuseStorm } from '../../accounts/password.ts';
import { normalEmail } from '../../accounts/schema.ts';
import { signOut as endSession } from '../../accounts/sessions.ts';
import {
  type AccountChoice,
  signIn as beginSession,
  chooseAccount,
  noteFailedSignIn,
  passwordsToCheck,
  whoSignsIn,
} from '../../accounts/signIn.ts';
import { InvalidRequest, Unauthenticated } from '../../values/errors.ts';
import { call } from '../frame/call.ts';
import type { Labels } from '../frame/faults.ts';
import { Fields } from '../frame/fields.ts';
import { type Content, html } from '../frame/html.ts';
import { ownPath } from '../frame/nextPath.ts';
import type { Answer, PageRequest, PrivateRoute, PublicRequest, PublicRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { browserOf, clearCookie } from '../frame/session.ts';
import { problemBox } from '../frame/widgets.ts';
import { addressOf, countAttempt, slowDown } from './attempts.ts';
import { enter } from './enter.ts';
import { markOf } from './knownBrowser.ts';

const labels: Labels = { email: 'E-mail', password: 'Password' };

/** `problem`: the two do not belong together, and which of them is wrong is nobody's to know: both are marked. */
function signInPage(request: PublicRequest, next: string, problem?: string): Content {
  const wrong =
    problem === undefined ? undefined : new InvalidRequest(['email'], 'check it.', { path: ['password'], whatToDo: 'type it again.' });
  const fields = new Fields(labels, wrong && { error: wrong, form: request.form });
  const form = postForm(
    request,
    { action: '/sign-in', hidden: { next }, class: 'narrow' },
    fields.field(
      'email',
      (mark) => html`<input type="email" name="email" required autocomplete="username" value="${fields.value('email')}"${mark}>`,
    ),
    fields.field('password', (mark) => html`<input type="password" name="password" required autocomplete="current-password"${mark}>`),
    html`<button>Sign in</button>`,
  );
  return [problemBox(problem), form, html`<p><a href="${request.basePath}/forgotten">Forgotten your password?</a></p>`];
}

async function show(request: PublicRequest): Promise<Answer> {
  const { query, basePath } = request;
  if (!(await call(request, hasUsers, {}))) return { redirect: '/welcome' };
  return { title: 'Sign in', body: signInPage(request, ownPath(query.get('next') ?? '/', basePath)) };
}

/** Counts the attempt: for a person at an address, and for the address; or, in a browser that the person has signed in with before, for that
 *  alone, whatever others do. Returns the line in which the password is checked. Throws RateLimited and Unavailable. */
async function admitAttempt(request: PublicRequest, email: string): Promise<string> {
  const { ctx, deps } = request;
  const address = addressOf(ctx.ip);
  const people = await call(request, whoSignsIn, { email });
  const mark = people.map((userId) => markOf(ctx, deps.config, userId)).find((one) => one !== null);
  const line = mark ? `browser ${mark}` : address;
  refuseStorm(line);
  if (mark) await countAttempt(deps, 'browser', mark);
  else {
    const who = people.length ? `user ${people[0]}` : `email ${normalEmail(email)}`;
    await countAttempt(deps, 'address', address);
    await countAttempt(deps, 'person at address', who, address);
    await slowDown(deps, who);
  }
  return line;
}

async function signIn(request: PublicRequest): Promise<Answer> {
  const { ctx, deps, form } = request;
  const email = form.text('email');
  const line = await admitAttempt(request, email);
  const next = ownPath(form.text('next'), request.basePath);
  try {
    const checks = await passwordsToCheck(deps.db);
    const input = { email, password: form.raw('password'), checks, line, browser: browserOf(ctx, deps.config) };
    const outcome = await call(request, beginSession, input);
    if ('choices' in outcome) return choicePage(request, next, outcome.choices);
    return enter(request, outcome, { redirect: next });
  } catch (error) {
    if (!(error instanceof Unauthenticated)) throw error;
    await call(request, noteFailedSignIn, { email });
    return { status: 401, title: 'Sign in', body: signInPage(request, next, error.message) };
  }
}

const choicePage = (request: PublicRequest, next: string, choices: AccountChoice[]): Answer => ({
  title: 'Which account?',
  body: html`<p>Your address and password belong to several accounts.</p>
${choices.map(({ accountName, ...hidden }) => postForm(request, { action: '/sign-in/account', hidden: { next, ...hidden }, class: 'narrow' }, html`<button class="secondary outline">${accountName}</button>`))}`,
});

async function choose(request: PublicRequest): Promise<Answer> {
  const { ctx, deps, form, basePath } = request;
  const choice = { userId: form.id('userId'), until: form.id('until'), proof: form.raw('proof'), browser: browserOf(ctx, deps.config) };
  return enter(request, await call(request, chooseAccount, choice), { redirect: ownPath(form.text('next'), basePath) });
}

async function signOut(request: PageRequest): Promise<Answer> {
  await call(request, endSession, {});
  clearCookie(request.ctx, request.deps.config);
  return { redirect: '/sign-in' };
}

export const signInRoutes: (PublicRoute | PrivateRoute)[] = [
  { method: 'GET', path: '/sign-in', public: true, handle: show },
  { method: 'POST', path: '/sign-in', public: true, handle: signIn },
  { method: 'POST', path: '/sign-in/account', public: true, handle: choose },
  { method: 'POST', path: '/sign-out', handle: signOut },
];
