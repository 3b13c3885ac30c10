/** A decorative icon, hidden from screen readers. Its meaning must also be next to it in words or in the control's label. */
import { type Html, html } from '../html.ts';
import { shapes } from '../iconShapes.ts';
import type { IconName } from './icons.ts';

/** 16 px; `s` 14 px; `l` 20 px; `solid` is filled. The shapes are in the page: with `<use>` of a file, browsers lay pages out twice. */
export const icon = (name: IconName, size?: 's' | 'l', solid?: 'solid'): Html =>
  html`<svg class="i${size && ` ${size}`}${solid && ' solid'}" viewBox="0 0 24 24" aria-hidden="true">${shapes[name]}</svg>`;
