/** A workspace's page in a browser: filters in place, quick add, and no layout shifts. workList.db.test.ts covers the rest. */
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
  work = await workWorld(database.url, {
    items: [
      { ref: 'goal', type: 'goal', title: 'Win back the islands' },
      { ref: 'wide', type: 'milestone', title: 'W'.repeat(300), fields: { targetDate: '2030-01-31' } },
      { ref: 'mine', type: 'task', title: 'Paint the deck', fields: { assigneeId: { ref: 'mia' }, priorityKey: 'urgent' } },
      { type: 'task', title: 'Rivet 1' },
    ],
  });
});
test.after('stop', () => work?.stop());

async function open(t: ExecutionContext, who: 'ana' | 'mia', address: string): Promise<Page> {
  const page = await browser.shared(t);
  await openAs(page, work.web.baseUrl, emailOf(who), address);
  return page;
}

const titles = (page: Page) => page.locator('#work .row[data-item] .t > a').allInnerTexts();

test('the list follows the filters in place', async (t) => {
  const page = await open(t, 'mia', work.at);
  const filters = page.getByRole('search', { name: 'Filters' });
  await filters.getByText('Filter', { exact: true }).click();
  await filters.locator('#more-assignee > summary').click();
  // The list is replaced at once, so the box can't be asked whether it is checked.
  await filters.getByRole('checkbox', { name: 'Me' }).click();
  await page.getByText('Assignee me').waitFor();
  t.regex(page.url(), /assignee=me/);
  t.deepEqual(await titles(page), ['Paint the deck']);
  await expectAccessible(t, page);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Remove the filter Assignee' }).click();
  await page.getByRole('link', { name: 'Rivet 1', exact: true }).waitFor();
  await page.getByRole('searchbox', { name: 'Find in this list' }).pressSequentially('paint');
  await page.getByText('1', { exact: true }).first().waitFor();
  await page.waitForURL(/search=paint/);
  t.deepEqual(await titles(page), ['Paint the deck']);
  t.is(await page.getByRole('searchbox', { name: 'Find in this list' }).inputValue(), 'paint');
  await page.getByRole('link', { name: /^Goals/ }).click();
  await page.waitForURL(/type=goal/);
  await page.getByRole('link', { name: 'Win back the islands' }).click();
  await page.getByRole('heading', { name: 'Win back the islands' }).waitFor();
});

test('the preview underlines and names an unknown @name and #number, and nothing is added', async (t) => {
  const page = await open(t, 'ana', `${work.at}?group=none`);
  const line = page.getByRole('textbox', { name: /New task in/ });
  const before = await titles(page);
  await line.fill('Paint @nobody tomorrow #999999');
  const said = page.locator('.row.new .said');
  await said.getByText('@nobody matches no assignable user. No item #999999 found in this workspace.').waitFor();
  t.deepEqual(await said.locator('u').allInnerTexts(), ['@nobody', '#999999']);
  await expectAccessible(t, page);
  await page.keyboard.press('Enter');
  t.is(await line.inputValue(), 'Paint @nobody tomorrow #999999');
  await page.reload();
  t.deepEqual(await titles(page), before);
});

test('quick add shows its meaning while typing, adds the item, and is ready for the next', async (t) => {
  const page = await open(t, 'ana', `${work.at}?group=none&mine=1`);
  const line = page.getByRole('textbox', { name: /New task in/ });
  await line.fill('Typed tomorrow 4h !high #999999');
  await page.getByText('No item #999999 found').waitFor();
  await page.keyboard.press('Enter');
  t.is(await line.inputValue(), 'Typed tomorrow 4h !high #999999');
  await line.fill('Typed tomorrow 4h !high');
  await page.locator('.said mark', { hasText: 'Tomorrow' }).waitFor();
  await expectAccessible(t, page);
  await page.keyboard.press('Enter');
  await page
    .getByRole('status')
    .getByText(/\d+ Typed created/)
    .waitFor();
  t.deepEqual(await titles(page), ['Typed']);
  t.is(await line.inputValue(), '');
  await page.locator('.row.new .input:focus').waitFor();
  await page.keyboard.type('Typed too');
  await page.keyboard.press('Enter');
  await page
    .getByRole('status')
    .getByText(/Typed too created/)
    .waitFor();
  t.is((await titles(page)).length, 2);
});

/** Controls beyond the right edge, also inside a scroll container, except filters and an item's main properties, which scroll sideways on phones. */
const beyondTheEdge = `[...document.querySelectorAll('main a, main button, main input:not([type=hidden])')]
  .filter((one) => one.checkVisibility({ contentVisibilityAuto: true }) && !one.closest('.filters, .propstrip') && one.getBoundingClientRect().right > innerWidth).map((one) => one.outerHTML)`;

test('a title without spaces shifts nothing, and no control is beyond the edge, on a phone and on a tablet', async (t) => {
  const page = await open(t, 'ana', `${work.at}?type=milestone`);
  const people = `${work.web.baseUrl}/settings/people`;
  for (const path of [`${work.at}?type=milestone`, work.item('wide'), `${work.item('wide')}/edit`, `${work.at}/settings/members`, people]) {
    if (page.url() !== path) await page.goto(path);
    for (const width of [360, 800, 1000]) {
      await page.setViewportSize({ width, height: 740 });
      if (width === 360) await expectFitsPhone(t, page);
      t.deepEqual(await page.evaluate(beyondTheEdge), [], `${path} at ${width}`);
    }
  }
});
