/** The components' appearance: accessible in light and dark mode and on a phone, and with a visible focus. */
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { expectAccessible, expectFitsPhone, openAs } from '../support/browser.ts';
import { suite } from '../support/suite.ts';
import { workPages } from '../support/workPages.ts';
import { emailOf } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const work = workPages({ items: [] });

const sides = ['light', 'dark'] as const;

/** For each focusable control: where the ring is below 2 px, or below 3:1 against its surroundings (WCAG 2.4.13, 1.4.11). */
const WEAK_RINGS = `(theme) => {
  const parse = (color) => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const light = ([r, g, b]) => {
    const part = (v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const contrast = (a, b) => {
    const [x, y] = [light(parse(a)), light(parse(b))].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const behind = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (parse(backgroundColor)[3] > 200) return backgroundColor;
    }
    return 'white';
  };
  const ringOf = (one) => {
    const around = one.closest('.composer, .tabs label, .q');
    for (const [at, pseudo] of [[one], [one, '::after'], [around]]) {
      const style = at && getComputedStyle(at, pseudo);
      if (style && style.outlineStyle === 'solid' && parseFloat(style.outlineWidth) >= 2) return { style, at };
    }
  };
  const weak = [];
  for (const one of document.querySelectorAll('.sg-side[data-theme=' + theme + '] :is(a[href], button, input, textarea, summary, [tabindex="0"])')) {
    if (one.disabled || !one.checkVisibility({ visibilityProperty: true, opacityProperty: false }) || one.tabIndex < 0) continue;
    one.focus();
    if (document.activeElement !== one) continue;
    const ring = ringOf(one);
    const name = one.outerHTML.slice(0, 120);
    if (!ring) {
      // The field of the palette is all that can have the focus there, and shows it by its sign.
      if (!one.closest('.palette')) weak.push('no ring: ' + name);
      continue;
    }
    const inside = parseFloat(ring.style.outlineOffset) < 0;
    const found = contrast(ring.style.outlineColor, behind(inside ? ring.at : ring.at.parentElement));
    if (found < 3) weak.push(found.toFixed(2) + ': ' + name);
  }
  return weak;
}`;

async function expectRings(t: ExecutionContext, page: Page) {
  // After a key press, focus that a script sets is visible as well.
  await page.keyboard.press('Tab');
  for (const theme of sides) t.deepEqual(await page.evaluate(`(${WEAK_RINGS})('${theme}')`), [], theme);
}

test('every component is accessible in light and dark mode, on a wide screen and on a phone, and shows the focus', async (t) => {
  const page = await work.browser.page(t, { viewport: { width: 1440, height: 900 } });
  await openAs(page, work.web.baseUrl, emailOf('ana'), `${work.web.baseUrl}/styleguide`);
  t.is(await page.locator('.sg-part').count(), 9);
  await expectAccessible(t, page);
  await expectRings(t, page);

  await expectFitsPhone(t, page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(t, page);
  const small = await page.evaluate(`[...document.querySelectorAll('.sg-side[data-theme=light] :is(a[href], button, input, summary)')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.prose, .ev, td, .acts') && !(one.type === 'radio'))
    .filter((one) => { const { height } = one.getBoundingClientRect(); return height > 0 && height < 44 && !one.closest('.row, .tile, .cards'); })
    .map((one) => one.getBoundingClientRect().height + ' ' + one.outerHTML.slice(0, 100))`);
  t.deepEqual(small, [], 'touch targets');
});
