/** Where a change that is made beside a list leads back to: the page that it was made from, below the context path. */
import { ownPath, refererOf } from './nextPath.ts';
import type { PublicRequest } from './page.ts';

/** What a notice was about is said once, and nobody comes back to a form that was refused. */
const ofNotices = ['notice', 'undo', 'added', 'again'];

function withoutNotice(path: string): string {
  const [place = '/', query = ''] = path.split('?', 2);
  const kept = new URLSearchParams(query);
  for (const name of ofNotices) kept.delete(name);
  return kept.size > 0 ? `${place}?${kept}` : place;
}

/** The page of this request, to come back to. */
export const hereOf = ({ ctx, basePath }: PublicRequest): string =>
  withoutNotice(ctx.path.slice(basePath.length) + (ctx.querystring ? `?${ctx.querystring}` : '') || '/');

/** Where a menu was opened: as its script says it, or the browser; null when neither does, or it was opened by itself. */
export function cameFromPage({ ctx, query, basePath, deps }: PublicRequest): string | null {
  const from = query.get('opened') ?? refererOf(ctx, deps.config);
  if (!from?.startsWith(`${basePath}/`)) return null;
  const path = from.slice(basePath.length);
  return path.startsWith('/sign-in') || path.split('?', 1)[0] === ctx.path.slice(basePath.length) ? null : path;
}

/** What a form or an address says to go back to, when it is ours; else `usual`. */
export function backTo(asked: string | null, { basePath }: { basePath: string }, usual: string): string {
  const path = asked ? ownPath(asked, basePath) : '/';
  return path === '/' && asked !== '/' ? usual : withoutNotice(path);
}
