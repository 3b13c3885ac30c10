import type { Context } from 'koa';
import type { SessionCaller } from '../../access/caller.ts';
import { COMPANION_COOKIE, SESSION_COOKIE, sessionsOf } from '../../access/presented.ts';
import type { Limiter } from '../../access/throttle/perMinute.ts';
import { type Browser, deviceOf } from '../../accounts/sessions.ts';
import type { Config } from '../../config.ts';
import { isOwnOrigin } from '../../http/guard.ts';
import { parseInput } from '../../operations/input.ts';
import { outputOf } from '../../operations/json.ts';
import type { Operation } from '../../operations/operation.ts';
import { perform } from '../../operations/perform.ts';
import { getSignedIn, type SignedIn } from '../../overviews/signedIn.ts';
import { RateLimited } from '../../values/errors.ts';
import type { PageDeps } from './deps.ts';
import type { Form } from './forms.ts';
import type { PublicRequest } from './page.ts';

const presented = (ctx: Context, { companionCookie }: Config): SessionCaller[] =>
  sessionsOf(ctx.req.headers.cookie === undefined ? [] : [ctx.req.headers.cookie], companionCookie).map((caller) => ({
    ...caller,
    address: addressOf(ctx),
  }));

const addressOf = ({ ip }: Context): string => ip.slice(0, 100);

type Deps = Pick<PageDeps, 'config' | 'db' | 'identities' | 'limiter'>;

/** Null without a cookie. Does not check if the session is still valid. Counts the request: all sessions of a user share one limit
 *  (behaviour §13.14). Throws RateLimited. */
export async function sessionOf(ctx: Context, { config, identities, limiter }: Deps): Promise<SessionCaller | null> {
  const caller = await identities.session(presented(ctx, config));
  if (caller) await admit(limiter, `pages-of:${caller.owner.userId}`);
  return caller;
}

/** The session's caller and user; null without a valid session. `showing` as in getSignedIn. Throws RateLimited. */
export async function signedIn(
  ctx: Context,
  deps: Deps,
  showing: number | null,
): Promise<{ caller: SessionCaller; user: SignedIn } | null> {
  const caller = await sessionOf(ctx, deps);
  const user = caller && outputOf(await perform(deps.db, caller, getSignedIn, { showing }));
  return user ? { caller, user } : null;
}

/** Counts a request. Throws RateLimited. */
export async function admit(limiter: Limiter, key: string): Promise<void> {
  const found = limiter.admit(key);
  const { admitted, reset } = found instanceof Promise ? await found : found;
  if (!admitted) throw new RateLimited(reset);
}

export const browserOf = (ctx: Context, config: Config): Browser => ({
  replaces: presented(ctx, config).map(({ hash }) => hash),
  device: deviceOf(ctx.get('User-Agent')),
  address: addressOf(ctx),
});

/** Null ends the session. Path is the context path, so that two installations on one host have separate sessions. */
export function setSession(ctx: Context, { basePath, https, companionCookie }: Config, session: string | null): void {
  const names = companionCookie ? [SESSION_COOKIE, COMPANION_COOKIE] : [SESSION_COOKIE];
  const rest = `=${session ?? ''}; Path=${basePath || '/'}; HttpOnly; SameSite=Lax${https ? '; Secure' : ''}${session === null ? '; Max-Age=0' : ''}`;
  ctx.set(
    'Set-Cookie',
    names.map((name) => name + rest),
  );
}

// Return paths: ?next= after sign-in, and Referer. Only paths of this site are accepted (behaviour §12.15).

/** The requested page, for ?next=; null for the start page. POSTs are not repeated, so only GET counts. */
export function requestedPath(ctx: Context, basePath: string): string | null {
  const path = ctx.url.slice(basePath.length);
  return ctx.method === 'GET' && path !== '/' && ownPath(path, basePath) === path ? path : null;
}

/** Returns '/' for other hosts (`//host`, `/\host`) and for dots that lead out of the context path. */
export function ownPath(next: string, basePath: string): string {
  if (!/^\/(?![/\\])[\w\-./?=&%+~:,]*$/.test(next)) return '/';
  const origin = 'http://own.invalid';
  if (!URL.canParse(origin + basePath + next)) return '/';
  const { host, pathname, search } = new URL(origin + basePath + next);
  return host === 'own.invalid' && pathname + search === basePath + next ? next : '/';
}

/** Field `back` of a form, below the context path; otherwise `usual`. */
export const backOf = ({ form, basePath }: { form: Form; basePath: string }, usual = '/'): string => {
  const back = form.text('back');
  const own = ownPath(back, basePath);
  return own === '/' && back !== '/' ? usual : own;
};

/** The path of the page that sent the request, from Referer; null if unknown or of another site. */
export function refererOf(ctx: Context, config: Pick<Config, 'origin' | 'basePath'>): string | null {
  const { referer } = ctx.req.headers;
  if (!referer || !URL.canParse(referer)) return null;
  const { origin, pathname, search } = new URL(referer);
  const own = isOwnOrigin(config.origin, ctx, origin) && pathname.startsWith(`${config.basePath}/`) && !pathname.startsWith('//');
  return own ? pathname + search : null;
}

export const cameFrom = (ctx: Context, config: Pick<Config, 'origin' | 'basePath'>): string =>
  refererOf(ctx, config) ?? `${config.basePath}/`;

/** Runs an operation and returns its result. Throws InvalidRequest on invalid input, and the operation's own errors. */
export async function call<Input, Output>(
  { ctx, deps, caller }: PublicRequest,
  operation: Operation<Input, Output>,
  input: unknown,
): Promise<Output> {
  const wanted = () => !ctx.res.closed;
  const parsed = parseInput(operation.input, input, 'The form');
  return outputOf(await perform(deps.db, caller, operation, parsed, { wanted }));
}
