/** Every page of the table, at 360 px in light and dark mode and on a desktop in dark mode: WCAG 2.2 AA as far as axe can check, nothing
 *  cut off or wider than the phone, large enough targets, and a visible focus. With the sample's data. EVERY_PAGE=/my checks only addresses
 *  that contain it. */
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { axeFaults } from '../support/axe.ts';
import { fileBrowser, signIn } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { samplePages } from '../support/samplePages.ts';
import { suite } from '../support/suite.ts';
import { isThorough } from '../support/thorough.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const browser = fileBrowser();
const sample = samplePages(database);

/** Targets in bars and rows below 44 px either way. Visually hidden ones don't count. */
const SMALL = `[...document.querySelectorAll('.btn, .icon-btn, .chip, .seg a, .tabbar > *, .head summary, .row summary, .row .st-btn, .opt, .timer button')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .map((one) => ({ box: one.getBoundingClientRect(), html: one.outerHTML.slice(0, 140) }))
  .filter(({ box }) => box.width > 2 && box.height > 2 && box.height < 43.5)
  .map(({ box, html }) => Math.round(box.width) + ' x ' + Math.round(box.height) + ': ' + html)`;
/** Content beyond the edge that is not in a scroll container. */
const CUT = `document.documentElement.scrollWidth <= innerWidth ? [] : ['the page is ' + document.documentElement.scrollWidth + ' px wide: ' +
  [...document.querySelectorAll('main *')].filter((one) => one.getBoundingClientRect().right > innerWidth).map((one) => one.outerHTML.slice(0, 90)).slice(0, 4)]`;
/** The space bar does not activate a link with the role of a button. */
const FALSE_BUTTONS = `[...document.querySelectorAll('a[role=button]')].map((one) => 'not a button: ' + one.outerHTML.slice(0, 140))`;

/** Icons whose address lacks the context path are blank. */
const BLANK_ICONS = `[...document.querySelectorAll('use')].map((one) => one.getAttribute('href')).filter((href) => href[0] === '/' && !href.startsWith('/stint/'))`;

const WIDTHS = { phone: { width: 360, height: 740 }, desktop: { width: 1440, height: 900 } };
const lookAt = async (page: Page, look: string): Promise<string[]> => (await page.evaluate(look)) as string[];
const paint = (page: Page, colorScheme: 'light' | 'dark') => page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });

/** All rules on a phone in light mode, the colour rules on a desktop in dark mode: a theme changes only colours (light-dark() in the sheets
 *  accepts no more), and only those two axe rules depend on a colour. expectAccessible checks the desktop in light mode with all rules in the
 *  tests of each area. A thorough run checks more. */
async function faultsAt(page: Page, address: string): Promise<string[]> {
  const faults: string[] = [];
  const found = (where: string, some: string[]) => faults.push(...some.map((fault) => `${address} ${where}: ${fault}`));
  await paint(page, 'light');
  await page.setViewportSize(WIDTHS.phone);
  await page.goto(sample.now.web.baseUrl + address);
  found('phone', [...(await lookAt(page, CUT)), ...(await lookAt(page, SMALL))]);
  found('phone, light', await axeFaults(page));
  await paint(page, 'dark');
  if (isThorough) found('phone, dark', await axeFaults(page, 'colours'));
  await page.setViewportSize(WIDTHS.desktop);
  found('desktop', [...(await lookAt(page, CUT)), ...(await lookAt(page, FALSE_BUTTONS)), ...(await lookAt(page, BLANK_ICONS))]);
  found('desktop, dark', await axeFaults(page, isThorough ? 'all' : 'colours'));
  return faults;
}

async function expectGood(t: ExecutionContext, page: Page, all: readonly string[]): Promise<void> {
  const faults = [];
  const only = process.env.EVERY_PAGE;
  for (const address of all.filter((one) => !only || one.includes(only))) faults.push(...(await faultsAt(page, address)));
  t.deepEqual(faults, []);
}

test('every page after signing in', async (t) => {
  t.timeout(600_000);
  const page = await browser.page(t);
  const { web, who, addresses } = sample.now;
  await signIn(page, web.baseUrl, who.email, who.password);
  await expectGood(t, page, addresses);
});

test('every page before signing in', async (t) => {
  const page = await browser.page(t);
  await expectGood(t, page, ['/sign-in', '/forgotten', '/email', '/nowhere', '/api/v1/docs', '/api/v1/docs/webhooks']);
});

/** The lowest contrast of the focus ring over all its backgrounds. */
const RING = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const light = (css) => {
    canvas.fillStyle = css;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const probe = document.body.appendChild(document.createElement('i'));
  const grounds = ['--bg', '--surface', '--raised', '--sunken'].map((name) => {
    probe.style.color = 'var(' + name + ')';
    return light(getComputedStyle(probe).color);
  });
  probe.remove();
  const ring = light(getComputedStyle(document.activeElement).outlineColor);
  return Math.min(...grounds.map((ground) => (Math.max(ring, ground) + 0.05) / (Math.min(ring, ground) + 0.05)));
})()`;

test('the focus ring has a contrast of at least 3 to 1 in light and dark mode', async (t) => {
  const page = await browser.page(t);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto(`${sample.now.web.baseUrl}/forgotten`);
    await page.getByRole('link', { name: 'Back to sign in' }).focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    const least = Number(await page.evaluate(RING));
    t.true(least >= 3, `${colorScheme}: ${least}`);
  }
});
