/** The list that an item was opened from goes along in its address: `?in=` holds the list's own query, `n` and `of` where the item stood.
 *  Moving on reads the list again, so that the page of an item itself costs nothing more (behaviour §21.3). */
import { escapeHtml, Html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';

/** Longer ones come from nobody's list. */
const MOST = 2_000;

/** As the end of an address of an item, from the list's query and the item's place in it. */
export function inListOf(query: string, place?: { n: number; of: string }): string {
  const known: Record<string, string> = { in: query, ...(place && { n: String(place.n), of: place.of }) };
  return `?${new URLSearchParams(known).toString()}`;
}

/** The same for all rows of a list's page, by their number; without one where the list's length is not known. */
export function inListsOf(query: string, of: string | null): (n: Html) => Html {
  const before = escapeHtml(inListOf(query));
  const after = of === null ? '' : `&amp;of=${encodeURIComponent(of)}`;
  return ({ text: n }) => new Html(of === null ? before : `${before}&amp;n=${n}${after}`);
}

/** What of the request's address goes along; '' where the item was opened by itself. */
export function inList(request: PageRequest): string {
  const query = request.query.get('in') ?? request.form.text('in');
  if (!query || query.length > MOST) return '';
  const place = placeOf(request);
  return inListOf(query, place ?? undefined);
}

/** The same for the forms of the page. */
export const listFields = (request: PageRequest): Record<string, string> => Object.fromEntries(new URLSearchParams(inList(request)));

/** Where the item stood in the list: its number, and the list's length as the list said it. */
export function placeOf({ query, form }: PageRequest): { n: number; of: string } | null {
  const [n, of] = [Number(query.get('n') ?? form.text('n')), query.get('of') ?? form.text('of')];
  return Number.isSafeInteger(n) && n > 0 && /^\d{1,3}(,?\d{3})*\+?$/.test(of) ? { n, of } : null;
}

/** "5", "1,000+" */
export function lengthOf(groups: readonly { count: number; more: boolean }[]): string {
  const count = groups.reduce((all, group) => all + group.count, 0);
  return `${count.toLocaleString('en')}${groups.some(({ more }) => more) ? '+' : ''}`;
}
