/** A workspace's page in a browser: filters in place, quick add, and no layout shifts. workList.db.test.ts covers the rest. */
import type { Page } from 'playwright-core';
import { expectAccessible, expectFitsPhone } from '../support/browser.ts';
import { suite } from '../support/suite.ts';
import { workPages } from '../support/workPages.ts';

const test = suite(import.meta.url);

const work = workPages({
  items: [
    { ref: 'wide', type: 'milestone', title: 'W'.repeat(300), fields: { targetDate: '2030-01-31' } },
    {
      ref: 'mine',
      type: 'task',
      title: 'Paint the deck',
      fields: { assigneeId: { ref: 'ana' }, releaseId: { ref: 'summer' }, priorityKey: 'urgent' },
    },
    { type: 'task', title: 'Rivet 1', fields: { assigneeId: { ref: 'max' }, releaseId: { ref: 'summer' }, estimatedHours: 4 } },
    { ref: 'summer', type: 'release', title: 'Summer', fields: { targetDate: '2030-01-31' } },
  ],
});

const titles = (page: Page) => page.locator('#work .row[data-item] .t > a').allInnerTexts();

test('the list follows the filters in place', async (t) => {
  const page = await work.open(t, work.at);
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
});

test('quick add shows its meaning while typing, underlines unknown names, adds the item, and is ready for the next', async (t) => {
  const page = await work.open(t, `${work.at}?group=none&mine=1`);
  const line = page.getByRole('textbox', { name: /New task in/ });
  const said = page.locator('.row.new .said');
  await line.fill('Paint @nobody tomorrow #999999');
  await said.getByText('@nobody matches no assignable user. No item #999999 found in this workspace.').waitFor();
  t.deepEqual(await said.locator('u').allInnerTexts(), ['@nobody', '#999999']);
  await page.keyboard.press('Enter');
  t.is(await line.inputValue(), 'Paint @nobody tomorrow #999999');
  await line.fill('Typed tomorrow 4h !high');
  await said.locator('mark', { hasText: 'Tomorrow' }).waitFor();
  await page.keyboard.press('Enter');
  await page
    .getByRole('status')
    .getByText(/\d+ Typed created/)
    .waitFor();
  t.deepEqual(await titles(page), ['Typed', 'Paint the deck'], 'only this line was added');
  t.is(await line.inputValue(), '');
  await page.locator('.row.new .input:focus').waitFor();
  await page.keyboard.type('Typed too');
  await page.keyboard.press('Enter');
  await page
    .getByRole('status')
    .getByText(/Typed too created/)
    .waitFor();
  t.is((await titles(page)).length, 3);
});

/** Controls beyond the right edge, also inside a scroll container, except filters and an item's main properties, which scroll sideways on phones. */
const beyondTheEdge = `[...document.querySelectorAll('main a, main button, main input:not([type=hidden])')]
  .filter((one) => one.checkVisibility({ contentVisibilityAuto: true }) && !one.closest('.filters, .propstrip') && one.getBoundingClientRect().right > innerWidth).map((one) => one.outerHTML)`;

test('a title without spaces shifts nothing, and no control is beyond the edge, on a phone and on a tablet', async (t) => {
  const page = await work.open(t, `${work.at}?type=milestone`);
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

test.long('the what-if table fits a screen of 1,280 pixels, and saving an estimate keeps an assignee who is deactivated', async (t) => {
  await work.rows('update users set active = false where id = $1', [work.refs.id('max')]);
  const address = `${work.web.baseUrl}/capacity/what-if?workspaceId=${work.refs.id('apollo')}&project=${work.refs.id('summer')}`;
  const page = await work.open(t, address);
  await page.setViewportSize({ width: 1280, height: 800 });
  const box = page.getByRole('region', { name: 'Tasks that you can change' });
  t.is(await box.evaluate((one) => one.scrollWidth - one.clientWidth), 0);
  const ends = await box
    .locator('input:not([type=hidden]), select')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
  t.true(ends.length > 0);
  t.true(Math.max(...ends) <= 1000, 'it lies beside "Effects"');
  t.is(await page.getByLabel('Assignee of Rivet 1').locator('option:checked').textContent(), 'Max (deactivated)');
  await page.getByLabel('Estimate, h of Rivet 1').fill('6');
  await page.getByLabel('Estimate, h of Rivet 1').blur();
  await page.getByRole('button', { name: 'Save 1 change' }).click();
  await page.getByText('Saved.').waitFor();
  const [saved] = await work.rows("select assignee_id, estimated_hours from items where title = 'Rivet 1'");
  t.deepEqual([saved.assignee_id, saved.estimated_hours].map(Number), [work.refs.id('max'), 6]);
});
