/** /settings/account: erases the account (behaviour §14.5). Signing in again can restore it. */
import { eraseAccount } from '../../accounts/signIn.ts';
import { Forbidden } from '../../values/errors.ts';
import { button } from '../frame/components/button.ts';
import { card } from '../frame/components/panel.ts';
import { html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { clearCookie } from '../frame/session.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';
import { withPasswordConfirmation } from './confirmed.ts';

const PATH = '/settings/account';

async function show(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const { user } = request;
  if (user.accountRole !== 'owner') throw new Forbidden();
  const name = user.frame?.account ?? 'the account';
  const question = `Erase ${name}? All people are signed out, and every key and agent stops working now. In 30 days everything is deleted.`;
  return {
    title: 'Account',
    status: refusal?.status ?? 200,
    body: html`<div class="settings">${card(
      'Erase the account',
      html`${problemBox(refusal?.problem)}<p class="hint">All people are signed out, and no key works any more. An owner who signs in within 30 days can restore the account. After that it is deleted with everything in it.</p>
<p class="hint">Keep a copy first: the operator exports the account with <code>stint export</code>.</p>
${postForm(request, { action: `${PATH}/erase`, confirm: question, class: 'plain' }, button('Erase the account', { kind: 'danger' }))}`,
      { id: 'erase' },
    )}</div>`,
  };
}

const erase = (request: PageRequest): Promise<Answer> =>
  submitted(request, eraseAccount, () => ({}), {
    done() {
      clearCookie(request.ctx, request.deps.config);
      return { redirect: '/sign-in', notice: 'accountErased' };
    },
    again: (refusal) => show(request, refusal),
  });

export const eraseAccountRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: (request) => show(request) },
  { method: 'POST', path: `${PATH}/erase`, handle: withPasswordConfirmation(erase) },
];
