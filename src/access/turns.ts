/** One person's share of the event loop (behaviour §13.15). What the rules decide is synchronous, and takes long for a note of thousands of
 *  elements: whoever had such a piece of work waits for nine times as long before their next one, so that everybody else has the loop
 *  meanwhile. Hardly anything but an attack meets that. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '../values/errors.ts';

/** What takes less is not counted. */
const CHEAP_MS = 2;
const REST = 9;
/** With what a write waits for beside it, less than a request may take. */
const MOST_WAIT_MS = 5_000;

/** By user, until when others have the loop. */
const freeAt = new Map<number, number>();

/** Does the work when the person's turn comes. Throws Unavailable when that takes too long, or when the work is not `wanted` any more. */
export async function inTurn<T>(userId: number, work: () => T, wanted = () => true): Promise<T> {
  const asked = performance.now();
  for (let free = freeAt.get(userId); free !== undefined && free > performance.now(); free = freeAt.get(userId)) {
    if (performance.now() - asked > MOST_WAIT_MS || !wanted())
      throw new Unavailable('Your writes cost much right now: wait a moment and try again.', 5);
    await sleep(free - performance.now());
  }
  if (!wanted()) throw new Unavailable();
  const started = performance.now();
  try {
    return work();
  } finally {
    settle(userId, performance.now() - started);
  }
}

function settle(userId: number, cost: number): void {
  if (cost < CHEAP_MS) return;
  const free = performance.now() + cost * REST;
  freeAt.set(userId, free);
  setTimeout(() => freeAt.get(userId) === free && freeAt.delete(userId), cost * REST + 1_000).unref();
}
