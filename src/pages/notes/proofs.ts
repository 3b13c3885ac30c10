/** MACs in forms, which prove that our page made them. Nothing is stored. */
import { createHmac } from 'node:crypto';
import { provePassword } from '../../accounts/ownPassword.ts';
import { matchesValidKey } from '../../values/secretKeys.ts';
import { countAttempt } from '../account/forgotten.ts';
import { html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { noteIdOf } from './wanted.ts';

const mac = (secretKey: string, about: string, of: Buffer | string = ''): string =>
  createHmac('sha256', secretKey).update(about).update(of).digest('base64url');

/** The user gave the password for a locked note. Valid for one note, revision and session, so leaving the page closes the note. */
const opening = ({ caller }: PageRequest, noteId: number, revision: number) => [`note-opened:${noteId}:${revision}:`, caller.hash] as const;

/** Reserves the id of a new encrypted note before encryption, so clients cannot choose ids. */
const reserving = ({ user }: PageRequest, noteId: number) => [`note-reserved:${user.id}:${noteId}`] as const;

export const openedMark = (request: PageRequest, noteId: number, revision: number): string =>
  mac(request.deps.config.secretKey, ...opening(request, noteId, revision));

/** True if the form comes from the opened note, at the revision of the form. */
export const isOpened = (request: PageRequest): boolean =>
  matchesValidKey(request.deps.config, request.form.raw('opened'), (key) =>
    mac(key, ...opening(request, noteIdOf(request), request.form.id('revision'))),
  );

export const reservedMark = (request: PageRequest, noteId: number): string =>
  mac(request.deps.config.secretKey, ...reserving(request, noteId));

export const isReserved = (request: PageRequest, noteId: number): boolean =>
  matchesValidKey(request.deps.config, request.form.raw('reserved'), (key) => mac(key, ...reserving(request, noteId)));

/** Checks the user's password. Throws RateLimited. */
export async function provesPassword(request: PageRequest): Promise<boolean> {
  const { deps, user, form } = request;
  await countAttempt(deps, 'password', String(user.id));
  return call(request, provePassword, { password: form.raw('password') });
}

export const wrongPassword = 'The password is not correct. Try again.';

export const passwordInput = html`<label>Your account's password <input type="password" name="password" required autocomplete="current-password"></label>`;
