import { ownPath, refererOf } from './nextPath.ts';
import type { PublicRequest } from './page.ts';

/** Query parameters to drop: each notice is shown once, and a refused form is not shown again. */
const ofNotices = ['notice', 'undo', 'added', 'again'];

function withoutNotice(path: string): string {
  const [place = '/', query = ''] = path.split('?', 2);
  const kept = new URLSearchParams(query);
  for (const name of ofNotices) kept.delete(name);
  return kept.size > 0 ? `${place}?${kept}` : place;
}

export const hereOf = ({ ctx, basePath }: PublicRequest): string =>
  withoutNotice(ctx.path.slice(basePath.length) + (ctx.querystring ? `?${ctx.querystring}` : '') || '/');

/** The page from which a menu was opened, named by its script or by Referer. Null if unknown, or if the menu is the page itself. */
export function cameFromPage({ ctx, query, basePath, deps }: PublicRequest): string | null {
  const from = query.get('opened') ?? refererOf(ctx, deps.config);
  if (!from?.startsWith(`${basePath}/`)) return null;
  const path = from.slice(basePath.length);
  return path.startsWith('/sign-in') || path.split('?', 1)[0] === ctx.path.slice(basePath.length) ? null : path;
}

/** The requested return path if it is a path of this site; otherwise `usual`. */
export function backTo(asked: string | null, { basePath }: { basePath: string }, usual: string): string {
  const path = asked ? ownPath(asked, basePath) : '/';
  return path === '/' && asked !== '/' ? usual : withoutNotice(path);
}
