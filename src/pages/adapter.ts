/** Serves the pages: session, CSRF, form, handler, frame; and the headers every page carries (contract §8). */
import Router from '@koa/router';
import type { Context } from 'koa';
import { csrfToken, isCsrfToken } from '../access/csrf.ts';
import { type AppError, Forbidden } from '../errors.ts';
import { asAppError } from '../perform.ts';
import { serveAsset } from './assets.ts';
import { Form, readForm } from './forms.ts';
import { html } from './html.ts';
import { layout, type Page } from './layout.ts';
import type { Answer, PageDeps, PageRoute } from './page.ts';
import { signedIn } from './session.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** A handler for everything below the context path that is not an API. */
export function pagesHandler(routes: PageRoute[], deps: PageDeps) {
  const { basePath } = deps.config;
  const router = new Router({ prefix: basePath });
  for (const route of routes) {
    const register = route.method === 'GET' ? router.get.bind(router) : router.post.bind(router);
    register(route.path, (ctx) => serve(ctx as unknown as Context, route, deps, ctx.params));
  }
  const dispatch = router.routes();
  return async (ctx: Context): Promise<void> => {
    ctx.state.operation = 'page';
    if (ctx.path.startsWith(`${basePath}/static/`) && serveAsset(ctx, ctx.path.slice(`${basePath}/static/`.length))) return;
    ctx.set({
      'Content-Security-Policy': policy,
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'same-origin',
      'Cache-Control': 'no-store',
    });
    let found = true;
    await dispatch(ctx as never, async () => {
      found = false;
    });
    if (!found) show(ctx, deps, notFound, { user: null, csrf: '' });
  };
}

const notFound: Page & { status: number } = { status: 404, title: 'Not found', body: html`<p>There is nothing at this address.</p>` };

async function serve(ctx: Context, route: PageRoute, deps: PageDeps, params: Record<string, string>): Promise<void> {
  ctx.state.operation = `${route.method} ${route.path}`;
  const frame: { user: Parameters<typeof layout>[1]['user']; csrf: string } = { user: null, csrf: '' };
  try {
    const session = await signedIn(ctx, deps.db);
    frame.user = session?.user ?? null;
    frame.csrf = session ? csrfToken(deps.config.secretKey, session.caller.hash) : '';
    if (!session && !route.public)
      return redirect(ctx, deps, `/sign-in?next=${encodeURIComponent(ctx.path.slice(deps.config.basePath.length))}`);
    const form = await checkedForm(ctx, deps, session?.caller.hash ?? null);
    const common = { ctx, deps, params: checkedIds(params), query: new URLSearchParams(ctx.querystring), form, csrf: frame.csrf };
    const answer = route.public
      ? await route.handle(common)
      : await route.handle({ ...common, caller: session!.caller, user: session!.user });
    give(ctx, deps, answer, frame);
  } catch (error) {
    fail(ctx, deps, asAppError(error), frame);
  }
}

/** Only our own pages may post: the origin must be ours, and with a session the CSRF value must be right. */
async function checkedForm(ctx: Context, deps: PageDeps, sessionHash: Buffer | null): Promise<Form> {
  if (ctx.method !== 'POST') return new Form({});
  const { origin } = ctx.req.headers;
  if (origin !== undefined && origin !== 'null' && origin !== deps.config.origin && origin !== `${ctx.protocol}://${ctx.host}`)
    throw new Forbidden();
  const site = ctx.get('Sec-Fetch-Site');
  if (site && site !== 'same-origin' && site !== 'none') throw new Forbidden();
  const form = await readForm(ctx);
  if (sessionHash && !isCsrfToken(deps.config.secretKey, sessionHash, form.raw('_csrf'))) throw new Forbidden();
  return form;
}

/** Ids in a path are positive integers, or there is no such page. */
function checkedIds(params: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(params)) {
    if (/id$/i.test(name) && !(/^[1-9]\d{0,15}$/.test(value) && Number.isSafeInteger(Number(value)))) throw new Forbidden();
  }
  return params;
}

function give(ctx: Context, deps: PageDeps, answer: Answer, frame: { user: Parameters<typeof layout>[1]['user']; csrf: string }) {
  if ('redirect' in answer) {
    const mark = answer.redirect.includes('?') ? '&' : '?';
    return redirect(ctx, deps, answer.redirect + (answer.notice ? `${mark}notice=${answer.notice}` : ''));
  }
  if ('file' in answer) {
    ctx.set({
      'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(answer.name)}`,
      'Content-Type': 'application/octet-stream',
    });
    ctx.body = answer.file;
    return;
  }
  show(ctx, deps, answer, frame);
}

function show(
  ctx: Context,
  { config }: PageDeps,
  page: Page & { status?: number },
  { user, csrf }: { user: Parameters<typeof layout>[1]['user']; csrf: string },
) {
  const notice = new URLSearchParams(ctx.querystring).get('notice') ?? undefined;
  ctx.status = page.status ?? 200;
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = layout(page, { basePath: config.basePath, user, csrf, notice, path: ctx.path.slice(config.basePath.length) || '/' }).text;
}

/** Post, redirect, get: 303 makes the browser fetch the next page. */
function redirect(ctx: Context, { config }: PageDeps, path: string) {
  ctx.status = 303;
  ctx.set('Location', config.basePath + path);
  ctx.body = '';
}

const statusOf: Partial<Record<AppError['code'], number>> = {
  invalid_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  conflict: 409,
  rate_limited: 429,
  unavailable: 503,
};

function fail(ctx: Context, deps: PageDeps, error: AppError, frame: { user: Parameters<typeof layout>[1]['user']; csrf: string }) {
  if (error.cause) ctx.state.cause = error.cause;
  if (error.details.retryAfter) ctx.set('Retry-After', String(error.details.retryAfter));
  const status = statusOf[error.code] ?? 503;
  const title = status === 403 ? 'No access' : status === 503 ? 'Not available right now' : 'That did not work';
  show(
    ctx,
    deps,
    {
      status,
      title,
      body: html`<p class="error" role="alert">${error.message}</p><p><a href="${deps.config.basePath}/">Go to the first page</a></p>`,
    },
    frame,
  );
}
