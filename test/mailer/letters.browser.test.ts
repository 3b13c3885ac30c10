/** Mails in a browser, as mail programs show them: on a phone in light mode and at full width in dark mode. */
import { axeFaults } from '../support/axe.ts';
import { fileBrowser } from '../support/browser.ts';
import { mails } from '../support/mails.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const browser = fileBrowser();
/** One of each layout: other kinds of notifications differ only in their words. */
const shown = [
  'commented',
  'eightAssigned',
  'approval_requested',
  'password_set',
  'webhook_rests',
  'digest',
  'invitation',
  'address',
] as const;

test('each layout fits 360 and 600 px, is accessible, and is readable in dark mode', async (t) => {
  const page = await browser.page(t, { viewport: { width: 360, height: 740 } });
  const faults = [];
  for (const name of shown) {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.setContent(mails[name]!.html!);
    t.true(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 360, name);
    const light = await axeFaults(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 600, height: 740 });
    t.true(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 600, name);
    t.is(await page.evaluate(`getComputedStyle(document.querySelector('.sheet')).backgroundColor`), 'rgb(21, 27, 28)', name);
    const dark = await axeFaults(page, 'colours');
    faults.push(...[...light, ...dark].map((fault) => `${name} ${fault}`));
  }
  t.deepEqual(faults, []);
});
