/** A new encrypted note's id, reserved before the browser encrypts for it: the form sends it back with a MAC, so that nobody chooses ids. */
import { createHmac } from 'node:crypto';
import { isMadeByUs } from '../../values/secretKeys.ts';
import type { PageRequest } from '../frame/page.ts';

export const reservedMark = (request: PageRequest, noteId: number): string => markUnder(request.deps.config.secretKey, request, noteId);

const markUnder = (secretKey: string, { user }: PageRequest, noteId: number): string =>
  createHmac('sha256', secretKey).update(`note-reserved:${user.id}:${noteId}`).digest('base64url');

/** Whether the form comes from a page on which this id was reserved for this person. */
export const isReserved = (request: PageRequest, noteId: number): boolean =>
  isMadeByUs(request.deps.config, request.form.raw('reserved'), (key) => markUnder(key, request, noteId));
