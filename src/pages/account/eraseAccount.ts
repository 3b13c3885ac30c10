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
  const question = `Erase ${name}? All users are signed out, and all keys and agents stop working now. All data is deleted in 30 days.`;
  return {
    title: 'Account',
    status: refusal?.status ?? 200,
    body: html`<div class="settings">${card(
      'Erase account',
      html`${problemBox(refusal?.problem)}<p class="hint">All users are signed out, and all keys stop working. An owner can sign in within 30 days to restore the account.</p>
<p class="hint">To keep a copy, ask the operator to run <code>stint export</code>.</p>
${postForm(request, { action: `${PATH}/erase`, confirm: question, class: 'plain' }, button('Erase account', { kind: 'danger' }))}`,
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
