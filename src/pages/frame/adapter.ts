/** Serves the pages: session, CSRF check, form, handler, layout and response headers (behaviour §12.6, §12.7). */
import Router from '@koa/router';
import type { Context } from 'koa';
import { visitor } from '../../access/caller.ts';
import { metered } from '../../access/throttle/loopShare.ts';
import type { Config } from '../../config.ts';
import { apart, cameAsPlainHttp, hasOwnHost, misdirected, useHttps } from '../../http/guard.ts';
import { subjectOf } from '../../http/requestLog.ts';
import { withUploadSlot } from '../../http/upload.ts';
import { asAppError } from '../../operations/refusals.ts';
import { type AppError, Forbidden, RateLimited, Unavailable } from '../../values/errors.ts';
import { letOthersRun } from '../../values/pieces.ts';
import { serveLive } from '../live/serve.ts';
import { pageAbove, redirectToRefusal, refusedPage, trying } from './again.ts';
import { compressPage } from './compress.ts';
import { questionOf } from './confirm.ts';
import type { PageDeps } from './deps.ts';
import { html } from './html.ts';
import { installedFiles } from './installed.ts';
import type { Page } from './layout.ts';
import type { Answer, PageRequest, PageRoute, PrivateRoute } from './page.ts';
import { fail, type Reader, readerOf, respond, show, signedOut, withFrame } from './respond.ts';
import { serveAsset } from './serveAsset.ts';
import { requestedPath } from './session.ts';
import { checkedForm, checkedUpload, once } from './submitted.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

interface Served {
  route: PageRoute;
  /** The POST route with the same path. */
  sent: PrivateRoute | undefined;
}

export function pagesHandler(routes: PageRoute[], deps: PageDeps) {
  const { basePath, development } = deps.config;
  const serveInstalled = installedFiles(basePath);
  const pages = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
  const sent = new Map(routes.flatMap((route) => (route.method === 'POST' && !route.public ? [[route.path, route]] : [])));
  const comeBack = (path: string): PrivateRoute => ({
    ...{ method: 'GET', path, bare: true },
    handle: async ({ ctx }) => ({ redirect: pageAbove(ctx.path.slice(basePath.length), path, pages) }),
  });
  const forms = [...sent.keys()].filter((path) => !pages.has(path));
  // Fixed paths come before paths that end in a parameter. Otherwise `remove` would be read as an id.
  const ordered = [
    ...forms.filter((path) => !isParameter(path)).map(comeBack),
    ...routes.filter((route) => development || !route.development),
    ...forms.filter(isParameter).map(comeBack),
  ];
  const router = new Router({ prefix: basePath });
  const served = new Map(ordered.map((route) => [router.register(route.path, [route.method], []), { route, sent: sent.get(route.path) }]));
  const answer = async (ctx: Context): Promise<void> => {
    ctx.state.operation = 'page';
    const plain = cameAsPlainHttp(deps.config, ctx);
    if (!plain && ctx.path.startsWith(`${basePath}/static/`) && (await serveAsset(ctx, ctx.path.slice(`${basePath}/static/`.length))))
      return;
    ctx.set({
      'Content-Security-Policy': policy,
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'same-origin',
      'Cache-Control': 'no-store',
    });
    if (plain) return toHttps(ctx, deps);
    if (serveInstalled(ctx)) return;
    if (!hasOwnHost(deps.config.origin, ctx)) return show(ctx, deps.config, notHere(deps.config), signedOut);
    if (ctx.method === 'GET' && (await serveLive(ctx, deps))) return;
    const [layer] = router.match(ctx.path, ctx.method).pathAndMethod;
    const found = layer && served.get(layer);
    await (found ? serve(ctx, found, layer.params(ctx.path, layer.captures(ctx.path)), deps) : answerNotFound(ctx, deps));
  };
  return async (ctx: Context): Promise<void> => {
    await answer(ctx);
    await compressPage(ctx);
  };
}

const isParameter = (path: string): boolean => path.slice(path.lastIndexOf('/') + 1).startsWith(':');

/** Also works when the database is down and the session cannot be read. */
async function answerNotFound(ctx: Context, deps: PageDeps): Promise<void> {
  try {
    await respond(ctx, deps, notFound(deps.config.basePath), await readerOf(ctx, deps));
  } catch (error) {
    if (error instanceof RateLimited) fail(ctx, deps, error, signedOut);
    else show(ctx, deps.config, notFound(deps.config.basePath), signedOut);
  }
}

const notFound = (basePath: string): Page & { status: number } => ({
  status: 404,
  title: 'Not found',
  body: html`<p>This page does not exist. Check the address, or go to My day.</p><p><a href="${basePath}/">Go to My day</a></p>`,
});

const notHere = (config: Config): Page & { status: number } => ({
  status: 421,
  title: 'Wrong address',
  body: html`<p class="error" role="alert">${misdirected(config)}</p><p><a href="${config.baseUrl}/">${config.baseUrl}/</a></p>`,
});

/** Redirects GET and HEAD only: the password in a posted form has already crossed the network unencrypted (behaviour §1.6). */
function toHttps(ctx: Context, deps: PageDeps) {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
    return show(
      ctx,
      deps.config,
      { status: 403, title: 'No access', body: html`<p class="error" role="alert">${useHttps}</p>` },
      signedOut,
    );
  }
  ctx.status = 308;
  ctx.set('Location', deps.config.origin + ctx.path + ctx.search);
  ctx.body = '';
}

async function serve(ctx: Context, { route, sent }: Served, params: Record<string, string>, deps: PageDeps): Promise<void> {
  ctx.state.operation = `${route.method} ${route.path}`;
  ctx.state.path = route.path;
  if (route.path.startsWith('/workspaces/:id'))
    ctx.state.subject = subjectOf({ workspaceId: Number(params.id), itemId: Number(params.itemId) });
  let reader = signedOut;
  ctx.state.answerFault = (error: AppError) => fail(ctx, deps, error, reader);
  try {
    reader = await readerOf(ctx, deps, route);
    ctx.state.caller = reader.session?.caller;
    await metered(reader.session?.caller.owner, async () => {
      const answer = await answerOf(ctx, { route, sent }, deps, checkedIds(params), reader);
      await letOthersRun();
      await respond(ctx, deps, answer, reader);
    });
  } catch (error) {
    const fault = asAppError(error);
    // Without a database the layout shows no user data.
    const around = fault instanceof Unavailable ? reader : await withFrame(ctx, deps, reader).catch(() => reader);
    fail(ctx, deps, fault, around);
  }
}

async function answerOf(
  ctx: Context,
  { route, sent }: { route: PageRoute; sent: PrivateRoute | undefined },
  deps: PageDeps,
  params: Record<string, string>,
  { session, csrf }: Reader,
): Promise<Answer> {
  const { basePath } = deps.config;
  const asked = { ctx, deps, params, query: new URLSearchParams(ctx.querystring), basePath, csrf };
  if (route.public)
    return route.handle({ ...asked, caller: { ...visitor, address: ctx.ip.slice(0, 100) }, form: await checkedForm(ctx, deps, null) });
  if (!session) return toSignIn(ctx, deps);
  if (route.uploads) return apart(ctx, uploaded(ctx, route, { ...asked, ...session }));
  const form = await checkedForm(ctx, deps, session.caller);
  const request = { ...asked, form, ...session };
  if (ctx.method !== 'POST') return (await refusedPage(request, sent)) ?? route.handle(request);
  const trial = trying(request, route);
  const answer = questionOf(request) ?? (await once(trial ?? request, route.handle));
  return trial ? redirectToRefusal(trial, answer) : answer;
}

/** An upload may take minutes: http/upload.ts has its time limits. */
const uploaded = (ctx: Context, route: PrivateRoute, asked: Omit<PageRequest, 'form'>): Promise<Answer> =>
  withUploadSlot(asked.user.id, async () => {
    const { form, close } = await checkedUpload(ctx, asked.deps, asked.caller);
    try {
      return await once({ ...asked, form }, route.handle);
    } finally {
      await close();
    }
  });

function toSignIn(ctx: Context, { config }: PageDeps): Answer {
  // The submitted values are lost; the notice says that nothing was saved.
  if (ctx.method !== 'GET' && ctx.path !== `${config.basePath}/sign-out`) return { redirect: '/sign-in', notice: 'ended' };
  const next = requestedPath(ctx, config.basePath);
  return { redirect: next ? `/sign-in?next=${encodeURIComponent(next)}` : '/sign-in' };
}

/** Throws Forbidden unless every id in the path is a positive safe integer. */
function checkedIds(params: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(params)) {
    if (/id$/i.test(name) && !(/^[1-9]\d{0,15}$/.test(value) && Number.isSafeInteger(Number(value)))) throw new Forbidden();
  }
  return params;
}
