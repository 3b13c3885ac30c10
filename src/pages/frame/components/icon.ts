/** A decorative icon, hidden from screen readers. Its meaning must also be next to it in words or in the control's label. Never in a constant
 *  of a module: it would have no context path. */
import { assetPath } from '../assets.ts';
import { type Html, html } from '../html.ts';
import type { IconName } from './icons.ts';

let sprite = assetPath('icons.svg');

/** Sets the context path. Icons are the only links that are written without a request. */
export function serveIconsBelow(basePath: string): void {
  sprite = basePath + assetPath('icons.svg');
}

/** 16 px; `s` 14 px; `l` 20 px; `solid` is filled. */
export const icon = (name: IconName, size?: 's' | 'l', solid?: 'solid'): Html =>
  html`<svg class="i${size && ` ${size}`}${solid && ' solid'}" aria-hidden="true"><use href="${sprite}#${name}"/></svg>`;
