/** Gives a refused form or a confirmation question its own URL, so that its page survives reload and Back (behaviour §22.8). Values are
 *  kept for one hour. Scripts, and forms with a password or a file, get the answer directly, and their values are not stored. */
import type { Context } from 'koa';
import { findRefused, keepRefused, type ReplayingCaller, type TryingCaller } from '../../operations/refusedForms.ts';
import { questionOf } from './confirm.ts';
import { Form } from './forms.ts';
import type { Answer, PageRequest, PrivateRoute } from './page.ts';
import { fieldNames } from './postForm.ts';

const PARAMETER = 'again';

/** Older browsers, and all browsers without TLS, send only Upgrade-Insecure-Requests. */
const navigates = (ctx: Context): boolean =>
  ctx.get('Sec-Fetch-Mode') ? ctx.get('Sec-Fetch-Mode') === 'navigate' : ctx.get('Upgrade-Insecure-Requests') === '1';

const isQuestion = (answer: Answer): boolean => 'body' in answer && answer.question === true;
const isRefusalOrQuestion = (answer: Answer): boolean =>
  isQuestion(answer) || ('body' in answer && (answer.status === 400 || answer.status === 409));

const mayKeep = ({ ctx, form }: PageRequest, route: PrivateRoute): boolean =>
  ctx.method === 'POST' && !route.keepsNothing && navigates(ctx) && !form.upload && !form.has(fieldNames.password);

interface TryingRequest extends PageRequest {
  caller: TryingCaller;
}

/** Adds a place to the caller where the operation records why it refused the change. Null if a refusal of this form is not stored. */
export const trying = (request: PageRequest, route: PrivateRoute): TryingRequest | null =>
  mayKeep(request, route) ? { ...request, caller: { ...request.caller, tried: { refusal: null } } } : null;

/** Redirects to the URL of the refusal or question. Returns the answer unchanged if there is none or it could not be stored. */
export async function redirectToRefusal({ ctx, caller, deps, basePath, form, query }: TryingRequest, answer: Answer): Promise<Answer> {
  if (!isRefusalOrQuestion(answer)) return answer;
  const path = ctx.path.slice(basePath.length);
  const values = form.without(...(isQuestion(answer) ? [fieldNames.csrf] : ofOneForm));
  // If storing fails, show the refusal in the answer itself.
  const token = await keepRefused(deps.db, caller, path, { values, refusal: caller.tried.refusal }).catch(() => null);
  if (token === null) return answer;
  const again = new URLSearchParams(query);
  again.set(PARAMETER, token);
  return { redirect: `${path}?${again}` };
}

/** Field names that are not stored for a refused form. For a question all but the CSRF token are stored, so that its page does not ask
 *  again. */
const ofOneForm = [fieldNames.csrf, fieldNames.once, fieldNames.question];

/** The page of the refusal or question stored for this URL; null if it expired. `route`: the POST route of this path. */
export async function refusedPage(request: PageRequest, route: PrivateRoute | undefined): Promise<Answer | null> {
  const token = request.query.get(PARAMETER);
  if (!route || token === null) return null;
  const { ctx, deps, basePath } = request;
  const found = await findRefused(deps.db, request.caller, ctx.path.slice(basePath.length), token);
  if (!found) return null;
  const caller: ReplayingCaller = { ...request.caller, replays: { refusal: found.refusal } };
  const again = { ...request, caller, form: new Form(found.values) };
  const answer = questionOf(again) ?? (await route.handle(again));
  return isRefusalOrQuestion(answer) ? answer : null;
}

export function pageAbove(path: string, route: string, pages: ReadonlySet<string>): string {
  const [steps, pattern] = [path.split('/'), route.split('/')];
  for (let length = steps.length - 1; length > 1; length--) {
    if (pages.has(pattern.slice(0, length).join('/'))) return steps.slice(0, length).join('/');
  }
  return '/';
}
