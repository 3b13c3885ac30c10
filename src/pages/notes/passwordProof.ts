/** Proof that the user gave the password for a locked note: a MAC in the opened page. Valid for one note, revision and session. It is not
 *  stored, so leaving the page closes the note. */
import { createHmac } from 'node:crypto';
import { provePassword } from '../../accounts/ownPassword.ts';
import { matchesValidKey } from '../../values/secretKeys.ts';
import { countAttempt } from '../account/forgotten.ts';
import { html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import { call } from '../frame/session.ts';

export const openedMark = (request: PageRequest, noteId: number, revision: number): string =>
  markUnder(request.deps.config.secretKey, request, noteId, revision);

function markUnder(secretKey: string, { caller }: PageRequest, noteId: number, revision: number): string {
  const about = `note-opened:${noteId}:${revision}:`;
  return createHmac('sha256', secretKey).update(about).update(caller.hash).digest('base64url');
}

/** True if the form comes from the opened note at this revision. */
export function isOpened(request: PageRequest, noteId: number, revision: number): boolean {
  return matchesValidKey(request.deps.config, request.form.raw('opened'), (key) => markUnder(key, request, noteId, revision));
}

/** Checks the user's password. Throws RateLimited. */
export async function provesPassword(request: PageRequest): Promise<boolean> {
  const { deps, user, form } = request;
  await countAttempt(deps, 'password', String(user.id));
  return call(request, provePassword, { password: form.raw('password') });
}

export const wrongPassword = 'The password is not correct. Try again.';

export const passwordInput = html`<label>Your account's password <input type="password" name="password" required autocomplete="current-password"></label>`;
