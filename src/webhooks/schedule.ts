/** When what could not be delivered is tried again (behaviour §16.6). Pure. */

const [SECOND, MINUTE, HOUR] = [1, 60, 3_600];

/** Seconds after the first attempt, the second, … */
export const repeatsAfter = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR] as const;

/** Seconds until the next attempt, after so many that failed; null when there is none: the webhook rests. */
export const nextAttemptIn = (failed: number): number | null => repeatsAfter[failed - 1] ?? null;
