/** Creates notifications in a follower of changes, so that watchers don't make a write slower (behaviour §10.17). */
import type { Follower } from '../changes/follow.ts';
import { storeMentions } from './keepMentions.ts';
import { markDecided, notifyOfChanges } from './tellQueries.ts';

export const notificationsFollower: Follower = {
  name: 'notifications',
  async see(tx, rows) {
    await storeMentions(tx, rows);
    const ids = rows.map(({ id }) => id);
    await notifyOfChanges(tx, ids);
    await markDecided(tx, ids);
  },
};
