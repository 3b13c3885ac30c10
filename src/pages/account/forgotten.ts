/** /forgotten: mails a link to set a new password; without mail it names who can help (behaviour §12.23). */
import { askForLink } from '../../accounts/forgotten.ts';
import { normalEmail } from '../../accounts/schema.ts';
import type { Labels } from '../frame/faults.ts';
import { formsOf } from '../frame/fields.ts';
import { html } from '../frame/html.ts';
import type { Answer, PublicRequest, PublicRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';
import { addressOf, countAttempt } from './attempts.ts';

const title = 'Reset your password';
const labels: Labels = { email: 'E-mail' };

function show(request: PublicRequest, refusal?: Refusal): Answer {
  const back = html`<p><a href="${request.basePath}/sign-in">Back to sign in</a></p>`;
  if (request.deps.config.mail.smtpUrl === undefined) {
    return {
      title,
      body: html`<p>This installation sends no mail. Ask an owner or administrator of your account for a password link from their page People.</p>${back}`,
    };
  }
  const fields = formsOf(request, labels, refusal)('/forgotten');
  const form = postForm(
    request,
    { action: '/forgotten', class: 'narrow' },
    html`${fields.field('email', (mark) => html`<input type="email" name="email" required maxlength="320" autocomplete="username" value="${fields.value('email')}"${mark}>`)}
<button>Send reset link</button>`,
  );
  return {
    title,
    status: refusal?.status ?? 200,
    body: html`${problemBox(refusal?.problem)}<p>We mail you a link to set a new password. It works once, within an hour.</p>${form}${back}`,
  };
}

async function ask(request: PublicRequest): Promise<Answer> {
  const { ctx, deps, form } = request;
  if (deps.config.mail.smtpUrl === undefined) return show(request);
  await countAttempt(deps, 'forgotten-address', addressOf(ctx.ip));
  await countAttempt(deps, 'forgotten', normalEmail(form.text('email')));
  return submitted(request, askForLink, () => ({ email: form.text('email') }), {
    labels,
    done: () => ({
      title,
      body: html`<p role="status">If a user has this address, we have sent a link to it. The link works once, within an hour.</p><p><a href="${request.basePath}/sign-in">Back to sign in</a></p>`,
    }),
    again: (refusal) => show(request, refusal),
  });
}

export const forgottenRoutes: PublicRoute[] = [
  { method: 'GET', path: '/forgotten', public: true, handle: async (request) => show(request) },
  { method: 'POST', path: '/forgotten', public: true, handle: ask },
];
