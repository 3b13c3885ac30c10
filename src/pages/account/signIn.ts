/** /sign-in and /sign-out, with limits per address and per e-mail (behaviour §12.10, §13.3). */
import type { Allowance } from '../../access/limiter.ts';
import { refuseStorm, verifyPassword } from '../../accounts/password.ts';
import { anyUser, deleteSession, findLogin } from '../../accounts/sessionQueries.ts';
import { RateLimited } from '../../values/errors.ts';
import { type Content, html } from '../frame/html.ts';
import { ownPath } from '../frame/nextPath.ts';
import type { Answer, PageRequest, PrivateRoute, PublicRequest, PublicRoute } from '../frame/page.ts';
import { clearCookie, startSession } from '../frame/session.ts';
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

async function show({ deps, query }: PublicRequest): Promise<Answer> {
  if (!(await anyUser(deps.db.pool()))) return { redirect: '/welcome' };
  return { title: 'Sign in', body: signInPage(deps.config.basePath, ownPath(query.get('next') ?? '/', deps.config.basePath)) };
}

async function signIn({ ctx, deps, form }: PublicRequest): Promise<Answer> {
  const email = form.text('email');
  refuseStorm();
  for (const key of [attemptKey('address', ctx.ip), attemptKey('email', email.toLowerCase())]) {
    const allowance: Allowance = await deps.signInLimiter.admit(key);
    if (!allowance.admitted) throw new RateLimited(allowance.reset);
  }
  const login = email.length <= 320 && !email.includes('\0') ? await findLogin(deps.db.pool(), email) : null;
  const right = await verifyPassword(form.raw('password'), login?.passwordHash ?? null);
  const next = ownPath(form.text('next'), deps.config.basePath);
  if (!login || !right) {
    return {
      status: 401,
      title: 'Sign in',
      body: signInPage(
        deps.config.basePath,
        next,
        email,
        'E-mail and password do not belong together: try again, or ask an administrator for an invitation.',
      ),
    };
  }
  await startSession(ctx, deps.db, deps.config, login.id);
  return { redirect: next };
}

async function signOut({ ctx, deps, caller }: PageRequest): Promise<Answer> {
  await deleteSession(deps.db.pool(), caller.hash);
  clearCookie(ctx, deps.config);
  return { redirect: '/sign-in' };
}

export const signInRoutes: (PublicRoute | PrivateRoute)[] = [
  { method: 'GET', path: '/sign-in', public: true, handle: show },
  { method: 'POST', path: '/sign-in', public: true, handle: signIn },
  { method: 'POST', path: '/sign-out', handle: signOut },
];
