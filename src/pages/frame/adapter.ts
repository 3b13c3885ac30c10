/** Serves the pages: session, CSRF, form, handler, frame; and the headers every page carries (behaviour §12.6, §12.7). */
import Router from '@koa/router';
import type { Context } from 'koa';
import { visitor } from '../../access/caller.ts';
import { csrfToken } from '../../access/csrf.ts';
import { getSignedIn, type SignedIn } from '../../accounts/sessions.ts';
import type { Config } from '../../config.ts';
import { cameAsPlainHttp, hasOwnHost, misdirected, useHttps } from '../../http/address.ts';
import { answerPieces, statusOf } from '../../http/answer.ts';
import { subjectOf } from '../../http/requestLog.ts';
import { sealPlace } from '../../live/place.ts';
import { outputOf } from '../../operations/json.ts';
import { asAppError, perform } from '../../operations/perform.ts';
import { type AppError, Forbidden, RateLimited, Unavailable } from '../../values/errors.ts';
import { serveLive } from '../live/serve.ts';
import { ledAway, pageAbove, shownAgain, trying } from './again.ts';
import { bytesOf } from './bytesOf.ts';
import { clockOf } from './clock.ts';
import { questionOf } from './confirm.ts';
import { html } from './html.ts';
import { layout, type Page } from './layout.ts';
import { askedFor, cameFrom } from './nextPath.ts';
import { once } from './once.ts';
import { type Answer, addressOf, type Data, type Lines, type PageDeps, type PageRoute, type PrivateRoute } from './page.ts';
import { checkedForm } from './posted.ts';
import { serveAsset } from './serveAsset.ts';
import { signedIn } from './session.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** A handler for everything below the context path that is not an API. */
export function pagesHandler(routes: PageRoute[], deps: PageDeps) {
  const { basePath } = deps.config;
  const router = new Router({ prefix: basePath });
  const pages = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
  const sent = new Map(routes.flatMap((route) => (route.method === 'POST' && !route.public ? [[route.path, route]] : [])));
  const comeBack = (path: string, route: PrivateRoute) => {
    const handle: PrivateRoute['handle'] = async ({ ctx }) => ({ redirect: pageAbove(ctx.path.slice(basePath.length), path, pages) });
    const back: PrivateRoute = { method: 'GET', path, bare: true, handle };
    router.get(path, (ctx) => serve(ctx as unknown as Context, back, deps, ctx.params, route));
  };
  const forms = [...sent].filter(([path]) => !pages.has(path));
  // An address that ends in a word is before pages whose last step is an id, or `remove` would be somebody's.
  for (const [path, route] of forms) if (!isParameter(path)) comeBack(path, route);
  for (const route of routes) {
    if (route.development && !deps.config.development) continue;
    const register = route.method === 'GET' ? router.get.bind(router) : router.post.bind(router);
    register(route.path, (ctx) => serve(ctx as unknown as Context, route, deps, ctx.params, sent.get(route.path)));
  }
  for (const [path, route] of forms) if (isParameter(path)) comeBack(path, route);
  const dispatch = router.routes();
  return async (ctx: Context): Promise<void> => {
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
    if (!hasOwnHost(deps.config.origin, ctx)) return show(ctx, deps.config, notHere(deps.config), nobody);
    if (ctx.method === 'GET' && (await serveLive(ctx, deps))) return;
    let found = true;
    await dispatch(ctx as never, async () => {
      found = false;
    });
    if (!found) await answerNotFound(ctx, deps);
  };
}

/** Whether the last step of a path is one. */
const isParameter = (path: string): boolean => path.slice(path.lastIndexOf('/') + 1).startsWith(':');

/** Also where the database can not say who asks. */
async function answerNotFound(ctx: Context, deps: PageDeps): Promise<void> {
  try {
    await give(ctx, deps, notFound(deps.config.basePath), await readerOf(ctx, deps));
  } catch (error) {
    if (error instanceof RateLimited) fail(ctx, deps, error, nobody);
    else show(ctx, deps.config, notFound(deps.config.basePath), nobody);
  }
}

const notFound = (basePath: string): Page & { status: number } => ({
  status: 404,
  title: 'Not found',
  body: html`<p>There is nothing at this address.</p><p><a href="${basePath}/">Go to the first page</a></p>`,
});

const notHere = (config: Config): Page & { status: number } => ({
  status: 421,
  title: 'Not at this address',
  body: html`<p class="error" role="alert">${misdirected(config)}</p><p><a href="${config.baseUrl}/">${config.baseUrl}/</a></p>`,
});

/** Only what asks for a page is led on: a form's password has crossed the network by now (behaviour §1.6). */
function toHttps(ctx: Context, deps: PageDeps) {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
    return show(ctx, deps.config, { status: 403, title: 'No access', body: html`<p class="error" role="alert">${useHttps}</p>` }, nobody);
  }
  ctx.status = 308;
  ctx.set('Location', deps.config.origin + ctx.path + ctx.search);
  ctx.body = '';
}

interface Reader {
  user: SignedIn | null;
  csrf: string;
  session: Session;
}

const nobody: Reader = { user: null, csrf: '', session: null };

/** The id of the workspace whose page is asked for; 0 outside of any. */
const workspaceOf = ({ path }: Context, { basePath }: Config): number =>
  Number(/^\/workspaces\/([1-9]\d{0,14})(?=\/|$)/.exec(path.slice(basePath.length))?.[1] ?? 0);

/** Of a page that a script takes a part from (menu.js) nothing else is shown. */
const isPart = ({ querystring }: Context): boolean => /(?:^|&)opened=/.test(querystring);

async function readerOf(ctx: Context, deps: PageDeps, route?: PageRoute): Promise<Reader> {
  const bare = ctx.method === 'POST' || isPart(ctx) || (route && 'bare' in route);
  const session = await signedIn(ctx, deps, bare ? null : workspaceOf(ctx, deps.config));
  if (session) deps.lastUse.note(session.caller);
  return session ? { user: session.user, csrf: csrfToken(deps.config.secretKey, session.caller.hash), session } : nobody;
}

/** `sent`: the route of the forms that are sent to the same address. */
async function serve(ctx: Context, route: PageRoute, deps: PageDeps, params: Record<string, string>, sent?: PrivateRoute): Promise<void> {
  ctx.state.operation = `${route.method} ${route.path}`;
  ctx.state.path = route.path;
  if (route.path.startsWith('/workspaces/:id'))
    ctx.state.subject = subjectOf({ workspaceId: Number(params.id), itemId: Number(params.itemId) });
  let reader = nobody;
  ctx.state.answerFault = (error: AppError) => fail(ctx, deps, error, reader);
  try {
    reader = await readerOf(ctx, deps, route);
    ctx.state.caller = reader.session?.caller;
    await give(ctx, deps, await answerOf(ctx, { route, sent }, deps, checkedIds(params), reader), reader);
  } catch (error) {
    const fault = asAppError(error);
    // Where the database is away, nothing of it can stand around the page.
    const around = fault instanceof Unavailable ? reader : await withFrame(ctx, deps, reader).catch(() => reader);
    fail(ctx, deps, fault, around);
  }
}

type Session = Awaited<ReturnType<typeof signedIn>>;

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
  const form = await checkedForm(ctx, deps, session.caller);
  const request = { ...asked, form, ...session };
  if (ctx.method !== 'POST') return (await shownAgain(request, sent)) ?? route.handle(request);
  const trial = trying(request, route);
  return ledAway(trial, questionOf(request) ?? (await once(trial, route.handle)));
}

function toSignIn(ctx: Context, { config }: PageDeps): Answer {
  // What a form held is not kept: it is said that nothing was saved.
  if (ctx.method !== 'GET' && ctx.path !== `${config.basePath}/sign-out`) return { redirect: '/sign-in', notice: 'ended' };
  const next = askedFor(ctx, config.basePath);
  return { redirect: next ? `/sign-in?next=${encodeURIComponent(next)}` : '/sign-in' };
}

/** Ids in a path are positive integers, or there is no such page. */
function checkedIds(params: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(params)) {
    if (/id$/i.test(name) && !(/^[1-9]\d{0,15}$/.test(value) && Number.isSafeInteger(Number(value)))) throw new Forbidden();
  }
  return params;
}

async function give(ctx: Context, deps: PageDeps, answer: Answer, reader: Reader): Promise<void> {
  if ('redirect' in answer) return redirect(ctx, deps, addressOf(answer));
  if ('file' in answer || 'lines' in answer) return giveFile(ctx, answer);
  if ('data' in answer) return giveData(ctx, answer);
  show(ctx, deps.config, answer, isPart(ctx) ? reader : await withFrame(ctx, deps, reader));
}

/** A form that is shown again, or asks, is a page as well: what stands around it was not read with the session. */
async function withFrame(ctx: Context, deps: PageDeps, reader: Reader): Promise<Reader> {
  if (!reader.session || reader.user?.frame) return reader;
  const user = outputOf(await perform(deps.db, reader.session.caller, getSignedIn, { showing: workspaceOf(ctx, deps.config) }));
  return user ? { ...reader, user } : nobody;
}

function giveFile(ctx: Context, answer: Extract<Answer, { file: Buffer }> | Lines) {
  const name = encodeURIComponent(answer.name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  ctx.set({
    'Content-Disposition': `attachment; filename*=UTF-8''${name}`,
    'Content-Type': 'lines' in answer ? answer.type : 'application/octet-stream',
  });
  if ('lines' in answer) answerPieces(ctx, answer.lines);
  else ctx.body = answer.file;
}

function giveData(ctx: Context, { data, status = 200 }: Data) {
  ctx.status = status;
  ctx.body = data;
}

function show(ctx: Context, config: Config, page: Page & { status?: number }, { user, csrf }: Reader) {
  const query = new URLSearchParams(ctx.querystring);
  const notice = query.get('notice') ?? undefined;
  const undo = query.get('undo');
  for (const name of ['notice', 'undo']) query.delete(name);
  ctx.status = page.status ?? 200;
  // What is left of a body is not waited for.
  if (ctx.method === 'POST' && !ctx.req.complete) ctx.set('Connection', 'close');
  ctx.type = 'text/html; charset=utf-8';
  const [path = '/', asked = ''] = page.at?.split('?', 2) ?? [ctx.path.slice(config.basePath.length) || '/', query.toString()];
  const search = asked && `?${asked}`;
  // What a form has led to is nobody's to swap.
  const follows = user?.place && config.liveStreams > 0 && ctx.method === 'GET' && ctx.status === 200;
  const place = follows ? sealPlace(config.secretKey, user.place!) : null;
  ctx.body = bytesOf(
    layout(page, {
      ...{ basePath: config.basePath, user, csrf, notice, undo, path, search, place, clock: clockOf({ ctx, user }) },
      posted: ctx.method === 'POST',
    }),
  );
}

/** Post, redirect, get: 303 makes the browser fetch the next page. */
function redirect(ctx: Context, { config }: PageDeps, path: string) {
  ctx.status = 303;
  ctx.set('Location', config.basePath + path);
  ctx.body = '';
}

const titles: Record<number, string> = { 403: 'No access', 429: 'Too many requests', 503: 'Not available right now' };

function fail(ctx: Context, deps: PageDeps, error: AppError, reader: Reader) {
  if (error.cause) ctx.state.cause = error.cause;
  if (error.details.retryAfter) ctx.set('Retry-After', String(error.details.retryAfter));
  const status = statusOf[error.code];
  const title = titles[status] ?? 'That did not work';
  const { basePath } = deps.config;
  const back = ctx.method === 'POST' ? cameFrom(ctx, deps.config) : `${basePath}/`;
  const label = back === `${basePath}/` ? 'Go to the first page' : 'Go back';
  const sentence = error instanceof Forbidden ? noAccess : error.message;
  show(
    ctx,
    deps.config,
    { status, title, body: html`<p class="error" role="alert">${sentence}</p><p><a href="${back}">${label}</a></p>` },
    reader,
  );
}

/** As constant as the API's sentence (behaviour §3.12), in terms of pages. */
const noAccess = 'You have no access to this, or it does not exist: check the address, or ask whoever runs the workspace or the account.';
