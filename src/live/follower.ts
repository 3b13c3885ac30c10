/** What tells the web processes that something was changed: once for whatever was, and not by a NOTIFY in each save, which would have all
 *  of them wait for one another ([0036](../../docs/decisions/0036-live-pages.md)). */
import type { Follower } from '../changes/follow.ts';
import { payloadOf } from './messages.ts';
import { tellPages } from './queries.ts';

export const liveFollower: Follower = { name: 'live', see: (tx, rows, after) => tellPages(tx, payloadOf(after, rows)) };
