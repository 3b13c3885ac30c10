/** A decorative icon, hidden from screen readers. Its meaning must also be next to it in words or in the control's label. */
import { assetPath } from '../assets.ts';
import { type Html, html } from '../html.ts';
import { kept } from '../kept.ts';
import type { IconName } from './icons.ts';

/** 16 px; `s` 14 px; `l` 20 px; `solid` is filled. */
export const icon: (name: IconName, size?: 's' | 'l', solid?: 'solid') => Html = kept(
  (name, size, solid) => `${name} ${size} ${solid}`,
  (name: IconName, size?: 's' | 'l', solid?: 'solid') =>
    html`<svg class="i${size && ` ${size}`}${solid && ' solid'}" aria-hidden="true"><use href="${assetPath('icons.svg')}#${name}"/></svg>`,
);
