/** What stands around every page of a person, as one text: a page that has the same is up to date. Pure. */
import type { Own } from './queries.ts';

export const ownText = ({ timer, unread, newestUnread }: Own): string =>
  [timer?.entryId ?? 0, timer?.revision ?? 0, unread, newestUnread].join('.');
