/** /sign-in and /sign-out, with limits per address and per e-mail (behaviour §12.10, §13.3). */
import type { Allowance } from '../../access/limiter.ts';
import { hasUsers } from '../../accounts/firstAccount.ts';
import { refuseStorm } from '../../accounts/password.ts';
import { type Begun, signOut as endSession } from '../../accounts/sessions.ts';
import { signIn as beginSession } from '../../accounts/signIn.ts';
import { RateLimited, Unauthenticated } from '../../values/errors.ts';
import { call } from '../frame/call.ts';
import { type Content, html } from '../frame/html.ts';
import { ownPath } from '../frame/nextPath.ts';
import type { Answer, PageRequest, PrivateRoute, PublicRequest, PublicRoute } from '../frame/page.ts';
import { clearCookie, handOver, replacedSession } from '../frame/session.ts';
import { attemptKey } from './attempts.ts';

function signInPage(basePath: string, next: string, email = '', problem?: string): Content {
  return html`
${problem && html`<p class="error" role="alert">${problem}</p>`}
<form method="post" class="narrow" action="${basePath}/sign-in">
<input type="hidden" name="next" value="${next}">
<label>E-mail <input type="email" name="email" required autocomplete="username" value="${email}"></label>
<label>Password <input type="password" name="password" required autocomplete="current-password"></label>
<button>Sign in</button>
</form>`;
}

async function show(request: PublicRequest): Promise<Answer> {
  const { deps, query } = request;
  if (!(await call<boolean>(request, hasUsers, {}))) return { redirect: '/welcome' };
  return { title: 'Sign in', body: signInPage(deps.config.basePath, ownPath(query.get('next') ?? '/', deps.config.basePath)) };
}

async function signIn(request: PublicRequest): Promise<Answer> {
  const { ctx, deps, form } = request;
  const email = form.text('email');
  refuseStorm();
  for (const key of [attemptKey('address', ctx.ip), attemptKey('email', email.toLowerCase())]) {
    const allowance: Allowance = await deps.signInLimiter.admit(key);
    if (!allowance.admitted) throw new RateLimited(allowance.reset);
  }
  const next = ownPath(form.text('next'), deps.config.basePath);
  try {
    const input = { email, password: form.raw('password'), replaces: replacedSession(ctx) };
    handOver(ctx, deps.config, await call<Begun>(request, beginSession, input));
  } catch (error) {
    if (!(error instanceof Unauthenticated)) throw error;
    return { status: 401, title: 'Sign in', body: signInPage(deps.config.basePath, next, email, error.message) };
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
