/** Folder, search and page of the list, kept in every URL. */

import type { PageRequest } from '../frame/page.ts';
import { searchIn } from '../frame/widgets.ts';

export interface InList {
  folderId: number | null;
  search: string;
  page: number;
}

export function listPlaceOf({ query, form, ctx }: PageRequest): InList {
  // A refused folder form shows its folder.
  const folder = query.get('folder') ?? (ctx.path.includes('/folders/') ? form.text('folderId') : '');
  const page = Number(query.get('page') ?? 1);
  return { folderId: /^\d{1,15}$/.test(folder) ? Number(folder) : null, search: searchIn(query.get('q')), page };
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

export const noteIdOf = ({ params }: PageRequest): number => Number(params.noteId);
