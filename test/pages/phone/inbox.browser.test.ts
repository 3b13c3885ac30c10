/** The inbox on a phone, and Undo of what is done there. */
import { fileBrowser, openAs } from '../../support/browser.ts';
import { fileDatabase } from '../../support/database.ts';
import { fillInbox } from '../../support/inbox.ts';
import { suite } from '../../support/suite.ts';
import { drag, flick, phone } from '../../support/touch.ts';
import { emailOf, type WorkWorld, workWorld } from '../../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const browser = fileBrowser();
let work: WorkWorld;
test.before('a person with notifications', async () => {
  work = await workWorld(database.url, {
    items: [
      { ref: 'car', type: 'requirement', title: 'Take a car along' },
      { ref: 'deck', type: 'task', title: 'Paint the deck', fields: { assigneeId: { ref: 'max' } } },
    ],
  });
  await fillInbox(database.url, work, { requirements: ['car'], task: 'deck', comments: ['First', 'Second', 'Third'] });
});
test.after('stop', () => work?.stop());

test('swipes complete and snooze a notification, both with Undo, whose first tap works also after a quick swipe', async (t) => {
  const page = await browser.page(t, phone);
  await openAs(page, work.web.baseUrl, emailOf('max'), `${work.web.baseUrl}/notifications`);
  const approve = (await page.getByRole('button', { name: /^Approve/ }).boundingBox())!;
  const rejecting = (await page.locator('.decide summary').boundingBox())!;
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
