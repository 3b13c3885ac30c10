/** /sign-in and /sign-out, with limits per address and per e-mail (behaviour §12.10, §13.3). */
import { hasUsers } from '../../accounts/firstAccount.ts';
import { refuseStorm } from '../../accounts/password.ts';
import { normalEmail } from '../../accounts/schema.ts';
import { signOut as endSession } from '../../accounts/sessions.ts';
import { signIn as beginSession } from '../../accounts/signIn.ts';
import { Unauthenticated } from '../../values/errors.ts';
import { call } from '../frame/call.ts';
import { type Content, html } from '../frame/html.ts';
import { ownPath } from '../frame/nextPath.ts';
import type { Answer, PageRequest, PrivateRoute, PublicRequest, PublicRoute } from '../frame/page.ts';
import { type FormContext, postForm } from '../frame/postForm.ts';
import { browserOf, clearCookie, handOver } from '../frame/session.ts';
import { problemBox } from '../frame/widgets.ts';
import { addressOf, countAttempt } from './attempts.ts';

function signInPage(context: FormContext, next: string, email = '', problem?: string): Content {
  const form = postForm(
    context,
    { action: '/sign-in', hidden: { next }, class: 'narrow' },
    html`<label>E-mail <input type="email" name="email" required autocomplete="username" value="${email}"></label>
<label>Password <input type="password" name="password" required autocomplete="current-password"></label>
<button>Sign in</button>`,
  );
  return [problemBox(problem), form, html`<p><a href="${context.basePath}/forgotten">Forgotten your password?</a></p>`];
}

async function show(request: PublicRequest): Promise<Answer> {
  const { query, basePath } = request;
  if (!(await call(request, hasUsers, {}))) return { redirect: '/welcome' };
  return { title: 'Sign in', body: signInPage(request, ownPath(query.get('next') ?? '/', basePath)) };
}

async function signIn(request: PublicRequest): Promise<Answer> {
  const { ctx, deps, form } = request;
  const email = form.text('email');
  refuseStorm();
  await countAttempt(deps, 'address', addressOf(ctx.ip));
  await countAttempt(deps, 'email', normalEmail(email));
  const next = ownPath(form.text('next'), request.basePath);
  try {
    const input = { email, password: form.raw('password'), browser: browserOf(ctx) };
    handOver(ctx, deps.config, await call(request, beginSession, input));
  } catch (error) {
    if (!(error instanceof Unauthenticated)) throw error;
    return { status: 401, title: 'Sign in', body: signInPage(request, next, email, error.message) };
  }
  return { redirect: next };
}

async function signOut(request: PageRequest): Promise<Answer> {
  await call(request, endSession, {});
  clearCookie(request.ctx, request.deps.config);
  return { redirect: '/sign-in' };
}

export const signInRoutes: (PublicRoute | PrivateRoute)[] = [
  { method: 'GET', path: '/sign-in', public: true, handle: show },
  { method: 'POST', path: '/sign-in', public: true, handle: signIn },
  { method: 'POST', path: '/sign-out', handle: signOut },
];
