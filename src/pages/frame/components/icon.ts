/** The lucide icons: in pages inline, for icons that scripts make as a sprite. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { recordOf } from '../../../values/records.ts';
import { Html, html } from '../html.ts';
import { type IconName, iconNames } from './icons.ts';

const require = createRequire(import.meta.url);

function shapesOf(name: string): string {
  const svg = readFileSync(require.resolve(`lucide-static/icons/${name}.svg`), 'utf8');
  const inside = svg.slice(svg.indexOf('>', svg.indexOf('<svg')) + 1, svg.lastIndexOf('</svg>'));
  return inside.replace(/\n */g, '').replaceAll(' />', '/>');
}

export const shapes = recordOf(iconNames, (name) => new Html(shapesOf(name)));

export const iconSprite = (): string =>
  `<svg xmlns="http://www.w3.org/2000/svg">${iconNames.map((name) => `<symbol id="${name}" viewBox="0 0 24 24">${shapes[name].text}</symbol>`).join('')}</svg>`;

/** A decorative icon, hidden from screen readers. Its meaning must also be next to it in words or in the control's label. 16 px; `s` 14 px;
 *  `l` 20 px; `solid` is filled. The shapes are in the page: with `<use>` of a file, browsers lay pages out twice. */
export const icon = (name: IconName, size?: 's' | 'l', solid?: 'solid'): Html =>
  html`<svg class="i${size && ` ${size}`}${solid && ' solid'}" viewBox="0 0 24 24" aria-hidden="true">${shapes[name]}</svg>`;
