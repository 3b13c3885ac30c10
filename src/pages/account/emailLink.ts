/** /email: the link mailed to a new address (behaviour §22.5). GET changes nothing, because mail scanners open links. */
import { call } from '../frame/call.ts';
import { html } from '../frame/html.ts';
import type { Answer, PublicRequest, PublicRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';

interface Link {
  id: string;
  token: string;
}

async function show(request: PublicRequest, link: Link, refusal?: Refusal): Promise<Answer> {
  const { name, email, oldEmail, accountName } = await call(request, request.deps.emails.getEmailChange, link);
  return {
    title: 'Confirm your new e-mail address',
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
