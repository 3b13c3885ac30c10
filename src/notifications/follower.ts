/** People are told by whoever follows the changes, and not by who makes them: a write costs no more for being watched (behaviour §10.17). */
import type { Follower } from '../changes/follow.ts';
import { tellOfChanges } from './tellQueries.ts';

export const notificationsFollower: Follower = {
  name: 'notifications',
  see: (tx, rows) =>
    tellOfChanges(
      tx,
      rows.map(({ id }) => id),
    ),
};
