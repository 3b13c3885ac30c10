/** Reminds of a timer that has run for long. Never stops it (behaviour §9.9). */
import type { Db } from '../database/db.ts';
import { notify } from '../notifications/queries.ts';
import { aboutRow } from '../queue/about.ts';
import { lockRunningTimer } from './queries.ts';
import { LONG_TIMER_HOURS, watchTimer } from './timer.ts';

/** Harmless if it runs twice, or if the timer has stopped or its start has changed. */
export async function remindLongTimer(db: Db, { entryId }: { entryId: number }): Promise<void> {
  await db.transaction(async (tx) => {
    const timer = await lockRunningTimer(tx, entryId, LONG_TIMER_HOURS);
    if (!timer) return;
    if (!timer.is_due) return watchTimer(tx, entryId, timer.started_at, aboutRow(timer));
    const { account_id: accountId, workspace_id: workspaceId, user_id: userId, due_at: dueAt } = timer;
    await notify(tx, { accountId, workspaceId, userId, kind: 'timer_long', entryId, dueAt });
  });
}
