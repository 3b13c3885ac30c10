/** Asks for the password before a sensitive change, if it was last given over ten minutes ago. The page keeps the form (behaviour
 *  §12.25). */
import { confirmSession } from '../../accounts/ownPassword.ts';
import { InvalidRequest } from '../../values/errors.ts';
import { call } from '../frame/call.ts';
import { Fields } from '../frame/fields.ts';
import { Form } from '../frame/forms.ts';
import { html } from '../frame/html.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import { fieldNames, postForm } from '../frame/postForm.ts';
import { problemBox } from '../frame/widgets.ts';
import { countAttempt } from './attempts.ts';

const FIELD = fieldNames.password;

type Handle = (request: PageRequest) => Promise<Answer>;

/** Wraps a form handler. `needed`: true if this form is sensitive. */
export function withPasswordConfirmation(handle: Handle, needed: (form: Form) => boolean = () => true): Handle {
  return async (request) => {
    const { form, user, caller } = request;
    if (!form.has(FIELD)) return user.confirmed || !needed(form) ? handle(request) : question(request);
    await countAttempt(request.deps, 'password', String(user.id));
    // A new caller, because the form's own change has not happened yet.
    const proof = { ...request, caller: { kind: 'session', hash: caller.hash } as const };
    if (!(await call(proof, confirmSession, { password: form.raw(FIELD) })))
      return question(request, 'The password is not correct. Try again.');
    return handle({ ...request, form: without(form) });
  };
}

const repeatedFields = (form: Form) => form.names.filter((name) => name !== FIELD && name !== fieldNames.csrf);
const without = (form: Form) => new Form(Object.fromEntries(repeatedFields(form).map((name) => [name, form.all(name)])));

function question(request: PageRequest, problem?: string): Answer {
  const { ctx, basePath, form, user } = request;
  const wrong = problem === undefined ? undefined : new InvalidRequest([FIELD], 'type it again.');
  const own = new Fields({ [FIELD]: 'Password' }, wrong && { error: wrong, form });
  const fields = repeatedFields(form).flatMap((name) =>
    form.all(name).map((value) => html`<input type="hidden" name="${name}" value="${value}">`),
  );
  return {
    title: 'Confirm your password',
    ...(problem === undefined ? { question: true } : { status: 400 }),
    body: html`${problemBox(problem)}
<p>Confirm your password to save this change. Nothing has changed yet, and your input is kept.</p>
${postForm(
  request,
  { action: ctx.path.slice(basePath.length), class: 'narrow' },
  fields,
  html`<input type="hidden" autocomplete="username" value="${user.email}">
${own.field(FIELD, (mark) => html`<input type="password" name="${FIELD}" required autocomplete="current-password"${mark}>`)}
<button>Continue</button>`,
)}`,
  };
}
