/** A forecast verdict as a badge, always with icon and words (behaviour §6.14). */
import type { Outlook } from '../../../capacity/forecast/schema.ts';
import { type Html, html } from '../html.ts';
import { badge, type Tone } from './badge.ts';
import type { IconName } from './icons.ts';

/** `several`: the words after a count ("2 need data"). */
const verdicts: Record<Outlook, { tone: Tone; sign: IconName; words: string; several: string }> = {
  overcommitted: { tone: 'red', sign: 'octagon-alert', words: 'Overcommitted', several: 'overcommitted' },
  at_risk: { tone: 'amber', sign: 'triangle-alert', words: 'At risk', several: 'at risk' },
  needs_data: { tone: 'violet', sign: 'circle-question-mark', words: 'Needs data', several: 'need data' },
  needs_target: { tone: 'violet', sign: 'circle-question-mark', words: 'Needs a target', several: 'need a target' },
  within_capacity: { tone: 'green', sign: 'circle-check', words: 'Within capacity', several: 'within capacity' },
  no_scope: { tone: 'plain', sign: 'circle-dashed', words: 'No tasks yet', several: 'without tasks' },
};

export const severalWords = (outlook: Outlook): string => verdicts[outlook].several;

/** A verdict badge with other visible text. Screen readers get the verdict too; `more` is the tooltip. */
export function outlookSaid(outlook: string, said: string, more: readonly string[] = []): Html {
  const { tone, sign, words } = verdicts[outlook as Outlook] ?? { tone: 'plain', sign: 'circle-dashed', words: outlook };
  return badge(
    tone,
    sign,
    html`<span title="${more.length > 0 ? `${words}. ${more.join(' ')}` : words}">${said}</span><span class="vh">, ${words.toLowerCase()}</span>`,
  );
}

export function outlookBadge(outlook: string): Html {
  const { tone, sign, words } = verdicts[outlook as Outlook] ?? { tone: 'plain', sign: 'circle-dashed', words: outlook };
  return badge(tone, sign, words);
}
