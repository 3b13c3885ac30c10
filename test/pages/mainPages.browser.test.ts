/** The main pages, with the sample's data, on a phone and a desktop (support/pageFaults.ts). everyPage.browser.test.ts checks all pages in all sizes and
 *  modes. */
import { fileBrowser, signIn } from '../support/browser.ts';
import { pageFaults } from '../support/pageFaults.ts';
import { samplePages } from '../support/samplePages.ts';
import { suite } from '../support/suite.ts';
import { runDueJobs } from '../support/tasks.ts';
import { timeWorld } from '../support/timeWorld.ts';
import { signedIn } from '../support/visitor.ts';

const test = suite(import.meta.url);

const world = timeWorld();
const browser = fileBrowser();
const sample = samplePages(world);

test('main pages keep their content, order and focus on a phone and a desktop, in light and dark mode', async (t) => {
  const { web, who, workspaceId, itemId } = sample.now;
  const at = `/workspaces/${workspaceId}`;
  const capacity = `/capacity?workspaceId=${workspaceId}`;
  await (await signedIn(web.baseUrl, who.email, who.password)).go(capacity);
  await runDueJobs(world);
  const page = await browser.page(t);
  const faults = await pageFaults(page, `${web.baseUrl}/sign-in`, false);
  await signIn(page, web.baseUrl, who.email, who.password);
  for (const path of ['/my', at, `${at}?view=board`, `${at}/items/${itemId}`, capacity, '/my/notes', '/settings/people'])
    faults.push(...(await pageFaults(page, web.baseUrl + path, false)));
  t.deepEqual(faults, []);
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
  await page.goto(`${sample.now.web.baseUrl}/forgotten`);
  await page.getByRole('link', { name: 'Back to sign in' }).focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const least = Number(await page.evaluate(RING));
    t.true(least >= 3, `${colorScheme}: ${least}`);
  }
});
