/** What web processes tell one another of by NOTIFY: places and ids alone. Pure. */
import { z } from 'zod';
import { Cursor } from '../changes/cursor.ts';
import type { ChangeRow } from '../changes/readQueries.ts';

const Message = z.union([
  /** A stretch of changes; `accounts`: whose they are, null for many. */
  z.strictObject({ after: Cursor, upTo: Cursor, accounts: z.array(z.number()).nullable() }),
  /** Of a person: their timer, or what they were told. */
  z.strictObject({ person: z.number() }),
]);
export type Message = z.infer<typeof Message>;
export type Changes = Extract<Message, { upTo: Cursor }>;

/** A payload has 8,000 bytes. */
const MOST_ACCOUNTS = 300;

export function payloadOf(after: Cursor, rows: readonly ChangeRow[]): string {
  const accounts = [...new Set(rows.map(({ accountId }) => accountId))];
  return JSON.stringify({
    after,
    upTo: rows.at(-1)!.place,
    accounts: accounts.length > MOST_ACCOUNTS ? null : accounts,
  } satisfies Changes);
}

/** Null for what a newer version says. */
export function messageOf(payload: string): Message | null {
  try {
    return Message.parse(JSON.parse(payload));
  } catch {
    return null;
  }
}
