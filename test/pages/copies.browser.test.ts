/** Duplicates, templates and recurring tasks on pages, by mouse and keyboard (behaviour §37). */
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { expectAccessible, expectFitsPhone, fileBrowser, openAs } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const browser = fileBrowser();
let work: WorkWorld;
test.before('a workspace with work', async () => {
  const below = (ref: string, title: string) => ({ ref, type: 'task' as const, title, fields: { parentItemId: { ref: 'boat' } } });
  work = await workWorld(database.url, {
    labels: [{ name: 'Paint' }],
    items: [
      { ref: 'boat', type: 'task', title: 'Paint the boat', labels: ['Paint'], fields: { startDate: '2026-03-02', dueDate: '2026-03-06' } },
      below('hull', 'Sand the hull'),
      below('deck', 'Oil the deck'),
      { ref: 'report', type: 'task', title: 'Weekly report', fields: { dueDate: '2027-01-01' } },
      { ref: 'other', type: 'task', title: 'Monthly report', fields: { dueDate: '2027-01-31' } },
    ],
  });
});
test.after('stop', () => work?.stop());

async function open(t: ExecutionContext, path: string, who: 'ana' | 'mia' = 'ana', options = {}): Promise<Page> {
  const page = await browser.page(t, options);
  await openAs(page, work.web.baseUrl, emailOf(who), path);
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
  await page.getByRole('heading', { name: /^Duplicate task/ }).waitFor();
  await expectAccessible(t, page);
  t.true(await page.getByLabel('Items below (2)').isChecked());
  await page.getByLabel('Title').fill('Paint the second boat');
  await page.getByLabel('New start').fill('2037-12-01');
  await page.getByRole('button', { name: 'Duplicate' }).click();
  await page.getByRole('heading', { name: 'Paint the second boat' }).waitFor();
  await toast(page).getByText('3 tasks created').waitFor();
  await page.getByRole('link', { name: 'Sand the hull' }).first().waitFor();
  t.regex(await page.locator('.props').first().innerText(), /7 Dec 2037/);
  const copy = page.url().replace(/\?.*/, '');
  await page.keyboard.press('z');
  await toast(page).getByText('Undone.').waitFor();
  await page.goto(copy);
  await page
    .getByText(/archived/i)
    .first()
    .waitFor();
});

test('the palette duplicates the item of the page, with the keyboard alone', async (t) => {
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
});

test('a refused duplicate keeps what was typed', async (t) => {
  const page = await open(t, `${work.item('boat')}/duplicate`);
  await page.getByLabel('Title').evaluate((input) => input.removeAttribute('required'));
  await page.getByLabel('Title').fill('');
  await page.getByLabel('Labels').uncheck();
  await page.getByRole('button', { name: 'Duplicate' }).click();
  await page.getByRole('alert').waitFor();
  t.false(await page.getByLabel('Labels').isChecked());
});

test('a template is saved from an item, renamed, used from the dialog by a member, and deleted', async (t) => {
  const page = await open(t, work.item('boat'));
  await choose(page, 'Save as template…');
  await expectAccessible(t, page);
  await page.getByLabel('Name').fill('Boat');
  await page.getByRole('button', { name: 'Save template' }).click();
  await page.getByText('4 items').click();
  await page.getByText('Oil the deck').waitFor();
  await expectAccessible(t, page);
  await page.getByText('Rename').click();
  await page.getByLabel('Name', { exact: true }).fill('Any boat');
  await page.getByRole('button', { name: 'Save Boat' }).click();
  await page.getByText('Any boat').first().waitFor();

  const mia = await open(t, `${work.at}?type=task`, 'mia');
  await mia.keyboard.press('n');
  await mia.getByRole('link', { name: 'From template…' }).click();
  await mia.getByRole('heading', { name: 'New from template' }).waitFor();
  await expectAccessible(t, mia);
  await mia.getByLabel('Title').fill('Paint the ferry');
  await mia.getByLabel('Start').fill('2037-12-01');
  await mia.getByLabel('Assignee').selectOption('Mia');
  await mia.getByRole('button', { name: 'Create' }).click();
  await mia.getByRole('heading', { name: 'Paint the ferry' }).waitFor();
  await toast(mia).getByText('4 tasks created').waitFor();
  const facts = await mia.locator('.props').first().innerText();
  t.regex(facts, /Mia/);
  t.regex(facts, /7 Dec 2037/, 'four days after the start is a Saturday');
  await mia.goto(work.item('boat'));
  await mia.getByLabel('More actions').first().click();
  t.is(await mia.getByRole('link', { name: 'Save as template…' }).count(), 0);

  await page.getByRole('button', { name: 'Delete Any boat' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Delete|Confirm|Yes|OK/ })
    .first()
    .click();
  await page.getByText('No templates yet.').waitFor();
});

test('a task repeats by plain choices, shown on its page, and stops', async (t) => {
  const page = await open(t, work.item('report'));
  await choose(page, 'Repeat…');
  await expectAccessible(t, page);
  t.true(await page.getByRole('checkbox', { name: 'Friday' }).isChecked(), 'the day of its due date');
  t.false(await page.getByLabel('Day of the month').isVisible());
  await page.getByRole('checkbox', { name: 'Friday' }).uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('choose at least one day').first().waitFor();
  await page.getByRole('checkbox', { name: 'Friday' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('every Friday · next on').waitFor();
  await choose(page, 'Change repeat…');
  await page.getByLabel('Unit').selectOption('Months');
  t.false(await page.getByRole('checkbox', { name: 'Friday' }).isVisible());
  await page.getByLabel('Day of the month').fill('31');
  await page.getByLabel('Next task').selectOption('is created when the latest one is closed');
  await page.getByLabel('Times').fill('5');
  await page.keyboard.press('Enter');
  await page.getByText('every month on day 31, 5 times · next when this one is closed').waitFor();
  await expectAccessible(t, page);
  await choose(page, 'Change repeat…');
  t.is(await page.getByLabel('Day of the month').inputValue(), '31');
  await page.getByRole('button', { name: 'Stop repeating' }).click();
  await page.getByText('stopped').waitFor();
});

test('an expert’s rule is kept as written, and a wrong one is explained at its field', async (t) => {
  const page = await open(t, `${work.item('other')}/repeat`);
  await page.getByText('Custom rule').click();
  await page.getByLabel(/^Rule/).fill('FREQ=HOURLY');
  await page.getByRole('button', { name: 'Save' }).click();
  await page
    .getByText(/wrong FREQ; give DAILY, WEEKLY, MONTHLY, YEARLY/)
    .first()
    .waitFor();
  await page.getByLabel(/^Rule/).fill('freq=monthly;byday=-1sa');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('by the rule FREQ=MONTHLY;BYDAY=-1SA').waitFor();
  await page.goto(`${work.item('other')}/repeat`);
  t.is(await page.getByLabel(/^Rule/).inputValue(), 'FREQ=MONTHLY;BYDAY=-1SA');
});

test('all pages fit a phone', async (t) => {
  const page = await open(t, `${work.item('boat')}/duplicate`, 'ana', { viewport: { width: 390, height: 844 } });
  await expectFitsPhone(t, page);
  for (const path of [
    `${work.item('report')}/repeat`,
    `${work.item('boat')}/template`,
    `${work.at}/new/template`,
    `${work.at}/settings/templates`,
  ]) {
    await page.goto(path);
    await expectFitsPhone(t, page);
  }
});
