/** A verdict with its sign, a label of work, a key of the keyboard. */
import { type Content, type Html, html } from '../html.ts';
import { icon } from './icon.ts';
import type { IconName } from './icons.ts';

export type Tone = 'plain' | 'red' | 'amber' | 'green' | 'violet' | 'accent';

/** A verdict never goes by colour alone: it has a sign and a word. */
export function badge(tone: Tone, iconName: IconName, text: Content): Html {
  return html`<span class="badge${tone !== 'plain' && ` ${tone}`}">${icon(iconName, 's')}${text}</span>`;
}

/** `tint` 1 to 5; without, a grey dot. */
export function label(text: Content, tint?: 1 | 2 | 3 | 4 | 5): Html {
  return html`<span class="label${tint && ` c${tint}`}">${text}</span>`;
}

/** Seen, not read out: the control itself says its key (aria-keyshortcuts). */
export const kbd = (key: string): Html => html`<kbd class="kbd" aria-hidden="true">${key}</kbd>`;
