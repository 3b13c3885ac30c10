/** The state shown on every page of a user, as text. A page with the same text is up to date. Pure. */
import type { Own } from './queries.ts';

export const ownText = ({ timer, unread, newestUnread }: Own): string =>
  [timer?.entryId ?? 0, timer?.revision ?? 0, unread, newestUnread].join('.');
