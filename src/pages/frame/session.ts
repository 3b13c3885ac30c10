import type { Context } from 'koa';
import type { SessionCaller } from '../../access/caller.ts';
import { COMPANION_COOKIE, SESSION_COOKIE, sessionsOf } from '../../access/presented.ts';
import type { Limiter } from '../../access/throttle/perMinute.ts';
import { deviceOf } from '../../accounts/device.ts';
import type { Browser } from '../../accounts/sessions.ts';
import type { Config } from '../../config.ts';
import { outputOf } from '../../operations/json.ts';
import { perform } from '../../operations/perform.ts';
import { getSignedIn, type SignedIn } from '../../overviews/signedIn.ts';
import { RateLimited } from '../../values/errors.ts';
import type { PageDeps } from './page.ts';

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
  if (caller) await admit(limiter, `pages-of:${caller.personId}`);
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

export function handOver(ctx: Context, config: Config, { session }: { session: string }): void {
  setCookies(ctx, config, session);
}

export function clearCookie(ctx: Context, config: Config): void {
  setCookies(ctx, config, '', '; Max-Age=0');
}

/** Path is the context path, so that two installations on one host have separate sessions. */
function setCookies(ctx: Context, { basePath, https, companionCookie }: Config, value: string, more = '') {
  const names = companionCookie ? [SESSION_COOKIE, COMPANION_COOKIE] : [SESSION_COOKIE];
  const rest = `=${value}; Path=${basePath || '/'}; HttpOnly; SameSite=Lax${https ? '; Secure' : ''}${more}`;
  ctx.set(
    'Set-Cookie',
    names.map((name) => name + rest),
  );
}
