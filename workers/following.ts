/** Runs the followers over new changes. Any number of processes may do this; for each follower only one works at a time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Follower, follow } from '../src/changes/follow.ts';
import { followersBehind } from '../src/changes/followQueries.ts';
import type { Db } from '../src/database/db.ts';
import type { Logger } from '../src/log.ts';

/** Poll interval: a follower sees a change at most this late. */
const LOOK_MS = 250;
const AFTER_FAILURE_MS = 1_000;

/** Checks all followers in one query, so an idle worker needs one connection. Resolves after `signal` has aborted and all have ended. */
export async function startFollowing(db: Db, followers: readonly Follower[], log: Logger, signal: AbortSignal): Promise<void> {
  const busy = new Map<Follower, Promise<void>>();
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {});
  const attempt = async (work: () => Promise<unknown>, follower?: Follower) => {
    try {
      await work();
    } catch (error) {
      log.warn({ follower: follower?.name, err: error }, 'changes could not be followed');
      await pause(AFTER_FAILURE_MS);
    }
  };
  const catchUp = async (follower: Follower) => {
    while (!signal.aborted && (await follow(db, follower)));
  };
  const look = async () => {
    const idle = followers.filter((follower) => !busy.has(follower));
    const behind = idle.length
      ? await followersBehind(
          db.pool(),
          idle.map(({ name }) => name),
        )
      : [];
    for (const follower of idle.filter(({ name }) => behind.includes(name)))
      busy.set(
        follower,
        attempt(() => catchUp(follower), follower).finally(() => busy.delete(follower)),
      );
  };
  while (!signal.aborted) {
    await attempt(look);
    await pause(LOOK_MS);
  }
  await Promise.all(busy.values());
}
