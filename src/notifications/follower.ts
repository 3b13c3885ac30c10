/** Creates notifications in a follower of changes, so that watchers don't make a write slower (behaviour §10.17). */
import type { Follower } from '../changes/follow.ts';
import type { ChangeRow } from '../changes/readQueries.ts';
import type { Tx } from '../database/db.ts';
import { inPieces } from '../values/pieces.ts';
import { notifyOfAwayAssignees } from './awayQueries.ts';
import { MOST_MENTIONED, mentionsIn } from './mentions.ts';
import {
  insertMentions,
  type Mention,
  markDecided,
  notifyOfChanges,
  notifyOfUnblocked,
  readAddressing,
  readMentionableBy,
  readTexts,
} from './tellQueries.ts';

/** Comments whose texts are in memory at once. */
const TEXTS = 20;

/** Stores the mentions in new comments, in the same commit as their notifications (behaviour §10.21). Returns the new ones, each with the
 *  first change of its comment. Other work runs after each text. */
async function storeMentions(tx: Tx, rows: readonly ChangeRow[]): Promise<Mention[]> {
  const changeOf = new Map<number, number>();
  for (const { commentId, id } of rows) if (commentId !== null && !changeOf.has(commentId)) changeOf.set(commentId, id);
  if (changeOf.size === 0) return [];
  const mentions: Mention[] = [];
  for (const item of await readAddressing(tx, [...changeOf.keys()])) {
    const people = await readMentionableBy(tx, item);
    for (let from = 0; from < item.ids.length; from += TEXTS) {
      const texts = await readTexts(tx, item.ids.slice(from, from + TEXTS));
      const named = await inPieces(
        texts,
        ({ id, accountId, text }) =>
          mentionsIn(text, people)
            .ids.slice(0, MOST_MENTIONED)
            .map((userId) => ({ accountId, commentId: id, userId })),
        1,
      );
      const added = await insertMentions(tx, named.flat());
      mentions.push(...added.map(({ commentId, userId }) => ({ changeId: changeOf.get(commentId) ?? 0, userId })));
    }
  }
  return mentions;
}

export const notificationsFollower: Follower = {
  name: 'notifications',
  async see(tx, all) {
    // Imported items and comments notify no one (behaviour §36.22).
    const rows = all.filter(({ via }) => via !== 'import');
    if (rows.length === 0) return;
    const mentions = await storeMentions(tx, rows);
    const ids = rows.map(({ id }) => id);
    await notifyOfChanges(tx, ids, mentions);
    await notifyOfUnblocked(tx, ids);
    await notifyOfAwayAssignees(tx, ids);
    await markDecided(tx, ids);
  },
};
