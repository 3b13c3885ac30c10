import { hash } from 'node:crypto';
import type { Context } from 'koa';
import type { SessionCaller } from '../../access/caller.ts';
import { isCsrfToken } from '../../access/secrets.ts';
import { isOwnOrigin } from '../../http/guard.ts';
import type { Operation } from '../../operations/operation.ts';
import { sendOnce } from '../../operations/refusedForms.ts';
import { AppError, Forbidden } from '../../values/errors.ts';
import type { PageDeps } from './deps.ts';
import { Form, type Labels, problemOf, readForm } from './forms.ts';
import { type Answer, addressOf, type PageRequest, type PublicRequest } from './page.ts';
import { fieldNames } from './postForm.ts';
import { call, ownPath, refererOf } from './session.ts';
import { readUpload } from './uploadForm.ts';

export interface Refusal {
  problem: string;
  status: 400 | 409;
  error: AppError;
}

type Again = (refusal: Refusal) => Answer | Promise<Answer>;

const statusOf: Partial<Record<AppError['code'], Refusal['status']>> = { invalid_request: 400, conflict: 409 };

export const refusalOf = (error: AppError, labels: Labels): Refusal => ({
  problem: problemOf(error, labels),
  status: statusOf[error.code] ?? 400,
  error,
});

interface Refusals {
  labels?: Labels;
  again: Again;
  /** Handles Forbidden: an object named in the form may be deleted, but the submitted text must not be lost. */
  gone?: (error: Forbidden) => Answer | Promise<Answer>;
}

/** Runs `work` and shows the form again on refusals. Rethrows errors that are not about the submitted values. */
export async function orAgain(work: () => Promise<Answer>, { labels = {}, again, gone }: Refusals): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Forbidden && gone) return gone(error);
    if (!(error instanceof AppError) || !statusOf[error.code]) throw error;
    return again(refusalOf(error, labels));
  }
}

interface Outcomes<Output> extends Refusals {
  /** Usually a redirect, so that a reload does not submit the form again. */
  done(output: Output): Answer | Promise<Answer>;
}

/** `input` reads the form; an AppError it throws counts as a refusal. */
export function submitted<Input, Output>(
  request: PublicRequest,
  operation: Operation<Input, Output>,
  input: (form: Form) => unknown,
  { done, ...refusals }: Outcomes<Output>,
): Promise<Answer> {
  return orAgain(async () => done(await call(request, operation, await input(request.form))), refusals);
}

/** Makes the handlers of a page's forms. A refusal shows the page again. */
export const handlersOn =
  (show: (request: PageRequest, refusal: Refusal) => Answer | Promise<Answer>, labels: Labels = {}) =>
  <Input, Output>(
    operation: Operation<Input, Output>,
    input: (form: Form, request: PageRequest) => unknown,
    done: Answer | ((output: Output, request: PageRequest) => Answer),
  ) =>
  (request: PageRequest): Promise<Answer> =>
    submitted(request, operation, (form) => input(form, request), {
      labels,
      done: (output) => (typeof done === 'function' ? done(output, request) : done),
      again: (refusal) => show(request, refusal),
    });

const notOurs = () => new AppError('forbidden', 'This form is out of date. Reload the page, then send it again.');

/** The form of a POST; empty otherwise. Throws Forbidden unless one of our pages sent it. Public pages (`caller` null) have no CSRF
 *  token. */
export async function checkedForm(ctx: Context, deps: PageDeps, caller: SessionCaller | null): Promise<Form> {
  if (ctx.method !== 'POST') return new Form({});
  requireOwnOrigin(ctx, deps);
  const form = await readForm(ctx, caller);
  if (caller) requireToken(deps, caller, form.raw(fieldNames.csrf));
  return form;
}

function requireToken({ config }: PageDeps, { hash }: SessionCaller, token: string): void {
  if (!isCsrfToken(config, hash, token)) throw notOurs();
}

/** Like checkedForm, for a form whose file is streamed: the token is checked before the file is read. `close` ends the reading. */
export function checkedUpload(ctx: Context, deps: PageDeps, caller: SessionCaller): Promise<{ form: Form; close(): Promise<void> }> {
  requireOwnOrigin(ctx, deps);
  return readUpload(ctx.req, (values) => requireToken(deps, caller, values[fieldNames.csrf] ?? ''));
}

function requireOwnOrigin(ctx: Context, { config }: PageDeps): void {
  const { origin } = ctx.req.headers;
  // Sandboxed frames send `null`. Our own pages always send their origin.
  if (origin !== undefined && !isOwnOrigin(config.origin, ctx, origin)) throw notOurs();
  const site = ctx.get('Sec-Fetch-Site');
  if (site && site !== 'same-origin' && site !== 'none') throw notOurs();
}

/** Hash of the form's values: a form that is changed after Back counts as a new one. */
function nonceOf({ ctx, form }: PageRequest): string {
  const values = Object.entries(form.without(fieldNames.csrf));
  return hash(
    'sha256',
    JSON.stringify([ctx.path, values, form.upload?.name, form.upload?.content.length, form.incoming?.name]),
    'base64url',
  );
}

/** The form was refused, or a confirmation is needed. */
const isUndone = (answer: Answer): boolean => ('status' in answer && (answer.status ?? 200) >= 400) || 'question' in answer;

/** Handles the form, or repeats its first answer. Throws Conflict if that answer was a page shown only once. */
export async function once(request: PageRequest, handle: (request: PageRequest) => Promise<Answer>): Promise<Answer> {
  if (!request.form.has(fieldNames.once)) return handle(request);
  return sendOnce<Answer>(request.deps.db, request.caller, nonceOf(request), {
    handle: (caller) => handle({ ...request, caller }),
    destinationOf: (answer) => ('redirect' in answer ? addressOf(answer) : isUndone(answer) ? null : ''),
    redirectTo: (redirect) => ({ redirect }),
  });
}

/** Query parameters to drop: each notice is shown once, and a refused form is not shown again. */
const ofNotices = ['notice', 'undo', 'again'];

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
