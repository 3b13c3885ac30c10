/** The state shown on every page of a user, as text. A page with the same text is up to date. Pure. */
import type { OwnState } from './queries.ts';

export const ownText = ({ timer, unread, newestUnread }: OwnState): string =>
  [timer?.entryId ?? 0, timer?.revision ?? 0, unread, newestUnread].join('.');
