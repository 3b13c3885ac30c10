/** The inbox on a phone, by keyboard and with the pointer: approve, reject with a reason, done and snooze in the row, and Undo. */
import { expectAccessible, expectFitsPhone, openAs } from '../support/browser.ts';
import { fillInbox } from '../support/inbox.ts';
import { suite } from '../support/suite.ts';
import { drag, flick, phone } from '../support/touch.ts';
import { workPages } from '../support/workPages.ts';
import { emailOf } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const work = workPages({
  items: [
    { ref: 'car', type: 'requirement', title: 'Take a car along' },
    { ref: 'dog', type: 'requirement', title: 'Take a dog along' },
    { ref: 'deck', type: 'task', title: 'Paint the deck', fields: { assigneeId: { ref: 'max' } } },
  ],
});
test.before('requests and comments', async () => {
  await fillInbox(work.databaseUrl, work, { requirements: ['car', 'dog'], task: 'deck', comments: ['First', 'Second', 'Third'] });
});

test('swipes complete and snooze a notification, both with Undo, whose first tap works also after a quick swipe', async (t) => {
  const page = await work.browser.page(t, phone);
  await openAs(page, work.web.baseUrl, emailOf('max'), `${work.web.baseUrl}/notifications`);
  const approve = (await page
    .getByRole('button', { name: /^Approve/ })
    .first()
    .boundingBox())!;
  const rejecting = (await page.locator('.decide summary').first().boundingBox())!;
  t.true(approve.width + rejecting.width > 280, 'both fill the width');
  const rows = page.locator('.told.unread');
  const before = await rows.count();
  const undo = async () => {
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).tap();
    await page.locator('.toast', { hasText: 'Back in the inbox.' }).waitFor();
    t.is(await rows.count(), before);
  };
  await drag(rows.first(), { x: 150 });
  await undo();
  for (let n = 0; n < 3; n += 1) {
    await flick(rows.first(), 150);
    await undo();
  }
  await drag(rows.first(), { x: -150 });
  await page
    .getByRole('dialog', { name: 'Snooze until' })
    .getByRole('button', { name: /^Tomorrow/ })
    .tap();
  await page.locator('.toast', { hasText: 'Snoozed.' }).waitFor();
  t.is(await rows.count(), before - 1);
  await undo();

  t.false(await page.locator('.legend').isVisible());
  await page.setViewportSize({ width: 1440, height: 900 });
  t.true(await page.locator('.legend').isVisible(), 'wide screens name the keys');
});

test('J, A, E and H work on the focused row, rejecting asks for the reason there', async (t) => {
  const page = await work.open(t, `${work.web.baseUrl}/notifications`, 'max');
  await page.keyboard.press('j');
  await page.keyboard.press('a');
  await page.getByText('Approved.').waitFor();
  await page
    .getByLabel(/^Reject Take a/)
    .first()
    .click();
  await page.getByRole('textbox', { name: /^Message to/ }).fill('Not by car');
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);
  await page.getByRole('button', { name: /with this message$/ }).click();
  await page.getByText('Rejected.').waitFor();
  t.is(await page.locator('.told.ask').count(), 0);
  const rows = page.locator('.told.unread');
  const before = await rows.count();
  await rows.first().locator('.what a').focus();
  await page.keyboard.press('e');
  await page.getByText('Done.').waitFor();
  t.is(await rows.count(), before - 1);
  await rows.first().locator('.what a').focus();
  await page.keyboard.press('h');
  await page.locator('.menu-box .opt:focus').waitFor();
  await page.getByRole('button', { name: /^Tomorrow/ }).click();
  await page.getByText('Snoozed.', { exact: true }).waitFor();
  t.is(await rows.count(), before - 2);
});
