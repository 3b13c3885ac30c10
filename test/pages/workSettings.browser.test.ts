/** The settings of a workspace in a browser: changes in place, dragging statuses and priorities, confirmations. workSettings.db.test.ts
 *  and leaving.db.test.ts test the forms over HTTP. */
import { openAs, waitUntil } from '../support/browser.ts';
import { suite } from '../support/suite.ts';
import { workPages } from '../support/workPages.ts';
import { emailOf } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const work = workPages({
  items: [{ ref: 'task', type: 'task', title: 'Count the ropes', fields: { assigneeId: { ref: 'mia' } } }],
});

test("statuses are ordered and deleted in place; lowering one's own role opens a dialog, removing a member with work a page", async (t) => {
  const page = await work.browser.page(t, { viewport: { width: 1200, height: 500 } });
  await openAs(page, work.web.baseUrl, emailOf('ana'), `${work.at}/settings/statuses`);
  const order = async () =>
    page.locator('#priorities tr[data-word]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-word')).join());
  await page.evaluate('window.sameDocument = true');

  const down = page.getByRole('button', { name: 'Move Urgent down' });
  await down.scrollIntoViewIfNeeded();
  const place = Number(await page.evaluate('scrollY'));
  await down.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('Saved.').waitFor();
  t.is(await order(), 'high,urgent,normal,low');
  t.true(await down.evaluate((one) => one.matches(':focus')), 'the arrow keeps the focus');
  t.true(Math.abs(Number(await page.evaluate('scrollY')) - place) < 80, 'nothing jumps');

  const grip = (word: string) => page.locator(`#priorities tr[data-word=${word}] .grip`);
  const [from, to] = [(await grip('low').boundingBox())!, (await grip('high').boundingBox())!];
  await page.mouse.move(from.x + 6, from.y + 6);
  await page.mouse.down();
  await page.mouse.move(to.x + 6, to.y + 20, { steps: 6 });
  await page.mouse.move(to.x + 6, to.y - 6, { steps: 4 });
  const answer = page.waitForResponse((one) => one.url().includes('/settings/statuses?'));
  await page.mouse.up();
  await answer;
  await waitUntil(page, `document.querySelector('#priorities tr[data-word="low"] input[name="rank"]').value === '4'`);
  t.is(await order(), 'low,high,urgent,normal');

  await page.getByRole('button', { name: 'Delete Cancelled' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('status').getByText('Deleted.').waitFor();
  t.true(await page.evaluate('window.sameDocument'), 'all of it on one page');

  await page.goto(`${work.at}/settings/members/${work.refs.id('ana')}`);
  await page.getByRole('combobox', { name: 'Role' }).selectOption('viewer');
  await page.getByRole('button', { name: 'Save' }).click();
  await page
    .getByRole('dialog', { name: /Make yourself a viewer\?/ })
    .getByRole('button', { name: 'Cancel' })
    .click();

  await page.goto(`${work.at}/settings/members`);
  await page.getByRole('button', { name: 'Remove Mia' }).click();
  await page.getByRole('heading', { name: 'Are you sure?' }).waitFor();
});
