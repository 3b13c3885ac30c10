/** Which notes stand in the list beside a note: a folder, what is searched for, and how far down. It is part of every address. */
import type { PageRequest } from '../frame/page.ts';

export interface InList {
  folderId: number | null;
  search: string;
  page: number;
}

export function wantedOf({ query, form, ctx }: PageRequest): InList {
  // A refused form about a folder shows that folder.
  const folder = query.get('folder') ?? (ctx.path.includes('/folders/') ? form.text('folderId') : '');
  const page = Number(query.get('page') ?? 1);
  return { folderId: /^\d{1,15}$/.test(folder) ? Number(folder) : null, search: (query.get('q') ?? '').slice(0, 300).trim(), page };
}

/** The view as the end of an address: '' where it is the usual one. */
export function viewOf({ folderId, search, page }: InList): string {
  const query = new URLSearchParams({
    ...(folderId !== null && { folder: String(folderId) }),
    ...(search && { q: search }),
    ...(page > 1 && { page: String(page) }),
  });
  return query.size ? `?${query}` : '';
}

export const inList = (request: PageRequest): string => viewOf(wantedOf(request));
