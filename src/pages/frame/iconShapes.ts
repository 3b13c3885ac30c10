/** The shapes of the lucide icons: in pages inline, for icons that scripts make as a sprite. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { recordOf } from '../../values/records.ts';
import { iconNames } from './components/icons.ts';
import { Html } from './html.ts';

const require = createRequire(import.meta.url);

function shapesOf(name: string): string {
  const svg = readFileSync(require.resolve(`lucide-static/icons/${name}.svg`), 'utf8');
  return svg
    .slice(svg.indexOf('>', svg.indexOf('<svg')) + 1, svg.lastIndexOf('</svg>'))
    .split('\n')
    .map((line) => line.trim())
    .join('')
    .replaceAll(' />', '/>');
}

export const shapes = recordOf(iconNames, (name) => new Html(shapesOf(name)));

export const iconSprite = (): string =>
  `<svg xmlns="http://www.w3.org/2000/svg">${iconNames.map((name) => `<symbol id="${name}" viewBox="0 0 24 24">${shapes[name].text}</symbol>`).join('')}</svg>`;
