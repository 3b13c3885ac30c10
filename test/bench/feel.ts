/** `npm run bench -- feel`: a real browser with plain flags and 200,000 items, without and with a 4 x CPU slowdown: from click to paint of
 *  the pages of a day, wire sizes, a card's drop on the board, and the update of a second tab. Pages are hovered for 150 ms before the click,
 *  as people do. Prints the machine's load beside the figures. */
import { loadavg } from 'node:os';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { spawnNode } from '../support/processes.ts';
import { type Goal, percentile, printGoals } from './measure.ts';
import { type Place, startPlace } from './pages.ts';
import { settingsOf } from './servers.ts';

const SIZE = 200_000;
const ROUNDS = 15;
const HOVER_MS = 150;
const MOST_LOOKS = 500;

/** Set up in every page: the time of the last click, and of the paint after it, also across a page load. */
const watching = `addEventListener('click', () => {
  const at = performance.timeOrigin + performance.now();
  sessionStorage.setItem('feel', at);
  const before = document.getElementById('main');
  const look = () => document.getElementById('main') === before ? requestAnimationFrame(look)
    : requestAnimationFrame(() => setTimeout(() => sessionStorage.setItem('felt', performance.timeOrigin + performance.now())));
  requestAnimationFrame(look);
}, true);
new PerformanceObserver((all) => {
  for (const one of all.getEntriesByName('first-contentful-paint')) sessionStorage.setItem('felt', performance.timeOrigin + one.startTime);
}).observe({ type: 'paint', buffered: true });`;

export async function feel(adminUrl: string): Promise<void> {
  const place = await startPlace(adminUrl, SIZE);
  const worker = spawnNode(['workers/index.ts'], { env: { ...settingsOf(place.url), LOG_LEVEL: 'info' } });
  await worker.log({ msg: 'listening' });
  const browser = await launchChromium({ own: true });
  try {
    const goals: Goal[] = [];
    const context = async () => {
      const made = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      const [name, value] = place.cookie.split('=') as [string, string];
      await made.addCookies([{ name, value, url: `http://127.0.0.1:${place.web.port}` }]);
      return made;
    };
    goals.push(...(await sizes(await context(), place)));
    for (const slowdown of [1, 4]) goals.push(...(await clicks(await context(), place, slowdown)));
    goals.push(...(await others(await context(), place)));
    console.log(
      `\nload of this machine: ${loadavg()
        .map((one) => one.toFixed(1))
        .join(' ')}`,
    );
    printGoals(goals);
  } finally {
    await browser.close();
    worker.kill('SIGKILL');
    await place.web.stop();
  }
}

const originOf = ({ web }: Place) => `http://127.0.0.1:${web.port}`;
const listOf = (place: Place) => `${originOf(place)}/workspaces/${place.bulk.workspaceId}`;

async function sizes(context: BrowserContext, place: Place): Promise<Goal[]> {
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  const kinds = new Map<string, string>();
  const bytes: Record<string, number> = {};
  cdp.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? 'Other';
    bytes[kind] = (bytes[kind] ?? 0) + encodedDataLength;
  });
  await page.goto(listOf(place), { waitUntil: 'load' });
  // The stream of events never ends.
  await page.waitForTimeout(1_000);
  await context.close();
  const kilobytes = (...names: string[]) => names.reduce((sum, name) => sum + (bytes[name] ?? 0), 0) / 1024;
  return [
    { text: 'a list of 50 rows on the wire, KB', value: kilobytes('Document'), want: 'at most', bound: 40 },
    { text: 'styles and scripts of the first page, KB', value: kilobytes('Stylesheet', 'Script'), want: 'at most', bound: 60 },
  ];
}

/** From where, and the link to click there. */
const steps = ({ bulk }: Place): Record<string, { from: string; link: string }> => ({
  'list to item': { from: `/workspaces/${bulk.workspaceId}`, link: '#work .row .t > a' },
  'list to board': { from: `/workspaces/${bulk.workspaceId}`, link: '.head .seg a[href*="view=board"]' },
  'list to My day': { from: `/workspaces/${bulk.workspaceId}`, link: '.side .nav a:has-text("My day")' },
  'list to inbox': { from: `/workspaces/${bulk.workspaceId}`, link: '.side .nav a:has-text("Inbox")' },
});

async function clicks(context: BrowserContext, place: Place, slowdown: number): Promise<Goal[]> {
  await context.addInitScript(watching);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await page.goto(originOf(place));
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const goals: Goal[] = [];
  for (const [name, { from, link }] of Object.entries(steps(place))) {
    const times: number[] = [];
    // The first two warm caches of server and browser.
    for (let round = 0; round < ROUNDS + 2; round++) {
      await page.goto(originOf(place) + from, { waitUntil: 'load' });
      await page.waitForTimeout(100 * slowdown);
      const time = await clickTime(page, link);
      if (round > 1) times.push(time);
    }
    console.log(`${name}: ${times.map(Math.round).join(' ')} ms`);
    goals.push({
      text: `${name}, click to paint, p75, ms${slowdown > 1 ? `, CPU ${slowdown} x slower` : ''}`,
      value: percentile(times, 0.75),
      want: 'at most',
      bound: slowdown > 1 ? 250 : 100,
    });
  }
  await context.close();
  return goals;
}

async function clickTime(page: Page, link: string): Promise<number> {
  const target = page.locator(link).first();
  await page.evaluate("sessionStorage.removeItem('felt')");
  await target.hover();
  await page.waitForTimeout(HOVER_MS);
  const at = page.url();
  await page.mouse.down();
  await page.mouse.up();
  await page.waitForURL((url) => url.href !== at, { waitUntil: 'commit' });
  const felt = "Number(sessionStorage.getItem('felt')) > Number(sessionStorage.getItem('feel'))";
  // A load between the evaluations destroys their context.
  for (let looks = 0; !(await page.evaluate(felt).catch(() => false)); looks++) {
    if (looks > MOST_LOOKS) throw new Error(`${link} on ${at} was not painted.`);
    await page.waitForTimeout(20);
  }
  return Number(await page.evaluate("Number(sessionStorage.getItem('felt')) - Number(sessionStorage.getItem('feel'))"));
}

async function others(context: BrowserContext, place: Place): Promise<Goal[]> {
  const page = await context.newPage();
  await page.goto(`${listOf(place)}?view=board`);
  const drops: number[] = [];
  for (let round = 0; round < 9; round++) drops.push(await dropTime(page, round));
  const second = await context.newPage();
  await page.goto(listOf(place));
  await second.goto(listOf(place));
  const cdp: CDPSession = await context.newCDPSession(second);
  // Both tabs count as visible, as in two windows.
  await cdp.send('Emulation.setFocusEmulationEnabled', { enabled: true });
  await second.waitForTimeout(2_000);
  const updates: number[] = [];
  for (let round = 0; round < 7; round++) updates.push(await updateTime(page, second, round));
  await context.close();
  return [
    { text: 'drop of a card to its confirmation, p75, ms', value: percentile(drops, 0.75), want: 'at most', bound: 150 },
    { text: 'answer to a change to its row in a second tab, p75, ms', value: percentile(updates, 0.75), want: 'at most', bound: 1_000 },
  ];
}

/** By keyboard: space picks up, an arrow chooses the column, space drops. */
async function dropTime(page: Page, round: number): Promise<number> {
  const card = page.locator('.board .col:first-child .tile:not([data-held]) h3 a').nth(round % 3);
  await card.focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  // `void`: the promise ends after the next key, so this must not wait for it.
  await page.evaluate(`void (window.dropped = new Promise((done) => {
    document.getElementById('board-said').textContent = '';
    addEventListener('keydown', () => {
      const from = performance.now();
      const look = () => /moved to/.test(document.getElementById('board-said').textContent) ? done(performance.now() - from) : requestAnimationFrame(look);
      look();
    }, { once: true, capture: true });
    setTimeout(done, 10_000, 10_000);
  }))`);
  await page.keyboard.press('Space');
  const time = Number(await page.evaluate('window.dropped'));
  await page.waitForTimeout(400);
  return time;
}

async function updateTime(page: Page, second: Page, round: number): Promise<number> {
  const row = page.locator('#work .row[data-item]').nth(3);
  const id = await row.getAttribute('data-item');
  const title = `Seen elsewhere ${round}`;
  await row.locator('.t > a').focus();
  await page.keyboard.press('e');
  await row.locator('.rename input[name="value"]').fill(title);
  const seen = second.evaluate(
    `new Promise((done) => { const look = () => document.querySelector('#work [data-item="${id}"] .t > a')?.textContent === '${title}' ? done(performance.timeOrigin + performance.now()) : setTimeout(look, 5); look(); setTimeout(done, 10_000, performance.timeOrigin + performance.now() + 10_000); })`,
  );
  const saved = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.keyboard.press('Enter');
  await saved;
  const at = performance.timeOrigin + performance.now();
  return Math.max(0, Number(await seen) - at);
}
