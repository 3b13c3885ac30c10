/** Parts of a checked recurrence rule. Pure. */

export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type Weekday = (typeof weekdays)[number];

export const freqs = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
export type Freq = (typeof freqs)[number];

/** Parts by name. Call it with checked rules only. */
export const partsOf = (rule: string): Record<string, string> => Object.fromEntries(rule.split(';').map((part) => part.split('=', 2)));

export const dashed = (text: string) => `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;

/** The last date that UNTIL allows; null if the rule has no UNTIL. */
export function untilOf(rule: string): string | null {
  const { UNTIL } = partsOf(rule);
  return UNTIL ? dashed(UNTIL) : null;
}
