/** A refused form has an address of its own, and so has a question about one, so that its page can be reloaded and come back to: what was typed is kept for an hour, and the page that says what
 *  is wrong is made of it each time, with the rights of that moment (behaviour §22.8). Who does not navigate, as a script, is answered in
 *  place; so are forms with a password or a file, of which nothing is kept. */
import type { Context } from 'koa';
import { findRefused, keepRefused, type ReplayingCaller, type TryingCaller, type Values } from '../../operations/refusedForms.ts';
import { questionOf } from './confirm.ts';
import { Form } from './forms.ts';
import type { Answer, PageRequest, PrivateRoute } from './page.ts';
import { fieldNames } from './postForm.ts';

const PARAMETER = 'again';

/** Older browsers, and all of them without TLS, say so by the second header alone. */
const navigates = (ctx: Context): boolean =>
  ctx.get('Sec-Fetch-Mode') ? ctx.get('Sec-Fetch-Mode') === 'navigate' : ctx.get('Upgrade-Insecure-Requests') === '1';

const isQuestion = (answer: Answer): boolean => 'body' in answer && answer.question === true;
const standsAlone = (answer: Answer): boolean =>
  isQuestion(answer) || ('body' in answer && (answer.status === 400 || answer.status === 409));

/** Whether the form of this request may be kept if it is refused. */
const mayKeep = ({ ctx, form }: PageRequest, route: PrivateRoute): boolean =>
  ctx.method === 'POST' && !route.keepsNothing && navigates(ctx) && !form.upload && !form.has(fieldNames.secret);

/** The request with a note of why its change is refused. */
export function trying(request: PageRequest, route: PrivateRoute): PageRequest {
  if (!mayKeep(request, route)) return request;
  const caller: TryingCaller = { ...request.caller, tried: { refusal: null } };
  return { ...request, caller };
}

/** What to answer to a form: where its refusal or the question about it is shown, if there is one and it could be kept. */
export async function ledAway(request: PageRequest, answer: Answer): Promise<Answer> {
  const { ctx, caller, deps, basePath } = request;
  if (!('tried' in caller) || !standsAlone(answer)) return answer;
  const path = ctx.path.slice(basePath.length);
  const { refusal } = (caller as TryingCaller).tried;
  // Without it the form is answered in place, as well as that goes.
  const token = await keepRefused(deps.db, caller, path, { values: valuesOf(request.form, answer), refusal }).catch(() => null);
  if (token === null) return answer;
  const query = new URLSearchParams(request.query);
  query.set(PARAMETER, token);
  return { redirect: `${path}?${query}` };
}

const everTheirs: readonly string[] = [fieldNames.csrf, fieldNames.secret];
/** A refused form is drawn anew; what was said to a question is kept, so that its page does not ask again. */
const drawnAnew: readonly string[] = [...everTheirs, fieldNames.once, fieldNames.question];

function valuesOf(form: Form, answer: Answer): Values {
  const left = isQuestion(answer) ? everTheirs : drawnAnew;
  const kept = form.names.filter((name) => !left.includes(name));
  return Object.fromEntries(kept.map((name) => [name, form.all(name)]));
}

/** The page of a form that was refused or asked about at this address; null when it is not there any more. `route`: where it was sent to. */
export async function shownAgain(request: PageRequest, route: PrivateRoute | undefined): Promise<Answer | null> {
  const token = request.query.get(PARAMETER);
  if (!route || token === null) return null;
  const { ctx, deps, basePath } = request;
  const found = await findRefused(deps.db, request.caller, ctx.path.slice(basePath.length), token);
  if (!found) return null;
  const caller: ReplayingCaller = { ...request.caller, replays: { refusal: found.refusal } };
  const again = { ...request, caller, form: new Form(found.values) };
  const answer = questionOf(again) ?? (await route.handle(again));
  return standsAlone(answer) ? answer : null;
}

/** Of addresses that forms alone are sent to, the page that they belong to: the nearest above it. */
export function pageAbove(path: string, route: string, pages: ReadonlySet<string>): string {
  const [steps, pattern] = [path.split('/'), route.split('/')];
  for (let length = steps.length - 1; length > 1; length--) {
    if (pages.has(pattern.slice(0, length).join('/'))) return steps.slice(0, length).join('/');
  }
  return '/';
}
