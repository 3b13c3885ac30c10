/** Duplicates, templates and recurring tasks on pages, by mouse and keyboard (behaviour §37). copies.db.test.ts covers HTML
 *  and forms. */
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { expectAccessible, expectFitsPhone, fileBrowser, openAs } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { rowsAt } from '../support/rowsAt.ts';
import { suite } from '../support/suite.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const browser = fileBrowser();
let work: WorkWorld;
test.before('a workspace with work', async () => {
  const below = (ref: string, title: string) => ({ ref, type: 'task' as const, title, fields: { parentItemId: { ref: 'boat' } } });
  work = await workWorld(database.url, {
    items: [
      { ref: 'boat', type: 'task', title: 'Paint the boat' },
      below('hull', 'Sand the hull'),
      below('deck', 'Oil the deck'),
      { ref: 'report', type: 'task', title: 'Weekly report', fields: { dueDate: '2027-01-01' } },
    ],
  });
});
test.after('stop', () => work?.stop());

async function open(t: ExecutionContext, path: string): Promise<Page> {
  const page = await browser.shared(t);
  await openAs(page, work.web.baseUrl, emailOf('ana'), path);
  return page;
}
const toast = (page: Page) => page.locator('#notice .toast');
const choose = async (page: Page, label: string) => {
  await page.getByLabel('More actions').first().click();
  await page.getByRole('link', { name: label }).click();
};

test('the menu of an item duplicates it with what is chosen, and z undoes that', async (t) => {
  const page = await open(t, work.item('boat'));
  await choose(page, 'Duplicate…');
  await page.getByLabel('Title').fill('Paint the second boat');
  await page.getByRole('button', { name: 'Duplicate' }).click();
  await page.getByRole('heading', { name: 'Paint the second boat' }).waitFor();
  await toast(page).getByText('3 tasks created').waitFor();
  await page.keyboard.press('z');
  await toast(page).getByText('Undone.').waitFor();
  t.is((await rowsAt(database.url, "select from items where title = 'Paint the second boat' and archived_at is not null")).length, 1);
});

test('the palette duplicates the item of the page, and N leads to the templates, with the keyboard alone', async (t) => {
  const page = await open(t, work.item('hull'));
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
  const page = await open(t, work.item('report'));
  await choose(page, 'Repeat…');
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
