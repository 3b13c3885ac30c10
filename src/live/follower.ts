/** Sends one NOTIFY to the web processes for a batch of changes. A NOTIFY in each save would make all saves wait for one another
 *  ([0036](../../docs/decisions/0036-live-pages.md)). */
import type { Follower } from '../changes/follow.ts';
import { payloadOf } from './messages.ts';
import { notifyPages } from './queries.ts';

export const liveFollower: Follower = { name: 'live', see: (tx, rows, after) => notifyPages(tx, payloadOf(after, rows)) };
