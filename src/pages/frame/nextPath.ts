/** Return paths: ?next= after sign-in, and Referer. Only paths of this site are accepted (behaviour §12.15). */
import type { Context } from 'koa';
import type { Config } from '../../config.ts';
import { isOwnOrigin } from '../../http/address.ts';
import type { Form } from './forms.ts';

/** The requested page, for ?next=; null for the start page. POSTs are not repeated, so only GET counts. */
export function askedFor(ctx: Context, basePath: string): string | null {
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
