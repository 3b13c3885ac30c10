/** The list from which an item was opened. `in` is the list's query; `n` and `of` are the item's position (behaviour §21.3). */
import type { PageRequest } from '../frame/page.ts';

/** Maximum length in characters. */
const MOST = 2_000;

export function inListOf(query: string, place?: { n: number; of: string }): string {
  const known: Record<string, string> = { in: query, ...(place && { n: String(place.n), of: place.of }) };
  return `?${new URLSearchParams(known).toString()}`;
}

/** As inListOf, for all rows of a list; `of` is null if the length of the list is unknown. */
export function inListsOf(query: string, of: string | null): (n: number) => string {
  const before = inListOf(query);
  return (n) => (of === null ? before : `${before}&n=${n}&of=${encodeURIComponent(of)}`);
}

/** The part of the request's query to pass on; '' if the item was not opened from a list. */
export function inList(request: PageRequest): string {
  const query = request.query.get('in') ?? request.form.text('in');
  if (!query || query.length > MOST) return '';
  const place = placeOf(request);
  return inListOf(query, place ?? undefined);
}

export const listFields = (request: PageRequest): Record<string, string> => Object.fromEntries(new URLSearchParams(inList(request)));

export function placeOf({ query, form }: PageRequest): { n: number; of: string } | null {
  const [n, of] = [Number(query.get('n') ?? form.text('n')), query.get('of') ?? form.text('of')];
  return Number.isSafeInteger(n) && n > 0 && /^\d{1,3}(,?\d{3})*\+?$/.test(of) ? { n, of } : null;
}

export function lengthOf(groups: readonly { count: number; more: boolean }[]): string {
  const count = groups.reduce((all, group) => all + group.count, 0);
  return `${count.toLocaleString('en')}${groups.some(({ more }) => more) ? '+' : ''}`;
}
