/** A user's notifications, newest first, as the inbox shows them, and a filled inbox. */
import type { Caller } from '../../src/access/caller.ts';
import type { Db } from '../../src/database/db.ts';
import { notificationsFollower } from '../../src/notifications/follower.ts';
import { type NotificationRow, sentenceOf } from '../../src/notifications/schema.ts';
import { outputOf } from '../../src/operations/json.ts';
import { perform } from '../../src/operations/perform.ts';
import { inbox } from '../../src/overviews/inbox.ts';
import { caughtUp } from './following.ts';
import { signedIn } from './visitor.ts';
import { withDb } from './withDb.ts';
import { emailOf, type WorkWorld } from './workWorld.ts';

/** With its text. */
export type NotificationWithText = NotificationRow & { text: string };

export async function notificationsOf(db: Db, caller: Caller, unreadOnly = false): Promise<NotificationWithText[]> {
  const { notifications } = outputOf(await perform(db, caller, inbox, { unreadOnly, before: null, limit: 100 }));
  return notifications.map((row) => ({ ...row, text: sentenceOf(row) }));
}

/** Ana requests an approval of each of `requirements` and comments on `task`. The worker's part is done then. */
export async function fillInbox(
  databaseUrl: string,
  work: Omit<WorkWorld, 'stop'>,
  { requirements, task, comments }: { requirements: string[]; task: string; comments: string[] },
): Promise<void> {
  const ana = await signedIn(work.web.baseUrl, emailOf('ana'));
  const path = (ref: string) => new URL(work.item(ref)).pathname.replace(/^.*(?=\/workspaces)/, '');
  for (const ref of requirements) {
    await ana.go(path(ref));
    await ana.send('/approval', { decision: 'request' });
  }
  for (const body of comments) {
    await ana.go(path(task));
    await ana.send('/comments', { body });
  }
  await withDb(databaseUrl, 1, (db) => caughtUp(db, notificationsFollower));
}
