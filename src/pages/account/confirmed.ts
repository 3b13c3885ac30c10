/** Asks for the password before a sensitive change, if it was last given over ten minutes ago. The page keeps the form (behaviour
 *  §12.25). */
import { confirmSession } from '../../accounts/ownPassword.ts';
import { InvalidRequest } from '../../values/errors.ts';
import { Fields } from '../frame/fields.ts';
import { Form } from '../frame/forms.ts';
import { html } from '../frame/html.ts';
import type { Answer, PageRequest, PublicRequest, PublicRoute } from '../frame/page.ts';
import { fieldNames, postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';
import { countAttempt } from './forgotten.ts';

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
    return handle({ ...request, form: new Form(form.without(...ownFields)) });
  };
}

const ownFields = [FIELD, fieldNames.csrf];

function question(request: PageRequest, problem?: string): Answer {
  const { ctx, basePath, form, user } = request;
  const wrong = problem === undefined ? undefined : new InvalidRequest([FIELD], 'type it again.');
  const own = new Fields({ [FIELD]: 'Password' }, wrong && { error: wrong, form });
  return {
    title: 'Confirm your password',
    ...(problem === undefined ? { question: true } : { status: 400 }),
    body: html`${problemBox(problem)}
<p>Confirm your password to save this change. Nothing has changed yet, and your input is kept.</p>
${postForm(
  request,
  { action: ctx.path.slice(basePath.length), class: 'narrow', hidden: form.without(...ownFields) },
  html`<input type="hidden" autocomplete="username" value="${user.email}">
${own.field(FIELD, (mark) => html`<input type="password" name="${FIELD}" required autocomplete="current-password"${mark}>`)}
<button>Continue</button>`,
)}`,
  };
}

/** /email: the link mailed to a new address (behaviour §22.5). GET changes nothing, because mail scanners open links. */
interface Link {
  id: string;
  token: string;
}

async function show(request: PublicRequest, link: Link, refusal?: Refusal): Promise<Answer> {
  const { name, email, oldEmail, accountName } = await call(request, request.deps.emails.getEmailChange, link);
  return {
    title: 'Confirm your new email address',
    status: refusal?.status ?? 200,
    body: html`${problemBox(refusal?.problem)}
<p>${name}, you will sign in to ${accountName} as <b>${email}</b> instead of ${oldEmail}.</p>
${postForm(request, { action: '/email', hidden: { i: link.id, t: link.token }, class: 'narrow' }, html`<button class="btn primary">Confirm address</button>`)}`,
  };
}

const open = (request: PublicRequest): Promise<Answer> =>
  show(request, { id: request.query.get('i') ?? '', token: request.query.get('t') ?? '' });

async function take(request: PublicRequest): Promise<Answer> {
  const { deps, form } = request;
  const link = { id: form.text('i'), token: form.text('t') };
  return submitted(request, deps.emails.confirmEmail, () => link, {
    labels: { email: '' },
    done: () => ({ redirect: '/profile', notice: 'addressChanged' }),
    again: (refusal) => show(request, link, refusal),
  });
}

export const emailLinkRoutes: PublicRoute[] = [
  { method: 'GET', path: '/email', public: true, handle: open },
  { method: 'POST', path: '/email', public: true, handle: take },
];
