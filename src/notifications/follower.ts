/** People are told by whoever follows the changes, and not by who makes them: a write costs no more for being watched (behaviour §10.17). */
import type { Follower } from '../changes/follow.ts';
import { keepMentions } from './keepMentions.ts';
import { markDecided, tellOfChanges } from './tellQueries.ts';

export const notificationsFollower: Follower = {
  name: 'notifications',
  async see(tx, rows) {
    await keepMentions(tx, rows);
    const ids = rows.map(({ id }) => id);
    await tellOfChanges(tx, ids);
    await markDecided(tx, ids);
  },
};
