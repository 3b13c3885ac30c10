/** A user's notifications, newest first, as the inbox shows them. */
import type { Caller } from '../../src/access/caller.ts';
import type { Db } from '../../src/database/db.ts';
import { type NotificationRow, sentenceOf } from '../../src/notifications/schema.ts';
import { outputOf } from '../../src/operations/json.ts';
import { perform } from '../../src/operations/perform.ts';
import { inbox } from '../../src/overviews/inbox.ts';

/** With its text. */
export type NotificationWithText = NotificationRow & { text: string };

export async function notificationsOf(db: Db, caller: Caller, unreadOnly = false): Promise<NotificationWithText[]> {
  const { notifications } = outputOf(await perform(db, caller, inbox, { unreadOnly, before: null, limit: 100 }));
  return notifications.map((row) => ({ ...row, text: sentenceOf(row) }));
}
