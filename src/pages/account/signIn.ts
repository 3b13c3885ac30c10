/** /sign-in and /sign-out, limited per address and per email (behaviour §12.10, §13.3). */
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
  restoreAccount,
  whoSignsIn,
} from '../../accounts/signIn.ts';
import { InvalidRequest, Unauthenticated } from '../../values/errors.ts';
import { longDay } from '../frame/components/when.ts';
import { Fields } from '../frame/fields.ts';
import type { Labels } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PrivateRoute, PublicRequest, PublicRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { browserOf, call, ownPath, setSession } from '../frame/session.ts';
import { problemBox } from '../frame/widgets.ts';
import { addressOf, countAttempt, slowDown } from './forgotten.ts';
import { markOf } from './knownBrowser.ts';
import { redirectSignedIn } from './passwords.ts';

const labels: Labels = { email: 'Email', password: 'Password' };

/** With `problem` both fields are marked, so that the page does not reveal which one is wrong. */
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
  return [problemBox(problem), form, html`<p><a href="${request.basePath}/forgotten">Forgot your password?</a></p>`];
}

async function show(request: PublicRequest): Promise<Answer> {
  const { query, basePath } = request;
  if (!(await call(request, hasUsers, {}))) return { redirect: '/welcome' };
  return { title: 'Sign in', body: signInPage(request, ownPath(query.get('next') ?? '/', basePath)) };
}

/** Counts the attempt per person and address, and per address. In a known browser: only per browser. Returns the queue for the password
 *  check. Throws RateLimited and Unavailable. */
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
    return redirectSignedIn(request, outcome, { redirect: next });
  } catch (error) {
    if (!(error instanceof Unauthenticated)) throw error;
    await call(request, noteFailedSignIn, { email });
    return { status: 401, title: 'Sign in', body: signInPage(request, next, error.message) };
  }
}

/** Lets the user choose between accounts, or restore an account that is being erased. */
function choicePage(request: PublicRequest, next: string, choices: AccountChoice[]): Answer {
  const several = choices.length > 1;
  const choice = ({ accountName, erasedAt, ...proof }: AccountChoice): Content => {
    const hidden = { next, ...proof };
    if (erasedAt === null)
      return postForm(
        request,
        { action: '/sign-in/account', hidden, class: 'narrow' },
        html`<button class="secondary outline">${accountName}</button>`,
      );
    return html`<p>${accountName} will be erased on ${longDay(erasedAt.slice(0, 10), { today: erasedAt.slice(0, 10), locale: 'en-GB' })}. Until then you can restore it.</p>
${postForm(request, { action: '/sign-in/restore', hidden, class: 'narrow' }, html`<button class="secondary outline">Restore ${accountName}</button>`)}`;
  };
  return {
    title: several ? 'Choose an account' : 'Restore account',
    body: html`${several && html`<p>Your address and password belong to several accounts.</p>`}
${choices.map(choice)}`,
  };
}

async function choose(request: PublicRequest, operation: typeof chooseAccount): Promise<Answer> {
  const { ctx, deps, form, basePath } = request;
  const choice = { userId: form.id('userId'), until: form.id('until'), proof: form.raw('proof'), browser: browserOf(ctx, deps.config) };
  return redirectSignedIn(request, await call(request, operation, choice), { redirect: ownPath(form.text('next'), basePath) });
}

async function signOut(request: PageRequest): Promise<Answer> {
  await call(request, endSession, {});
  setSession(request.ctx, request.deps.config, null);
  return { redirect: '/sign-in' };
}

export const signInRoutes: (PublicRoute | PrivateRoute)[] = [
  { method: 'GET', path: '/sign-in', public: true, handle: show },
  { method: 'POST', path: '/sign-in', public: true, handle: signIn },
  { method: 'POST', path: '/sign-in/account', public: true, handle: (request) => choose(request, chooseAccount) },
  { method: 'POST', path: '/sign-in/restore', public: true, handle: (request) => choose(request, restoreAccount) },
  { method: 'POST', path: '/sign-out', handle: signOut },
];
