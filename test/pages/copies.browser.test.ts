/** Duplicates, templates and recurring tasks on pages, by mouse and keyboard (behaviour §37). copies.db.test.ts covers HTML
 *  and forms. */
import type { Page } from 'playwright-core';
import { expectAccessible, expectFitsPhone } from '../support/browser.ts';
import { suite } from '../support/suite.ts';
import { workPages } from '../support/workPages.ts';

const test = suite(import.meta.url);

const work = workPages({
  items: [
    { ref: 'hull', type: 'task', title: 'Sand the hull' },
    { ref: 'report', type: 'task', title: 'Weekly report', fields: { dueDate: '2027-01-01' } },
  ],
});

const toast = (page: Page) => page.locator('#notice .toast');

test('the palette duplicates the item of the page, and N leads to the templates, with the keyboard alone', async (t) => {
  const page = await work.open(t, work.item('hull'));
  await page.keyboard.press('Control+k');
  await page.keyboard.type('duplicate this');
  await page.locator('.palette [role=option]', { hasText: 'Duplicate this item…' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByLabel('Title').waitFor();
  await page.getByLabel('Title').press('Enter');
  await toast(page)
    .getByText(/Sand the hull created/)
    .waitFor();
  t.not(page.url().replace(/\?.*/, ''), work.item('hull'));
  await page.keyboard.press('n');
  await page.getByRole('link', { name: 'From template…' }).press('Enter');
  await page.getByRole('heading', { name: 'New from template' }).waitFor();
  t.is(page.url(), `${work.at}/new/template`);
});

test('the form of a repeated task shows the fields of the chosen unit', async (t) => {
  const page = await work.open(t, work.item('report'));
  await page.getByLabel('More actions').first().click();
  await page.getByRole('link', { name: 'Repeat…' }).click();
  t.true(await page.getByRole('checkbox', { name: 'Friday' }).isVisible());
  t.false(await page.getByLabel('Day of the month').isVisible());
  await page.getByLabel('Unit').selectOption('Months');
  t.false(await page.getByRole('checkbox', { name: 'Friday' }).isVisible());
  await page.getByLabel('Day of the month').fill('31');
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);
  await page.keyboard.press('Enter');
  await page.getByText('every month on day 31').waitFor();
});
