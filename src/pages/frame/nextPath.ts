/** Paths of our own: where to go after signing in (?next=), and where a form came from. Nothing else is followed (behaviour §12.15). */
import type { Context } from 'koa';
import type { Config } from '../../config.ts';
import { isOwnOrigin } from '../../http/address.ts';
import type { Form } from './forms.ts';

/** The page asked for, for ?next=; null for the first page. Forms are not sent again, so only a GET is remembered. */
export function askedFor(ctx: Context, basePath: string): string | null {
  const path = ctx.url.slice(basePath.length);
  return ctx.method === 'GET' && path !== '/' && ownPath(path, basePath) === path ? path : null;
}

/** `next` when it is a path of our own; '/' otherwise. Never another host (`//host`, `/\host`), and never out of the context path by
 *  dots. */
export function ownPath(next: string, basePath: string): string {
  if (!/^\/(?![/\\])[\w\-./?=&%+~:,]*$/.test(next)) return '/';
  const origin = 'http://own.invalid';
  if (!URL.canParse(origin + basePath + next)) return '/';
  const { host, pathname, search } = new URL(origin + basePath + next);
  return host === 'own.invalid' && pathname + search === basePath + next ? next : '/';
}

/** Where a form that stands on many pages leads back to: its hidden field `back`, a path below the context path. */
export const backOf = ({ form, basePath }: { form: Form; basePath: string }, usual = '/'): string => {
  const back = form.text('back');
  const own = ownPath(back, basePath);
  return own === '/' && back !== '/' ? usual : own;
};

/** The page of our own that a form or a link stood on, as a path; null when that is not known. */
export function refererOf(ctx: Context, config: Pick<Config, 'origin' | 'basePath'>): string | null {
  const { referer } = ctx.req.headers;
  if (!referer || !URL.canParse(referer)) return null;
  const { origin, pathname, search } = new URL(referer);
  const own = isOwnOrigin(config.origin, ctx, origin) && pathname.startsWith(`${config.basePath}/`) && !pathname.startsWith('//');
  return own ? pathname + search : null;
}

/** The same, or else the first page. */
export const cameFrom = (ctx: Context, config: Pick<Config, 'origin' | 'basePath'>): string =>
  refererOf(ctx, config) ?? `${config.basePath}/`;
