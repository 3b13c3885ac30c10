/** Repeats a query for at least `limitMs`, until it returns something. Only for the state of other processes that announce no change. */
import timers from 'node:timers/promises';

/** The machine's clock, also while a test has stopped its own (stoppedClock.ts). */
const { setTimeout: after } = timers;

export async function eventually<T>(ask: () => Promise<T>, enough: (found: T) => boolean, limitMs = 60_000): Promise<T> {
  for (let waited = 0; ; waited += 20) {
    const found = await ask();
    if (enough(found) || waited > limitMs) return found;
    await after(20);
  }
}
