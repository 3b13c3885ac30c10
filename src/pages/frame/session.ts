/** Who looks at a page: the session behind the cookie, read afresh for each request. */
import type { Context } from 'koa';
import type { SessionCaller } from '../../access/caller.ts';
import type { Limiter } from '../../access/limiter.ts';
import { SESSION_COOKIE, sessionsOf } from '../../access/presented.ts';
import { deviceOf } from '../../accounts/device.ts';
import { type Browser, getSignedIn, type SignedIn } from '../../accounts/sessions.ts';
import type { Config } from '../../config.ts';
import type { Db } from '../../database/db.ts';
import { outputOf } from '../../operations/json.ts';
import { perform } from '../../operations/perform.ts';
import { RateLimited } from '../../values/errors.ts';

/** What the browser shows, unchecked. */
export const presented = (ctx: Context): SessionCaller[] =>
  sessionsOf(ctx.req.headers.cookie === undefined ? [] : [ctx.req.headers.cookie]).map((caller) => ({
    ...caller,
    address: addressOf(ctx),
  }));

const addressOf = ({ ip }: Context): string => ip.slice(0, 100);

/** The session's caller and user, or null without a good one; `showing` as getSignedIn has it. Throws RateLimited. */
export async function signedIn(
  ctx: Context,
  { db, limiter }: { db: Db; limiter: Limiter },
  showing: number | null,
): Promise<{ caller: SessionCaller; user: SignedIn } | null> {
  for (const caller of presented(ctx)) {
    // Before anything is asked of the database: whoever is over the limit costs it nothing.
    await admit(limiter, ofSession(caller));
    const user = outputOf(await perform(db, caller, getSignedIn, { showing }));
    if (!user) continue;
    await admit(limiter, ofPerson(user.id));
    return { caller, user };
  }
  return null;
}

/** All sessions of a person count together, once it is known whose they are (behaviour §13.14). */
export const ofSession = ({ hash }: SessionCaller): string => `pages:${hash.toString('base64url')}`;
export const ofPerson = (userId: number): string => `pages-of:${userId}`;

/** Counts a request. Throws RateLimited. */
export async function admit(limiter: Limiter, key: string): Promise<void> {
  const found = limiter.admit(key);
  const { admitted, reset } = found instanceof Promise ? await found : found;
  if (!admitted) throw new RateLimited(reset);
}

/** Where a session begins, with the one that it takes the place of. */
export const browserOf = (ctx: Context): Browser => ({
  replaces: presented(ctx)[0]?.hash ?? null,
  device: deviceOf(ctx.get('User-Agent')),
  address: addressOf(ctx),
});

/** Hands the cookie of a session that has just begun over. */
export function handOver(ctx: Context, config: Config, { session }: { session: string }): void {
  setCookie(ctx, config, session);
}

export function clearCookie(ctx: Context, config: Config): void {
  setCookie(ctx, config, '', '; Max-Age=0');
}

/** Path is the context path, so that two installations on one host do not share sessions. */
function setCookie(ctx: Context, { basePath, https }: Config, value: string, more = '') {
  ctx.set('Set-Cookie', `${SESSION_COOKIE}=${value}; Path=${basePath || '/'}; HttpOnly; SameSite=Lax${https ? '; Secure' : ''}${more}`);
}
