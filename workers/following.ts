/** Lets the followers see what is new, each in a loop of its own. Any number of processes may: one of them is at it, the others find that. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Follower, follow } from '../src/changes/follow.ts';
import type { Db } from '../src/database/db.ts';
import type { Logger } from '../src/log.ts';

/** Between two looks, which is how late a change may be seen. A look costs one probe of an index. */
const LOOK_MS = 250;
const AFTER_FAILURE_MS = 1_000;

/** Resolves when `signal` has ended all. */
export async function startFollowing(db: Db, followers: readonly Follower[], log: Logger, signal: AbortSignal): Promise<void> {
  await Promise.all(followers.map((follower) => keepFollowing(db, follower, log, signal)));
}

async function keepFollowing(db: Db, follower: Follower, log: Logger, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    let pause = LOOK_MS;
    try {
      if (await follow(db, follower)) pause = 0;
    } catch (error) {
      log.warn({ follower: follower.name, err: error }, 'changes could not be followed');
      pause = AFTER_FAILURE_MS;
    }
    await sleep(pause, undefined, { signal }).catch(() => {});
  }
}
