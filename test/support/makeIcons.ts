/** `node test/support/makeIcons.ts`: the icons of the installed application, from our mark. Run it when static/icon.svg changes. */
import { readFileSync } from 'node:fs';
import { launchChromium } from './chromium.ts';

const folder = new URL('../../src/pages/static/', import.meta.url);
const mark = readFileSync(new URL('icon.svg', folder), 'utf8');
/** A maskable icon fills its square and keeps the mark in the safe middle. */
const filled = mark.replace(' rx="7.5"', '').replace('<g ', '<g transform="translate(16 16) scale(.74) translate(-16 -16)" ');
const browser = await launchChromium();
for (const [name, size, svg] of [
  ['icon-192', 192, mark],
  ['icon-512', 512, mark],
  ['maskable-512', 512, filled],
  ['touch-180', 180, filled],
] as const) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${svg}`);
  await page.screenshot({ path: new URL(`icons/${name}.png`, folder).pathname, omitBackground: true });
}
await browser.close();
process.exit(0);
