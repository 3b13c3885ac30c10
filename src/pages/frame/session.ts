/** Who looks at a page: the session behind the cookie, read afresh for each request. */
import type { Context } from 'koa';
import type { SessionCaller } from '../../access/caller.ts';
import { SESSION_COOKIE, sessionOf } from '../../access/presented.ts';
import { newSecret } from '../../access/secrets.ts';
import type { AccountRole } from '../../accounts/schema.ts';
import { insertSession, readSession } from '../../accounts/sessionQueries.ts';
import type { Config } from '../../config.ts';
import type { Db } from '../../database/db.ts';

export interface SignedIn {
  id: number;
  accountId: number;
  name: string;
  email: string;
  accountRole: AccountRole;
  timezone: string;
  unread: number;
}

/** The session's caller and user, or null without a good one. */
export async function signedIn(ctx: Context, db: Db): Promise<{ caller: SessionCaller; user: SignedIn } | null> {
  const caller = sessionOf(ctx.req.headers.cookie === undefined ? [] : [ctx.req.headers.cookie]);
  if (!caller) return null;
  const user = await readSession(db.pool(), caller.hash);
  return user && { caller, user };
}

/** Starts a session under a new id (behaviour §12.5) and hands the cookie over; the old session, if any, ends. */
export async function startSession(ctx: Context, db: Db, config: Config, userId: number): Promise<void> {
  const old = sessionOf(ctx.req.headers.cookie === undefined ? [] : [ctx.req.headers.cookie]);
  const { secret, hash } = newSecret('session');
  await insertSession(db.pool(), userId, hash, old?.hash ?? null);
  setCookie(ctx, config, secret);
}

export function clearCookie(ctx: Context, config: Config): void {
  setCookie(ctx, config, '', '; Max-Age=0');
}

/** Path is the context path, so that two installations on one host do not share sessions. */
function setCookie(ctx: Context, { basePath, https }: Config, value: string, more = '') {
  ctx.set('Set-Cookie', `${SESSION_COOKIE}=${value}; Path=${basePath || '/'}; HttpOnly; SameSite=Lax${https ? '; Secure' : ''}${more}`);
}
