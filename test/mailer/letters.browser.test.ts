/** Mails in a browser, which shows them as mail programs do: on a phone in the light and at their full width in the dark. */
import test from 'ava';
import { axeFaults } from '../support/axe.ts';
import { fileBrowser } from '../support/browser.ts';
import { mails } from '../support/mails.ts';

const browser = fileBrowser();
/** One of each layout: the other kinds of notifications differ by their words alone. */
const shown = [
  'commented',
  'assigned',
  'eightAssigned',
  'approval_requested',
  'password_set',
  'webhook_rests',
  'digest',
  'invitation',
  'forgotten',
  'address',
] as const;

test('each layout fits 360 and 600 px, is accessible, and can be read in the dark', async (t) => {
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
