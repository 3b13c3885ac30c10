/** Lets the followers see what is new. Any number of processes may: for each follower one of them is at it, the others find that. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Follower, follow } from '../src/changes/follow.ts';
import { followersBehind } from '../src/changes/followQueries.ts';
import type { Db } from '../src/database/db.ts';
import type { Logger } from '../src/log.ts';

/** Between two looks, which is how late a change may be seen. */
const LOOK_MS = 250;
const AFTER_FAILURE_MS = 1_000;

/** Looks for all followers at once, so that an idle worker needs one connection for it; each that is behind then goes on by itself.
 *  Resolves when `signal` has ended all. */
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
