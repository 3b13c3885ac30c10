import { hash } from 'node:crypto';
import type { Context } from 'koa';
import { maskedCsrfToken } from '../../access/secrets.ts';
import { beginStream } from '../../access/throttle/streams.ts';
import type { Config } from '../../config.ts';
import { answerPieces, statusOf } from '../../http/answer.ts';
import { sealPlace } from '../../live/place.ts';
import { outputOf } from '../../operations/json.ts';
import { perform } from '../../operations/perform.ts';
import { lastChange } from '../../overviews/lastChange.ts';
import { getSignedIn, type SignedIn } from '../../overviews/signedIn.ts';
import { type AppError, Forbidden } from '../../values/errors.ts';
import { clockOf } from './clock.ts';
import { empty } from './components/boxes.ts';
import { button } from './components/button.ts';
import type { PageDeps } from './deps.ts';
import { type Content, html } from './html.ts';
import { layout, type Page } from './layout.ts';
import { type Answer, addressOf, type Data, type Lines, type PageRoute } from './page.ts';
import { fullFilename, sendStored } from './sendStored.ts';
import { cameFrom, signedIn } from './session.ts';
import { workspaceAt } from './sidebar.ts';
import { plainToast, type ReadChange, type ToastAsked, type ToastPlace, toastOf } from './toast.ts';
import { isOutboundHeld } from './widgets.ts';

type Session = Awaited<ReturnType<typeof signedIn>>;

/** The reader of the page. User and session are null if the reader is not signed in. */
export interface Reader {
  user: SignedIn | null;
  csrf: string;
  session: Session;
}

export const signedOut: Reader = { user: null, csrf: '', session: null };

const workspaceOf = ({ path }: Context, { basePath }: Config): number => workspaceAt(path.slice(basePath.length));

/** True for pages of which a script takes only a part (menu.js). They need no sidebar data. */
const isPart = ({ querystring }: Context): boolean => /(?:^|&)opened=/.test(querystring);

export async function readerOf(ctx: Context, deps: PageDeps, route?: PageRoute): Promise<Reader> {
  const bare = ctx.method === 'POST' || isPart(ctx) || (route && 'bare' in route);
  const session = await signedIn(ctx, deps, bare ? null : workspaceOf(ctx, deps.config));
  if (session) deps.lastUse.note(session.caller);
  return session ? { user: session.user, csrf: maskedCsrfToken(deps.config.secretKey, session.caller.hash), session } : signedOut;
}

export async function respond(ctx: Context, deps: PageDeps, answer: Answer, reader: Reader): Promise<void> {
  if ('redirect' in answer) return redirect(ctx, deps, addressOf(answer));
  if ('file' in answer || 'lines' in answer) return sendFile(ctx, answer, reader);
  if ('stored' in answer) return sendStored(ctx, answer);
  if ('data' in answer) return sendData(ctx, answer);
  const around = isPart(ctx) ? reader : await withFrame(ctx, deps, reader);
  const toast = await toastOf(askedIn(ctx), toastPlace(ctx, deps.config, answer, around), readChange(deps, around));
  show(ctx, deps.config, answer, around, toast);
}

export async function withFrame(ctx: Context, deps: PageDeps, reader: Reader): Promise<Reader> {
  if (!reader.session || reader.user?.frame) return reader;
  const user = outputOf(await perform(deps.db, reader.session.caller, getSignedIn, { showing: workspaceOf(ctx, deps.config) }));
  return user ? { ...reader, user } : signedOut;
}

function sendFile(ctx: Context, answer: Extract<Answer, { file: Buffer }> | Lines, { session }: Reader) {
  const userId = 'lines' in answer ? (answer.owner ?? session?.caller.owner?.userId) : undefined;
  if (userId !== undefined) {
    const end = beginStream(userId);
    if (ctx.res.closed) end();
    else ctx.res.once('close', end);
  }
  ctx.set({
    'Content-Disposition': `attachment; ${fullFilename(answer.name)}`,
    'Content-Type': 'lines' in answer ? answer.type : 'application/octet-stream',
  });
  if ('lines' in answer) answerPieces(ctx, answer.lines);
  else ctx.body = answer.file;
}

function sendData(ctx: Context, { data, status = 200 }: Data) {
  ctx.status = status;
  if (ctx.method === 'POST' && !ctx.req.complete) ctx.set('Connection', 'close');
  ctx.body = data;
}

const askedIn = ({ querystring }: Context): ToastAsked => {
  const query = new URLSearchParams(querystring);
  return { notice: query.get('notice'), undo: query.get('undo') };
};

const readChange =
  ({ db }: PageDeps, { session }: Reader): ReadChange =>
  async (named) =>
    session && outputOf(await perform(db, session.caller, lastChange, named));

/** The page and its query, without what only the toast needs. */
function placeOf({ path, querystring }: Context, { basePath }: Config, page: Pick<Page, 'at'>): { at: string; rest: string } {
  const query = new URLSearchParams(querystring);
  for (const name of ['notice', 'undo']) query.delete(name);
  const [at = '/', asked = ''] = page.at?.split('?', 2) ?? [path.slice(basePath.length) || '/', query.toString()];
  return { at, rest: asked && `?${asked}` };
}

function toastPlace(ctx: Context, config: Config, page: Page, { user, csrf }: Reader): ToastPlace {
  const { at, rest } = placeOf(ctx, config, page);
  return { basePath: config.basePath, csrf, here: at + rest, clock: clockOf({ ctx, user }) };
}

export function show(ctx: Context, config: Config, page: Page & { status?: number }, reader: Reader, told?: Content) {
  const { user, csrf } = reader;
  const toast = told ?? plainToast(askedIn(ctx), toastPlace(ctx, config, page, reader));
  ctx.status = page.status ?? 200;
  // Close the connection instead of reading the rest of the request body.
  if (ctx.method === 'POST' && !ctx.req.complete) ctx.set('Connection', 'close');
  ctx.type = 'text/html; charset=utf-8';
  const { at: path, rest: search } = placeOf(ctx, config, page);
  // Answers to forms are not updated live.
  const follows = config.liveStreams > 0 && ctx.method === 'GET' && ctx.status === 200;
  const place = user?.place && follows ? sealPlace(config.secretKey, user.place) : null;
  const { text } = layout(page, {
    ...{ basePath: config.basePath, user, csrf, toast, path, search, place, clock: clockOf({ ctx, user }) },
    ...(reader.session && { sessionTag: hash('sha256', reader.session.caller.hash, 'base64url').slice(0, 16) }),
    outboundHeld: isOutboundHeld(config, user),
    posted: ctx.method === 'POST',
  });
  // Encoded once: Koa would measure a string, and Node would encode it again.
  ctx.body = Buffer.from(text);
}

function redirect(ctx: Context, { config }: PageDeps, path: string) {
  ctx.status = 303;
  ctx.set('Location', config.basePath + path);
  ctx.body = '';
}

const titles: Record<number, string> = { 429: 'Too many requests', 503: 'Not available right now' };

export function fail(ctx: Context, deps: PageDeps, error: AppError, reader: Reader) {
  if (error.cause) ctx.state.cause = error.cause;
  if (error.details.retryAfter) ctx.set('Retry-After', String(error.details.retryAfter));
  const status = statusOf[error.code];
  const title = titles[status] ?? 'Something went wrong';
  const { basePath } = deps.config;
  const back = ctx.method === 'POST' ? cameFrom(ctx, deps.config) : `${basePath}/`;
  const label = back === `${basePath}/` ? 'Go to My day' : 'Go back';
  if (error instanceof Forbidden)
    return show(ctx, deps.config, { status, ...unfound(ctx, deps.config, reader, { href: back, label }) }, reader);
  show(
    ctx,
    deps.config,
    { status, title, body: html`<p class="error" role="alert">${error.message}</p><p><a href="${back}">${label}</a></p>` },
    reader,
  );
}

/** The same page for absent and hidden things (behaviour §40.5): it depends on the address and on the reader's own workspaces alone. */
function unfound({ path }: Context, { basePath }: Config, { user }: Reader, back: { href: string; label: string }): Page {
  const [, id, item] = /^\/workspaces\/(\d+)\/items\/(\d+)/.exec(path.slice(basePath.length)) ?? [];
  const workspace = user?.frame?.workspaces.find((one) => String(one.id) === id);
  const to =
    workspace && back.href === `${basePath}/` ? { href: `${basePath}/workspaces/${id}`, label: `Back to ${workspace.name}` } : back;
  const search = html`<form class="find-again" method="get" action="${basePath}/search" role="search" aria-label="Items"><label class="vh" for="again">Search</label><input class="input" type="search" id="again" name="q" maxlength="300" value="${item ?? ''}" placeholder="Number or title">${button('Search', { kind: 'primary', icon: 'search' })}</form>`;
  return {
    title: 'Not found',
    body: empty({
      icon: 'compass',
      title: html`<span role="alert">We can’t find this ${item ? 'item' : 'page'}, or you have no access</span>`,
      text: item
        ? `The link points to item ${item}. Check the number, or ask the person who sent it.`
        : 'Check the address, or ask an owner of the workspace.',
      action: html`${user && search}<p><a href="${to.href}">${to.label}</a></p>`,
    }),
  };
}
