/** Messages between web processes by NOTIFY: only cursors and ids. Pure. */
import { z } from 'zod';
import { Cursor } from '../changes/cursor.ts';
import type { ChangeRow } from '../changes/readQueries.ts';
import type { OwnState } from './queries.ts';

const Message = z.union([
  /** A range of changes. `accounts`: their accounts, null if many. */
  z.strictObject({ after: Cursor, upTo: Cursor, accounts: z.array(z.number()).nullable() }),
  z.strictObject({ person: z.number() }),
  /** An item whose files changed. */
  z.strictObject({ filesOf: z.number(), account: z.number() }),
]);
export type Message = z.infer<typeof Message>;
export type Changes = Extract<Message, { upTo: Cursor }>;
export type FilesMessage = Extract<Message, { filesOf: number }>;

/** A payload has at most 8,000 bytes. */
const MOST_ACCOUNTS = 300;

export function payloadOf(after: Cursor, rows: readonly ChangeRow[]): string {
  const accounts = [...new Set(rows.map(({ accountId }) => accountId))];
  return JSON.stringify({
    after,
    upTo: rows.at(-1)?.place ?? after,
    accounts: accounts.length > MOST_ACCOUNTS ? null : accounts,
  } satisfies Changes);
}

/** Returns null for a message of a newer version. */
export function messageOf(payload: string): Message | null {
  try {
    return Message.parse(JSON.parse(payload));
  } catch {
    return null;
  }
}

/** The state shown on every page of a user, as text. A page with the same text is up to date. Pure. */
export const ownText = ({ timer, unread, newestUnread }: OwnState): string =>
  [timer?.entryId ?? 0, timer?.revision ?? 0, unread, newestUnread].join('.');
