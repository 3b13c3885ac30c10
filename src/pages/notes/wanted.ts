/** Folder, search and page of the list, kept in every URL. */

import { createHmac } from 'node:crypto';
import { matchesValidKey } from '../../values/secretKeys.ts';
import type { PageRequest } from '../frame/page.ts';

export interface InList {
  folderId: number | null;
  search: string;
  page: number;
}

export function listPlaceOf({ query, form, ctx }: PageRequest): InList {
  // A refused folder form shows its folder.
  const folder = query.get('folder') ?? (ctx.path.includes('/folders/') ? form.text('folderId') : '');
  const page = Number(query.get('page') ?? 1);
  return { folderId: /^\d{1,15}$/.test(folder) ? Number(folder) : null, search: (query.get('q') ?? '').slice(0, 300).trim(), page };
}

/** The query of the view; '' for the default. */
export function viewOf({ folderId, search, page }: InList): string {
  const query = new URLSearchParams({
    ...(folderId !== null && { folder: String(folderId) }),
    ...(search && { q: search }),
    ...(page > 1 && { page: String(page) }),
  });
  return query.size ? `?${query}` : '';
}

export const inList = (request: PageRequest): string => viewOf(listPlaceOf(request));

/** Reserves the id of a new encrypted note before encryption. The form returns it with a MAC, so clients cannot choose ids. */
export const reservedMark = (request: PageRequest, noteId: number): string => markUnder(request.deps.config.secretKey, request, noteId);

const markUnder = (secretKey: string, { user }: PageRequest, noteId: number): string =>
  createHmac('sha256', secretKey).update(`note-reserved:${user.id}:${noteId}`).digest('base64url');

export const isReserved = (request: PageRequest, noteId: number): boolean =>
  matchesValidKey(request.deps.config, request.form.raw('reserved'), (key) => markUnder(key, request, noteId));
