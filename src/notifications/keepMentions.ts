/** Finds mentions in new comments, in the same commit as their notifications (behaviour §10.21). */
import type { ChangeRow } from '../changes/readQueries.ts';
import type { Tx } from '../database/db.ts';
import { insertMentions, readWritten } from './mentionQueries.ts';
import { mentionsIn } from './mentions.ts';

export async function storeMentions(tx: Tx, rows: readonly ChangeRow[]): Promise<void> {
  const commentIds = rows.flatMap(({ commentId }) => commentId ?? []);
  if (commentIds.length === 0) return;
  const written = await readWritten(tx, commentIds);
  const mentions = written.flatMap(({ id, account_id: accountId, body, people }) =>
    mentionsIn(body, people).ids.map((userId) => ({ accountId, commentId: id, userId })),
  );
  if (mentions.length > 0) await insertMentions(tx, mentions);
}
