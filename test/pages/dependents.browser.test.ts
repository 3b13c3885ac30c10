/** Moving dependent items in a browser, by mouse and by keyboard (behaviour §33.18). */
import type { Page } from 'playwright-core';
import { addDays, mondayOf } from '../../src/values/dates.ts';
import { expectAccessible, expectFitsPhone, fileBrowser, openAs } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const browser = fileBrowser();
let work: WorkWorld;
const monday = mondayOf(addDays(new Date().toISOString().slice(0, 10), 7));
const day = (days: number) => addDays(monday, days);

test.before('two releases and a milestone that wait for each other', async () => {
  work = await workWorld(database.url, {
    items: [
      { ref: 'hull', type: 'release', title: 'Hull', fields: { startDate: day(0), targetDate: day(4) } },
      { ref: 'deck', type: 'release', title: 'Deck', fields: { startDate: day(7), targetDate: day(9) }, blockedBy: [{ ref: 'hull' }] },
      { ref: 'launch', type: 'milestone', title: 'Launch', fields: { targetDate: day(10) }, blockedBy: [{ ref: 'deck' }] },
    ],
  });
});
test.after('stop', () => work?.stop());

const barOf = (page: Page, ref: string) => page.locator(`#tl-${work.refs.id(ref)} .tbar`);
const endsOf = async (page: Page) =>
  Promise.all(['hull', 'deck', 'launch'].map((ref) => barOf(page, ref).evaluate((bar) => [bar.dataset.s, bar.dataset.e])));

test('a bar whose end is moved offers to move what waits for it, by key M or by mouse: a dialog, one Undo', async (t) => {
  const page = await browser.page(t);
  await openAs(page, work.web.baseUrl, emailOf('ana'), `${work.at}?view=timeline`);
  const before = await endsOf(page);
  const offer = page.getByRole('link', { name: /Move 2 dependent items/ });
  const lengthen = async (days: number) => {
    await barOf(page, 'hull').focus();
    for (let n = 0; n < days; n++) await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Enter');
    await offer.waitFor();
  };
  // From Friday to the next Tuesday.
  await lengthen(4);
  await page.keyboard.press('m');
  await page.getByRole('dialog', { name: 'Move dependent items' }).getByText('Deck').waitFor();
  await expectAccessible(t, page);
  await page.keyboard.press('Enter');
  await page.getByText('2 items updated').waitFor();
  t.deepEqual(await endsOf(page), [
    [day(0), day(8)],
    [day(9), day(11)],
    ['', day(14)],
  ]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone.').waitFor();
  t.deepEqual((await endsOf(page)).slice(1), before.slice(1));

  await lengthen(1);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFitsPhone(t, page);
  await offer.click();
  await page.getByRole('button', { name: 'Move 2 items' }).click();
  await page.getByText('2 items updated').waitFor();
  t.deepEqual((await endsOf(page))[1], [day(10), day(14)]);
});
