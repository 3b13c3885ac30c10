/** Creates notifications in a follower of changes, so that watchers don't make a write slower (behaviour §10.17). */
import type { Follower } from '../changes/follow.ts';
import type { ChangeRow } from '../changes/readQueries.ts';
import type { Tx } from '../database/db.ts';
import { notifyOfAwayAssignees } from './awayQueries.ts';
import { mentionsIn } from './mentions.ts';
import { insertMentions, markDecided, notifyOfChanges, notifyOfUnblocked, readWritten } from './tellQueries.ts';

/** Finds mentions in new comments, in the same commit as their notifications (behaviour §10.21). */
export async function storeMentions(tx: Tx, rows: readonly ChangeRow[]): Promise<void> {
  const commentIds = rows.flatMap(({ commentId }) => commentId ?? []);
  if (commentIds.length === 0) return;
  const written = await readWritten(tx, commentIds);
  const mentions = written.flatMap(({ id, account_id: accountId, body, people }) =>
    mentionsIn(body, people).ids.map((userId) => ({ accountId, commentId: id, userId })),
  );
  if (mentions.length > 0) await insertMentions(tx, mentions);
}

export const notificationsFollower: Follower = {
  name: 'notifications',
  async see(tx, all) {
    // Imported items and comments notify no one (behaviour §36.22).
    const rows = all.filter(({ via }) => via !== 'import');
    if (rows.length === 0) return;
    await storeMentions(tx, rows);
    const ids = rows.map(({ id }) => id);
    await notifyOfChanges(tx, ids);
    await notifyOfUnblocked(tx, ids);
    await notifyOfAwayAssignees(tx, ids);
    await markDecided(tx, ids);
  },
};
