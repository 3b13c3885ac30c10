/** When failed deliveries are retried (behaviour §16.6). Pure. */

const [SECOND, MINUTE, HOUR] = [1, 60, 3_600];

/** Seconds after the first attempt, the second, … */
export const repeatsAfter = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR] as const;

/** Seconds until the next attempt after `failed` failures; null if there is none and the webhook pauses. */
export const nextAttemptIn = (failed: number): number | null => repeatsAfter[failed - 1] ?? null;
