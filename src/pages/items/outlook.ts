/** What a forecast comes to, as a badge: always a sign and words. */
import { badge, type Tone } from '../frame/components/badge.ts';
import type { IconName } from '../frame/components/icons.ts';
import type { Html } from '../frame/html.ts';

const outlooks: Record<string, { tone: Tone; sign: IconName; words: string }> = {
  within_capacity: { tone: 'green', sign: 'circle-check', words: 'Within capacity' },
  at_risk: { tone: 'amber', sign: 'triangle-alert', words: 'At risk' },
  overcommitted: { tone: 'red', sign: 'octagon-alert', words: 'Overcommitted' },
  needs_data: { tone: 'violet', sign: 'circle-question-mark', words: 'Needs data' },
  needs_target: { tone: 'violet', sign: 'circle-question-mark', words: 'Needs a target' },
  no_scope: { tone: 'plain', sign: 'circle-dashed', words: 'No tasks yet' },
};

export function outlookBadge(outlook: string): Html {
  const { tone, sign, words } = outlooks[outlook] ?? { tone: 'plain' as const, sign: 'circle-dashed' as const, words: outlook };
  return badge(tone, sign, words);
}
