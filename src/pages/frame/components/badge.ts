import { type Content, type Html, html } from '../html.ts';
import { icon } from './icon.ts';
import type { IconName } from './icons.ts';

export type Tone = 'plain' | 'red' | 'amber' | 'green' | 'violet' | 'accent';

/** Always has an icon and a word: colour alone is not accessible. */
export function badge(tone: Tone, iconName: IconName, text: Content): Html {
  return html`<span class="badge${tone !== 'plain' && ` ${tone}`}">${icon(iconName, 's')}${text}</span>`;
}

/** `tint` 1 to 5; a grey dot without it. */
export function label(text: Content, tint?: 1 | 2 | 3 | 4 | 5): Html {
  return html`<span class="label${tint && ` c${tint}`}">${text}</span>`;
}

/** Hidden from screen readers: the control has aria-keyshortcuts. */
export const kbd = (key: string): Html => html`<kbd class="kbd" aria-hidden="true">${key}</kbd>`;
