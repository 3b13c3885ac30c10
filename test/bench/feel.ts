/** A real browser and 200,000 items: the time from a click to the painted page when pages change in place, against loading the same page
 *  (test/pages/compression.db.test.ts and assets.unit.test.ts check the sizes on the wire). Links are hovered first, as people do. */
import type { Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import type { Bench } from './bench.ts';
import { atMost, type Goal, median } from './measure.ts';
import { makePlace } from './places.ts';

const HOVER_MS = 150;

/** Set up in every page: notes when it was first painted, and when `main` was painted after a click. */
const watching = `addEventListener('click', () => {
  const before = document.getElementById('main');
  window.clickedAt = performance.now();
  const look = () => document.getElementById('main') === before ? requestAnimationFrame(look)
    : requestAnimationFrame(() => setTimeout(() => { window.paintedAt = performance.now(); }));
  requestAnimationFrame(look);
}, true);
new PerformanceObserver((all) => {
  for (const one of all.getEntriesByName('first-contentful-paint')) window.loadedMs = one.startTime;
}).observe({ type: 'paint', buffered: true });`;

const links = {
  'list to item': '#work .row .t > a',
  'list to board': '.head .seg a[href*="view=board"]',
  'list to My day': '.side .nav a:has-text("My day")',
  'list to inbox': '.side .nav a:has-text("Inbox")',
};

export async function feel(bench: Bench): Promise<Goal[]> {
  const { web, bulk, cookie } = await makePlace(bench, bench.sizes[1]);
  const browser = await launchChromium();
  bench.later(() => browser.close());
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const url = `http://127.0.0.1:${web.port}`;
  const [name, value] = cookie.Cookie.split('=') as [string, string];
  await context.addCookies([{ name, value, url }]);
  await context.addInitScript(watching);
  const page = await context.newPage();
  const goals: Goal[] = [];
  for (const [title, link] of Object.entries(links)) {
    const [inPlace, loaded]: [number[], number[]] = [[], []];
    // The first two warm caches of server and browser.
    for (let n = bench.quick ? 1 : -2; n < (bench.quick ? 2 : 15); n++) {
      await page.goto(`${url}/workspaces/${bulk.workspaceId}`, { waitUntil: 'load' });
      const clicked = await clickTime(page, link);
      await page.reload({ waitUntil: 'load' });
      const painted = await seen(page, 'window.loadedMs');
      if (n < 0) continue;
      inPlace.push(clicked);
      loaded.push(painted);
    }
    goals.push(atMost(`${title}: click to paint, against loading the page`, median(inPlace) / median(loaded), 1));
  }
  return goals;
}

/** The time once it is set. A page load between looks ends the earlier page. */
async function seen(page: Page, expression: string): Promise<number> {
  const time = Number(await eventually(() => page.evaluate(expression).catch(() => 0), Boolean));
  if (!time) throw new Error(`${page.url()}: there is no ${expression}.`);
  return time;
}

async function clickTime(page: Page, link: string): Promise<number> {
  await page.locator(link).first().hover();
  await page.waitForTimeout(HOVER_MS);
  await page.locator(link).first().click();
  return seen(page, 'window.paintedAt - window.clickedAt');
}
