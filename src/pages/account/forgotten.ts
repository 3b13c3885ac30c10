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

const title = 'Forgotten password';
const labels: Labels = { email: 'E-mail' };

function show(request: PublicRequest, refusal?: Refusal): Answer {
  const back = html`<p><a href="${request.basePath}/sign-in">Back to signing in</a></p>`;
  if (request.deps.config.mail.smtpUrl === undefined) {
    return {
      title,
      body: html`<p>This Stint sends no mail. Ask an owner or an administrator of your account: on their page People they make a link with which you set a new password. Whoever runs the installation can do it too.</p>${back}`,
    };
  }
  const fields = formsOf(request, labels, refusal)('/forgotten');
  const form = postForm(
    request,
    { action: '/forgotten', class: 'narrow' },
    html`${fields.field('email', (mark) => html`<input type="email" name="email" required maxlength="320" autocomplete="username" value="${fields.value('email')}"${mark}>`)}
<button>Mail me a link</button>`,
  );
  return {
    title,
    status: refusal?.status ?? 200,
    body: html`${problemBox(refusal?.problem)}<p>You get a link that sets a new password. It works once, for an hour.</p>${form}${back}`,
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
      body: html`<p role="status">If somebody signs in with this address, a link is on its way to it. It works once, for an hour.</p><p><a href="${request.basePath}/sign-in">Back to signing in</a></p>`,
    }),
    again: (refusal) => show(request, refusal),
  });
}

export const forgottenRoutes: PublicRoute[] = [
  { method: 'GET', path: '/forgotten', public: true, handle: async (request) => show(request) },
  { method: 'POST', path: '/forgotten', public: true, handle: ask },
];
