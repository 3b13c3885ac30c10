/** Reserves the id of a new encrypted note before encryption. The form returns it with a MAC, so clients cannot choose ids. */
import { createHmac } from 'node:crypto';
import { matchesValidKey } from '../../values/secretKeys.ts';
import type { PageRequest } from '../frame/page.ts';

export const reservedMark = (request: PageRequest, noteId: number): string => markUnder(request.deps.config.secretKey, request, noteId);

const markUnder = (secretKey: string, { user }: PageRequest, noteId: number): string =>
  createHmac('sha256', secretKey).update(`note-reserved:${user.id}:${noteId}`).digest('base64url');

export const isReserved = (request: PageRequest, noteId: number): boolean =>
  matchesValidKey(request.deps.config, request.form.raw('reserved'), (key) => markUnder(key, request, noteId));
