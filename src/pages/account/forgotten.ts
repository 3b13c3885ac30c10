/** /forgotten: mails a link to set a new password; without mail it names who can help (behaviour §12.23). */

import { isIPv6 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashSecret } from '../../access/secrets.ts';
import type { Limiter } from '../../access/throttle/perMinute.ts';
import { askForLink } from '../../accounts/ownPassword.ts';
import { normalEmail } from '../../accounts/schema.ts';
import { RateLimited } from '../../values/errors.ts';
import { valueAt } from '../../values/records.ts';
import { formsOf } from '../frame/fields.ts';
import type { Labels } from '../frame/forms.ts';
import { html } from '../frame/html.ts';
import type { Answer, PublicRequest, PublicRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';

/** Rate limits for sign-in attempts. Keys are hashes, so input is not stored. */
function attemptKey(...parts: string[]): string {
  return `sign-in:${hashSecret(parts.join('\0')).toString('base64url')}`;
}

export async function countAttempt({ signInLimiter }: { signInLimiter: Limiter }, ...parts: string[]): Promise<void> {
  const allowance = await signInLimiter.admit(attemptKey(...parts));
  if (!allowance.admitted) throw new RateLimited(allowance.reset);
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4_000;
const MOST_WAITING = 8;
const waiting = new Map<string, number>();

/** Slows down guesses at one person's password from many addresses. Each wait is twice as long as the previous one; no one is locked out.
 *  Throws RateLimited when too many wait. */
export async function slowDown({ signInLimiter }: { signInLimiter: Limiter }, who: string): Promise<void> {
  const { admitted, limit, used } = await signInLimiter.admit(attemptKey('person', who));
  if (admitted) return;
  const now = waiting.get(who) ?? 0;
  if (now >= MOST_WAITING) throw new RateLimited(Math.ceil((2 * LONGEST_WAIT_MS) / 1000));
  waiting.set(who, now + 1);
  try {
    await sleep(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(10, used - limit - 1)));
  } finally {
    const left = valueAt(waiting, who) - 1;
    if (left > 0) waiting.set(who, left);
    else waiting.delete(who);
  }
}

/** The part of an address that a client cannot change easily: IPv4, or the first 64 bits of IPv6. */
export function addressOf(ip: string): string {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.replace(/%.*/, '').split('::');
  const first = head ? head.split(':') : [];
  const last = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  const groups = [...first, ...zeros, ...last].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(':')}::/64`;
}

const title = 'Reset your password';
const labels: Labels = { email: 'Email' };

function show(request: PublicRequest, refusal?: Refusal): Answer {
  const back = html`<p><a href="${request.basePath}/sign-in">Back to sign in</a></p>`;
  if (request.deps.config.mail.smtpUrl === undefined) {
    return {
      title,
      body: html`<p>This installation sends no email. Ask an owner or administrator of your account for a password link.</p>${back}`,
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
    body: html`${problemBox(refusal?.problem)}<p>We send you a link to set a new password. The link works once, within an hour.</p>${form}${back}`,
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
