/** Repeats a query until it returns something, for a minute, because other processes produce the result. */
import { setTimeout as after } from 'node:timers/promises';

const LIMIT_MS = 60_000;

export async function eventually<T>(ask: () => Promise<T>, enough: (found: T) => boolean): Promise<T> {
  for (let waited = 0; ; waited += 20) {
    const found = await ask();
    if (enough(found) || waited > LIMIT_MS) return found;
    await after(20);
  }
}
